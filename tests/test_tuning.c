/* The tables of constants: orders and ranges that the fit relies on, every column in its place, and a source for
 * every row. */
#include "search/tuning.h"
#include "search/trials.h"
#include "search/turns.h"
#include "support/support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of either table, with its columns. */
typedef struct row {
    const char *name, *unit, *what, *source;
    double value[4];
} row;

static const row SCHEDULE[] = {
#define SCHEDULE_ROW(name, paper, curve, surface, warm, unit, what, source)                                  \
    {#name, unit, what, source, {(double)(paper), (double)(curve), (double)(surface), (double)(warm)}},
    SFGP_SCHEDULE_TABLE(SCHEDULE_ROW)};

static const row TUNING[] = {
#define TUNING_ROW(name, curve, surface, trained_curve, trained_surface, unit, what, source)                 \
    {#name, unit, what, source, {curve, surface, trained_curve, trained_surface}},
    SFGP_TUNING_TABLE(TUNING_ROW)};

enum { SCHEDULE_ROWS = sizeof SCHEDULE / sizeof *SCHEDULE, TUNING_ROWS = sizeof TUNING / sizeof *TUNING };

enum { SCHEDULES = 4 };
static const sfgp_em_schedule *const SCHEDULE_OF[SCHEDULES] = {&sfgp_schedule_paper, &sfgp_schedule_curve,
                                                               &sfgp_schedule_surface, &sfgp_schedule_warm};

static const sfgp_em_schedule *const COLD[] = {&sfgp_schedule_curve, &sfgp_schedule_surface};

/* ---- columns ----------------------------------------------------------------------------------------- */

static void every_schedule_has_its_column(void **state)
{
    (void)state;
    for (int column = 0; column < SCHEDULES; column++) {
        const row *r = SCHEDULE;
#define COMPARE(name, paper, curve, surface, warm, unit, what, source)                                       \
    assert_true((double)SCHEDULE_OF[column]->name == (r++)->value[column]);
        SFGP_SCHEDULE_TABLE(COMPARE)
#undef COMPARE
    }
}

/* A curve or a surface, without or with training shapes. */
static void every_shape_has_its_column(void **state)
{
    (void)state;
    for (int column = 0; column < 4; column++) {
        const sfgp_tuning *tuning = sfgp_tuning_for(2 + column % 2, column / 2);
        const sfgp_basis basis = {.dimension = 2 + column % 2, .pca.modes = column / 2};
        assert_ptr_equal(sfgp_tuning_of(&basis), tuning);
        const row *r = TUNING;
#define COMPARE(name, curve, surface, trained_curve, trained_surface, unit, what, source)                    \
    assert_true(tuning->name == (r++)->value[column]);
        SFGP_TUNING_TABLE(COMPARE)
#undef COMPARE
    }
}

/* ---- units ------------------------------------------------------------------------------------------- */

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words;
}

/* What is counted is whole, shares are at most 1, and nothing is negative or not a number. */
static void assert_fits_unit(const row *r, double value)
{
    static const char *const counts[] = {"points", "cells", "pairs", "iterations", "poses", "rounds", NULL};
    static const char *const shares[] = {"share", "of sigma2", "of the weight", "of the mass", NULL};
    const bool any_time = strcmp(r->name, "extrapolate_after") == 0 && value == -1; /* at once */
    if (!(value >= 0) && !any_time)
        fail_msg("%s: %g", r->name, value);
    if (is_one_of(r->unit, counts) && isfinite(value) && value != floor(value))
        fail_msg("%s: %g %s", r->name, value, r->unit);
    if (is_one_of(r->unit, shares) && isfinite(value) && value > 1)
        fail_msg("%s: %g, which is no share", r->name, value);
}

static void values_fit_their_units(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEDULE_ROWS; k++)
        for (int column = 0; column < SCHEDULES; column++)
            assert_fits_unit(&SCHEDULE[k], SCHEDULE[k].value[column]);
    for (int k = 0; k < TUNING_ROWS; k++)
        for (int column = 0; column < 4; column++)
            assert_fits_unit(&TUNING[k], TUNING[k].value[column]);
}

