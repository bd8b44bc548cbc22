/* Wall time in seconds from some fixed moment. */
#ifndef SFGP_BASE_CLOCK_H
#define SFGP_BASE_CLOCK_H

double sfgp_clock(void);

#endif
