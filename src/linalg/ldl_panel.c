/* LDL' of the columns of one panel, which is dense, without pivoting. */
#include "base/simd.h"
#include "linalg/ldl_panels.h"

#include <cblas.h>
#include <math.h>

/* Columns first .. end - 1. Whether no pivot is 0. */
SFGP_SIMD static bool factorise_block(int64_t height, int64_t first, int64_t end, double *panel)
{
    for (int64_t j = first; j < end; j++) {
        double *restrict own = panel + j * height;
        const double pivot = own[j];
        if (!(fabs(pivot) > 0))
            return false;
        for (int64_t i = j + 1; i < height; i++)
            own[i] /= pivot;
        for (int64_t k = j + 1; k < end; k++) {
            double *restrict later = panel + k * height;
            const double by = own[k] * pivot;
            for (int64_t i = k; i < height; i++)
                later[i] -= own[i] * by;
        }
    }
    return true;
}

/* The later columns of a panel, after those from first to end - 1. */
static void subtract_block(int64_t height, int64_t width, int64_t first, int64_t end, double *panel,
                           double *scaled)
{
    for (int64_t from = end; from < width; from += SFGP_LDL_CHUNK) {
        const int64_t columns = width - from < SFGP_LDL_CHUNK ? width - from : SFGP_LDL_CHUNK;
        for (int64_t t = first; t < end; t++)
            for (int64_t q = 0; q < columns; q++)
                scaled[(t - first) * columns + q] = panel[t * height + from + q] * panel[t * height + t];
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)(height - from), (int)columns,
                    (int)(end - first), -1.0, panel + first * height + from, (int)height, scaled,
                    (int)columns, 1.0, panel + from * height + from, (int)height);
    }
}

bool sfgp_ldl_panel_factorise(int64_t height, int64_t width, double *panel, double *scaled)
{
    for (int64_t first = 0; first < width; first += SFGP_LDL_BLOCK) {
        const int64_t end = first + SFGP_LDL_BLOCK < width ? first + SFGP_LDL_BLOCK : width;
        if (!factorise_block(height, first, end, panel))
            return false;
        subtract_block(height, width, first, end, panel, scaled);
    }
    return true;
}
