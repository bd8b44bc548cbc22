/* Rotations: the tables of them are groups, and nothing is far from them; what is none is told. */
#include "support/support.h"
#include "support/rotation.h"
#include "base/random.h"
#include "geom/rotations.h"
#include "geom/similarity.h"

#include <math.h>
#include <string.h>

enum { MOST = 60 };
static const double degree = 0.017453292519943295;

/* Gram and Schmidt on normal numbers: uniform over the rotations. */
static void random_rotation(sfgp_random *random, int d, double *r)
{
    for (int a = 0; a < d; a++) {
        double length = 0;
        for (int k = 0; k < d; k++)
            r[a * d + k] = sfgp_random_normal(random);
        for (int b = 0; b < a; b++) {
            double along = 0;
            for (int k = 0; k < d; k++)
                along += r[a * d + k] * r[b * d + k];
            for (int k = 0; k < d; k++)
                r[a * d + k] -= along * r[b * d + k];
        }
        for (int k = 0; k < d; k++)
            length += r[a * d + k] * r[a * d + k];
        for (int k = 0; k < d; k++)
            r[a * d + k] /= sqrt(length);
    }
    if (!test_is_rotation(r, d, 1e-9))
        for (int k = 0; k < d; k++)
            r[k] = -r[k];
}

/* c = a'b, d x d */
static void turn_between(int d, const double *a, const double *b, double *c)
{
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            c[i * d + j] = 0;
            for (int k = 0; k < d; k++)
                c[i * d + j] += a[k * d + i] * b[k * d + j];
        }
}

static double angle_between(int d, const double *a, const double *b)
{
    double turn[9];
    turn_between(d, a, b, turn);
    return acos(sfgp_rotation_cosine(turn, d)) / degree;
}

static void what_is_no_rotation_is_told(void **state)
{
    (void)state;
    sfgp_random random = sfgp_random_of(2);
    for (int d = 2; d <= 3; d++) {
        double r[9], changed[9];
        random_rotation(&random, d, r);
        assert_true(test_is_rotation(r, d, 1e-14));
        for (int k = 0; k < d * d; k++) {
            memcpy(changed, r, sizeof r);
            changed[k] += 1e-2;
            assert_false(test_is_rotation(changed, d, 1e-6));
            changed[k] = r[k] + 1e-9;
            assert_true(test_is_rotation(changed, d, 1e-6));
            changed[k] = NAN;
            assert_false(test_is_rotation(changed, d, 1e-6));
        }
        memcpy(changed, r, sizeof r);
        for (int k = 0; k < d; k++)
            changed[k] = -r[k]; /* a mirror */
        assert_false(test_is_rotation(changed, d, 1e-6));
    }
}

/* ---- the tables -------------------------------------------------------------------------------------- */

static int read_table(int d, double table[MOST][9])
{
    const int count = sfgp_rotation_table(d, 0, table[0]);
    for (int k = 1; k < count; k++)
        assert_int_equal(sfgp_rotation_table(d, k, table[k]), count);
    return count;
}

/* The nearest of the table, in degrees. */
static double nearest(int d, int count, double table[MOST][9], const double *rotation)
{
    double least = 360;
    for (int k = 0; k < count; k++)
        least = fmin(least, angle_between(d, table[k], rotation));
    return least;
}

/* 1e-14: 3 products of numbers that are exact to 2e-16. acos near 1 turns that into 1e-5 degrees. */
static void tables_are_groups_in_order(void **state)
{
    (void)state;
    static const int counts[] = {9, 60};
    for (int d = 2; d <= 3; d++) {
        double table[MOST][9] = {{0}}, product[9];
        const int count = read_table(d, table);
        sfgp_similarity first = sfgp_similarity_identity(d);
        assert_int_equal(count, counts[d - 2]);
        memcpy(first.rotation, table[0], sizeof table[0]);
        assert_true(sfgp_similarity_is_identity(&first));
        for (int i = 0; i < count; i++) {
            assert_true(test_is_rotation(table[i], d, 1e-14));
            assert_true(i == 0 || angle_between(d, table[0], table[i]) >
                                      angle_between(d, table[0], table[i - 1]) - 1e-5);
            for (int j = 0; j < count; j++) {
                assert_true(i == j || angle_between(d, table[i], table[j]) > 39.9);
                turn_between(d, table[i], table[j], product);
                assert_true(nearest(d, count, table, product) < 1e-5);
            }
        }
    }
}

