/* Labels by tiles against those in double precision, and against themselves. */
#include "support/corrupt.h"
#include "support/shapes.h"
#include "correspond/tiles.h"
#include "geom/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPSILON 0x1p-24 /* largest rounding in single precision, of 1 */

enum { MOST = 200 };
static const int SIZES[][2] = {{200, 150}, {160, 96}, {149, 3}, {5, 7}, {17, 33}, {1, 1}, {3, 100}, {16, 16}};
enum { TRIALS = sizeof SIZES / sizeof *SIZES };

typedef struct setting {
    int n, m, d;
    double reference[3 * MOST], fitted[3 * MOST], target[3 * MOST]; /* target in its order */
    double variance[MOST], sigma2[MOST], mixing[MOST];
    sfgp_estep_rule rule;
    sfgp_tiles *tiles;
    sfgp_kdtree *tree;
    sfgp_responsibilities whole, tiled; /* without and with tiles */
} setting;

/* Deviations of 1.4 to 2.3 among points some 4 apart; a few points are hardly ever seen. The fit is off the
 * points that the blocks are made for by up to 2. */
static void fill(setting *s)
{
    test_shapes *shapes = test_shapes_new(MOST, s->d, 0, 5);
    assert_true(s->n <= MOST && s->m <= shapes->m);
    for (int k = 0; k < s->n * s->d; k++) {
        s->reference[k] = shapes->reference[k / s->d * (MOST / s->n) * s->d + k % s->d];
        s->fitted[k] = s->reference[k] + 2 * sin(k);
    }
    memcpy(s->target, shapes->target, (size_t)(s->m * s->d) * sizeof(double));
    for (int i = 0; i < s->n; i++) {
        s->variance[i] = 0.5 + 0.01 * i;
        s->sigma2[i] = 2 + 0.2 * (i % 17);
        s->mixing[i] = i % 10 == 3 ? 1e-3 : 0.6 + 0.01 * (i % 80);
    }
    test_shapes_free(shapes);
}

static void put_in_order(sfgp_context *context, setting *s)
{
    int32_t order[MOST];
    double unordered[3 * MOST];
    memcpy(unordered, s->target, sizeof unordered);
    sfgp_assert_ok(context, sfgp_points_order(context, s->m, s->d, s->target, SFGP_BLOCK, order));
    for (int k = 0; k < s->m * s->d; k++)
        s->target[k] = unordered[order[k / s->d] * s->d + k % s->d];
}

static setting *setting_new(sfgp_context *context, int n, int m, int d)
{
    setting *s = calloc(1, sizeof *s);
    s->n = n, s->m = m, s->d = d;
    fill(s);
    put_in_order(context, s);
    s->rule = (sfgp_estep_rule){.omega = 0.2, .density = 1e-4, .prune = 1e-6};
    sfgp_assert_ok(context, sfgp_responsibilities_new(context, n, d, true, &s->whole));
    sfgp_assert_ok(context, sfgp_responsibilities_new(context, n, d, true, &s->tiled));
    return s;
}

static void setting_free(setting *s)
{
    sfgp_tiles_free(s->tiles);
    sfgp_kdtree_free(s->tree);
    sfgp_responsibilities_clear(&s->whole);
    sfgp_responsibilities_clear(&s->tiled);
    free(s);
}

/* Labels without tiles, of the target as it is now. */
static void label_whole(sfgp_context *context, setting *s, sfgp_responsibilities *labels)
{
    const sfgp_estep_state state = {s->fitted, s->variance, s->sigma2};
    sfgp_kdtree_free(s->tree);
    s->rule.tiles = NULL;
    sfgp_assert_ok(context, sfgp_kdtree_new(context, s->m, s->d, s->target, &s->tree));
    sfgp_assert_ok(context, sfgp_responsibilities_reserve(context, s->m, (int64_t)s->n * s->m, labels));
    sfgp_assert_ok(context, sfgp_estep_soft(context, &s->rule, s->tree, s->target, state, labels));
}

