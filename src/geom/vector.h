/* Points as vectors. */
#ifndef SFGP_GEOM_VECTOR_H
#define SFGP_GEOM_VECTOR_H

static inline double sfgp_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double sfgp_square_between(int d, const double *x, const double *y)
{
    double square = 0;
    for (int a = 0; a < d; a++)
        square += (x[a] - y[a]) * (x[a] - y[a]);
    return square;
}

#endif
