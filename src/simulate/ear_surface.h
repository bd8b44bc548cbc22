/* Surface of one ear: the unit disk to millimetres.
 *
 *   plane    (radius, turn) -> (x, y): the disk is stretched to the outline of an ear
 *   relief   z = strokes - depth tanh(concha), and the last 3 mm before the outline are bent around to the back
 *   roll     the crest of the helix is pulled inwards, so that it hangs over; the tragus leans over the concha
 *   warp     taper, lobule, cup, slant, size, protrusion and waves move the finished ear as a whole
 *
 * Parameters act on heights and on the warp, never on where a stroke lies on the disk: a point of the disk is
 * the same anatomical point on every ear of the family. */
#ifndef SFGP_SIMULATE_EAR_SURFACE_H
#define SFGP_SIMULATE_EAR_SURFACE_H

#include "simulate/ear_relief.h"

typedef struct sfgp_ear_surface {
    sfgp_ear_family family;
    sfgp_ear_relief relief;
} sfgp_ear_surface;

void sfgp_ear_surface_prepare(uint64_t seed, sfgp_ear_surface *surface);

/* Distance of the outline from the middle of the undeformed ear in the direction turn (radians), mm. */
double sfgp_ear_outline(double turn);

/* The point of the surface at 0 <= radius <= 1 and the direction turn; x back, y up, z away from the head. */
void sfgp_ear_surface_at(const sfgp_ear_surface *surface, double radius, double turn, double point[3]);

#endif