/* The labels themselves allocate nothing. */
static void label_tiled(sfgp_context *context, setting *s, sfgp_responsibilities *labels)
{
    const sfgp_estep_state state = {s->fitted, s->variance, s->sigma2};
    if (!s->tiles)
        sfgp_assert_ok(context, sfgp_tiles_new(context, s->n, s->d, s->reference, &s->tiles));
    sfgp_assert_ok(context, sfgp_tiles_set_target(context, s->m, s->target, s->tiles));
    sfgp_assert_ok(context, sfgp_responsibilities_reserve(context, s->m, 0, labels));
    const long allocations = sfgp_memory_counters.allocations;
    s->rule.tiles = s->tiles;
    sfgp_assert_ok(context, sfgp_estep_soft(context, &s->rule, NULL, s->target, state, labels));
    assert_int_equal(sfgp_memory_counters.allocations, allocations);
}

/* Half the diagonal of the largest box of a block. */
static double half_block(const sfgp_blocks *blocks)
{
    double most = 0;
    for (int64_t block = 0; block < blocks->blocks; block++) {
        const sfgp_box box = sfgp_blocks_box(blocks, block);
        most = fmax(most, 0.5 * sqrt(pow(box.high[0] - box.low[0], 2) + pow(box.high[1] - box.low[1], 2) +
                                     pow(box.high[2] - box.low[2], 2)));
    }
    return most;
}

/* Largest relative error of a P_ij, and so of sums of them. Let b be half a block and r the radius. Of two
 * points that see each other one lies within b of the middle, the other within b + r. Each coordinate is
 * rounded, as is their difference, of up to r: together 2 (b + r) EPSILON each, along the step 2 sqrt(3) (b +
 * r) EPSILON, and so the exponent -r^2 / 2 v changes by at most r / v times that. From there on: 6 EPSILON of
 * the exponent by products, sums and the slope; 2 for the remainder of 2^x, 4 for its sum, 3 for factors, 16
 * for the sum over a block: 25. P_ij = phi_ij / (c + sum_i phi_ij) has it twice. */
static double error_of(const setting *s)
{
    const double b = fmax(half_block(&s->tiles->reference), half_block(&s->tiles->target));
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        const double v = s->sigma2[i], r2 = fmax(s->tiled.radius2[i], 0), r = sqrt(r2);
        most = fmax(most, r / v * 2 * sqrt(3) * (b + r) + 6 * r2 / (2 * v) + 25);
    }
    return 2 * EPSILON * most;
}

static double apart2(const setting *s, int i, int j)
{
    double square = 0;
    for (int a = 0; a < s->d; a++)
        square += pow(s->target[j * s->d + a] - s->fitted[i * s->d + a], 2);
    return square;
}

/* No pair is so near to its radius that it may fall to either side: then pairs are the same. */
static void assert_same_pairs(const setting *s)
{
    for (int k = 0; k < s->n * s->m; k++)
        assert_true(fabs(apart2(s, k / s->m, k % s->m) / s->whole.radius2[k / s->m] - 1) > 1e-6);
    assert_int_equal(s->tiled.pairs, s->whole.pairs);
    assert_int_equal(s->tiled.missing, s->whole.missing);
}

static double label_of(const sfgp_responsibilities *labels, int i, int32_t j)
{
    const int32_t *start = sfgp_sparse_start(&labels->matrix);
    for (int32_t k = start[i]; k < start[i + 1]; k++)
        if (sfgp_sparse_index(&labels->matrix)[k] == j)
            return sfgp_sparse_value(&labels->matrix)[k];
    return 0;
}

/* The best target of either is as good. */
static void assert_same_best(const setting *s, int i, double error)
{
    const sfgp_responsibilities *a = &s->tiled, *b = &s->whole;
    assert_true(fabs(a->best[i] - b->best[i]) <= error * b->best[i]);
    assert_int_equal(a->best_target[i] < 0, b->best_target[i] < 0);
    if (a->best_target[i] != b->best_target[i])
        assert_true(label_of(b, i, a->best_target[i]) >= b->best[i] * (1 - 2 * error));
}

/* A step has an error of up to sqrt(v) error / 4, as error_of counts it (r^2 >= v / 2 wherever something is
 * seen); so |step|^2 one of |step| sqrt(v) error / 2 <= (|step|^2 + v) error / 4. */
