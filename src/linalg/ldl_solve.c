/* Forward and backward substitution. Where two columns of L that follow each other have the same rows, as most have, both are taken
 * at once: the rows and y are read once. */
#include "linalg/ldl_view.h"

#include <stdbool.h>

/* Whether the rows of column j are j, j + 1 and those of column j + 1 below its diagonal. They are if there are as many: the rows of
 * a column below its parent are among those of the parent. */
static bool is_pair(const sfgp_ldl_view *l, int64_t j)
{
    return j + 1 < l->count && l->length[j] == l->length[j + 1] + 1 && l->rows[l->start[j] + 1] == j + 1;
}

/* ---- L \ y ------------------------------------------------------------------------------------------- */

/* The number of columns is a constant where these are called, so that the loops over them are unrolled. */
static inline void forward_one(const sfgp_ldl_view *l, int64_t j, int columns, double *restrict y)
{
    const int32_t begin = l->start[j], end = begin + l->length[j];
    double own[3];
    for (int k = 0; k < columns; k++)
        own[k] = y[j * columns + k];
    for (int32_t p = begin + 1; p < end; p++)
        for (int k = 0; k < columns; k++)
            y[(int64_t)l->rows[p] * columns + k] -= l->values[p] * own[k];
}

static inline void forward_pair(const sfgp_ldl_view *l, int64_t j, int columns, double *restrict y)
{
    const int32_t first = l->start[j] + 2, second = l->start[j + 1] + 1, count = l->length[j + 1] - 1;
    double own[3], next[3];
    for (int k = 0; k < columns; k++) {
        own[k] = y[j * columns + k];
        next[k] = y[(j + 1) * columns + k] -= l->values[first - 1] * own[k];
    }
    for (int32_t p = 0; p < count; p++) {
        const double a = l->values[first + p], b = l->values[second + p];
        for (int k = 0; k < columns; k++)
            y[(int64_t)l->rows[second + p] * columns + k] -= a * own[k] + b * next[k];
    }
}

static inline void forward(const sfgp_ldl_view *l, int columns, double *y)
{
    for (int64_t j = 0; j < l->count; j++)
        if (is_pair(l, j))
            forward_pair(l, j++, columns, y);
        else
            forward_one(l, j, columns, y);
}

void sfgp_ldl_forward(const sfgp_ldl_view *l, int columns, double *y)
{
    if (columns == 1)
        forward(l, 1, y);
    else if (columns == 2)
        forward(l, 2, y);
    else
        forward(l, 3, y);
}

/* ---- D \ y ------------------------------------------------------------------------------------------- */

void sfgp_ldl_divide(const sfgp_ldl_view *l, int columns, double *y)
{
    for (int64_t j = 0; j < l->count; j++)
        for (int k = 0; k < columns; k++)
            y[j * columns + k] /= l->values[l->start[j]];
}

/* ---- L' \ y ------------------------------------------------------------------------------------------ */

static inline void backward_one(const sfgp_ldl_view *l, int64_t j, int columns, double *restrict y)
{
    const int32_t begin = l->start[j], end = begin + l->length[j];
    double sum[3] = {0};
    for (int32_t p = begin + 1; p < end; p++)
        for (int k = 0; k < columns; k++)
            sum[k] += l->values[p] * y[(int64_t)l->rows[p] * columns + k];
    for (int k = 0; k < columns; k++)
        y[j * columns + k] -= sum[k];
}

/* Columns j and j + 1. */
static inline void backward_pair(const sfgp_ldl_view *l, int64_t j, int columns, double *restrict y)
{
    const int32_t first = l->start[j] + 2, second = l->start[j + 1] + 1, count = l->length[j + 1] - 1;
    double sum[3] = {0}, next[3] = {0};
    for (int32_t p = 0; p < count; p++) {
        const double a = l->values[first + p], b = l->values[second + p];
        for (int k = 0; k < columns; k++) {
            const double value = y[(int64_t)l->rows[second + p] * columns + k];
            sum[k] += a * value;
            next[k] += b * value;
        }
    }
    for (int k = 0; k < columns; k++) {
        const double below = y[(j + 1) * columns + k] -= next[k];
        y[j * columns + k] -= sum[k] + l->values[first - 1] * below;
    }
}

static inline void backward(const sfgp_ldl_view *l, int columns, double *y)
{
    for (int64_t j = l->count - 1; j >= 0; j--)
        if (j > 0 && is_pair(l, j - 1))
            backward_pair(l, --j, columns, y);
        else
            backward_one(l, j, columns, y);
}

void sfgp_ldl_backward(const sfgp_ldl_view *l, int columns, double *y)
{
    if (columns == 1)
        backward(l, 1, y);
    else if (columns == 2)
        backward(l, 2, y);
    else
        backward(l, 3, y);
}
