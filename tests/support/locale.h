/* A locale with decimal commas. */
#ifndef SFGP_TESTS_LOCALE_H
#define SFGP_TESTS_LOCALE_H

/* Sets it for the process. It is made for the test where the system has none; skips the test where that is not possible. */
void sfgp_test_comma_locale(void);

#endif
