/* The rim of a scan: points of the reference whose labels lie on one side. */
#include "em/rim.h"
#include "support/corrupt.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { SIDE = 41, N = SIDE * SIDE, AROUND = 60, NEAR = 8 };

/* A flat sheet of SIDE x SIDE points about the origin, with masses. */
typedef struct sheet {
    double points[3 * N], mass[N];
    sfgp_basis basis;
    sfgp_em_problem problem;
    sfgp_em em;
    sfgp_neighbours near;
    sfgp_rim rim;
} sheet;

/* x of column k: steps of 1, or steps that grow from 1 to 3. */
static double place(int k, bool uneven)
{
    const double t = k - SIDE / 2;
    return uneven ? 2 * t + t * fabs(t) / (SIDE - 1) : t;
}

static void sheet_new(sfgp_context *context, bool uneven, double limit, sheet *s)
{
    const sfgp_region_size size = {.dense = N, .cells = 1, .neighbours = AROUND};
    memset(s, 0, sizeof *s);
    for (int i = 0; i < N; i++) {
        s->points[3 * i] = place(i % SIDE, uneven);
        s->points[3 * i + 1] = place(i / SIDE, false);
        s->mass[i] = 1;
    }
    s->basis = (sfgp_basis){.count = N, .dimension = 3, .mean = s->points};
    s->problem.basis = &s->basis;
    s->em = (sfgp_em){.context = context, .problem = &s->problem};
    s->em.responsibilities.mass = s->mass;
    sfgp_assert_ok(context, sfgp_regions_new(context, N, 3, s->points, &size, &s->em.regions));
    sfgp_assert_ok(context, sfgp_neighbours_new(context, N, 3, s->points, NEAR, &s->near));
    sfgp_assert_ok(context, sfgp_rim_new(&s->em, &s->near, limit, &s->rim));
}

static void sheet_free(sheet *s)
{
    sfgp_rim_clear(&s->rim);
    sfgp_neighbours_clear(&s->near);
    sfgp_regions_clear(&s->em.regions);
}

/* Column `k` of the row in the middle. */
static double pull(const sheet *s, int k)
{
    return sfgp_rim_pull(&s->rim, (int64_t)(SIDE / 2) * SIDE + SIDE / 2 + k);
}

/* The scan ends in the middle of the sheet, where points have half of a mass. A neighbourhood has a radius of 4.4 steps. */
static void labels_pull_less_and_less_beyond_the_rim(void **state)
{
    sheet s;
    sheet_new(*state, false, 0.6, &s);
    for (int i = 0; i < N; i++)
        s.mass[i] = s.points[3 * i] > 0 ? 0 : s.points[3 * i] == 0 ? 0.5 : 1;
    for (int k = -5; k <= 5; k++)
        assert_true(pull(&s, k) == 1); /* not found yet */
    sfgp_rim_find(&s.rim);
    print_message("at the rim %.3f, then %.3f, %.3f, %.3f\n", pull(&s, 0), pull(&s, 1), pull(&s, 2),
                  pull(&s, 3));
    assert_true(pull(&s, -5) > 0.999 && pull(&s, -2) > 0.95);
    assert_true(fabs(pull(&s, 0) - 0.5) < 0.1);
    assert_true(pull(&s, 1) < 0.3 && pull(&s, 3) < 0.05);
    assert_true(pull(&s, 10) == 1); /* it has no labels, and nothing near it has */
    sheet_free(&s);
}

/* Where the scan is even, a point has as much mass as it has area. */
static void an_uneven_reference_has_no_rim_inside(void **state)
{
    sheet s;
    sheet_new(*state, true, 0.6, &s);
    for (int i = 0; i < N; i++)
        s.mass[i] = place(i % SIDE + 1, true) - place(i % SIDE - 1, true);
    sfgp_rim_find(&s.rim);
    for (int k = -SIDE / 2; k <= SIDE / 2; k++)
        if (!(pull(&s, k) > 0.999))
            fail_msg("column %d: %g", k, pull(&s, k));
    sheet_free(&s);
}

