/* The rigid search: its sums are those of a plain loop over all shifts, and with the refinement a part of a shape is found at any turn. */
#include "support/support.h"
#include "support/rotation.h"
#include "base/random.h"
#include "geom/normals.h"
#include "geom/rigid_refine.h"
#include "geom/rotations.h"

#include <math.h>
#include <string.h>

enum { N = 900, NEIGHBOURS = 10, ROTATIONS = 500 };

static const double CELL = 0.2, WIDTH = 0.15, MIDDLE[3] = {2, -1.5, 0.7};

typedef struct shape {
    double points[3 * N], normals[3 * N];
    int count;
} shape;

/* A sphere with bumps of three sizes, which no turn takes to itself. */
static double radius_at(const double u[3])
{
    static const double bump[3][5] = {
        {1, 0, 0, 0.5, 4}, {0, 0.8, 0.6, 0.35, 8}, {-0.6, 0.48, 0.64, 0.25, 14}};
    double radius = 0.8;
    for (int k = 0; k < 3; k++) {
        const double cosine = bump[k][0] * u[0] + bump[k][1] * u[1] + bump[k][2] * u[2];
        radius += bump[k][3] * exp(bump[k][4] * (cosine - 1));
    }
    return radius;
}

static void add_normals(sfgp_context *context, shape *s)
{
    sfgp_neighbours neighbours;
    sfgp_assert_ok(context, sfgp_neighbours_new(context, s->count, 3, s->points, NEIGHBOURS, &neighbours));
    sfgp_normals_estimate(&neighbours, s->points, s->normals);
    sfgp_neighbours_clear(&neighbours);
}

/* Even points of it (a Fibonacci spiral, turned about its axis by `turn`), not about the origin. */
static void make_shape(sfgp_context *context, double turn, shape *s)
{
    s->count = N;
    for (int i = 0; i < N; i++) {
        const double z = 1 - (2 * i + 1.0) / N, r = sqrt(1 - z * z), angle = 2.399963229728653 * i + turn;
        const double u[3] = {r * cos(angle), r * sin(angle), z};
        for (int a = 0; a < 3; a++)
            s->points[3 * i + a] = MIDDLE[a] + radius_at(u) * u[a];
    }
    add_normals(context, s);
}

/* The points with x + y > least from the middle, at a pose. */
static void cut(sfgp_context *context, const shape *from, double least, const sfgp_similarity *pose,
                shape *part)
{
    part->count = 0;
    for (int i = 0; i < from->count; i++)
        if (from->points[3 * i] - MIDDLE[0] + from->points[3 * i + 1] - MIDDLE[1] > least)
            memcpy(part->points + 3 * part->count++, from->points + 3 * i, 3 * sizeof(double));
    sfgp_similarity_apply(pose, part->count, part->points, part->points);
    add_normals(context, part);
}

static sfgp_oriented oriented(shape *s)
{
    return (sfgp_oriented){.count = s->count, .points = s->points, .normals = s->normals};
}

/* Some pose far from none. */
static sfgp_similarity pose_of(int index)
{
    sfgp_similarity pose = sfgp_similarity_identity(3);
    sfgp_rotation_spiral(37, index, pose.rotation);
    for (int a = 0; a < 3; a++)
        pose.shift[a] = 0.3 * (a + index % 3 - 1);
    return pose;
}

/* Both take the middle of the shape to one place. */
static void assert_same_place(const sfgp_similarity *a, const sfgp_similarity *b, double tolerance)
{
    double one[3], other[3];
    sfgp_similarity_apply(a, 1, MIDDLE, one);
    sfgp_similarity_apply(b, 1, MIDDLE, other);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(one[k] - other[k]) < tolerance);
}

/* ---- the search ------------------------------------------------------------------------------------------ */

/* One term of a score by its definition, 0 beyond the reach. In the search: the field at the middle of a cell. */
static double term(const shape *whole, const double y[3], const double m[3], double width, double reach)
{
    int nearest = 0;
    double least = HUGE_VAL, cosine = 0;
    for (int i = 0; i < whole->count; i++) {
        double distance2 = 0;
        for (int a = 0; a < 3; a++)
            distance2 += (y[a] - whole->points[3 * i + a]) * (y[a] - whole->points[3 * i + a]);
        if (distance2 < least)
            least = distance2, nearest = i;
    }
    for (int a = 0; a < 3; a++)
        cosine += whole->normals[3 * nearest + a] * m[a];
    return least < reach * reach ? exp(-least / (2 * width * width)) * cosine * cosine : 0;
}