/* What the header says of 500: the nearest is 15 degrees away on average and 27 at most. */
static void a_spiral_of_rotations_is_even(void **state)
{
    (void)state;
    enum { SPIRAL = 500, TRIED = 2000 };
    static double spiral[SPIRAL][9];
    double sum = 0, most = 0;
    sfgp_random random = sfgp_random_of(7);
    for (int k = 0; k < SPIRAL; k++) {
        sfgp_rotation_spiral(SPIRAL, k, spiral[k]);
        assert_true(test_is_rotation(spiral[k], 3, 1e-14));
    }
    for (int i = 0; i < TRIED; i++) {
        double rotation[9], cosine = -1;
        random_rotation(&random, 3, rotation);
        for (int k = 0; k < SPIRAL; k++)
            cosine = fmax(cosine, sfgp_rotation_cosine_between(spiral[k], rotation, 3));
        sum += acos(cosine) / degree, most = fmax(most, acos(cosine) / degree);
    }
    if (!(sum / TRIED < 15.5 && most < 28))
        fail_msg("mean %g, most %g degrees", sum / TRIED, most);
}

/* By its axis, which stays, and by the angle; a vector of no length turns nothing. Applied, it is the product. */
static void a_vector_is_a_rotation_about_it(void **state)
{
    (void)state;
    const double v[3] = {0.4, -0.7, 1.1}, none[3] = {0}, length = sqrt(0.16 + 0.49 + 1.21);
    const double x[3] = {1, 0, 0}, cosine = cos(length);
    double rotation[9], turned[3], identity[9];
    sfgp_rotation_about(v, rotation);
    assert_true(test_is_rotation(rotation, 3, 1e-14));
    assert_true(fabs(sfgp_rotation_cosine(rotation, 3) - cosine) < 1e-14);
    sfgp_rotation_apply(rotation, v, turned);
    for (int a = 0; a < 3; a++)
        assert_true(fabs(turned[a] - v[a]) < 1e-14);
    sfgp_rotation_apply(rotation, x, turned); /* the x of u (u.x) (1 - cos) + cos x + sin u x x */
    assert_true(fabs(turned[0] - (v[0] * v[0] / (length * length) * (1 - cosine) + cosine)) < 1e-14);
    assert_true(fabs(turned[1] -
                     (v[0] * v[1] / (length * length) * (1 - cosine) + v[2] / length * sin(length))) < 1e-14);
    sfgp_rotation_about(none, identity);
    for (int k = 0; k < 9; k++)
        assert_true(identity[k] == (k % 4 == 0));
}

static void past_the_table_nothing_is_written(void **state)
{
    (void)state;
    static const int indices[] = {-1, 0, 2147483647, -2147483647 - 1};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 4; k++) {
            double rotation[9] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
            const int count = d == 2 ? 9 : 60, index = k == 1 ? count : indices[k];
            assert_int_equal(sfgp_rotation_table(d, index, rotation), count);
            for (int a = 0; a < 9; a++)
                assert_true(rotation[a] == 7);
        }
}

/* 3D: the covering radius of the 600-cell is acos(phi^2 / sqrt 8) = 22.24 degrees, twice that for rotations.
 * The least is asked for so that the test is known to look at the holes. */
static void no_rotation_is_far_from_the_table(void **state)
{
    (void)state;
    static const double least[] = {19.9, 43}, most[] = {20 + 1e-5, 44.48};
    sfgp_random random = sfgp_random_of(3);
    for (int d = 2; d <= 3; d++) {
        double table[MOST][9], rotation[9], farthest = 0;
        const int count = read_table(d, table);
        for (int k = 0; k < 20000; k++) {
            random_rotation(&random, d, rotation);
            farthest = fmax(farthest, nearest(d, count, table, rotation));
        }
        if (!(farthest > least[d - 2] && farthest < most[d - 2]))
            fail_msg("%dD: %g degrees", d, farthest);
    }
}

static void angles_are_those_of_the_turn(void **state)
{
    (void)state;
    for (int k = 0; k <= 18; k++) {
        const double c = cos(10 * k * degree), s = sin(10 * k * degree);
        const double plane[4] = {c, -s, s, c}, space[9] = {1, 0, 0, 0, c, -s, 0, s, c};
        assert_true(fabs(sfgp_rotation_cosine(plane, 2) - c) < 1e-15);
        assert_true(fabs(sfgp_rotation_cosine(space, 3) - c) < 1e-15);
    }
}

/* It is that of the turn from one to the other, whatever both are. */
static void angles_between_are_those_of_the_turn_between(void **state)
{
    (void)state;
    sfgp_random random = sfgp_random_of(4);
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 20; k++) {
            double a[9], b[9], turn[9];
            random_rotation(&random, d, a);
            random_rotation(&random, d, b);
            turn_between(d, a, b, turn);
            assert_true(fabs(sfgp_rotation_cosine_between(a, b, d) - sfgp_rotation_cosine(turn, d)) < 1e-14);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(what_is_no_rotation_is_told),
        sfgp_unit_test(tables_are_groups_in_order),
        sfgp_unit_test(past_the_table_nothing_is_written),
        sfgp_unit_test(a_spiral_of_rotations_is_even),
        sfgp_unit_test(a_vector_is_a_rotation_about_it),
        sfgp_unit_test(no_rotation_is_far_from_the_table),
        sfgp_unit_test(angles_are_those_of_the_turn),
        sfgp_unit_test(angles_between_are_those_of_the_turn_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
