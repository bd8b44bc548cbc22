/* Similarities: there and back against plain sums; the identity changes no bit; a rigid fit is one of scale 1. */
#include "geom/similarity.h"
#include "base/random.h"
#include "geom/rotations.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { N = 40 };

static void random_points(sfgp_random *random, int d, double *x)
{
    for (int k = 0; k < N * d; k++)
        x[k] = sfgp_random_normal(random);
}

static sfgp_similarity random_similarity(sfgp_random *random, int d, double scale)
{
    sfgp_similarity similarity = {.dimension = d, .scale = scale};
    sfgp_rotation_table(d, (int)sfgp_random_below(random, d == 2 ? 9 : 60), similarity.rotation);
    for (int a = 0; a < d; a++)
        similarity.shift[a] = sfgp_random_normal(random);
    return similarity;
}

/* 1e-14: some roundings of 1e-16 of numbers up to 4, three times as large where it is scaled. */
static void points_go_there_and_back(void **state)
{
    (void)state;
    sfgp_random random = sfgp_random_of(1);
    for (int k = 0; k < 8; k++) {
        const int d = 2 + k % 2;
        const sfgp_similarity map = random_similarity(&random, d, k < 4 ? 1 : 0.4 * k);
        double x[3 * N], there[3 * N], back[3 * N];
        random_points(&random, d, x);
        sfgp_similarity_apply(&map, N, x, there);
        for (int i = 0; i < N; i++)
            for (int a = 0; a < d; a++) {
                double y = map.shift[a];
                for (int b = 0; b < d; b++)
                    y += map.scale * map.rotation[a * d + b] * x[i * d + b];
                assert_true(fabs(there[i * d + a] - y) < 1e-14);
            }
        sfgp_similarity_undo(&map, N, there, back);
        for (int c = 0; c < N * d; c++)
            assert_true(fabs(back[c] - x[c]) < 1e-14);
        sfgp_similarity_undo(&map, N, there, there);
        assert_memory_equal(there, back, (size_t)(N * d) * sizeof *back); /* in place */
        sfgp_similarity_apply(&map, N, x, there);
        sfgp_similarity_apply(&map, N, x, x);
        assert_memory_equal(there, x, (size_t)(N * d) * sizeof *x);
    }
}

static void the_identity_is_one(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        const sfgp_similarity none = {.dimension = d, .scale = 1}, identity = sfgp_similarity_identity(d);
        const double x[6] = {-0.0, 1e300, 3, -1e-300, 5, 6};
        double y[6] = {0}, z[6] = {0};
        assert_true(sfgp_similarity_is_identity(&identity) && !sfgp_similarity_is_identity(&none));
        sfgp_similarity_apply(&identity, 6 / d, x, y);
        sfgp_similarity_undo(&identity, 6 / d, x, z);
        assert_memory_equal(x, y, sizeof x);
        assert_memory_equal(x, z, sizeof x);
        for (int k = 0; k <= d * d + d; k++) { /* any entry counts */
            sfgp_similarity other = identity;
            *(k < d * d       ? &other.rotation[k]
              : k < d * d + d ? &other.shift[k - d * d]
                              : &other.scale) += 1e-15;
            assert_false(sfgp_similarity_is_identity(&other));
        }
    }
}

/* 1e-13: sums of 40 products, and a rotation from them. */
static void a_fit_finds_the_map_of_its_pairs(void **state)
{
    (void)state;
    sfgp_random random = sfgp_random_of(2);
    for (int k = 0; k < 8; k++) {
        const int d = 2 + k % 2;
        const sfgp_align_kind kind = k < 4 ? SFGP_ALIGN_RIGID : SFGP_ALIGN_SIMILARITY;
        const sfgp_similarity map = random_similarity(&random, d, k < 4 ? 1 : 0.4 * k);
        double x[3 * N], there[3 * N], ones[N];
        sfgp_similarity found, weighted;
        random_points(&random, d, x);
        sfgp_similarity_apply(&map, N, x, there);
        for (int i = 0; i < N; i++)
            ones[i] = 1;
        const sfgp_pairs pairs = {N, d, NULL, NULL, x, there}, same = {N, d, ones, NULL, x, there};
        assert_true(sfgp_similarity_fit(kind, &pairs, &found) && sfgp_similarity_fit(kind, &same, &weighted));
        assert_int_equal(found.dimension, d);
        assert_true(k < 4 ? found.scale == 1 : fabs(found.scale - map.scale) < 1e-13);
        for (int c = 0; c < d * d; c++)
            assert_true(fabs(found.rotation[c] - map.rotation[c]) < 1e-13);
        for (int a = 0; a < d; a++)
            assert_true(fabs(found.shift[a] - map.shift[a]) < 1e-13);
        assert_memory_equal(&found, &weighted, sizeof found); /* no weights are weights of 1 */
    }
}

static void pairs_without_a_map_leave_it_unchanged(void **state)
{
    (void)state;
    const double one[6] = {1, 2, 3, 1, 2, 3}, far[6] = {1e308, 1e308, 1e308, -1e308, -1e308, -1e308},
                 none[2] = {0};
    const sfgp_pairs bad[] = {
        {2, 3, NULL, NULL, one, far}, {2, 3, NULL, NULL, far, one}, {2, 3, none, NULL, far, far}};
    for (int k = 0; k < 3; k++)
        for (int kind = 0; kind < 2; kind++) {
            const sfgp_similarity before = sfgp_similarity_identity(3);
            sfgp_similarity map = before;
            assert_false(sfgp_similarity_fit((sfgp_align_kind)kind, &bad[k], &map));
            assert_memory_equal(&map, &before, sizeof map);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(points_go_there_and_back),
        sfgp_unit_test(the_identity_is_one),
        sfgp_unit_test(a_fit_finds_the_map_of_its_pairs),
        sfgp_unit_test(pairs_without_a_map_leave_it_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