static void middle_of(const shape *s, double middle[3])
{
    middle[0] = middle[1] = middle[2] = 0;
    for (int i = 0; i < s->count; i++)
        for (int a = 0; a < 3; a++)
            middle[a] += s->points[3 * i + a] / s->count;
}

/* The mean of the terms of a pose of the spiral, whose shift is one of the grid; a point counts at the middle of its cell. */
static double score_of(const shape *whole, const shape *part, const double *rotation, const int shift[3])
{
    double whole_middle[3], part_middle[3], sum = 0;
    middle_of(whole, whole_middle);
    middle_of(part, part_middle);
    for (int k = 0; k < part->count; k++) {
        double y[3], m[3] = {0};
        for (int a = 0; a < 3; a++) {
            double turned = 0;
            for (int b = 0; b < 3; b++) {
                turned += rotation[3 * a + b] * (part->points[3 * k + b] - part_middle[b]);
                m[a] += rotation[3 * a + b] * part->normals[3 * k + b];
            }
            y[a] = whole_middle[a] + (floor(turned / CELL) + 0.5 + shift[a]) * CELL;
        }
        sum += term(whole, y, m, WIDTH, 3 * WIDTH);
    }
    return sum / part->count;
}

/* Shifts that bring the middle of a part into the box of the whole or one cell beside it, at most 8 cells. */
static void shifts_of(const shape *whole, int first[3], int last[3])
{
    double middle[3];
    middle_of(whole, middle);
    for (int a = 0; a < 3; a++) {
        double low = 0, high = 0;
        for (int i = 0; i < whole->count; i++) {
            low = fmin(low, whole->points[3 * i + a] - middle[a]);
            high = fmax(high, whole->points[3 * i + a] - middle[a]);
        }
        first[a] = (int)fmax(-8, ceil(low / CELL) - 1);
        last[a] = (int)fmin(7, floor(high / CELL) + 1);
    }
}

/* All rotations go on. */
static sfgp_status search(sfgp_context *context, const sfgp_oriented *whole, const sfgp_oriented *part,
                          int rotations, sfgp_rigid_pose *found)
{
    const sfgp_rigid_table table = {rotations, rotations, CELL, WIDTH};
    return sfgp_rigid_search(context, whole, part, &table, found);
}

/* The axes change places: each becomes the next one. */
static void roll(shape *s)
{
    for (int i = 0; i < s->count; i++)
        for (int vector = 0; vector < 2; vector++) {
            double *x = (vector ? s->normals : s->points) + 3 * i;
            const double last = x[2];
            x[2] = x[1], x[1] = x[0], x[0] = last;
        }
}

/* All shifts of a rotation by the definition. w is 0 beyond three widths. */
static void compare_with_a_plain_loop(sfgp_context *context, shape *whole, shape *some)
{
    sfgp_rigid_pose found[3];
    const sfgp_oriented fixed = oriented(whole), moving = oriented(some);
    sfgp_assert_ok(context, search(context, &fixed, &moving, 3, found));
    for (int r = 0; r < 3; r++) {
        double rotation[9], most = 0, middle[3], place[3];
        int shift[3], first[3], last[3], best[3] = {0};
        shifts_of(whole, first, last);
        sfgp_rotation_spiral(3, r, rotation);
        for (shift[0] = first[0]; shift[0] <= last[0]; shift[0]++)
            for (shift[1] = first[1]; shift[1] <= last[1]; shift[1]++)
                for (shift[2] = first[2]; shift[2] <= last[2]; shift[2]++) {
                    const double score = score_of(whole, some, rotation, shift);
                    if (score > most)
                        most = score, memcpy(best, shift, sizeof best);
                }
        assert_true(fabs(found[r].score - most) < 1e-5); /* sums of 12 numbers in single precision */
        middle_of(some, middle);
        sfgp_similarity_undo(&found[r].pose, 1, middle, place);
        middle_of(whole, middle);
        for (int a = 0; a < 3; a++)
            assert_true(fabs(place[a] - (middle[a] + best[a] * CELL)) < 1e-12);
    }
}

/* A part of 12 points, and a cap of the shape, whose shifts are the most along either axis in turn. */
static void the_best_shift_is_that_of_a_plain_loop(void **state)
{
    static shape whole, some;
    make_shape(*state, 0, &whole);
    const sfgp_similarity pose = pose_of(5);
    cut(*state, &whole, 0.9, &pose, &some);
    some.count = 12;
    whole.count = 150;
    for (int axes = 0; axes < 3; axes++) {
        compare_with_a_plain_loop(*state, &whole, &some);
        roll(&whole);
        roll(&some);
    }
}

