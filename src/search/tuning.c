/* The columns of the tables of constants. */
#include "search/tuning.h"

#include <math.h>

#define PAPER(name, paper, curve, surface, warm, unit, what, source) .name = paper,
#define COLD_CURVE(name, paper, curve, surface, warm, unit, what, source) .name = curve,
#define COLD_SURFACE(name, paper, curve, surface, warm, unit, what, source) .name = surface,
#define WARM(name, paper, curve, surface, warm, unit, what, source) .name = warm,

const sfgp_em_schedule sfgp_schedule_paper = {SFGP_SCHEDULE_TABLE(PAPER)};
const sfgp_em_schedule sfgp_schedule_curve = {SFGP_SCHEDULE_TABLE(COLD_CURVE)};
const sfgp_em_schedule sfgp_schedule_surface = {SFGP_SCHEDULE_TABLE(COLD_SURFACE)};
const sfgp_em_schedule sfgp_schedule_warm = {SFGP_SCHEDULE_TABLE(WARM)};

bool sfgp_schedule_is_dense(int64_t points)
{
    return points > sfgp_schedule_surface.dense;
}

/* clang-format off */
#define CURVE(name, curve, surface, trained_curve, trained_surface, unit, what, source) .name = curve,
#define SURFACE(name, curve, surface, trained_curve, trained_surface, unit, what, source) .name = surface,
#define TRAINED_CURVE(name, curve, surface, trained_curve, trained_surface, unit, what, source) .name = trained_curve,
#define TRAINED_SURFACE(name, curve, surface, trained_curve, trained_surface, unit, what, source) .name = trained_surface,
/* clang-format on */

static const sfgp_tuning COLUMNS[2][2] = {
    {{SFGP_TUNING_TABLE(CURVE)}, {SFGP_TUNING_TABLE(SURFACE)}},
    {{SFGP_TUNING_TABLE(TRAINED_CURVE)}, {SFGP_TUNING_TABLE(TRAINED_SURFACE)}}};

const sfgp_tuning *sfgp_tuning_for(int dimension, bool trained)
{
    return &COLUMNS[trained][dimension == 3];
}

const sfgp_tuning *sfgp_tuning_of(const sfgp_basis *basis)
{
    return sfgp_tuning_for(basis->dimension, basis->pca.modes > 0);
}