static void assert_same_sums(const setting *s, int i, double error)
{
    const sfgp_responsibilities *a = &s->tiled, *b = &s->whole;
    const double mass = error * b->mass[i], radius = sqrt(fmax(b->radius2[i], 0));
    assert_true(a->log_phi0[i] == b->log_phi0[i] && a->radius2[i] == b->radius2[i]);
    assert_true(fabs(a->mass[i] - b->mass[i]) <= mass && a->weight[i] == a->mass[i]);
    assert_true(fabs(a->second[i] - b->second[i]) <= 1.25 * (error * b->second[i] + mass * s->sigma2[i]));
    for (int k = i * s->d; k < (i + 1) * s->d; k++)
        assert_true(fabs(a->first[k] - b->first[k]) <= 1.25 * mass * radius && a->shift[k] == a->first[k]);
}

static void assert_near(const setting *s)
{
    const double error = error_of(s);
    assert_same_pairs(s);
    for (int i = 0; i < s->n; i++) {
        assert_same_sums(s, i, error);
        assert_same_best(s, i, error);
    }
    for (int j = 0; j < s->m; j++)
        assert_true(fabs(s->tiled.explained[j] - s->whole.explained[j]) <= error * s->whole.explained[j]);
    assert_true(fabs(s->tiled.log_likelihood - s->whole.log_likelihood) <= s->m * error);
}

static void label_both(sfgp_context *context, setting *s)
{
    label_whole(context, s, &s->whole);
    label_tiled(context, s, &s->tiled);
    assert_near(s);
}

static void assert_same_bits(const sfgp_responsibilities *a, const sfgp_responsibilities *b)
{
    const size_t n = (size_t)a->count * sizeof(double), d = (size_t)a->dimension;
    assert_memory_equal(a->mass, b->mass, n);
    assert_memory_equal(a->weight, b->weight, n);
    assert_memory_equal(a->second, b->second, n);
    assert_memory_equal(a->best, b->best, n);
    assert_memory_equal(a->shift, b->shift, n * d);
    assert_memory_equal(a->first, b->first, n * d);
    assert_memory_equal(a->best_target, b->best_target, (size_t)a->count * sizeof(int32_t));
    assert_memory_equal(a->explained, b->explained, (size_t)a->targets * sizeof(double));
    assert_true(a->log_likelihood == b->log_likelihood && a->missing == b->missing && a->pairs == b->pairs);
}

/* ---- against double precision ------------------------------------------------------------------------- */

/* Any number of points; with and without a reach (4 deviations: less than prune leaves), and mixing weights.
 */
static void labels_are_those_of_double_precision(void **state)
{
    for (int k = 0; k < 8 * TRIALS; k++) {
        setting *s = setting_new(*state, SIZES[k / 8][0], SIZES[k / 8][1], 2 + k % 2);
        s->rule.reach = k & 2 ? 4 : 0;
        s->rule.mixing = k & 4 ? s->mixing : NULL;
        label_both(*state, s);
        assert_true(s->n < 100 || s->m < 90 || (s->whole.pairs > s->n && error_of(s) < 1e-4));
        setting_free(s);
    }
}

/* One coordinate that is 0 or exact: what is left of error_of is 4 EPSILON of the exponent for the square,
 * the slope and its product, and 9 for 2^x and factors. Steps of up to 4 deviations: all that 2^x has to do.
 */
static void of_a_single_pair_the_exponential_is_exact_but_for_rounding(void **state)
{
    setting *s = setting_new(*state, 1, 1, 2);
    s->variance[0] = 0, s->sigma2[0] = 2, s->rule.density = 1;
    const double outlier = s->rule.omega / (1 - s->rule.omega);
    for (int k = 0; k <= 1000; k++) {
        const double step = k * 4 * sqrt(2) / 1000, exponent = step * step / 4,
                     phi = exp(-exponent) / (4 * acos(-1.0)), error = 2 * EPSILON * (4 * exponent + 9);
        s->target[0] = s->fitted[0] + step, s->target[1] = s->fitted[1];
        label_tiled(*state, s, &s->tiled);
        assert_true(fabs(s->tiled.mass[0] * (outlier + phi) / phi - 1) < error);
        assert_true(fabs(s->tiled.explained[0] * (outlier + phi) / phi - 1) < error);
        assert_true(fabs(s->tiled.first[0] - s->tiled.mass[0] * step) <= 2 * EPSILON * step);
    }
    setting_free(s);
}

