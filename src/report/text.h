/* Texts of any length. */
#ifndef SFGP_REPORT_TEXT_H
#define SFGP_REPORT_TEXT_H

/* As printf, into a text of its own: the caller's, free(). NULL: out of memory. */
char *report_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
