/* The E-step against brute force. */
#include "support/support.h"
#include "support/shapes.h"
#include "support/sparse.h"
#include "correspond/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 150 };

typedef struct setting {
    int d, m;
    test_shapes *shapes;
    sfgp_kdtree *tree;
    sfgp_responsibilities labels;
    double variance[N], sigma2[N];
    sfgp_estep_rule rule;
} setting;

static void setting_new(sfgp_context *context, int d, double prune, setting *s)
{
    memset(s, 0, sizeof *s);
    s->d = d;
    s->shapes = test_shapes_new(N, d, 0, 5);
    s->m = s->shapes->m;
    for (int i = 0; i < N; i++) {
        s->variance[i] = 0.5 + 0.01 * i;
        s->sigma2[i] = 2 + 0.2 * (i % 17);
    }
    s->rule =
        (sfgp_estep_rule){.omega = 0.2, .density = 1e-4, .pmin = 1e-2, .prune = prune, .max_distance = 3};
    sfgp_assert_ok(context, sfgp_kdtree_new(context, s->m, d, s->shapes->target, &s->tree));
    sfgp_assert_ok(context, sfgp_responsibilities_new(context, N, d, true, &s->labels));
    sfgp_assert_ok(context, sfgp_responsibilities_reserve(context, s->m, (int64_t)N * s->m, &s->labels));
}

static void setting_free(setting *s)
{
    sfgp_kdtree_free(s->tree);
    sfgp_responsibilities_clear(&s->labels);
    test_shapes_free(s->shapes);
}

static sfgp_estep_state state_of(const setting *s)
{
    return (sfgp_estep_state){s->shapes->reference, s->variance, s->sigma2};
}

static double apart2(const setting *s, int i, int j)
{
    double square = 0;
    for (int a = 0; a < s->d; a++)
        square += pow(s->shapes->target[j * s->d + a] - s->shapes->reference[i * s->d + a], 2);
    return square;
}

static double phi(const setting *s, int i, int j)
{
    return (s->rule.mixing ? s->rule.mixing[i] : 1) * pow(2 * acos(-1.0) * s->sigma2[i], -0.5 * s->d) *
           exp(-(apart2(s, i, j) + s->d * s->variance[i]) / (2 * s->sigma2[i]));
}

static double exact(const setting *s, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < N; k++)
        sum += phi(s, k, j);
    return (1 - s->rule.omega) * phi(s, i, j) /
           (s->rule.omega * N * s->rule.density + (1 - s->rule.omega) * sum);
}