enum { SOME = 24 };

/* Points at middles of cells about their mean, in cells: a fourth of them so far out that they stay on the grid at all shifts only just. */
static void far_points(double points[SOME][3])
{
    for (int k = 0; k < SOME; k++) {
        points[k][0] = k % 4 == 0 ? 16.5 : -5.5;
        points[k][1] = k / 4 - 2.5;
        points[k][2] = k % 2 - 0.5;
    }
}

/* The same points on both sides of the middle, `shift` cells away each way, with normals along z on one side and x on the other. */
static void make_whole(double points[SOME][3], int shift, shape *whole)
{
    whole->count = 2 * SOME;
    for (int k = 0; k < 2 * SOME; k++)
        for (int a = 0; a < 3; a++) {
            const bool other = k >= SOME;
            whole->points[3 * k + a] = MIDDLE[a] + CELL * (points[k % SOME][a] + (other ? -shift : shift));
            whole->normals[3 * k + a] = a == (other ? 0 : 2);
        }
}

/* At a turn that the rotation undoes, with normals along z. */
static void make_part(double points[SOME][3], const double *rotation, shape *part)
{
    part->count = SOME;
    for (int k = 0; k < SOME; k++)
        for (int a = 0; a < 3; a++) {
            part->points[3 * k + a] = 0;
            part->normals[3 * k + a] = rotation[6 + a];
            for (int b = 0; b < 3; b++)
                part->points[3 * k + a] += CELL * rotation[3 * b + a] * points[k][b];
        }
}

/* 7 cells one way and 8 the other, where every point lies on its own: a score of 1. */
static void the_outermost_shifts_are_tried(void **state)
{
    static shape whole, part;
    static const int SHIFT[2] = {7, -8};
    double points[SOME][3], rotation[9], place[3];
    const double middle[3] = {0, 0, 0};
    sfgp_rotation_spiral(1, 0, rotation);
    far_points(points);
    for (int k = 0; k < 2; k++) {
        sfgp_rigid_pose found;
        make_whole(points, SHIFT[k], &whole);
        make_part(points, rotation, &part);
        const sfgp_oriented fixed = oriented(&whole), moving = oriented(&part);
        sfgp_assert_ok(*state, search(*state, &fixed, &moving, 1, &found));
        sfgp_similarity_undo(&found.pose, 1, middle, place);
        for (int a = 0; a < 3; a++)
            assert_true(fabs(place[a] - (MIDDLE[a] + SHIFT[k] * CELL)) < 1e-9);
        assert_true(fabs(found.score - 1) < 1e-5);
    }
}

/* Of 100 rotations 25 are summed over all points: the best one is among them, and they have the poses that they have if all go on. */
static void rotations_that_go_on_have_the_scores_of_all_points(void **state)
{
    enum { ALL = 100, KEPT = 25 };
    static shape whole, part;
    static sfgp_rigid_pose all[ALL], some[ALL];
    const sfgp_rigid_table table = {ALL, KEPT, CELL, WIDTH};
    int left = 0, best = 0;
    make_shape(*state, 0, &whole);
    const sfgp_similarity pose = pose_of(20);
    cut(*state, &whole, 0.5, &pose, &part);
    const sfgp_oriented fixed = oriented(&whole), moving = oriented(&part);
    sfgp_assert_ok(*state, search(*state, &fixed, &moving, ALL, all));
    sfgp_assert_ok(*state, sfgp_rigid_search(*state, &fixed, &moving, &table, some));
    for (int r = 0; r < ALL; r++) {
        best = all[r].score > all[best].score ? r : best;
        if (some[r].score == -HUGE_VAL)
            continue;
        left++;
        assert_true(some[r].score == all[r].score);
        assert_memory_equal(some[r].pose.rotation, all[r].pose.rotation, sizeof all[r].pose.rotation);
        assert_memory_equal(some[r].pose.shift, all[r].pose.shift, sizeof all[r].pose.shift);
    }
    assert_int_equal(left, KEPT);
    assert_true(some[best].score == all[best].score);
}

/* ---- the refinement -------------------------------------------------------------------------------------- */

