/* Vectors of three, and the circle's number. */
#ifndef SFGP_PAGE_VECTOR_H
#define SFGP_PAGE_VECTOR_H

#include <math.h>

#define PI 3.14159265358979

typedef struct vec3 {
    double x, y, z;
} vec3;

static inline vec3 add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3 subtract(vec3 a, vec3 b)
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3 scale(double factor, vec3 a)
{
    return (vec3){factor * a.x, factor * a.y, factor * a.z};
}

static inline vec3 cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 unit(vec3 a)
{
    double length = sqrt(dot(a, a)) + 1e-300;
    return (vec3){a.x / length, a.y / length, a.z / length};
}

static inline vec3 mix(vec3 a, vec3 b, double t)
{
    return (vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

/* Sum of three vectors, or three numbers, with the weights w. */
static inline vec3 blend(vec3 a, vec3 b, vec3 c, const double w[3])
{
    return (vec3){w[0] * a.x + w[1] * b.x + w[2] * c.x, w[0] * a.y + w[1] * b.y + w[2] * c.y,
                  w[0] * a.z + w[1] * b.z + w[2] * c.z};
}

static inline double blend_values(const double v[3], const double w[3])
{
    return w[0] * v[0] + w[1] * v[1] + w[2] * v[2];
}

#endif