/* Twice the deviation is exact here, as are coordinates and distances. */
static void a_pair_counts_up_to_its_radius(void **state)
{
    for (int k = 0; k < 4; k++) {
        setting *s = setting_new(*state, 1, 1, 2 + k % 2);
        s->rule.reach = 2, s->sigma2[0] = 0.25, s->variance[0] = 0;
        memcpy(s->target, s->fitted, sizeof s->target);
        s->fitted[0] = 3, s->target[0] = k < 2 ? 4 : 4 + 1e-6;
        label_tiled(*state, s, &s->tiled);
        assert_int_equal(s->tiled.pairs, k < 2);
        assert_true(k < 2 ? s->tiled.mass[0] > 0.01 && s->tiled.explained[0] > 0.01
                          : s->tiled.mass[0] == 0 && s->tiled.explained[0] == 0);
        setting_free(s);
    }
}

/* Within the radius, but 1e-33 of a label: products of such numbers are lost in single precision. */
static void what_is_hardly_a_label_is_none(void **state)
{
    setting *s = setting_new(*state, 1, 1, 2);
    s->rule.prune = 1e-45, s->sigma2[0] = 1, s->variance[0] = 80;
    memcpy(s->target, s->fitted, sizeof s->target);
    label_whole(*state, s, &s->whole);
    label_tiled(*state, s, &s->tiled);
    assert_true(s->tiled.pairs == 1 && s->whole.mass[0] > 1e-34 && s->whole.mass[0] < 1e-30);
    assert_true(s->tiled.mass[0] == 0 && s->tiled.weight[0] == 0 && s->tiled.best[0] == 0);
    assert_true(s->tiled.best_target[0] == -1 && s->tiled.missing == 1);
    setting_free(s);
}

/* prune asks for pairs of e^-450 of the peak: those beyond e^-60 are left out. */
static void what_single_precision_cannot_hold_is_no_label(void **state)
{
    setting *s = setting_new(*state, MOST, 150, 3);
    s->rule.prune = 1e-200;
    label_whole(*state, s, &s->whole);
    label_tiled(*state, s, &s->tiled);
    assert_true(s->tiled.pairs < s->whole.pairs && s->tiled.pairs > s->n);
    for (int i = 0; i < s->n; i++)
        if (s->whole.mass[i] > 1e-20)
            assert_true(fabs(s->tiled.mass[i] / s->whole.mass[i] - 1) < 1e-4);
    for (int j = 0; j < s->m; j++)
        assert_true(fabs(s->tiled.explained[j] - s->whole.explained[j]) < 1e-4);
    setting_free(s);
}

/* All pairs, some, none: prune allows none within these wide ones, too. */
static void wide_and_narrow_labels_are(void **state)
{
    const double sigma2[] = {1000, 21, 0.3, 1e-5, 1e-3, 1e8}, variance[] = {1, 1, 0.01, 0, 1, 1};
    for (int k = 0; k < 12; k++) {
        setting *s = setting_new(*state, 150, 100, 2 + k % 2);
        for (int i = 0; i < s->n; i++) {
            s->sigma2[i] = sigma2[k / 2] * (1 + 0.001 * i);
            s->variance[i] = variance[k / 2];
        }
        label_both(*state, s);
        if (k / 2 == 0)
            assert_int_equal(s->tiled.pairs, s->n * s->m);
        else if (k / 2 < 3)
            assert_in_range(s->tiled.pairs, 10, s->n * s->m - 10);
        else
            assert_int_equal(s->tiled.pairs, 0);
        setting_free(s);
    }
}

