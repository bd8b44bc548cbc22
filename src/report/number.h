/* Numbers as text: the fewest of 15, 16, 17 digits that read back as the same double. */
#ifndef SFGP_REPORT_NUMBER_H
#define SFGP_REPORT_NUMBER_H

#define REPORT_NUMBER_SIZE 32
/* The decimal sign is that of the process, a point: the program never calls setlocale. Returns text. */
const char *report_number_format(double value, char text[REPORT_NUMBER_SIZE]);

#endif
