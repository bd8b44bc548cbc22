/* Turns: poses that a search tries, with the scores of their fits. */
#ifndef SFGP_SEARCH_TURNS_H
#define SFGP_SEARCH_TURNS_H

#include "geom/similarity.h"

#define SFGP_TURNS 60 /* most: the table of geom/rotations.h */

typedef struct sfgp_turns {
    int count;
    sfgp_similarity poses[SFGP_TURNS];
    double scores[SFGP_TURNS]; /* minus infinity: the fit explains nothing */
} sfgp_turns;

/* All rotations of the table but the identity, or of so many steps of a circle (0: of the table), with the shift of `unturned`. No scores. */
void sfgp_turns_list(const sfgp_similarity *unturned, int steps, sfgp_turns *turns);
/* The largest score; minus infinity when there is none. */
double sfgp_turns_score(const sfgp_turns *turns);
/* Keeps `most` of them, by falling score: the best one and each that is no nearer to a better one than an angle, of
 * which the cosine is given. What explains nothing is not kept. O(count^2). */
void sfgp_turns_keep(int most, double cosine, sfgp_turns *turns);

#endif