static void refine_for(sfgp_context *context, shape *whole, shape *part, int iterations, int count,
                       sfgp_rigid_pose *poses)
{
    sfgp_kdtree *tree;
    const sfgp_oriented fixed = oriented(whole), moving = oriented(part);
    sfgp_assert_ok(context, sfgp_kdtree_new(context, whole->count, 3, whole->points, &tree));
    const sfgp_rigid_target target = {&fixed, tree, 0.2, 0.06, iterations};
    sfgp_rigid_refine(&target, &moving, count, poses);
    sfgp_kdtree_free(tree);
}

static void refine(sfgp_context *context, shape *whole, shape *part, int count, sfgp_rigid_pose *poses)
{
    refine_for(context, whole, part, 12, count, poses);
}

/* At a pose, by a loop over all points of the whole. */
static double score_at(const shape *whole, const shape *part, const sfgp_similarity *pose)
{
    double sum = 0;
    for (int k = 0; k < part->count; k++) {
        double y[3], least = HUGE_VAL, agree = 0;
        sfgp_similarity_undo(pose, 1, part->points + 3 * k, y);
        for (int i = 0; i < whole->count; i++) {
            double distance2 = 0, cosine = 0;
            for (int a = 0; a < 3; a++) {
                distance2 += (y[a] - whole->points[3 * i + a]) * (y[a] - whole->points[3 * i + a]);
                for (int b = 0; b < 3; b++) /* R' m . n */
                    cosine +=
                        pose->rotation[3 * b + a] * part->normals[3 * k + b] * whole->normals[3 * i + a];
            }
            if (distance2 < least)
                least = distance2, agree = cosine;
        }
        sum += exp(-least / (2 * 0.06 * 0.06)) * agree * agree;
    }
    return sum / part->count;
}

/* Where a pose starts, and where it ends. */
static void the_score_is_that_of_a_plain_loop(void **state)
{
    static shape whole, part;
    make_shape(*state, 0, &whole);
    const sfgp_similarity pose = pose_of(11);
    cut(*state, &whole, 0.5, &pose, &part);
    for (int iterations = 0; iterations < 4; iterations += 3) {
        sfgp_rigid_pose moved = {.pose = pose};
        moved.pose.shift[0] += 0.15;
        refine_for(*state, &whole, &part, iterations, 1, &moved);
        assert_true(moved.score > 0.05);
        assert_true(fabs(moved.score - score_at(&whole, &part, &moved.pose)) < 1e-10);
    }
}

/* Without an iteration a pose stays, and its score is the mean of the terms with the last width. */
static void a_score_is_the_mean_of_its_terms(void **state)
{
    static shape whole, other, part;
    make_shape(*state, 0, &whole);
    make_shape(*state, 0.4, &other);
    const sfgp_similarity at = pose_of(11);
    cut(*state, &other, 0.3, &at, &part);
    sfgp_rigid_pose pose = {.pose = at};
    double sum = 0;
    pose.pose.shift[2] += 0.05;
    for (int k = 0; k < part.count; k++) {
        double y[3], m[3] = {0};
        sfgp_similarity_undo(&pose.pose, 1, part.points + 3 * k, y);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                m[a] += at.rotation[3 * b + a] * part.normals[3 * k + b];
        sum += term(&whole, y, m, 0.06, HUGE_VAL);
    }
    refine_for(*state, &whole, &part, 0, 1, &pose);
    assert_true(fabs(pose.score - sum / part.count) < 1e-12);
    assert_true(pose.score > 0.1 && pose.score < 0.9);
    assert_memory_equal(pose.pose.rotation, at.rotation, sizeof at.rotation);
}

/* From any distance: weights of all sizes, down to those that are no numbers of double precision any more (a mirrored ear that lay 144 mm
 * away ended the program). */
static void a_part_far_away_has_a_pose(void **state)
{
    static shape whole, part;
    make_shape(*state, 0, &whole);
    const sfgp_similarity at = sfgp_similarity_identity(3);
    cut(*state, &whole, 0.5, &at, &part);
    for (int k = 0; k < 800; k++) {
        sfgp_rigid_pose pose = {.pose = at};
        pose.pose.shift[0] = 0.0125 * k;
        refine_for(*state, &whole, &part, 12, 1, &pose);
        assert_true(pose.score >= 0 && pose.score <= 1);
        for (int a = 0; a < 9; a++)
            assert_true(fabs(pose.pose.rotation[a]) < 1 + 1e-9 && isfinite(pose.pose.shift[a % 3]));
    }
}