/* Infinite means: never, or no limit. Only such rows may be, and of a fit that learns only these. */
static void only_limits_are_infinite(void **state)
{
    static const char *const paper[] = {"rest_step",      "rest_sigma2",
                                        "sigma2_most",    "labels_at_rest",
                                        "mixing_after",   "mixing_after_late",
                                        "variance_final", "extrapolate_after",
                                        "label_density",  NULL},
                             *const curve[] = {"label_density", NULL}, *const surface[] = {NULL},
                             *const warm[] = {"rest_step", "variance_final", NULL},
                             *const *const allowed[SCHEDULES] = {paper, curve, surface, warm};
    (void)state;
    for (int k = 0; k < SCHEDULE_ROWS; k++)
        for (int column = 0; column < SCHEDULES; column++)
            if (isinf(SCHEDULE[k].value[column]) != is_one_of(SCHEDULE[k].name, allowed[column]))
                fail_msg("%s, column %d: %g", SCHEDULE[k].name, column, SCHEDULE[k].value[column]);
    for (int k = 0; k < TUNING_ROWS; k++)
        for (int column = 0; column < 4; column++)
            assert_true(isfinite(TUNING[k].value[column]));
}

/* ---- orders ------------------------------------------------------------------------------------------ */

static void limits_of_a_schedule_are_in_order(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEDULES; k++) {
        const sfgp_em_schedule *s = SCHEDULE_OF[k];
        assert_true(0 < s->sigma2_least && s->sigma2_least < s->sigma2_most);
        assert_true(s->omega_least <= s->omega_most && s->omega_fit <= s->omega_most);
        assert_true(s->mixing_after <= s->mixing_after_late);
        assert_true(1 <= s->neighbours && s->neighbours < s->cells && s->cells < s->dense);
        assert_true(s->neighbours_divisor >= 1);
        assert_true(1 <= s->labels_at_rest && 1 <= s->rest_tolerance);
        assert_true(1 <= s->extrapolation_first && s->extrapolation_first <= s->extrapolation_most);
        assert_true(s->extrapolation_grow >= 1 && s->extrapolation_wild >= 1);
        assert_true(0 < s->gram_distrust && s->gram_distrust <= 1);
    }
}

/* Of a fit that learns: each acceleration can happen, and ends. */
static void a_schedule_that_learns_has_work_for_every_part(void **state)
{
    (void)state;
    for (int k = 1; k < SCHEDULES; k++) {
        const sfgp_em_schedule *s = SCHEDULE_OF[k];
        assert_true(s->omega_most < 1); /* some labels are left */
        assert_true(0 < s->omega_least && 0 < s->mixing_least && s->mixing_least < 1);
        assert_true(0 < s->rest_sigma2 && 0 < s->rest_step);
        assert_true(s->rest_sigma2 < s->extrapolate_slow); /* it is slow before it rests */
        assert_true(0 < s->gram_drift && s->gram_drift < 1 && s->gram_distrust < 1);
        assert_true(0 < s->variance_change && 0 < s->variance_final);
        assert_true(s->extrapolation_most > 1 && s->extrapolation_grow > 1);
        assert_true(0 < s->extrapolation_sigma && 0 <= s->extrapolation_loss);
        assert_true(s->tiles_sigma_least > 0);
    }
    for (int k = 0; k < 2; k++)
        assert_true(COLD[k]->variance_final < COLD[k]->variance_change);
}

static void assert_continues(const sfgp_em_schedule *warm, const sfgp_em_schedule *cold)
{
    assert_true(warm->dense == cold->dense && warm->cells == cold->cells);
    assert_true(warm->neighbours == cold->neighbours && warm->neighbours_divisor == cold->neighbours_divisor);
    assert_true(warm->pairs == cold->pairs && warm->pairs_each == cold->pairs_each);
    assert_true(warm->sigma2_least == cold->sigma2_least && warm->sigma2_most == cold->sigma2_most);
    assert_true(warm->gram_drift >= cold->gram_drift && warm->variance_change >= cold->variance_change);
    assert_true(warm->reach > 0 && warm->labels_at_rest <= cold->labels_at_rest);
    assert_true(warm->rest_tolerance >= cold->rest_tolerance);
}

