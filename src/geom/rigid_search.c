/* Sums of the field at the points of the part, for all shifts at once. */
#include "geom/rigid_search.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/simd.h"
#include "geom/rigid_field.h"
#include "geom/rotations.h"

#include <math.h>
#include <string.h>

enum {
    REACH = SFGP_RIGID_REACH,
    SHIFTS = SFGP_RIGID_SHIFTS,
    PARTS = SFGP_RIGID_PARTS,
    ALL_SHIFTS = SHIFTS * SHIFTS * SHIFTS,
    FAR = 4 * SFGP_RIGID_HALF, /* cells */
    FEW = 4,  /* of so many points of the part one is summed to choose the rotations that go on */
    GRAIN = 4 /* rotations that a thread takes at a time */
};

typedef sfgp_rigid_field field;
typedef sfgp_rigid_range range;

/* ---- sums over the part ---------------------------------------------------------------------------------- */

/* Shifts that are tried and bring a cell to one of the field. */
static range shifts_of(const field *f, int axis, int cell)
{
    const range onto = {f->cells[axis].first - cell, f->cells[axis].end - cell};
    return sfgp_rigid_both(f->shifts[axis], onto);
}

/* Adds w (n . m)^2 of a row of cells to the sums of a row of shifts. */
static inline void add_row(const float *restrict rows, int64_t stride, const float normal[PARTS],
                           float *restrict sum)
{
    for (int k = 0; k < SHIFTS; k++) {
        const float root =
            normal[0] * rows[k] + normal[1] * rows[stride + k] + normal[2] * rows[2 * stride + k];
        sum[k] += root * root;
    }
}

/* One point of the part, in a cell when it is turned, at all shifts. */
SFGP_SIMD static void add_point(const field *f, const int cell[3], const float normal[PARTS], float *scores)
{
    const int a = f->across[0], b = f->across[1];
    const range first = shifts_of(f, a, cell[a]), second = shifts_of(f, b, cell[b]);
    const int64_t place = cell[f->along] - REACH - f->cells[f->along].first + SHIFTS;
    if (place < 0 || place > f->row - SHIFTS)
        return;
    for (int i = first.first; i < first.end; i++)
        for (int j = second.first; j < second.end; j++) {
            const int64_t row = sfgp_rigid_row(f, cell[a] + i, cell[b] + j);
            if (f->used[row])
                add_row(f->parts + PARTS * row * f->row + place, f->row, normal,
                        scores + ((i + REACH) * SHIFTS + j + REACH) * SHIFTS);
        }
}

/* Of one rotation, over one of `step` points of the part. */
static void sum_shifts(const field *f, const sfgp_oriented *part, int step, const double middle[3],
                       const double *rotation, float *scores)
{
    memset(scores, 0, ALL_SHIFTS * sizeof *scores);
    for (int64_t k = 0; k < part->count; k += step) {
        double x[3], y[3], turned[3];
        float normal[PARTS];
        int cell[3];
        for (int a = 0; a < 3; a++)
            x[a] = part->points[3 * k + a] - middle[a];
        sfgp_rotation_apply(rotation, x, y);
        sfgp_rotation_apply(rotation, part->normals + 3 * k, turned);
        for (int a = 0; a < 3; a++) {
            normal[a] = (float)turned[a];
            /* no shift brings what is far back to the field */
            cell[a] = (int)fmin(fmax(floor(y[a] / f->cell), -FAR), FAR);
        }
        add_point(f, cell, normal, scores);
    }
}

/* Where its sum is. */
static int place_of(const field *f, const int shift[3])
{
    return ((shift[f->across[0]] + REACH) * SHIFTS + shift[f->across[1]] + REACH) * SHIFTS + shift[f->along] +
           REACH;
}

/* The best of the shifts that are tried. */
static float best_shift(const field *f, const float *scores, int best[3])
{
    float most = -1;
    int s[3];
    for (s[0] = f->shifts[0].first; s[0] < f->shifts[0].end; s[0]++)
        for (s[1] = f->shifts[1].first; s[1] < f->shifts[1].end; s[1]++)
            for (s[2] = f->shifts[2].first; s[2] < f->shifts[2].end; s[2]++) {
                const float score = scores[place_of(f, s)];
                if (score > most)
                    most = score, memcpy(best, s, sizeof s);
            }
    return most;
}

/* From q in the part to R (q - its middle) + (middle of the whole + shift), inverted. */
static sfgp_similarity pose_of(const field *f, const double middle[3], const double *rotation,
                               const int shift[3])
{
    sfgp_similarity pose = sfgp_similarity_identity(3);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            pose.rotation[3 * a + b] = rotation[3 * b + a];
    for (int a = 0; a < 3; a++) {
        pose.shift[a] = middle[a];
        for (int b = 0; b < 3; b++)
            pose.shift[a] -= pose.rotation[3 * a + b] * (f->middle[b] + shift[b] * f->cell);
    }
    return pose;
}

typedef struct task {
    const field *field;
    const sfgp_oriented *part;
    double middle[3]; /* of the part */
    int rotations;
    int step;     /* of the points */
    double least; /* score so far of a rotation that is tried */
    sfgp_rigid_pose *poses;
} task;

static void try_rotations(const void *data, int64_t first, int64_t end)
{
    const task *t = data;
    _Alignas(64) float scores[ALL_SHIFTS];
    for (int64_t r = first; r < end; r++) {
        double rotation[9];
        int best[3] = {0};
        if (t->poses[r].score < t->least) {
            t->poses[r].score = -HUGE_VAL;
            continue;
        }
        sfgp_rotation_spiral(t->rotations, (int)r, rotation);
        sum_shifts(t->field, t->part, t->step, t->middle, rotation, scores);
        t->poses[r].score = (double)best_shift(t->field, scores, best) / (double)t->part->count;
        t->poses[r].pose = pose_of(t->field, t->middle, rotation, best);
    }
}

/* Scores by some points of the part. Those of the rotations that go on are `least` and above. */
static sfgp_status choose_rotations(sfgp_context *context, int kept, task *t)
{
    double *scores;
    const sfgp_status status = sfgp_allocate(context, t->rotations, &scores);
    if (status != SFGP_OK)
        return status;
    t->step = FEW;
    sfgp_parallel_for(t->rotations, GRAIN, try_rotations, t);
    for (int r = 0; r < t->rotations; r++)
        scores[r] = t->poses[r].score;
    sfgp_sort(t->rotations, scores);
    t->least = scores[t->rotations - kept];
    sfgp_free(scores);
    return SFGP_OK;
}

sfgp_status sfgp_rigid_search(sfgp_context *context, const sfgp_oriented *whole, const sfgp_oriented *part,
                              const sfgp_rigid_table *table, sfgp_rigid_pose *poses)
{
    field f;
    task t = {.field = &f, .part = part, .rotations = table->rotations, .least = -HUGE_VAL, .poses = poses};
    sfgp_status status = sfgp_rigid_field_new(context, whole, table->cell, table->width, &f);
    for (int r = 0; r < t.rotations; r++)
        poses[r].score = 0;
    sfgp_rigid_middle(part, t.middle);
    if (status == SFGP_OK && table->kept < table->rotations)
        status = choose_rotations(context, table->kept, &t);
    t.step = 1;
    if (status == SFGP_OK)
        sfgp_parallel_for(t.rotations, GRAIN, try_rotations, &t);
    sfgp_rigid_field_clear(&f);
    return status;
}