/* o / s of a point, by the equations, with areas by the nearest points. */
static double ratio(const sheet *s, int i)
{
    double area[AROUND], masses = 0, areas = 0, labelled[3] = {0}, centre[3] = {0}, offset2 = 0, spread2 = 0;
    const int32_t *around = s->em.regions.neighbours.index + i * AROUND;
    for (int k = 0; k < AROUND; k++) {
        const double *p = s->points + 3 * around[k];
        area[k] = 0;
        for (int n = 0; n < NEAR; n++) {
            const double *q = s->points + 3 * s->near.index[around[k] * NEAR + n];
            for (int a = 0; a < 3; a++)
                area[k] += pow(q[a] - p[a], 2) / NEAR;
        }
        masses += s->mass[around[k]], areas += area[k];
        for (int a = 0; a < 3; a++)
            labelled[a] += s->mass[around[k]] * p[a], centre[a] += area[k] * p[a];
    }
    for (int a = 0; a < 3; a++)
        offset2 += pow(labelled[a] / masses - centre[a] / areas, 2);
    for (int k = 0; k < AROUND; k++)
        for (int a = 0; a < 3; a++)
            spread2 += area[k] / areas * pow(s->points[3 * around[k] + a] - centre[a] / areas, 2);
    return sqrt(offset2 / spread2);
}

static void it_follows_the_equations(void **state)
{
    sheet s;
    sheet_new(*state, true, 0.3, &s);
    for (int i = 0; i < N; i++) {
        s.mass[i] = exp(0.2 * s.points[3 * i + 1]) * (1.1 + sin(i));
        s.points[3 * i + 2] = 0; /* flat: the neighbourhoods were found so */
    }
    sfgp_rim_find(&s.rim);
    for (int i = 0; i < N; i++) {
        const double expected = 1 / (1 + pow(ratio(&s, i) / 0.3, 8));
        if (!(fabs(sfgp_rim_pull(&s.rim, i) - expected) < 1e-9))
            fail_msg("point %d: %g, not %g", i, sfgp_rim_pull(&s.rim, i), expected);
    }
    sheet_free(&s);
}

static void without_a_limit_there_is_no_rim(void **state)
{
    sheet s;
    sheet_new(*state, false, 0, &s);
    assert_null(s.rim.pull);
    memset(s.mass, 0, sizeof s.mass / 2);
    sfgp_rim_find(&s.rim);
    for (int i = 0; i < N; i++)
        assert_true(sfgp_rim_pull(&s.rim, i) == 1);
    sheet_free(&s);
}

/* Points that coincide have no area, and no spread. */
static void points_in_one_place_have_no_rim(void **state)
{
    sheet s;
    sheet_new(*state, false, 0.6, &s);
    sfgp_rim_clear(&s.rim);
    memset(s.points, 0, sizeof s.points);
    sfgp_assert_ok(*state, sfgp_rim_new(&s.em, &s.near, 0.6, &s.rim));
    sfgp_rim_find(&s.rim);
    for (int i = 0; i < N; i++)
        assert_true(sfgp_rim_pull(&s.rim, i) == 1);
    sheet_free(&s);
}

static sfgp_status try_rim(sfgp_context *context, void *user)
{
    sheet *s = user;
    sfgp_rim rim;
    (void)context; /* that of the sheet */
    const sfgp_status status = sfgp_rim_new(&s->em, &s->near, 0.6, &rim);
    sfgp_rim_clear(&rim);
    return status;
}

static void failing_allocations_are_survived(void **state)
{
    sheet s;
    sheet_new(*state, false, 0, &s);
    assert_true(sfgp_sweep_allocations(*state, try_rim, &s) >= 5);
    sheet_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(labels_pull_less_and_less_beyond_the_rim),
        sfgp_unit_test(an_uneven_reference_has_no_rim_inside),
        sfgp_unit_test(it_follows_the_equations),
        sfgp_unit_test(without_a_limit_there_is_no_rim),
        sfgp_unit_test(points_in_one_place_have_no_rim),
        sfgp_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