/* Its memory was made for the cold fit (em.c), of a curve or a surface: the sizes are the same. It reuses more, and moves with less. */
static void a_warm_fit_has_the_sizes_of_a_cold_one(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_continues(&sfgp_schedule_warm, COLD[k]);
}

/* Nothing is learned, reused or extrapolated, and every label counts. */
static void the_paper_is_plain_em(void **state)
{
    const sfgp_em_schedule *s = &sfgp_schedule_paper;
    (void)state;
    assert_true(isinf(s->mixing_after) && isinf(s->mixing_after_late) && isinf(s->extrapolate_after));
    assert_true(s->gram_drift == 0 && s->variance_change == 0 && s->variance_small == 0);
    assert_true(s->reach == 0 && s->tiles_sigma_least == 0 && s->rest_tolerance == 1 &&
                isinf(s->labels_at_rest));
    assert_true(s->extrapolation_most == 1);
    assert_true(isinf(s->sigma2_most) && isinf(s->rest_step) && isinf(s->rest_sigma2));
    assert_true(s->omega_least == 0 && s->omega_most == 1);
}

static void limits_of_the_search_are_in_order(void **state)
{
    (void)state;
    for (int column = 0; column < 4; column++) {
        const sfgp_tuning *t = sfgp_tuning_for(2 + column % 2, column / 2);
        assert_true(0 < t->sigma2_closest && t->sigma2_closest <= t->sigma2);
        assert_true(0 < t->omega && t->omega < 1 && t->sigma2_fall < 1);
        assert_true(t->check_points < t->subset_points);
        assert_true(0 < t->check_iterations && t->check_iterations <= t->turns_iterations &&
                    t->turns_iterations <= t->starts_iterations);
        assert_true(t->start_sigma2_narrow < t->start_sigma2_wide);
        assert_true(t->turned_sigma2 <= t->check_sigma2 && t->check_sigma2 <= t->start_sigma2_wide);
        assert_true(t->check_margin <= t->margin_subset && t->repose_turn < 1);
        assert_true(0 < t->start_omega_few && t->start_omega_few < t->start_omega_many &&
                    t->start_omega_many < 1);
        assert_true(t->start_omega_many <= sfgp_schedule_surface.omega_most);
        assert_true(0 < t->subset_targets_least && t->subset_targets_least < t->subset_targets_most);
        assert_true(t->subset_accuracy_whole <= t->subset_accuracy);
        assert_true(0 < t->same_maximum && t->same_maximum < t->margin_subset &&
                    t->margin_subset <= t->margin_pose);
        assert_true(0 < t->good_fit_sigma_whole && t->good_fit_sigma_whole <= t->good_fit_sigma);
        assert_true(1 - t->good_fit_explained <= sfgp_schedule_surface.omega_fit); /* a good fit is a fit */
        assert_true(t->landmarks_contradicted > 1);                                /* the prior expects 1 */
        assert_true(0 < t->duplicate_after && t->duplicate_after < t->starts_iterations);
        assert_true(0 < t->duplicate_distance && t->duplicate_distance < 1 && t->duplicate_sigma2 > 0);
        assert_true(t->rough_points == 0 ||
                    (t->subset_points < t->rough_points && t->rough_points < t->rough_from));
        assert_true(t->rough_accuracy < t->subset_accuracy && t->rough_same < 1);
        assert_true(t->duplicate_after < t->rough_iterations && t->rough_behind > 0);
        assert_true(1 <= t->turns_kept && t->turns_kept < t->check_kept && t->check_kept < SFGP_TURNS);
        assert_true(1 <= t->turns_starts && t->turns_starts <= SFGP_TRIALS);
        assert_true(0 < t->turns_apart && t->turns_apart < 1);
    }
}

