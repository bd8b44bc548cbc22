/* The tuned constants of a fit: value, unit, what each does, and where it was measured or follows from. An experiment changes
 * one row.
 *
 * Two tables, as two things decide a value: what kind of fit it is (paper, cold of a curve or of a surface, warm), and
 * what kind of shape (curve or surface, without or with training shapes). What one file alone needs and is the same for all of
 * these, such as the momentum of em/anisotropic.c or the block size of the tiles, stands at the top of that file. */
#ifndef SFGP_SEARCH_TUNING_H
#define SFGP_SEARCH_TUNING_H

#include "em/em.h"

/* clang-format off: one row a line */

/* Constants of the loop. ROW(name, paper, curve, surface, warm, unit, what it does, source); em/schedule.h says more.
 */
#define SFGP_SCHEDULE_TABLE(ROW)                                                                             \
    ROW(dense, INT64_MAX, 6000, 6000, 6000, "points", "larger shapes: levels, cells", "ADR 0015")            \
    ROW(cells, 3000, 3000, 3000, 3000, "cells", "of a dense shape; points of its level that is not dense",   \
        "ADR 0015")                                                                                          \
    ROW(neighbours, 60, 60, 60, 60, "points", "of a neighbourhood: four spacings around on a surface",       \
        "ADR 0013")                                                                                          \
    ROW(neighbours_divisor, 3, 3, 3, 3, "", "a neighbourhood is at most a third of the shape", "ADR 0013")   \
    ROW(pairs, 1 << 25, 1 << 25, 1 << 25, 1 << 25, "pairs", "most responsibilities: 400 MB of P",            \
        "ADR 0007")                                                                                          \
    ROW(pairs_each, 64, 64, 64, 64, "pairs a point", "or so many, of larger shapes", "ADR 0015")             \
    ROW(rest_step, HUGE_VAL, 1e-3, 1e-3, HUGE_VAL, "sigma", "motion at rest, beside the tolerance",          \
        "ADR 0013, 0015")                                                                                    \
    ROW(rest_tolerance, 1, 1, 1, 3, "tolerances", "motion at rest", "ADR 0109")                              \
    ROW(rest_sigma2, HUGE_VAL, 0.02, 0.02, 0.02, "of sigma2", "its change at rest", "ADR 0013")              \
    ROW(sigma2_least, 1e-12, 1e-13, 1e-13, 1e-13, "squared radii",                                           \
        "below any scanner; exact data are exact", "ADR 0013")                                               \
    ROW(sigma2_most, HUGE_VAL, 0.1, 0.1, 0.1, "squared radii", "more is a fit to nothing", "ADR 0013")       \
    ROW(sigma2_most_after, 0, 20, 20, 20, "iterations", "before that limit: the points have to come",        \
        "ADR 0013")                                                                                          \
    ROW(sigma2_fall_end, 0, 0.1, 0.1, 0.1, "squared spacings", "end of the slow fall", "ADR 0013")           \
    ROW(reach, 0, 0, 4.5, 4, "sigma", "search radius: exp(-10) and exp(-8) of the weight there",             \
        "ADR 0015, 0095")                                                                                    \
    ROW(reach_least, 0, 0, 2, 0, "spacings", "of the target, that the search radius has at least",           \
        "ADR 0095")                                                                                          \
    ROW(tiles_sigma_least, 0, 0.003, 0.003, 0.003, "spacings", "sigma that is too small for tiles",          \
        "ADR 0016")                                                                                          \
    ROW(labels_at_rest, HUGE_VAL, 16384, 16384, 256, "labels a point", "more change nothing",                \
        "ADR 0015, 0051")                                                                                    \
    ROW(label_density, HUGE_VAL, HUGE_VAL, 1, 1, "points",                                                   \
        "of the target for one of the reference on the same area: more count as so many", "ADR 0115")        \
    ROW(mixing_after, HUGE_VAL, 10, 10, 10, "iterations", "with the weights of the start", "ADR 0013")       \
    ROW(mixing_after_late, HUGE_VAL, 40, 40, 40, "iterations", "the same, of a late start", "ADR 0013")      \
    ROW(mixing_least, 0, 0.01, 0.01, 0.01, "mass", "least mixing weight", "ADR 0013")                        \
    ROW(omega_least, 0, 1e-3, 1e-3, 1e-3, "share", "least outlier weight", "ADR 0013")                       \
    ROW(omega_most, 1, 0.8, 0.8, 0.8, "share", "so that a fit never runs out of labels", "ADR 0013")         \
    ROW(omega_fit, 1, 0.79, 0.79, 0.79, "share", "more outliers are no fit", "next to omega_most")           \
    ROW(gram_drift, 0, 0.05, 0.05, 0.2, "of the weight", "moved, before B'WB is made again", "ADR 0016")     \
    ROW(gram_distrust, 1, 0.5, 0.5, 0.5, "factor", "on that after a fall of the bound", "ADR 0016")          \
    ROW(variance_change, 0, 0.03, 0.03, 0.1, "of sigma2", "before the variance is made again", "ADR 0016")   \
    ROW(variance_small, 0, 0, 0, 0.01, "of sigma2", "a variance that matters little", "ADR 0015")            \
    ROW(variance_final, HUGE_VAL, 0.01, 0.01, HUGE_VAL, "of sigma2", "allowed to the variance at the end",   \
        "ADR 0016")                                                                                          \
    ROW(extrapolate_after, HUGE_VAL, 20, 20, -1, "iterations", "the points have to come first",              \
        "ADR 0014, 0015")                                                                                    \
    ROW(extrapolate_thinned, false, false, false, true, "", "also with a thinned target", "ADR 0015")        \
    ROW(extrapolate_slow, 0, 0.1, 0.1, 0.1, "of sigma2", "its change in a slow iteration", "ADR 0014")       \
    ROW(extrapolation_first, 1, 1, 1, 4, "a", "longest first step", "ADR 0014, 0015")                        \
    ROW(extrapolation_most, 1, 64, 64, 64, "a", "longest step", "ADR 0014")                                  \
    ROW(extrapolation_grow, 1, 4, 4, 4, "factor", "on the longest step", "ADR 0014")                         \
    ROW(extrapolation_wild, 1, 3, 3, 3, "ratio", "of the motions around a failed step", "ADR 0014")          \
    ROW(extrapolation_loss, 0, 0.1, 0.1, 0.1, "nats a target point", "that a step may cost", "ADR 0014")     \
    ROW(extrapolation_sigma, 0, 0.3, 0.3, 0.3, "ln sigma2", "most change in a step", "ADR 0014")

