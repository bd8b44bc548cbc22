/* The table of figures. */
#include "study/figures_draw.h"

static const study_figure FIGURES[] = {
    {"relative",
     "Mean error of the first method as a multiple of the best of the others at the same level, "
     "over the runs that succeeded. Below 1 it is better than every other.",
     study_draw_relative, true},
    {"spread",
     "Errors of all runs as multiples of the mean error "
     "of the method that is the best at that level.",
     study_draw_spread, true},
    {"error", "Share of the runs that succeeded, and mean error over these.", study_draw_error, false},
    {"observed", "Mean error over the points that the scan shows.", study_draw_observed, false},
    {"missing", "Mean error over the points that the scan does not show.", study_draw_missing, false},
    {"recall", "Of the missing points, the share that a method calls missing.", study_draw_recall, false},
    {"precision", "Of the points that a method calls missing, the share that is.", study_draw_precision,
     false},
    {"box-observed",
     "Error over the points that the scans show: median, quartiles, 1.5 interquartile ranges.",
     study_draw_box_observed, false},
    {"box-missing", "Error over the points that the scans do not show.", study_draw_box_missing, false},
    {"mask",
     "Recall: of the missing points, the share that a method calls missing. Precision: of the points that it "
     "calls missing, the share that is.",
     study_draw_mask, false},
    {"coverage",
     "Share of the true points inside the region that a fit states to hold 95 % of them; the band is from 0.90 to 0.99.",
     study_draw_coverage, false},
    {"seconds", "Time of a run, model included, mean over the samples.", study_draw_seconds, false},
    {"cpu", "CPU time of a run, all threads: the same on a machine that has other work.", study_draw_cpu,
     false},
    {"memory", "Peak memory of the process that made the run.", study_draw_memory, false},
    {"time", "Error against time, model included, over all levels.", study_draw_time, false},
    {"front",
     "Median error against median CPU time of a run. Below and left of the line there is no method: nothing cheaper is better "
     "than what stands on it.",
     study_draw_front, false},
};

const study_figure *study_figure_row(int index)
{
    return index >= 0 && index < (int)(sizeof FIGURES / sizeof *FIGURES) ? &FIGURES[index] : NULL;
}