static void limits_of_proposals_levels_and_outcome_are_in_order(void **state)
{
    (void)state;
    for (int column = 0; column < 4; column++) {
        const sfgp_tuning *t = sfgp_tuning_for(2 + column % 2, column / 2);
        assert_true(1 < t->reheat_stiff && t->reheat_stiff <= t->reheat_first);
        assert_true(t->reheat_second == 0 || t->reheat_first < t->reheat_second);
        assert_true(t->repose_gain > 0 && t->reheat_gain > 0 && t->repose_rounds >= 1);
        assert_true(t->level_share >= 2 && t->subset_points < (double)sfgp_schedule_surface.cells);
        assert_true(t->residual_most < t->good_fit_sigma); /* spacings: a subset's are larger */
        assert_true(0 < t->missing_mass && t->missing_mass < 1 && t->missing_ring >= 1);
        assert_true(t->missing_ring <= (double)sfgp_schedule_surface.neighbours);
        assert_true(0 < t->labelled_least && t->labelled_least < 1 && t->sigma_most < 1);
        assert_true(t->hole_deviation_slope == 0 || t->unexpressed == 0); /* one way to grow into a hole */
    }
}

/* ---- sources ----------------------------------------------------------------------------------------- */

/* Whether docs/adr has a file NNNN-*.md. */
static bool adr_exists(const char *number)
{
    DIR *folder = opendir(SFGP_SOURCE_DIR "/docs/adr");
    bool found = false;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        found = found || (strncmp(entry->d_name, number, 4) == 0 && entry->d_name[4] == '-');
    closedir(folder);
    return found;
}

static bool file_exists(const char *path)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "%s/%s", SFGP_SOURCE_DIR, path);
    FILE *file = fopen(whole, "rb");
    if (file)
        fclose(file);
    return file;
}

/* "ADR 0013, 0015": each of them. */
static bool all_adrs_exist(const char *numbers)
{
    for (;;) {
        if (strspn(numbers, "0123456789") != 4 || !adr_exists(numbers))
            return false;
        if (numbers[4] == '\0')
            return true;
        if (strncmp(numbers + 4, ", ", 2) != 0)
            return false;
        numbers += 6;
    }
}

static bool is_row(const char *name)
{
    bool found = false;
    for (int k = 0; k < SCHEDULE_ROWS; k++)
        found = found || strcmp(SCHEDULE[k].name, name) == 0;
    for (int k = 0; k < TUNING_ROWS; k++)
        found = found || strcmp(TUNING[k].name, name) == 0;
    return found;
}

/* ADRs, a document, the paper, or another row that it follows. */
static bool source_exists(const char *source)
{
    if (strncmp(source, "ADR ", 4) == 0)
        return all_adrs_exist(source + 4);
    if (strncmp(source, "docs/", 5) == 0)
        return file_exists(source);
    if (strncmp(source, "next to ", 8) == 0)
        return is_row(source + 8);
    return strcmp(source, "the paper's") == 0;
}

static void assert_documented(const row *r)
{
    if (!source_exists(r->source))
        fail_msg("%s: there is no source '%s'", r->name, r->source);
    assert_true(strlen(r->what) > 0);
}

static void every_row_has_a_source(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEDULE_ROWS; k++)
        assert_documented(&SCHEDULE[k]);
    for (int k = 0; k < TUNING_ROWS; k++)
        assert_documented(&TUNING[k]);
    assert_false(source_exists("ADR 9999"));
    assert_false(source_exists("ADR 0013, 9999"));
    assert_false(source_exists("docs/none.md"));
    assert_false(source_exists("next to none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_schedule_has_its_column),
        cmocka_unit_test(every_shape_has_its_column),
        cmocka_unit_test(values_fit_their_units),
        cmocka_unit_test(only_limits_are_infinite),
        cmocka_unit_test(limits_of_a_schedule_are_in_order),
        cmocka_unit_test(a_schedule_that_learns_has_work_for_every_part),
        cmocka_unit_test(a_warm_fit_has_the_sizes_of_a_cold_one),
        cmocka_unit_test(the_paper_is_plain_em),
        cmocka_unit_test(limits_of_the_search_are_in_order),
        cmocka_unit_test(limits_of_proposals_levels_and_outcome_are_in_order),
        cmocka_unit_test(every_row_has_a_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