/* The pose, turned by so many radians about the last axis and the middle. */
static sfgp_similarity turned(const sfgp_similarity *pose, double turn)
{
    const double c = cos(turn), s = sin(turn), about[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    sfgp_similarity moved = *pose;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            moved.rotation[3 * a + b] = 0;
            for (int k = 0; k < 3; k++)
                moved.rotation[3 * a + b] += about[3 * a + k] * pose->rotation[3 * k + b];
        }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            moved.shift[a] += (pose->rotation[3 * a + b] - moved.rotation[3 * a + b]) * MIDDLE[b];
    return moved;
}

/* A third of other points of the shape, and as many strays as points: the pose is found from 20 degrees and 0.2 away. The points of the whole
 * are 0.1 apart, and half of the chord between them is the error of a plane. */
static void a_part_with_strays_is_moved_to_its_place(void **state)
{
    static shape whole, other, part;
    sfgp_random random = sfgp_random_of(3);
    make_shape(*state, 0, &whole);
    make_shape(*state, 0.4, &other);
    const sfgp_similarity pose = pose_of(11);
    cut(*state, &other, 0.3, &pose, &part);
    const int seen = part.count;
    for (int k = 0; k < 3 * seen && part.count < 2 * seen; k += 3, part.count++)
        for (int a = 0; a < 3; a++) {
            part.points[3 * part.count + a] = part.points[k + a] + 0.5 + 2 * sfgp_random_uniform(&random);
            part.normals[3 * part.count + a] = a == 0;
        }
    sfgp_rigid_pose moved = {.pose = turned(&pose, 0.35)};
    moved.pose.shift[0] += 0.2;
    refine(*state, &whole, &part, 1, &moved);
    assert_true(sfgp_rotation_cosine_between(moved.pose.rotation, pose.rotation, 3) > cos(0.02));
    assert_same_place(&moved.pose, &pose, 0.01);
    assert_true(test_is_rotation(moved.pose.rotation, 3, 1e-12));
    assert_true(moved.score > 0.25 && moved.score < 0.5); /* strays count for nothing: at most one half */
}

/* A third of the points again, a fifth of the radius farther from the middle: at the width of the first iteration they count nearly as much as the others. */
static void a_second_sheet_pulls_at_the_first_steps_only(void **state)
{
    static shape whole, part;
    make_shape(*state, 0, &whole);
    const sfgp_similarity pose = sfgp_similarity_identity(3);
    cut(*state, &whole, 0.3, &pose, &part);
    const int seen = part.count;
    for (int k = 0; k < seen; k += 3, part.count++)
        for (int a = 0; a < 3; a++) {
            const double out = part.points[3 * k + a] - MIDDLE[a];
            part.points[3 * part.count + a] = MIDDLE[a] + 1.2 * out;
            part.normals[3 * part.count + a] = part.normals[3 * k + a];
        }
    sfgp_rigid_pose moved = {.pose = pose};
    refine(*state, &whole, &part, 1, &moved);
    assert_same_place(&moved.pose, &pose, 0.01);
}

/* Points at random of a wedge in one plane, 2 long and 0.1 to 0.6 wide. */
static void make_wedge(uint64_t seed, shape *s)
{
    sfgp_random random = sfgp_random_of(seed);
    for (s->count = 0; s->count < N; s->count++) {
        const double x = sfgp_random_uniform(&random), y = sfgp_random_uniform(&random) - 0.5,
                     at[3] = {2 * x - 1, (0.1 + 0.5 * x) * y, 0};
        for (int a = 0; a < 3; a++) {
            s->points[3 * s->count + a] = MIDDLE[a] + at[a];
            s->normals[3 * s->count + a] = a == 2;
        }
    }
}

/* No plane tells a flat part to slide: its border does. It lies 0.1 across the wedge and is turned by 10 degrees within its plane. */
static void a_flat_part_slides_towards_its_place(void **state)
{
    static shape whole, part;
    const double turn = 0.17;
    const sfgp_similarity pose = sfgp_similarity_identity(3);
    make_wedge(1, &whole), make_wedge(2, &part);
    sfgp_rigid_pose start = {.pose = turned(&pose, turn)};
    start.pose.shift[1] += 0.1;
    sfgp_rigid_pose moved = start;
    refine_for(*state, &whole, &part, 0, 1, &start);
    refine(*state, &whole, &part, 1, &moved);
    assert_true(moved.score > start.score + 0.05);
    assert_same_place(&moved.pose, &pose, 0.05);
    assert_true(sfgp_rotation_cosine_between(moved.pose.rotation, pose.rotation, 3) > cos(0.7 * turn));
}

