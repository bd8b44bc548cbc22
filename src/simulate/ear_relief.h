/* Relief of the ear: ridges and hollows drawn as strokes on a plane.
 *
 * A stroke is a curve through a few knots, each with a height and a width. It is laid down as many small
 * Gaussians, h exp(-d^2 / 2w^2) ds / (w sqrt(2 pi)), so that a straight piece of it has the height h, ends
 * fade out, and strokes that meet blend without a seam: the relief has derivatives of every order. */
#ifndef SFGP_SIMULATE_EAR_RELIEF_H
#define SFGP_SIMULATE_EAR_RELIEF_H

#include "simulate/ear_family.h"

typedef enum sfgp_ear_stroke {
    SFGP_EAR_HELIX,
    SFGP_EAR_ANTIHELIX,
    SFGP_EAR_CRUS,
    SFGP_EAR_SCAPHA,
    SFGP_EAR_FOSSA,
    SFGP_EAR_CONCHA,
    SFGP_EAR_CANAL,
    SFGP_EAR_TRAGUS,
    SFGP_EAR_ANTITRAGUS,
    SFGP_EAR_LOBULE,
    SFGP_EAR_STROKES
} sfgp_ear_stroke;

#define SFGP_EAR_DABS 64 /* Gaussians of a stroke */

typedef struct sfgp_ear_dab {
    double x, y;
    double amount;    /* height ds / (w sqrt(2 pi)), mm */
    double sharpness; /* 1 / 2w^2 */
} sfgp_ear_dab;

typedef struct sfgp_ear_relief {
    sfgp_ear_dab dabs[SFGP_EAR_STROKES][SFGP_EAR_DABS];
} sfgp_ear_relief;

void sfgp_ear_relief_prepare(const sfgp_ear_family *family, sfgp_ear_relief *relief);

/* Height of every stroke at (x, y) mm of the undeformed ear. Cost: at most SFGP_EAR_STROKES x SFGP_EAR_DABS
 * exponentials. */
void sfgp_ear_relief_at(const sfgp_ear_relief *relief, double x, double y, double heights[SFGP_EAR_STROKES]);

#endif
