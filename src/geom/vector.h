/* Vectors of three numbers. */
#ifndef SFGP_GEOM_VECTOR_H
#define SFGP_GEOM_VECTOR_H

static inline double sfgp_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
