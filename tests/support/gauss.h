/* Dense equations of the oracles of two tests. */
#ifndef SFGP_TESTS_GAUSS_H
#define SFGP_TESTS_GAUSS_H

/* Gauss with pivots on the diagonal, which is heavy: A (n x n) x = b for k right sides. */
static void test_gauss(int n, int k, double *a, double *b)
{
    for (int p = 0; p < n; p++)
        for (int i = 0; i < n; i++) {
            const double factor = i == p ? 0 : a[i * n + p] / a[p * n + p];
            for (int j = p; j < n && i != p; j++)
                a[i * n + j] -= factor * a[p * n + j];
            for (int j = 0; j < k && i != p; j++)
                b[i * k + j] -= factor * b[p * k + j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            b[i * k + j] /= a[i * n + i];
}

#endif
