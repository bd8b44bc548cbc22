/* What the picture shows: the scan, its fit, and what is known of each point. */
#ifndef SFGP_BENCH_PICTURE_SCENE_H
#define SFGP_BENCH_PICTURE_SCENE_H

#include "sfgp/sfgp.h"

#include <stddef.h>

struct scene {
    sfgp_mesh *scan, *fit;
    double *sd, *missing, *outlier; /* per point of fit, fit, scan */
    double worst;                   /* end of the colour bar, mm */
};

/* Reads the three files; dies when one is not as it should be. */
struct scene scene_read(sfgp_context *context, const char *scan, const char *fit, const char *table);
void scene_free(struct scene *scene);

_Noreturn void die(const char *what, const char *why);
void *grab(size_t count, size_t size); /* zeroed memory; dies when there is none; free() it */

#endif
