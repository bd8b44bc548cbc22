/* The table of figures. */
#include "study/figures_draw.h"

static const study_figure FIGURES[] = {
    {.name = "relative",
     .caption = "Mean error of the first method as a multiple of the best of the others at the same level, "
                "over the runs that succeeded. Below 1 it is better than every other.",
     .draw = study_draw_relative,
     .together = true},
    {.name = "spread",
     .caption = "Errors of all runs as multiples of the mean error "
                "of the method that is the best at that level.",
     .draw = study_draw_spread,
     .together = true},
    {"error", "Share of the runs that succeeded, and mean error over these.", study_draw_error, false,
     "error", "Mean error", 0},
    {"observed", "Mean error over the points that the scan shows.", study_draw_levels, false, "observed",
     "Mean error, observed points", 0},
    {"missing", "Mean error over the points that the scan does not show.", study_draw_levels, false,
     "missing", "Mean error, missing points", 0},
    {"recall", "Of the missing points, the share that a method calls missing.", study_draw_levels, false,
     "recall", "Recall of the missing points", 1.05},
    {"precision", "Of the points that a method calls missing, the share that is.", study_draw_levels, false,
     "precision", "Precision of the missing points", 1.05},
    {"box-observed",
     "Error over the points that the scans show: median, quartiles, 1.5 interquartile ranges.",
     study_draw_samples, false, "observed", "Error, observed points", 0},
    {"box-missing", "Error over the points that the scans do not show.", study_draw_samples, false, "missing",
     "Error, missing points", 0},
    {.name = "mask",
     .caption =
         "Recall: of the missing points, the share that a method calls missing. Precision: of the points that it "
         "calls missing, the share that is.",
     .draw = study_draw_mask},
    {.name = "coverage",
     .caption =
         "Share of the true points inside the region that a fit states to hold 95 % of them; the band is from 0.90 to 0.99.",
     .draw = study_draw_coverage},
    {"seconds", "Time of a run, model included, mean over the samples.", study_draw_growth, false, "seconds",
     "Time of a run (s)", 0},
    {"cpu", "CPU time of a run, all threads: the same on a machine that has other work.", study_draw_growth,
     false, "cpu_seconds", "CPU time of a run (s)", 0},
    {"memory", "Peak memory of the process that made the run.", study_draw_growth, false, "peak_mib",
     "Peak memory of the process (MiB)", 0},
    {"time", "Error against time, model included, over all levels.", study_draw_time, false, "seconds",
     "Median time of a run (s)", 0},
    {"front",
     "Median error against median CPU time of a run. Below and left of the line there is no method: nothing cheaper is better "
     "than what stands on it.",
     study_draw_front, false, "cpu_seconds", "Median CPU time of a run (s)", 0},
};

const study_figure *study_figure_row(int index)
{
    return index >= 0 && index < (int)(sizeof FIGURES / sizeof *FIGURES) ? &FIGURES[index] : NULL;
}
