/* getopt_long: glibc, musl, BSD and macOS have it, Windows does not. */
#ifndef SFGP_BASE_PLATFORM_OPTIONS_H
#define SFGP_BASE_PLATFORM_OPTIONS_H

#include <getopt.h>

#endif
