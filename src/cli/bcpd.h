/* sfgp bcpd: the command line of the program BCPD (Hirose, github.com/ohirose/bcpd), its meaning and its files.
 * ADR 0028 has the table of its options. */
#ifndef SFGP_CLI_BCPD_H
#define SFGP_CLI_BCPD_H

#include "cli/session.h"

/* A command line, read. */
typedef struct cli_bcpd_options {
    const char *target;  /* -x */
    const char *source;  /* -y */
    const char *prefix;  /* -o, of the outputs */
    const char *map;     /* -T */
    const char *kernel;  /* -G; NULL: Gaussian */
    char normalise;      /* -u */
    int64_t sample;      /* -D, the largest number of points; 0: all */
    bool sample_differs; /* -D: not the same number of points of both shapes, or not of both */
    bool automatic;      /* --auto */
    bool usage;          /* -v */
    bool outliers;       /* -w is above 0 */
    bool given[128];     /* letters of the command line */
    bool saved[128];     /* letters of -s; A: all */
    sfgp_settings settings;
} cli_bcpd_options;

/* Reads the command line, with the defaults of BCPD. Errors: SFGP_ERROR_PARAMETER. */
sfgp_status cli_bcpd_parse(cli_session *session, int argc, char **argv, cli_bcpd_options *options);
/* Chooses the method and completes the settings. Names what is not honoured: a warning where the answer stays, an
 * error where it would be another one. */
sfgp_status cli_bcpd_choose(cli_session *session, cli_bcpd_options *options);

/* One run. */
typedef struct cli_bcpd_run {
    cli_session *session;
    const cli_bcpd_options *options;
    const sfgp_mesh *source;
    const sfgp_mesh *target;
    const sfgp_result *result;
    double seconds[3]; /* reading, fitting, processor time of the fit */
} cli_bcpd_run;

/* Writes the files that BCPD would write. Errors: SFGP_ERROR_MEMORY, _WRITE. */
sfgp_status cli_bcpd_write(const cli_bcpd_run *run);

/* Matches of a fit, by the probability that target point n belongs to source point m:
 *
 *     P_mn = a_m g_mn / (c + sum_k a_k g_kn),   g_mn = exp(-|x_n - y_m|^2 / (2 sigma^2))
 *     c    = (2 pi sigma^2)^(d/2) omega / ((1 - omega) volume)
 *
 * with the box of the target as volume (Hirose, IEEE TPAMI 43(7), 2021, figure 1, without the variance of y). As in BCPD
 * the sum is over the points within 7 sigma, or the nearest one where there is none. */
typedef struct cli_bcpd_matches {
    const sfgp_result *result;
    const sfgp_mesh *target;
    double outlier;   /* c; 0 without outliers */
    double radius;    /* 7 sigma */
    int64_t *order;   /* source points by their first coordinate */
    double *key;      /* these coordinates */
    double *mixing;   /* M: a_m */
    double *weight;   /* M: nu_m = sum_n P_mn */
    double *labelled; /* M x d: sum_n P_mn x_n / nu_m; the fit itself where nu_m = 0 */
    double *row;      /* M: P_mn of one n, in the order of `order` */
    int64_t first;    /* row: from here */
    int64_t end;      /* row: up to here */
    double total;     /* sum_n,m P_mn */
} cli_bcpd_matches;

/* Clear also after an error. SFGP_ERROR_MEMORY. */
sfgp_status cli_bcpd_matches_new(const cli_bcpd_run *run, cli_bcpd_matches *matches);
void cli_bcpd_matches_clear(cli_bcpd_matches *matches);
/* Fills row, first and end for one target point. Returns the probability that it is an outlier. */
double cli_bcpd_match(cli_bcpd_matches *matches, int64_t n);

#endif