extern const sfgp_em_schedule sfgp_schedule_paper, sfgp_schedule_curve, sfgp_schedule_surface,
    sfgp_schedule_warm;
/* Whether a shape of so many points is dense: larger than `dense` of all fits that learn. */
bool sfgp_schedule_is_dense(int64_t points);

/* Constants of the search and the outcome. ROW(name, curve, surface, trained curve, trained surface, unit,
 * what it does, source) */
#define SFGP_TUNING_TABLE(ROW)                                                                               \
    /* the start of a fit */                                                                                 \
    ROW(sigma2, 0.05, 0.05, 0.3, 0.3, "squared radii", "of the standard start", "ADR 0003")                  \
    ROW(sigma2_closest, 0.01, 0.01, 0.01, 0.01, "squared radii", "the fixed one of closest-point",           \
        "ADR 0003")                                                                                          \
    ROW(omega, 0.1, 0.1, 0.1, 0.1, "share", "outlier weight of the standard start", "the paper's")           \
    ROW(max_distance, 0.2, 0.2, 0.2, 0.2, "radii", "farthest label of closest-point and map", "ADR 0003")    \
    ROW(sigma2_fall, 0, 0, 0.93, 0.93, "factor", "sigma2 falls no faster in an iteration", "ADR 0013")       \
    /* rungs of the search: subset, iterations, kept */                                                      \
    ROW(check_points, 150, 150, 150, 150, "points", "of rung CHECK", "ADR 0017")                             \
    ROW(check_iterations, 12, 12, 12, 12, "iterations", "of rung CHECK", "ADR 0017")                         \
    ROW(check_sigma2, 0.3, 0.3, 0.3, 0.1, "squared radii", "of its starts", "ADR 0056")                      \
    ROW(check_margin, 0, 0, 0, 5, "nats", "by which the pose without a turn beats all turned ones there",    \
        "ADR 0056")                                                                                          \
    ROW(turned_sigma2, 0.3, 0.3, 0.3, 0.03, "squared radii",                                                 \
        "from the motions that CHECK has found: CHECK again, and TURNS", "ADR 0056")                         \
    ROW(check_kept, 24, 24, 24, 24, "poses", "that rung TURNS has of CHECK, where that was run", "ADR 0041") \
    /* the rigid search for poses (search/poses.h) */                                                        \
    ROW(rigid_rotations, 0, 500, 0, 500, "rotations", "that it tries; 0: there is none", "ADR 0060")         \
    ROW(rigid_kept, 100, 100, 100, 100, "rotations", "that it tries with all points of the scan",            \
        "ADR 0079")                                                                                          \
    ROW(rigid_points, 120, 120, 120, 120, "points", "of the scan in it", "ADR 0060")                         \
    ROW(rigid_refined, 200, 200, 200, 200, "points", "of the scan in its refinement", "ADR 0060")            \
    ROW(rigid_whole, 2000, 2000, 2000, 2000, "points", "of either shape that have a normal there",           \
        "ADR 0060")                                                                                          \
    ROW(rigid_neighbours, 12, 12, 12, 12, "points", "that give it, itself included", "ADR 0060")             \
    ROW(rigid_cell, 0.2, 0.2, 0.2, 0.2, "radii", "steps of its shifts", "ADR 0060")                          \
    ROW(rigid_wide, 0.15, 0.15, 0.15, 0.15, "radii", "distance that is near in the search", "ADR 0060")      \
    ROW(rigid_first, 0.2, 0.2, 0.2, 0.2, "radii", "in the first iteration of the refinement", "ADR 0060")    \
    ROW(rigid_width, 0.06, 0.06, 0.06, 0.06, "radii", "and in the last, and in the score", "ADR 0060")       \
    ROW(rigid_iterations, 12, 12, 12, 12, "iterations", "of the refinement", "ADR 0060")                     \
    ROW(rigid_glance, 4, 4, 4, 4, "iterations", "of it before most poses are left out", "ADR 0079")          \
    ROW(rigid_finished, 12, 12, 12, 12, "poses", "that are refined to the end", "ADR 0079")                  \
    ROW(rigid_turn, 0.966, 0.966, 0.966, 0.966, "cosine",                                                    \
        "of the angle between poses that are one: 15 degrees, ...", "ADR 0060")                              \
    ROW(rigid_shift, 0.2, 0.2, 0.2, 0.2, "radii", "if they are so near", "ADR 0060")                         \
    ROW(rigid_sure, 0, 0.4, 0, 0.4, "score", "of a pose after which no other search follows", "ADR 0060")    \
    ROW(rigid_least, 0, 0.15, 0, 0.15, "score", "of a pose in place that is near to the best one",           \
        "ADR 0079")                                                                                          \
    ROW(rigid_alone, 0, 0.8, 0, 0.8, "of the best score",                                                    \
        "that no pose that turns otherwise has: the best one is alone", "ADR 0079")                          \
    ROW(size_sure, 0, 0.75, 0, 0, "score", "of the size of the reference: no other is tried; 0: never",      \
        "ADR 0131")                                                                                          \
    ROW(size_least, 0, 0.35, 0, 0, "score", "of another size, at least", "ADR 0131")                         \
    ROW(size_better, 0, 1.2, 0, 0, "ratio", "of its score, rated, to that of the size of the reference",     \
        "ADR 0131")                                                                                          \
    ROW(size_power, 0, 0.4, 0, 0, "", "scores are rated by the size to minus this power", "ADR 0131")        \
    ROW(size_expected, 0, 0.7, 0, 0, "of the first fit's expected error",                                    \
        "that one at another size has at most, where that is a doubt", "ADR 0132")                           \
    ROW(rigid_near, 0.9, 0.9, 0.9, 0.9, "of the best score", "that a pose needs to be fitted, too",          \
        "ADR 0060")                                                                                          \
    ROW(rigid_rival, 0.95, 0.95, 0.95, 0.95, "of the best score",                                            \
        "of a pose that turns otherwise: such a search is not sure", "ADR 0060")                             \
    ROW(proportions_least, 0, 0.2, 0, 0.2, "",                                                               \
        "change of the proportions, after which poses are searched again", "ADR 0138")                       \
    ROW(turns_apart, 0.87, 0.87, 0.87, 0.87, "cosine", "of the angle between poses that are one",            \
        "ADR 0045")                                                                                          \
    ROW(turns_iterations, 30, 30, 30, 30, "iterations", "of rung TURNS", "ADR 0013")                         \
    ROW(turns_kept, 4, 12, 4, 12, "poses", "kept by rung TURNS", "ADR 0017, 0045")                           \
    ROW(turns_circle, 12, 0, 12, 0, "turns",                                                                 \
        "of the circle, but under the prior as it is; they go on from their motions; 0: those of the table", \
        "ADR 0094")                                                                                          \
    ROW(turns_starts, 8, 2, 8, 2, "starts", "of each of them in rung STARTS", "ADR 0045")                    \
    ROW(subset_points, 400, 400, 400, 400, "points", "of rungs TURNS and STARTS", "ADR 0013")                \
    ROW(starts_iterations, 60, 60, 60, 60, "iterations", "of rung STARTS", "ADR 0013")                       \
    ROW(start_sigma2_wide, 0.3, 0.3, 0.3, 0.3, "squared radii", "of every other start", "ADR 0013")          \
    ROW(start_sigma2_narrow, 0.1, 0.1, 0.1, 0.1, "squared radii", "of the others, and of reposed ones",      \
        "ADR 0013")                                                                                          \
    ROW(start_omega_few, 0.1, 0.1, 0.1, 0.1, "share", "of half of the starts, and of reposed ones",          \
        "ADR 0013")                                                                                          \
    ROW(start_omega_many, 0.5, 0.5, 0.5, 0.5, "share", "of the others", "ADR 0013")                          \
    ROW(subset_targets_least, 50, 50, 50, 50, "points", "of the target in a subset", "ADR 0013")             \
    ROW(subset_targets_most, 1600, 1600, 1600, 1600, "points", "of the target in a subset", "ADR 0013")      \
    ROW(subset_accuracy, 1e-4, 1e-4, 1e-4, 1e-4, "squared radii", "of the prior in a subset", "ADR 0013")    \
    ROW(subset_accuracy_whole, 1e-6, 1e-6, 1e-6, 1e-6, "squared radii", "where it is the whole shape",       \
        "ADR 0013")                                                                                          \
    ROW(subset_tolerance, 1e-3, 1e-3, 1e-3, 1e-3, "radii", "of fits of a subset", "ADR 0013")                \
    /* which start is better */                                                                              \
    ROW(margin_subset, 10, 10, 10, 10, "nats", "between fits of a subset: less is chance", "ADR 0013")       \
    ROW(margin_pose, 20, 20, 20, 20, "nats", "between poses: less is left to the whole", "ADR 0016")         \
    ROW(margin_turned, 40, 40, 40, 40, "nats", "and between a turned one and one that is not", "ADR 0037")   \
    ROW(same_maximum, 0.5, 0.5, 0.5, 0.5, "nats", "between two maxima: less is one", "ADR 0013")             \
    ROW(turn_cost, 10, 10, 10, 10, "nats", "cost of a turn by 90 degrees", "ADR 0013")                       \
    ROW(good_fit_sigma, 1, 1, 1, 1, "spacings", "a good fit of a subset has less", "ADR 0013")               \
    ROW(good_fit_sigma_whole, 0.01, 1, 0.01, 1, "spacings", "and one of a whole small shape", "ADR 0013")    \
    ROW(good_fit_explained, 0.3, 0.3, 0.3, 0.3, "share", "of the target that a good fit explains",           \
        "ADR 0013")                                                                                          \
    ROW(landmarks_contradicted, 2, 2, 2, 2, "mean square", "of landmarks; the prior expects 1",              \
        "docs/apply.md")                                                                                     \
    ROW(duplicate_after, 10, 10, 10, 10, "iterations", "after which starts are compared", "ADR 0017")        \
    ROW(duplicate_distance, 0.05, 0.05, 0.15, 0.15, "sigma", "closer fits are one", "ADR 0017")              \
    ROW(duplicate_sigma2, 0.1, 0.1, 0.1, 0.1, "ln sigma2", "and so close", "ADR 0017")                       \
    ROW(pace_after, 30, 30, 30, 30, "iterations", "after which fits of the whole are compared", "ADR 0070")  \
    ROW(pace_margin, 0.05, 0.05, 0.05, 0.05, "nats a target point", "behind: given up, ...", "ADR 0070")     \
    ROW(pace_least, 100, 100, 100, 100, "nats", "and so many behind", "ADR 0070")                            \
    /* rough fits (search/rough.h) */                                                                        \
    ROW(rough_points, 0, 1000, 0, 0, "points", "of the first iterations of the whole; 0: all", "ADR 0097")   \
    ROW(rough_from, 1800, 1800, 1800, 1800, "points", "of the smallest shape that has such iterations",      \
        "ADR 0074")                                                                                          \
    ROW(rough_iterations, 20, 20, 20, 20, "iterations", "with them", "ADR 0097")                             \
    ROW(rough_accuracy, 3e-5, 3e-5, 3e-5, 3e-5, "squared radii", "of the prior in them", "ADR 0074")         \
    ROW(rough_same, 0.15, 0.15, 0.15, 0.15, "sigma", "closer ones are one", "ADR 0074")                      \
    ROW(rough_behind, 0.16, 0.16, 0.16, 0.16, "nats a target point", "behind the best one: given up",        \
        "ADR 0097")                                                                                          \
    /* which prior is better */                                                                              \
    ROW(stiff, 0.03, 0.1, 1, 1, "factor", "on the smooth terms of the stiff prior", "ADR 0026, 0091")        \
    ROW(loose, 1, 10, 1, 1, "factor", "on the smooth terms of the loose prior; 1: there is none",            \
        "ADR 0100")                                                                                          \
    ROW(stiff_affine, 0.1, 1, 1, 1, "factor", "on its affine term", "ADR 0091")                              \
    ROW(symmetry, 0, 0.6, 0, 0, "correlation", "of displacements across a plane of symmetry", "ADR 0135")    \
    ROW(asymmetry_gain, 0, 10, 0, 0, "nats", "of evidence against it, to search without", "ADR 0136")        \
    ROW(asymmetry_margin, 0, 20, 0, 0, "nats", "by which the fit without is better", "ADR 0136")             \
    ROW(prior_labels, 100, 0, 0, 0, "points",                                                                \
        "of a curve for each label that counts between priors: T is its number of points over this",         \
        "ADR 0091")                                                                                          \
    ROW(stiff_margin, 100, 0, 0, 0, "nats", "times T - 1, by which the stiff prior may be worse",            \
        "ADR 0093")                                                                                          \
    ROW(noisy_sigma, 0.6, 0, 0.6, 0, "spacings",                                                             \
        "of the reference: with more sigma a curve is noisy; 0: none is", "ADR 0091")                        \
    ROW(prior_margin, 20, 0, 0, 0, "nats", "by which the stiff prior of a noisy one is better", "ADR 0091")  \
    ROW(sampled_sigma, 0.1, 0, 0.1, 0, "spacings",                                                           \
        "of the scan: with less sigma it holds the vertices of a curve", "ADR 0091")                         \
    ROW(sigma2_narrow, 0, 0.002, 0, 0.002, "squared radii", "of its narrow starts; 0: none",                 \
        "ADR 0030, 0037")                                                                                    \
    ROW(score_temper, 1, 3.7, 1, 1, "factor", "neighbours err together: so many labels count as one",        \
        "ADR 0030")                                                                                          \
    /* scans of more than the shape */                                                                       \
    ROW(clutter_room, 0, 0.5, 0, 0.5, "of the area", "of the scan: a smaller shape has clutter around it",   \
        "ADR 0035")                                                                                          \
    ROW(beside_stretch, 1, 1.25, 1, 1, "ratio",                                                              \
        "of squared distances: a fit to all of the scan has more beside one to a part of it", "ADR 0103")    \
    ROW(beside_expected, 0, 0.125, 0, 0, "radii", "expected error that is too large for a fit to a part",    \
        "ADR 0103")                                                                                          \
    /* what lies over the inside of the shape (search/inside.h) */                                           \
    ROW(inside_far, 0, 1.5, 0, 1.5, "spacings", "of the points: farther from the fit", "ADR 0125")           \
    ROW(inside_border, 0, 0.45, 0, 0.45, "ratio",                                                            \
        "of a point to the centre of its neighbours, over their spread: 0.6 at a border", "ADR 0125")        \
    ROW(inside_most, 1, 0.33, 1, 0.33, "share",                                                              \
        "of what is left over: more over the inside, and the fit has missed its shape", "ADR 0125")          \
    /* planes beside the shape (fit/planes.h) */                                                             \
    ROW(plane_share, 1, 0.25, 1, 0.25, "share", "of the scan, that a plane that is left out has",            \
        "ADR 0113")                                                                                          \
    ROW(plane_larger, 1, 3, 1, 3, "ratio", "of its area to that of the largest plane of the reference",      \
        "ADR 0113")                                                                                          \
    ROW(end_share, 1, 0.04, 1, 0.04, "share", "of the scan, that a flat end that is left out has",           \
        "ADR 0119")                                                                                          \
    ROW(end_beyond, 0, 0.015, 0, 0.015, "share", "of the scan behind a flat end: strays", "ADR 0119")        \
    ROW(end_larger, 1, 2.5, 1, 2.5, "ratio", "of its area to that of the largest flat end of the reference", \
        "ADR 0119")                                                                                          \
    /* references with another surface (fit/adapt.h) */                                                      \
    ROW(adapt_gain, 0, 12, 0, 0, "nats", "that the score test gains, to compare adapted shapes", "ADR 0130") \
    ROW(adapt_margin, 0, 60, 0, 0, "nats", "that a fit of an adapted shape gains, to take it", "ADR 0130")   \
    ROW(adapt_sharpened, 0, 100, 0, 0, "nats", "that the whole fit of a sharpened one gains", "ADR 0134")    \
    ROW(adapt_smooth, 0, 0.1, 0, 0, "radii", "over which it is smoothed or sharpened at first", "ADR 0130")  \
    ROW(adapt_offset, 0, 0.03, 0, 0, "radii", "by which it is moved along its normals at first", "ADR 0130") \
    /* inner walls (fit/walls.h) */                                                                          \
    ROW(walls_least, 0, 0.05, 0, 0.05, "radii", "over a point: there another layer begins to cover it, ...", \
        "ADR 0128")                                                                                          \
    ROW(walls_most, 0, 0.48, 0, 0.48, "radii", "and there it ends", "ADR 0128")                              \
    ROW(walls_share, 1, 0.15, 1, 0.15, "share", "of the scan that is covered: an inner wall", "ADR 0128")    \
    ROW(walls_again, 1, 0.05, 1, 0.05, "share", "the same, of what is left after the first time",            \
        "ADR 0128")                                                                                          \
    /* fuzzy layers in front of the shape (fit/fuzzy.h) */                                                   \
    ROW(fuzzy_usual, 0.3, 0.3, 0.3, 0.3, "share", "of the scan that has the usual roughness or less",        \
        "ADR 0122")                                                                                          \
    ROW(fuzzy_edge, 1, 2.5, 1, 2.5, "ratio", "of the roughness of points of a layer to the usual one, ...",  \
        "ADR 0122")                                                                                          \
    ROW(fuzzy_ratio, 1, 5, 1, 5, "ratio", "and of so many of them: ...", "ADR 0122")                         \
    ROW(fuzzy_share, 1, 0.1, 1, 0.1, "share", "of the scan, that a layer that is left out has", "ADR 0122")  \
    /* the part of a fit that is squeezed onto what closes a scan (outcome/squeezed.h) */                    \
    ROW(squeezed_size, 0, 0.75, 0, 0.75, "ratio", "of squared distances, that is less where it is squeezed", \
        "ADR 0124")                                                                                          \
    ROW(squeezed_share, 1, 0.08, 1, 0.08, "share", "of the points of such a part, at least", "ADR 0124")     \
    ROW(squeezed_normals, 0, 0.91, 0, 0.91, "cosine",                                                        \
        "between its normals and those of the scan: less, and it lies on something else", "ADR 0124")        \
    ROW(squeezed_around, 0, 0.15, 0, 0.15, "radii", "around it, which belongs to it as well", "ADR 0124")    \
    ROW(squeezed_motion, 0, 0.08, 0, 0.08, "radii",                                                          \
        "of the rest, when what closes the scan is left out: at most", "ADR 0124")                           \
    /* the part of a scan that a fit does not reach (search/unreached.h) */                                  \
    ROW(loose_stretch, 1, 1.6, 1, 1, "ratio",                                                                \
        "of squared distances beside another fit: a loose one has less (search/stretch.h)", "ADR 0100")      \
    ROW(unreached_far, 0, 4, 0, 4, "spacings", "of the points: farther from the fit", "ADR 0100")            \
    ROW(unreached_near, 0, 2.2, 0, 2.2, "spacings", "of the points: there are others so near, ...",          \
        "ADR 0100")                                                                                          \
    ROW(unreached_count, 0, 6, 0, 6, "points", "at least so many: on a surface there are 15", "ADR 0100")    \
    ROW(unreached_least, 1, 0.01, 1, 0.01, "share",                                                          \
        "of the scan: more asks for the loose prior, or a warning", "ADR 0100")                              \
    /* proposals */                                                                                          \
    ROW(repose_gain, 0.5, 0.5, 0.5, 0.5, "nats", "a better pose has more", "ADR 0013")                       \
    ROW(repose_turn, 0, 0, 0, 0.985, "cosine",                                                               \
        "of the angle by which a fit of more points has left its pose: 10 degrees; 0: not asked",            \
        "ADR 0056")                                                                                          \
    ROW(repose_rounds, 3, 3, 3, 3, "rounds", "of reposing", "ADR 0013")                                      \
    ROW(reheat_gain, 1, 5, 1, 1, "nats", "a better maximum has more", "ADR 0013")                            \
    ROW(reheat_first, 8, 80, 8, 8, "factor", "on sigma2", "ADR 0117")                                        \
    ROW(reheat_stiff, 8, 8, 8, 8, "factor", "instead of it, of a fit under the stiff prior", "ADR 0074")     \
    ROW(reheat_second, 30, 0, 30, 30, "factor", "on sigma2, after the first failed; 0: not tried",           \
        "ADR 0117")                                                                                          \
    ROW(turn_gain, 0, 0, 0, 0, "nats", "a better turn has more", "ADR 0017")                                 \
    /* labels that err less along the normals, at the end (em/anisotropic.h) */                              \
    ROW(exact_iterations, 0, 20, 0, 20, "iterations",                                                        \
        "at most, at the end, with points that are not rounded", "ADR 0083")                                 \
    ROW(anisotropic_iterations, 0, 40, 0, 40, "iterations", "at most; 0: none", "ADR 0050")                  \
    ROW(anisotropic_points, 1000, 1000, 1000, 1000, "points", "of smaller shapes normals say little",        \
        "ADR 0050")                                                                                          \
    ROW(anisotropic_neighbours, 8, 8, 8, 8, "points", "that give a normal, itself included", "ADR 0050")     \
    ROW(anisotropic_rim, 0, 0.6, 0, 0.6, "deviations",                                                       \
        "of a neighbourhood: beyond the rim labels do not pull along the surface", "ADR 0123")               \
    ROW(anisotropic_least, 0.04, 0.04, 0.04, 0.04, "share", "of v_t that v_n has at least", "ADR 0050")      \
    /* which fits are compared with the mirror image */                                                      \
    ROW(mirror_missing, 0.3, 0.3, 0.3, 0.3, "share", "of the reference that a poor fit misses, ...",         \
        "ADR 0032")                                                                                          \
    ROW(mirror_scatter, 0.45, 0.45, 0.45, 0.45, "spacings", "and then the scatter of its labels",            \
        "ADR 0032")                                                                                          \
    ROW(mirror_explained, 0.7, 0.7, 0.7, 0.7, "share", "or it explains less of the target", "ADR 0029")      \
    ROW(mirror_rigid, 0.9, 0.9, 0.9, 0.9, "of the score",                                                    \
        "of the rigid search, that the mirror image has at least", "ADR 0085")                               \
    ROW(mirror_margin, 20, 70, 20, 70, "nats", "by which the mirror image has to be better", "ADR 0085")     \
    /* levels of dense shapes */                                                                             \
    ROW(level_share, 8, 8, 8, 8, "", "points of a level for one of the next", "ADR 0015")                    \
    ROW(level_scan, 0, 1, 0, 1, "points",                                                                    \
        "of the scan for one of a level that begins from a smaller one, too; 0: none does", "ADR 0096")      \
    /* outcome */                                                                                            \
    ROW(residual_most, 0.7, 0.7, 0.7, 0.7, "spacings", "sigma of a fit in place: 0.2 to 0.6 on ears",        \
        "ADR 0005")                                                                                          \
    ROW(missing_mass, 0.5, 0.5, 0.5, 0.5, "of the mass", "a missing point has less", "ADR 0013")             \
    ROW(missing_ring, 3, 8, 3, 8, "points", "whose mean mass decides", "ADR 0013")                           \
    ROW(missing_near, 0, 0.7, 0, 0.7, "spacings", "a label so near speaks against that", "ADR 0036")         \
    ROW(missing_hole, 3, 1.75, 3, 1.75, "spacings", "radius of the smallest hole; 0: as labels say",         \
        "ADR 0082")                                                                                          \
    ROW(missing_rim, 0.5, 0.25, 0.5, 0.25, "spacings", "of a hole, inside its border: seen", "ADR 0082")     \
    ROW(missing_scatter, 0, 2, 0, 2, "sigma", "that a spacing has at least for that", "ADR 0082")            \
    ROW(thin_scan, 0, 2, 0, 2, "points",                                                                     \
        "of the reference for one of the scan: more is a thin scan; 0: none is", "ADR 0055")                 \
    ROW(thin_ring, 0, 7, 0, 7, "points of the scan", "whose area is the ring there: 1.5 spacings around",    \
        "ADR 0055")                                                                                          \
    ROW(thin_near, 0, 0.8, 0, 0.8, "spacings", "of a thin scan: rings that are as near are seen",            \
        "ADR 0055")                                                                                          \
    ROW(doubtful_sigma, 0, 0.75, 0, 0.75, "spacings",                                                        \
        "sigma of a fit that has found its shape is less; 0: not asked", "ADR 0038, 0099")                   \
    ROW(rival_margin, 0, 0.25, 0, 0.25, "nats a target point",                                               \
        "by which fits of other poses are worse, or the fit is doubtful; 0: not asked", "ADR 0063")          \
    ROW(rival_turn, 0.94, 0.94, 0.94, 0.94, "cosine", "of the angle from which on poses are other ones",     \
        "ADR 0063")                                                                                          \
    ROW(hidden_far, 0, 1.4, 0, 0, "radii",                                                                   \
        "from the middle of what is seen to that of what is missing: farther is an end of a long shape; "    \
        "0: not asked",                                                                                      \
        "ADR 0118")                                                                                          \
    ROW(hidden_shift, 0, 0.04, 0, 0, "radii",                                                                \
        "by which the shortening of such an end moves the points in the mean: more is doubtful", "ADR 0118") \
    ROW(labelled_least, 0.1, 0.1, 0.1, 0.1, "share", "of the points; less is no overlap", "ADR 0005")        \
    ROW(sigma_most, 0.25, 0.25, 0.25, 0.25, "radii", "more is no overlap, of the paper's methods",           \
        "ADR 0005")                                                                                          \
    ROW(settled_after, 100, 100, 100, 100, "iterations", "or at convergence, that is judged", "ADR 0005")    \
    ROW(information_temper, 2, 4, 2, 1, "factor",                                                            \
        "on sigma2 of the labels in the variance by the information", "ADR 0013, 0067, 0110")                \
    ROW(information_points, 10, 0, 10, 0, "points",                                                          \
        "of a sampled curve for one label there, under the stiff prior and with training shapes",            \
        "ADR 0091")                                                                                          \
    ROW(amplitude, 0, 16, 0, 4, "factor", "on that variance, times bend^2 / E bend^2; 0: it stays as it is", \
        "ADR 0067, 0110")                                                                                    \
    ROW(amplitude_stiff, 20, 16, 0, 0, "factor", "the same, under the stiff prior", "ADR 0067, 0091, 0110")  \
    ROW(amplitude_loose, 20, 4, 0, 4, "factor", "the same, under the loose prior", "ADR 0100, 0110")         \
    ROW(unspanned, 0, 0, 2, 2, "factor", "on the variance that the training shapes do not span", "ADR 0067") \
    ROW(unspanned_most, 0.05, 0.05, 0.05, 0.05, "radii",                                                     \
        "deviation from which that grows by its square root", "ADR 0075")                                    \
    ROW(unexpressed, 0, 1.5, 0.02, 0, "sigma2", "variance of what no column expresses", "ADR 0013, 0067")    \
    ROW(unexpressed_stiff, 3, 1.5, 0, 0, "sigma2", "the same, under the stiff prior", "ADR 0067, 0091")      \
    ROW(unexpressed_unknown, 0, 0, 0.02, 1, "sigma2", "the same, where it is not known what is not spanned", \
        "ADR 0037, 0067")                                                                                    \
    ROW(hole_variance_growth, 0.5, 0.5, 0.5, 1, "a spacing", "growth of the last three into holes",          \
        "ADR 0013, 0067")                                                                                    \
    ROW(hole_deviation_slope, 0.4, 0, 0, 0, "deviation a length", "growth of the deviation into holes",      \
        "ADR 0013")

/* clang-format on */

typedef struct sfgp_tuning {
#define SFGP_TUNING_FIELD(name, curve, surface, trained_curve, trained_surface, unit, what, source)          \
    double name;
    SFGP_TUNING_TABLE(SFGP_TUNING_FIELD)
#undef SFGP_TUNING_FIELD
} sfgp_tuning;

/* The column for a shape. */
const sfgp_tuning *sfgp_tuning_for(int dimension, bool trained);
const sfgp_tuning *sfgp_tuning_of(const sfgp_basis *basis);

#endif
