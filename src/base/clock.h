/* Seconds since a fixed moment: wall time, and CPU time of all threads of the process. */
#ifndef SFGP_BASE_CLOCK_H
#define SFGP_BASE_CLOCK_H

double sfgp_clock(void);
double sfgp_clock_cpu(void);

#endif
