/* Damages of a scan: the table of all, and one function for each kind (the warp is in warp.h).
 * Points are count x dimension doubles in the frame of the truth: centroid at 0, RMS radius 1. */
#ifndef SFGP_SIMULATE_DAMAGE_H
#define SFGP_SIMULATE_DAMAGE_H

#include "base/context.h"
#include "base/random.h"

typedef struct sfgp_cloud {
    int64_t count;
    int dimension;
    double *points;
} sfgp_cloud;

/* What a public function was given, as a struct of this version: with the defaults of what the program was compiled without. */
sfgp_status sfgp_damage_complete(sfgp_context *context, const sfgp_damage *given, size_t size,
                                 sfgp_damage *whole);
/* Checks every field against the table. SFGP_ERROR_PARAMETER naming the field. */
sfgp_status sfgp_damage_check(sfgp_context *context, const sfgp_damage *damage);
/* The damage with its lengths in the frame, whose unit is scale in the unit of the file; auto values are
 * replaced. */
sfgp_damage sfgp_damage_in_frame(const sfgp_damage *damage, double scale);

/* Marks the points in balls around random points with 1. Cost: holes x count. */
void sfgp_damage_holes(const sfgp_cloud *cloud, int64_t holes, double radius, sfgp_random *random,
                       unsigned char *mask);
/* Marks the points in the closed box of full width around a point, along the axes. */
void sfgp_damage_box(const sfgp_cloud *cloud, int64_t point, double width, unsigned char *mask);
/* Marks `points` random points; some may be marked already. */
void sfgp_damage_points(const sfgp_cloud *cloud, int64_t points, sfgp_random *random, unsigned char *mask);
/* Removes the marked points. The others keep their order. */
void sfgp_damage_remove(const unsigned char *mask, sfgp_cloud *cloud);
/* Adds normal noise to every coordinate. */
void sfgp_damage_noise(double deviation, sfgp_random *random, sfgp_cloud *cloud);
/* Adds points that are uniform between the corners low and high; cloud->points has room for them. */
void sfgp_damage_outliers(int64_t outliers, const double low[3], const double high[3], sfgp_random *random,
                          sfgp_cloud *cloud);
/* Turns by rotation (degrees) around a random axis through 0 (either way around in 2D), scales by 1 + scale,
 * and moves by translation in a random direction. */
void sfgp_damage_similarity(double rotation, double translation, double scale, sfgp_random *random,
                            sfgp_cloud *cloud);
/* Random order (Fisher, Yates). */
void sfgp_damage_shuffle(sfgp_random *random, sfgp_cloud *cloud);

#endif