/* Dense copy of P. */
static double *dense(const setting *s)
{
    double *p = calloc((size_t)(N * s->m), sizeof *p);
    const int32_t *start = sfgp_sparse_start(&s->labels.matrix);
    for (int i = 0; i < N; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            p[i * s->m + sfgp_sparse_index(&s->labels.matrix)[k]] = sfgp_sparse_value(&s->labels.matrix)[k];
    return p;
}

static void unpruned_labels_are_exact(void **state)
{
    for (int d = 2; d <= 3; d++) {
        setting s;
        setting_new(*state, d, 1e-300, &s);
        sfgp_assert_ok(*state,
                       sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
        assert_true(test_sparse_is_valid(&s.labels.matrix));
        double *p = dense(&s);
        for (int k = 0; k < N * s.m; k++)
            assert_true(fabs(p[k] - exact(&s, k / s.m, k % s.m)) < 1e-13);
        free(p);
        setting_free(&s);
    }
}

/* Weights of the points, a few of them next to 0, count in P and in the log likelihood. */
static void mixing_weights_and_the_log_likelihood_are_exact(void **state)
{
    double weights[N];
    for (int i = 0; i < N; i++)
        weights[i] = i % 10 == 0 ? 1e-3 : 0.6 + 0.01 * (i % 80);
    for (int d = 2; d <= 3; d++)
        for (int mixed = 0; mixed < 2; mixed++) {
            setting s;
            setting_new(*state, d, 1e-300, &s);
            s.rule.mixing = mixed ? weights : NULL;
            sfgp_assert_ok(
                *state, sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
            double *p = dense(&s), log_likelihood = 0;
            for (int k = 0; k < N * s.m; k++)
                assert_true(fabs(p[k] - exact(&s, k / s.m, k % s.m)) < 1e-13);
            for (int j = 0; j < s.m; j++) {
                double sum = 0;
                for (int i = 0; i < N; i++)
                    sum += phi(&s, i, j);
                log_likelihood += log(s.rule.omega * s.rule.density + (1 - s.rule.omega) / N * sum);
            }
            assert_true(fabs(s.labels.log_likelihood - log_likelihood) < 1e-12 * fabs(log_likelihood));
            free(p);
            setting_free(&s);
        }
}

/* N(s_j; rbar_i, Sigma) with Sigma = sigma2 (I - t / (1 + t) nn') by elimination, and the factor of the variance. */
static double directed_phi(const setting *s, int i, int j)
{
    const int d = s->d;
    const double *normal = s->rule.normals + i * d, t = s->rule.stretch;
    double sigma[9], u[3], quadratic = 0, density = exp(-d * s->variance[i] / (2 * s->sigma2[i]));
    for (int a = 0; a < d; a++) {
        u[a] = s->shapes->target[j * d + a] - s->shapes->reference[i * d + a];
        for (int b = 0; b < d; b++)
            sigma[a * d + b] = s->sigma2[i] * ((a == b) - t / (1 + t) * normal[a] * normal[b]);
    }
    for (int k = 0; k < d; k++) {
        density /= sqrt(2 * acos(-1.0) * sigma[k * d + k]);
        quadratic += u[k] * u[k] / sigma[k * d + k];
        for (int r = k + 1; r < d; r++) {
            const double factor = sigma[r * d + k] / sigma[k * d + k];
            for (int c = k; c < d; c++)
                sigma[r * d + c] -= factor * sigma[k * d + c];
            u[r] -= factor * u[k];
        }
    }
    return density * exp(-0.5 * quadratic);
}

/* Unit vectors of all directions. */
static void set_normals(int d, double *normals)
{
    for (int i = 0; i < N; i++) {
        double square = 0;
        for (int a = 0; a < d; a++)
            square += pow(normals[i * d + a] = cos(0.9 * i + 2.3 * a), 2);
        for (int a = 0; a < d; a++)
            normals[i * d + a] /= sqrt(square);
    }
}

/* P and the log likelihood. */
static void labels_with_a_direction_are_exact(void **state)
{
    double normals[3 * N];
    for (int d = 2; d <= 3; d++)
        for (int t = 0; t < 2; t++) {
            setting s;
            setting_new(*state, d, 1e-300, &s);
            set_normals(d, normals);
            s.rule.normals = normals, s.rule.stretch = t == 0 ? 0.5 : 24;
            sfgp_assert_ok(
                *state, sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
            double *p = dense(&s), log_likelihood = 0;
            for (int j = 0; j < s.m; j++) {
                double sum = 0;
                for (int i = 0; i < N; i++)
                    sum += directed_phi(&s, i, j);
                const double total = s.rule.omega * s.rule.density + (1 - s.rule.omega) / N * sum;
                for (int i = 0; i < N; i++)
                    assert_true(fabs(p[i * s.m + j] -
                                     (1 - s.rule.omega) / N * directed_phi(&s, i, j) / total) < 1e-12);
                log_likelihood += log(total);
            }
            assert_true(fabs(s.labels.log_likelihood - log_likelihood) < 1e-12 * fabs(log_likelihood));
            free(p);
            setting_free(&s);
        }
}

/* What pruning leaves out is below prune, entry by entry, and what stays is hardly changed. */
static void pruning_is_certified(void **state)
{
    const double prunes[] = {1e-2, 1e-4, 1e-8};
    for (int k = 0; k < 3; k++) {
        setting s;
        int dropped = 0;
        setting_new(*state, 3, prunes[k], &s);
        sfgp_assert_ok(*state,
                       sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
        double *p = dense(&s);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < s.m; j++) {
                double truth = exact(&s, i, j), ours = p[i * s.m + j];
                dropped += ours == 0;
                assert_true(ours > 0 ? ours >= truth * (1 - 1e-12) && ours <= truth * (1 + N * prunes[k])
                                     : truth < prunes[k]);
            }
        assert_true(dropped > N); /* it does prune */
        free(p);
        setting_free(&s);
    }
}

/* A point all of whose labels are below prune has the mass and the mean distance that it has without pruning. */
static void a_share_keeps_the_sums_of_points_without_labels(void **state)
{
    for (int d = 2; d <= 3; d++) {
        setting s, all;
        int far = 0;
        setting_new(*state, d, 1e-12, &s);
        setting_new(*state, d, 1e-300, &all);
        for (int i = 0; i < N; i++)
            s.sigma2[i] = all.sigma2[i] = 0.01 * (1 + i % 7); /* so small that many have no label */
        s.rule.share = 1e-12;
        sfgp_assert_ok(*state,
                       sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
        sfgp_assert_ok(*state, sfgp_estep_soft(*state, &all.rule, all.tree, all.shapes->target,
                                               state_of(&all), &all.labels));
        for (int i = 0; i < N; i++) {
            if (all.labels.mass[i] < 1e-280) /* where "all" is pruned itself */
                continue;
            far += all.labels.mass[i] < s.rule.prune;
            assert_true(fabs(s.labels.mass[i] - all.labels.mass[i]) <= 1e-9 * all.labels.mass[i]);
            assert_true(fabs(s.labels.second[i] - all.labels.second[i]) <= 1e-9 * all.labels.second[i]);
        }
        assert_true(far > N / 20);
        assert_true(s.labels.pairs < all.labels.pairs / 2); /* it does prune */
        setting_free(&s);
        setting_free(&all);
    }
}

/* Square of the radius that prune leaves: where phi_ij falls below e c. */
static double pruned2(const setting *s, int i)
{
    const sfgp_estep_rule *rule = &s->rule;
    const double v = s->sigma2[i], c = rule->omega * N * rule->density / (1 - rule->omega);
    return 2 * v *
           (-0.5 * s->d * log(2 * acos(-1.0) * v) - s->d * s->variance[i] / (2 * v) - log(rule->prune * c));
}

/* phi_ij of the pairs within reach and radius, 0 of all others. */
static double *reached(const setting *s)
{
    double *kept = calloc((size_t)(N * s->m), sizeof *kept);
    for (int i = 0; i < N; i++) {
        const double reach2 = s->rule.reach * s->rule.reach * s->sigma2[i], least = s->rule.reach_least,
                     most = fmin(pruned2(s, i), fmax(reach2, least * least));
        for (int j = 0; j < s->m; j++)
            kept[i * s->m + j] = apart2(s, i, j) <= most ? phi(s, i, j) : 0;
    }
    return kept;
}

/* P of these phi_ij alone. A pair on the very edge of its circle could fall to either side; there is none. */
static void assert_labels_of(const setting *s, const double *kept)
{
    double *p = dense(s);
    for (int j = 0; j < s->m; j++) {
        double sum = s->rule.omega * N * s->rule.density / (1 - s->rule.omega);
        for (int i = 0; i < N; i++)
            sum += kept[i * s->m + j];
        for (int i = 0; i < N; i++) {
            assert_int_equal(p[i * s->m + j] > 0, kept[i * s->m + j] > 0);
            assert_true(fabs(p[i * s->m + j] - kept[i * s->m + j] / sum) < 1e-13);
        }
    }
    free(p);
}

/* Reaches below, among and above what prune leaves, which is 4.2 to 4.9 deviations. */
static void labels_within_reach_are_all_there_and_no_others(void **state)
{
    const double reaches[2][3] = {{3, 4.75, 9}, {3, 4.4, 9}};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            setting s;
            int cut = 0;
            setting_new(*state, d, 1e-4, &s);
            s.rule.reach = reaches[d - 2][k];
            sfgp_assert_ok(
                *state, sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
            double *kept = reached(&s);
            assert_labels_of(&s, kept);
            for (int i = 0; i < N; i++)
                cut += s.rule.reach * s.rule.reach * s.sigma2[i] < pruned2(&s, i);
            assert_in_range(cut, k == 0 ? N : k == 1 ? N / 4 : 0, k == 0 ? N : k == 1 ? 3 * N / 4 : 0);
            assert_true(s.labels.pairs > N);
            free(kept);
            setting_free(&s);
        }
}

/* Three deviations of some points are less than the least reach, and of others more. */
static void labels_within_the_least_reach_are_all_there_and_no_others(void **state)
{
    setting s;
    int less = 0;
    setting_new(*state, 3, 1e-4, &s);
    s.rule.reach = 3;
    s.rule.reach_least = 3.9 * sqrt(s.sigma2[0]);
    sfgp_assert_ok(*state,
                   sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
    double *kept = reached(&s);
    assert_labels_of(&s, kept);
    for (int i = 0; i < N; i++)
        less += 3 * sqrt(s.sigma2[i]) < s.rule.reach_least;
    assert_in_range(less, N / 10, N - 1);
    free(kept);
    setting_free(&s);
}

static void sums_are_those_of_the_matrix(void **state)
{
    setting s;
    setting_new(*state, 3, 1e-6, &s);
    sfgp_assert_ok(*state,
                   sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
    double *p = dense(&s);
    int64_t missing = 0;
    for (int i = 0; i < N; i++) {
        double mass = 0, weight = 0, second = 0, shift[3] = {0}, best = 0;
        int best_target = -1;
        for (int j = 0; j < s.m; j++) {
            double value = p[i * s.m + j], counted = value > s.rule.pmin ? value : 0;
            mass += value, weight += counted;
            if (counted > best)
                best = counted, best_target = j;
            for (int a = 0; a < 3; a++) {
                double step = s.shapes->target[j * 3 + a] - s.shapes->reference[i * 3 + a];
                shift[a] += counted * step, second += value * step * step;
            }
        }
        missing += weight == 0;
        assert_true(fabs(s.labels.mass[i] - mass) < 1e-12 && fabs(s.labels.weight[i] - weight) < 1e-12);
        assert_true(fabs(s.labels.second[i] - second) <= 1e-12 * (1 + second));
        assert_true(s.labels.best[i] == best && s.labels.best_target[i] == best_target);
        for (int a = 0; a < 3; a++)
            assert_true(fabs(s.labels.shift[i * 3 + a] - shift[a]) < 1e-11);
    }
    assert_int_equal(s.labels.missing, missing);
    for (int j = 0; j < s.m; j++) { /* a target point gives away at most itself */
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += p[i * s.m + j];
        assert_true(sum <= 1 && fabs(sum - s.labels.explained[j]) < 1e-12);
    }
    free(p);
    setting_free(&s);
}

static void threads_do_not_change_a_bit(void **state)
{
    setting s, t;
    setting_new(*state, 3, 1e-6, &s);
    setting_new(*state, 3, 1e-6, &t);
    sfgp_test_threads(1);
    sfgp_assert_ok(*state,
                   sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
    sfgp_test_threads(4);
    sfgp_assert_ok(*state,
                   sfgp_estep_soft(*state, &t.rule, t.tree, t.shapes->target, state_of(&t), &t.labels));
    assert_memory_equal(s.labels.mass, t.labels.mass, N * sizeof(double));
    assert_memory_equal(s.labels.shift, t.labels.shift, 3 * N * sizeof(double));
    assert_memory_equal(s.labels.explained, t.labels.explained, (size_t)s.m * sizeof(double));
    assert_true(s.labels.log_likelihood == t.labels.log_likelihood);
    setting_free(&s);
    setting_free(&t);
}

/* One column after the other, entry by entry: the library adds several columns side by side. Some have no
 * entry, and N is no multiple of four. */
static void sums_are_in_the_order_of_the_columns(void **state)
{
    const double prunes[] = {1e-2, 1e-6, 1e-300};
#ifdef __FP_FAST_FMA
    (void)state, (void)prunes;
    print_message("skipped: the compiler may fuse what is multiplied and added, here or there\n");
    skip();
#else
    for (int trial = 0; trial < 6; trial++) {
        setting s;
        int empty = 0;
        const int d = 2 + trial % 2;
        setting_new(*state, d, prunes[trial / 2], &s);
        for (int i = 0; i < N; i += 13)
            s.sigma2[i] = 1e-9;
        s.variance[N - 1] = s.sigma2[N - 1] = 1e-9;
        sfgp_assert_ok(*state,
                       sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
        const int32_t *start = sfgp_sparse_start(&s.labels.matrix),
                      *index = sfgp_sparse_index(&s.labels.matrix);
        for (int i = 0; i < N; i++) {
            double mass = 0, weight = 0, second = 0, best = 0, shift[3] = {0}, first[3] = {0};
            int best_target = -1;
            empty += start[i + 1] == start[i];
            for (int32_t k = start[i]; k < start[i + 1]; k++) {
                const double p = sfgp_sparse_value(&s.labels.matrix)[k], counted = p > s.rule.pmin ? p : 0;
                mass += p, weight += counted;
                for (int a = 0; a < d; a++) {
                    const double step = s.shapes->target[index[k] * d + a] - s.shapes->reference[i * d + a];
                    first[a] += p * step, shift[a] += counted * step, second += p * step * step;
                }
                if (counted > best || (counted > 0 && counted == best && index[k] < best_target))
                    best = counted, best_target = index[k];
            }
            assert_true(s.labels.mass[i] == mass && s.labels.weight[i] == weight);
            assert_true(s.labels.second[i] == second && s.labels.best[i] == best);
            assert_int_equal(s.labels.best_target[i], best_target);
            assert_memory_equal(s.labels.first + i * d, first, (size_t)d * sizeof(double));
            assert_memory_equal(s.labels.shift + i * d, shift, (size_t)d * sizeof(double));
        }
        assert_in_range(empty, 1, N - 1);
        setting_free(&s);
    }
#endif
}

/* The first of equals, in whatever order the tree has them. */
static void of_equal_labels_the_first_is_the_best(void **state)
{
    setting s;
    setting_new(*state, 2, 1e-6, &s);
    for (int j = 1; j < s.m; j += 2)
        memcpy(s.shapes->target + 2 * j, s.shapes->target + 2 * (s.m - 1 - j), 2 * sizeof(double));
    sfgp_kdtree_free(s.tree);
    sfgp_assert_ok(*state, sfgp_kdtree_new(*state, s.m, 2, s.shapes->target, &s.tree));
    sfgp_assert_ok(*state,
                   sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
    double *p = dense(&s);
    int ties = 0;
    for (int i = 0; i < N; i++) {
        int best = -1;
        for (int j = 0; j < s.m; j++)
            if (p[i * s.m + j] > s.rule.pmin && (best < 0 || p[i * s.m + j] > p[i * s.m + best]))
                best = j;
        assert_int_equal(s.labels.best_target[i], best);
        for (int j = best + 1; best >= 0 && j < s.m; j++)
            ties += p[i * s.m + j] == p[i * s.m + best];
    }
    assert_true(ties > 10);
    free(p);
    setting_free(&s);
}

/* pmin is the largest label of a point. */
static void a_label_of_pmin_does_not_count(void **state)
{
    setting s;
    setting_new(*state, 3, 1e-6, &s);
    for (int i = 0; i < N; i += 30) {
        s.rule.pmin = 0;
        sfgp_assert_ok(*state,
                       sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
        assert_true(s.labels.best[i] > 0 && s.labels.weight[i] >= s.labels.best[i]);
        s.rule.pmin = s.labels.best[i];
        sfgp_assert_ok(*state,
                       sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
        assert_true(s.labels.weight[i] == 0 && s.labels.best[i] == 0 && s.labels.best_target[i] == -1);
    }
    setting_free(&s);
}

/* Labels anew, with room for so many pairs. */
static void label_with_room(sfgp_context *context, int64_t pairs, setting *s)
{
    sfgp_responsibilities_clear(&s->labels);
    sfgp_assert_ok(context, sfgp_responsibilities_new(context, N, s->d, true, &s->labels));
    sfgp_assert_ok(context, sfgp_responsibilities_reserve(context, s->m, 0, &s->labels));
    sfgp_assert_ok(context, sfgp_sparse_reserve(context, pairs, &s->labels.matrix));
    sfgp_assert_ok(context,
                   sfgp_estep_soft(context, &s->rule, s->tree, s->shapes->target, state_of(s), &s->labels));
}

/* What the points and the targets get of P. */
static void assert_same_sums(const sfgp_responsibilities *a, const sfgp_responsibilities *b)
{
    const size_t n = (size_t)a->count * sizeof(double), d = (size_t)a->dimension;
    const double *const of_a[] = {a->mass, a->weight, a->second, a->best}, *const of_b[] = {
                                                                               b->mass, b->weight, b->second,
                                                                               b->best};
    for (int k = 0; k < 4; k++)
        assert_memory_equal(of_a[k], of_b[k], n);
    assert_memory_equal(a->shift, b->shift, n * d);
    assert_memory_equal(a->first, b->first, n * d);
    assert_memory_equal(a->best_target, b->best_target, (size_t)a->count * sizeof(int32_t));
    assert_memory_equal(a->explained, b->explained, (size_t)a->targets * sizeof(double));
    assert_true(a->log_likelihood == b->log_likelihood && a->missing == b->missing && a->pairs == b->pairs);
}

static void assert_same_labels(const sfgp_responsibilities *a, const sfgp_responsibilities *b)
{
    const int32_t pairs = sfgp_sparse_start(&a->matrix)[a->count];
    assert_memory_equal(sfgp_sparse_start(&a->matrix), sfgp_sparse_start(&b->matrix),
                        (size_t)(a->count + 1) * sizeof(int32_t));
    assert_memory_equal(sfgp_sparse_index(&a->matrix), sfgp_sparse_index(&b->matrix),
                        (size_t)pairs * sizeof(int32_t));
    assert_memory_equal(sfgp_sparse_value(&a->matrix), sfgp_sparse_value(&b->matrix),
                        (size_t)pairs * sizeof(double));
    assert_int_equal(a->pairs, pairs);
    assert_same_sums(a, b);
}

/* What the tree finds is kept, partly kept, lost to the columns, or lost when P grows. */
static void room_does_not_change_a_bit(void **state)
{
    setting s, t;
    setting_new(*state, 3, 1e-6, &s);
    setting_new(*state, 3, 1e-6, &t);
    for (int i = 0; i < N; i++)
        s.sigma2[i] = t.sigma2[i] = i < N / 4 ? 500 : 3; /* the first lanes have nearly all pairs */
    sfgp_assert_ok(*state,
                   sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
    const int32_t *start = sfgp_sparse_start(&s.labels.matrix);
    const int64_t pairs = start[N];
    int32_t *index = calloc((size_t)s.m, sizeof *index);
    double *distance2 = calloc((size_t)s.m, sizeof *distance2);
    for (int i = 0; i < N; i++) {
        assert_int_equal(
            sfgp_kdtree_within(s.tree, s.shapes->reference + 3 * i, s.labels.radius2[i], index, distance2),
            start[i + 1] - start[i]);
        assert_memory_equal(sfgp_sparse_index(&s.labels.matrix) + start[i], index,
                            (size_t)(start[i + 1] - start[i]) * sizeof *index);
    }
    assert_true(pairs / 16 > s.m && start[N / 4] > pairs / 2); /* a lane has room for some of its points */
    const int64_t rooms[] = {64 * pairs, 2 * pairs + 16, pairs, 1};
    for (int k = 0; k < 4; k++)
        for (int threads = 1; threads <= 3; threads++) {
            sfgp_test_threads(threads);
            label_with_room(*state, rooms[k], &t);
            assert_same_labels(&s.labels, &t.labels);
        }
    free(index);
    free(distance2);
    setting_free(&s);
    setting_free(&t);
}

static void a_reach_of_0_is_any_reach(void **state)
{
    for (int d = 2; d <= 3; d++) {
        setting s, t;
        setting_new(*state, d, 1e-4, &s);
        setting_new(*state, d, 1e-4, &t);
        t.rule.reach = 100; /* more than prune leaves */
        sfgp_assert_ok(*state,
                       sfgp_estep_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
        sfgp_assert_ok(*state,
                       sfgp_estep_soft(*state, &t.rule, t.tree, t.shapes->target, state_of(&t), &t.labels));
        assert_memory_equal(s.labels.radius2, t.labels.radius2, sizeof s.sigma2);
        assert_same_labels(&s.labels, &t.labels);
        setting_free(&s);
        setting_free(&t);
    }
}

static void closest_points_are_the_closest(void **state)
{
    setting s;
    setting_new(*state, 2, 1e-6, &s);
    sfgp_assert_ok(*state,
                   sfgp_estep_closest(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
    assert_true(test_sparse_is_valid(&s.labels.matrix));
    int64_t missing = 0;
    for (int i = 0; i < N; i++) {
        double least = INFINITY;
        for (int j = 0; j < s.m; j++)
            least = fmin(least, hypot(s.shapes->target[2 * j] - s.shapes->reference[2 * i],
                                      s.shapes->target[2 * j + 1] - s.shapes->reference[2 * i + 1]));
        missing += least > 3;
        assert_int_equal(s.labels.weight[i] > 0, least <= 3);
        if (least <= 3)
            assert_true(fabs(sqrt(s.labels.second[i]) - least) < 1e-12 && s.labels.best[i] == 1);
    }
    assert_true(missing > 0 && missing == s.labels.missing);
    setting_free(&s);
}

static void too_many_labels_are_refused_with_advice(void **state)
{
    setting s;
    setting_new(*state, 2, 1e-6, &s);
    sfgp_assert_error(*state, sfgp_sparse_reserve(*state, (int64_t)3e9, &s.labels.matrix), SFGP_ERROR_MEMORY,
                      "--prune");
    setting_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(unpruned_labels_are_exact),
        sfgp_unit_test(mixing_weights_and_the_log_likelihood_are_exact),
        sfgp_unit_test(labels_with_a_direction_are_exact),
        sfgp_unit_test(pruning_is_certified),
        sfgp_unit_test(a_share_keeps_the_sums_of_points_without_labels),
        sfgp_unit_test(labels_within_reach_are_all_there_and_no_others),
        sfgp_unit_test(labels_within_the_least_reach_are_all_there_and_no_others),
        sfgp_unit_test(a_reach_of_0_is_any_reach),
        sfgp_unit_test(sums_are_those_of_the_matrix),
        sfgp_unit_test(threads_do_not_change_a_bit),
        sfgp_unit_test(sums_are_in_the_order_of_the_columns),
        sfgp_unit_test(of_equal_labels_the_first_is_the_best),
        sfgp_unit_test(a_label_of_pmin_does_not_count),
        sfgp_unit_test(room_does_not_change_a_bit),
        sfgp_unit_test(closest_points_are_the_closest),
        sfgp_unit_test(too_many_labels_are_refused_with_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
