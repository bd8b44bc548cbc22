/* The E-step against brute force. */
#include "support/support.h"
#include "support/shapes.h"
#include "correspond/correspond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 150 };

typedef struct setting {
    int d, m;
    test_shapes *shapes;
    sfgp_kdtree *tree;
    sfgp_labels labels;
    double variance[N], noise[N];
    sfgp_label_rule rule;
} setting;

static void setting_new(sfgp_context *context, int d, double prune, setting *s)
{
    memset(s, 0, sizeof *s);
    s->d = d;
    s->shapes = test_shapes_new(N, d, 0, 5);
    s->m = s->shapes->m;
    for (int i = 0; i < N; i++) {
        s->variance[i] = 0.5 + 0.01 * i;
        s->noise[i] = 2 + 0.2 * (i % 17);
    }
    s->rule = (sfgp_label_rule){0.2, 1e-4, 1e-2, prune, 3, 2, NULL};
    sfgp_assert_ok(context, sfgp_kdtree_new(context, s->m, d, s->shapes->target, &s->tree));
    sfgp_assert_ok(context, sfgp_labels_new(context, N, d, &s->labels));
    sfgp_assert_ok(context, sfgp_labels_reserve(context, s->m, (int64_t)N * s->m, &s->labels));
}

static void setting_free(setting *s)
{
    sfgp_kdtree_free(s->tree);
    sfgp_labels_clear(&s->labels);
    test_shapes_free(s->shapes);
}

static sfgp_state state_of(const setting *s)
{
    return (sfgp_state){s->shapes->reference, s->variance, s->noise};
}

static double phi(const setting *s, int i, int j)
{
    double square = 0;
    for (int a = 0; a < s->d; a++)
        square += pow(s->shapes->target[j * s->d + a] - s->shapes->reference[i * s->d + a], 2);
    return (s->rule.mixing ? s->rule.mixing[i] : 1) * pow(2 * acos(-1.0) * s->noise[i], -0.5 * s->d) *
           exp(-(square + s->d * s->variance[i]) / (2 * s->noise[i]));
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
        sfgp_assert_ok(
            *state, sfgp_correspond_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
        sfgp_assert_ok(*state, sfgp_sparse_check(*state, &s.labels.matrix));
        double *p = dense(&s);
        for (int k = 0; k < N * s.m; k++)
            assert_true(fabs(p[k] - exact(&s, k / s.m, k % s.m)) < 1e-13);
        free(p);
        setting_free(&s);
    }
}

/* Weights of the points, a few of them next to 0, count in P and in the bound. */
static void mixing_weights_and_the_evidence_are_exact(void **state)
{
    double weights[N];
    for (int i = 0; i < N; i++)
        weights[i] = i % 10 == 0 ? 1e-3 : 0.6 + 0.01 * (i % 80);
    for (int d = 2; d <= 3; d++)
        for (int mixed = 0; mixed < 2; mixed++) {
            setting s;
            setting_new(*state, d, 1e-300, &s);
            s.rule.mixing = mixed ? weights : NULL;
            sfgp_assert_ok(*state, sfgp_correspond_soft(*state, &s.rule, s.tree, s.shapes->target,
                                                        state_of(&s), &s.labels));
            double *p = dense(&s), evidence = 0;
            for (int k = 0; k < N * s.m; k++)
                assert_true(fabs(p[k] - exact(&s, k / s.m, k % s.m)) < 1e-13);
            for (int j = 0; j < s.m; j++) {
                double sum = 0;
                for (int i = 0; i < N; i++)
                    sum += phi(&s, i, j);
                evidence += log(s.rule.omega * s.rule.density + (1 - s.rule.omega) / N * sum);
            }
            assert_true(fabs(s.labels.evidence - evidence) < 1e-12 * fabs(evidence));
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
        sfgp_assert_ok(
            *state, sfgp_correspond_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
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

static void sums_are_those_of_the_matrix(void **state)
{
    setting s;
    setting_new(*state, 3, 1e-6, &s);
    sfgp_assert_ok(*state,
                   sfgp_correspond_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
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
    s.rule.threads = 1, t.rule.threads = 4;
    sfgp_assert_ok(*state,
                   sfgp_correspond_soft(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
    sfgp_assert_ok(*state,
                   sfgp_correspond_soft(*state, &t.rule, t.tree, t.shapes->target, state_of(&t), &t.labels));
    assert_memory_equal(s.labels.mass, t.labels.mass, N * sizeof(double));
    assert_memory_equal(s.labels.shift, t.labels.shift, 3 * N * sizeof(double));
    assert_memory_equal(s.labels.explained, t.labels.explained, (size_t)s.m * sizeof(double));
    assert_true(s.labels.evidence == t.labels.evidence);
    setting_free(&s);
    setting_free(&t);
}

static void closest_points_are_the_closest(void **state)
{
    setting s;
    setting_new(*state, 2, 1e-6, &s);
    sfgp_assert_ok(
        *state, sfgp_correspond_closest(*state, &s.rule, s.tree, s.shapes->target, state_of(&s), &s.labels));
    sfgp_assert_ok(*state, sfgp_sparse_check(*state, &s.labels.matrix));
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
    sfgp_assert_status(*state, sfgp_sparse_reserve(*state, (int64_t)3e9, &s.labels.matrix),
                       SFGP_ERROR_MEMORY);
    assert_non_null(strstr(sfgp_context_error(*state), "--prune"));
    setting_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(unpruned_labels_are_exact),
        sfgp_unit_test(mixing_weights_and_the_evidence_are_exact),
        sfgp_unit_test(pruning_is_certified),
        sfgp_unit_test(sums_are_those_of_the_matrix),
        sfgp_unit_test(threads_do_not_change_a_bit),
        sfgp_unit_test(closest_points_are_the_closest),
        sfgp_unit_test(too_many_labels_are_refused_with_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