static void a_part_that_lies_nowhere_near_stays(void **state)
{
    static shape whole, part;
    make_shape(*state, 0, &whole);
    sfgp_similarity far = pose_of(2);
    cut(*state, &whole, 0.3, &far, &part);
    sfgp_rigid_pose pose = {.pose = far, .score = 1};
    pose.pose.shift[0] += 1e6;
    const double shift = pose.pose.shift[0];
    refine(*state, &whole, &part, 1, &pose);
    assert_true(pose.score == 0);
    assert_true(fabs(pose.pose.shift[0] - shift) < 1e-6);
}

/* Less than a third of the shape, at two poses. All poses are refined, and the best one is the right one. */
static void a_part_is_found_at_any_turn(void **state)
{
    static shape whole, part;
    static sfgp_rigid_pose found[ROTATIONS];
    make_shape(*state, 0, &whole);
    for (int index = 0; index < 2; index++) {
        const sfgp_similarity pose = pose_of(11 + 7 * index);
        int best = 0;
        cut(*state, &whole, 0.7, &pose, &part);
        assert_true(part.count < N / 3);
        const sfgp_oriented fixed = oriented(&whole), moving = oriented(&part);
        sfgp_assert_ok(*state, search(*state, &fixed, &moving, ROTATIONS, found));
        refine(*state, &whole, &part, ROTATIONS, found);
        for (int k = 1; k < ROTATIONS; k++)
            best = found[k].score > found[best].score ? k : best;
        assert_true(sfgp_rotation_cosine_between(found[best].pose.rotation, pose.rotation, 3) > cos(0.02));
        assert_same_place(&found[best].pose, &pose, 0.02);
    }
}

/* ---- both ------------------------------------------------------------------------------------------------ */

static void threads_change_no_bit(void **state)
{
    static shape whole, part;
    static sfgp_rigid_pose one[40], three[40];
    make_shape(*state, 0, &whole);
    const sfgp_similarity pose = pose_of(20);
    cut(*state, &whole, 0.5, &pose, &part);
    const sfgp_oriented fixed = oriented(&whole), moving = oriented(&part);
    sfgp_assert_ok(*state, search(*state, &fixed, &moving, 40, one));
    refine_for(*state, &whole, &part, 5, 40, one);
    sfgp_test_threads(3);
    sfgp_assert_ok(*state, search(*state, &fixed, &moving, 40, three));
    refine_for(*state, &whole, &part, 5, 40, three);
    for (int k = 0; k < 40; k++) {
        assert_true(one[k].score == three[k].score);
        assert_memory_equal(one[k].pose.rotation, three[k].pose.rotation, sizeof one[k].pose.rotation);
        assert_memory_equal(one[k].pose.shift, three[k].pose.shift, sizeof one[k].pose.shift);
    }
}

static void memory_that_is_missing_is_said(void **state)
{
    static shape whole;
    sfgp_rigid_pose found[2];
    make_shape(*state, 0, &whole);
    const sfgp_oriented both = oriented(&whole);
    const sfgp_rigid_table table = {2, 1, CELL, WIDTH};
    for (int k = 0; k < 4; k++) {
        sfgp_memory_counters.fail_at = k;
        sfgp_assert_status(*state, sfgp_rigid_search(*state, &both, &both, &table, found), SFGP_ERROR_MEMORY);
        sfgp_memory_counters.fail_at = -1;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_long_test(the_best_shift_is_that_of_a_plain_loop),
        sfgp_unit_test(the_outermost_shifts_are_tried),
        sfgp_unit_test(rotations_that_go_on_have_the_scores_of_all_points),
        sfgp_long_test(a_part_is_found_at_any_turn),
        sfgp_unit_test(the_score_is_that_of_a_plain_loop),
        sfgp_unit_test(a_score_is_the_mean_of_its_terms),
        sfgp_unit_test(a_part_far_away_has_a_pose),
        sfgp_unit_test(a_part_with_strays_is_moved_to_its_place),
        sfgp_unit_test(a_second_sheet_pulls_at_the_first_steps_only),
        sfgp_unit_test(a_flat_part_slides_towards_its_place),
        sfgp_unit_test(a_part_that_lies_nowhere_near_stays),
        sfgp_unit_test(threads_change_no_bit),
        sfgp_unit_test(memory_that_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