/* After labels that were some. */
static void without_pairs_all_are_missing(void **state)
{
    setting *s = setting_new(*state, 150, 100, 3);
    label_tiled(*state, s, &s->tiled);
    for (int k = 0; k < 3 * s->m; k++)
        s->target[k] += 300;
    label_tiled(*state, s, &s->tiled);
    assert_true(s->tiled.pairs == 0 && s->tiled.missing == s->n);
    for (int i = 0; i < s->n; i++) {
        assert_true(s->tiled.mass[i] == 0 && s->tiled.weight[i] == 0 && s->tiled.second[i] == 0);
        assert_true(s->tiled.best[i] == 0 && s->tiled.best_target[i] == -1);
        for (int a = 3 * i; a < 3 * i + 3; a++)
            assert_true(s->tiled.first[a] == 0 && s->tiled.shift[a] == 0);
    }
    for (int j = 0; j < s->m; j++)
        assert_true(s->tiled.explained[j] == 0);
    const double outlier =
        s->m * log(s->rule.omega * s->rule.density); /* in double: a few roundings of each */
    assert_true(fabs(s->tiled.log_likelihood - outlier) < 1e-13 * fabs(outlier));
    setting_free(s);
}

/* It makes its block large, whose other points are found all the same; and it sees what is next to it. */
static void one_point_may_be_far_from_all_others(void **state)
{
    for (int k = 0; k < 8; k++) {
        setting *s = setting_new(*state, 150, 100, 2 + k % 2);
        if (k & 2)
            s->target[40 * s->d] += 500;
        if (k & 4)
            s->fitted[70 * s->d] += 500;
        label_both(*state, s);
        assert_true(!(k & 2) || s->tiled.explained[40] == 0);
        assert_true(!(k & 4) || s->tiled.best_target[70] == -1);
        memcpy(s->target + 40 * s->d, s->fitted + 70 * s->d, (size_t)s->d * sizeof(double));
        label_both(*state, s);
        assert_int_equal(s->tiled.best_target[70], 40);
        setting_free(s);
    }
}

/* Single precision is 0.004 apart there, 3e-3 deviations, but error_of does not know where the points are:
 * labels come out as near to those of double precision as around 0. */
static void coordinates_may_lie_far_from_the_origin(void **state)
{
    for (int d = 2; d <= 3; d++) {
        setting *s = setting_new(*state, 200, 150, d);
        for (int k = 0; k < MOST * d; k++) {
            const double far = k % d ? -5e4 : 1e5;
            s->reference[k] += far, s->fitted[k] += far, s->target[k] += far;
        }
        label_both(*state, s);
        assert_true(s->tiled.pairs > s->n);
        setting_free(s);
    }
}

/* As the target comes: its blocks are as large as all of it, and labels as near to those of double precision
 * as error_of says for such blocks. */
static void targets_need_not_be_in_order(void **state)
{
    for (int d = 2; d <= 3; d++) {
        setting *s = setting_new(*state, 200, 150, d);
        fill(s);
        label_both(*state, s);
        assert_true(half_block(&s->tiles->target) > 30 && s->tiled.pairs > s->n);
        setting_free(s);
    }
}

/* ---- against themselves ------------------------------------------------------------------------------- */

static void threads_do_not_change_a_bit(void **state)
{
    sfgp_test_threads(1);
    setting *one = setting_new(*state, 200, 150, 3);
    label_tiled(*state, one, &one->tiled);
    for (int threads = 2; threads <= 3; threads++) {
        sfgp_test_threads(threads);
        setting *s = setting_new(*state, 200, 150, 3);
        label_tiled(*state, s, &s->tiled);
        assert_same_bits(&s->tiled, &one->tiled);
        setting_free(s);
    }
    setting_free(one);
}

/* Fewer targets, then more than ever, seen from elsewhere and with other variances. */
static void another_target_and_state_leave_nothing_of_the_last(void **state)
{
    const int counts[] = {100, 37, 150};
    setting *s = setting_new(*state, 200, 150, 3);
    for (int k = 0; k < 3; k++) {
        setting *fresh = setting_new(*state, 200, counts[k], 3);
        for (int i = 0; i < 200; i++) {
            s->sigma2[i] = fresh->sigma2[i] *= 1 + 0.1 * k;
            s->variance[i] = fresh->variance[i] /= 1 + k;
            s->fitted[3 * i] = fresh->fitted[3 * i] += 0.3 * k;
        }
        s->m = counts[k];
        memcpy(s->target, fresh->target, sizeof s->target);
        label_tiled(*state, s, &s->tiled);
        label_tiled(*state, fresh, &fresh->tiled);
        assert_int_equal(s->tiled.targets, counts[k]);
        assert_same_bits(&s->tiled, &fresh->tiled);
        setting_free(fresh);
    }
    setting_free(s);
}

