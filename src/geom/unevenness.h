/* Unevenness: how places of a scan lie in the neighbourhoods of some of them, taken evenly in their order. */
#ifndef SFGP_GEOM_UNEVENNESS_H
#define SFGP_GEOM_UNEVENNESS_H

#include "geom/places.h"

typedef struct sfgp_unevenness {
    double copies; /* lower quartile of the squared distance to the nearest, by that to the twelfth */
    double dense;  /* area of the surface around a place: the median */
    double sparse; /* and where half of the flat surface has more; 0: too little is seen to be flat */
} sfgp_unevenness;

/* Of sorted places in space. About O(count). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_unevenness_measure(sfgp_context *context, int64_t count, const sfgp_place *places,
                                    sfgp_unevenness *is);

#endif