/* Every other target point is the one before it. */
static void of_coincident_targets_the_first_is_the_best(void **state)
{
    setting *s = setting_new(*state, 200, 100, 3);
    for (int j = 1; j < s->m; j += 2)
        memcpy(s->target + 3 * j, s->target + 3 * (j - 1), 3 * sizeof(double));
    label_tiled(*state, s, &s->tiled);
    for (int i = 0; i < s->n; i++)
        assert_true(s->tiled.best_target[i] == -1 || s->tiled.best_target[i] % 2 == 0);
    assert_in_range(s->tiled.missing, 0, s->n / 2);
    setting_free(s);
}

static void the_matrix_is_left_without_entries(void **state)
{
    setting *s = setting_new(*state, 150, 100, 2);
    label_whole(*state, s, &s->tiled);
    assert_true(sfgp_sparse_start(&s->tiled.matrix)[s->n] > s->n);
    label_tiled(*state, s, &s->tiled);
    for (int i = 0; i <= s->n; i++)
        assert_int_equal(sfgp_sparse_start(&s->tiled.matrix)[i], 0);
    setting_free(s);
}

static void with_pmin_there_is_a_matrix(void **state)
{
    setting *s = setting_new(*state, 150, 100, 2);
    const sfgp_estep_state fit = {s->fitted, s->variance, s->sigma2};
    label_tiled(*state, s, &s->tiled);
    s->rule.pmin = 1e-2;
    label_whole(*state, s, &s->whole);
    s->rule.tiles = s->tiles;
    sfgp_assert_ok(*state, sfgp_responsibilities_reserve(*state, s->m, s->n * s->m, &s->tiled));
    sfgp_assert_ok(*state, sfgp_estep_soft(*state, &s->rule, s->tree, s->target, fit, &s->tiled));
    assert_same_bits(&s->tiled, &s->whole);
    assert_int_equal(sfgp_sparse_start(&s->tiled.matrix)[s->n], s->whole.pairs);
    setting_free(s);
}

static sfgp_status make_once(sfgp_context *context, void *user)
{
    const setting *s = user;
    sfgp_tiles *tiles = NULL;
    sfgp_status status = sfgp_tiles_new(context, s->n, s->d, s->reference, &tiles);
    for (int take = 0; take < 2 && status == SFGP_OK; take++)
        status = sfgp_tiles_set_target(context, s->m, s->target, tiles);
    sfgp_tiles_free(tiles);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    setting *s = setting_new(*state, 50, 40, 3);
    assert_true(sfgp_sweep_allocations(*state, make_once, s) >= 1 + 6 + 3 + 2 * 6);
    setting_free(s);
    sfgp_tiles_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(labels_are_those_of_double_precision),
        sfgp_unit_test(of_a_single_pair_the_exponential_is_exact_but_for_rounding),
        sfgp_unit_test(a_pair_counts_up_to_its_radius),
        sfgp_unit_test(what_is_hardly_a_label_is_none),
        sfgp_unit_test(what_single_precision_cannot_hold_is_no_label),
        sfgp_unit_test(wide_and_narrow_labels_are),
        sfgp_unit_test(without_pairs_all_are_missing),
        sfgp_unit_test(one_point_may_be_far_from_all_others),
        sfgp_unit_test(coordinates_may_lie_far_from_the_origin),
        sfgp_unit_test(targets_need_not_be_in_order),
        sfgp_unit_test(threads_do_not_change_a_bit),
        sfgp_unit_test(another_target_and_state_leave_nothing_of_the_last),
        sfgp_unit_test(of_coincident_targets_the_first_is_the_best),
        sfgp_unit_test(the_matrix_is_left_without_entries),
        sfgp_unit_test(with_pmin_there_is_a_matrix),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
