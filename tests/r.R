# The R package gives the bits of the program; arrays as geomorph has them; errors, warnings, interrupts.
# Usage: Rscript r.R SOURCE_DIR PROGRAM, with the package in R_LIBS.
library(sfgp)
arguments <- commandArgs(TRUE)
stopifnot(paste("sfgp", packageVersion("sfgp")) == system2(arguments[2], "--version", stdout = TRUE)[1])
demo <- function(name) file.path(arguments[1], "data/demo", name)
folder <- tempfile()
dir.create(folder)
table <- file.path(folder, "fit.csv")
points <- file.path(folder, "fit.npy")
system2(arguments[2], c("register", demo("reference.ply"), demo("scan.ply"), "-o", points, "--table", table, "--quiet"))
expected <- read.csv(table)
bytes <- readBin(points, "raw", 1e6) # R reads text with errors in the last bit
doubles <- readBin(tail(bytes, 2965 * 3 * 8), "double", 2965 * 3)

fit <- sfgp_register(demo("reference.ply"), demo("scan.ply"))
print(fit)
stopifnot(fit$outcome == "converged", dim(fit$points) == c(2965, 3), dim(fit$faces)[2] == 3, min(fit$faces) == 1)
stopifnot(fit$points == matrix(doubles, ncol = 3, byrow = TRUE), abs(fit$sd / expected$sd - 1) < 1e-14)
stopifnot(fit$missing == (expected$missing == 1))
stopifnot(is.na(fit$target) == fit$missing, fit$target[!fit$missing] == expected$target[!fit$missing] + 1)

reference <- sfgp_read(demo("reference.ply"))
scan <- sfgp_read(demo("scan.ply"))
again <- sfgp_register(reference, scan$points, threads = 1, reject = TRUE)
stopifnot(again$points == fit$points, again$faces == fit$faces)

moved <- sfgp_apply(fit, reference$points[c(10, 200, 3000 - 100), ])
stopifnot(abs(moved$points - fit$points[c(10, 200, 2900), ]) < 1e-9, moved$sd > 0)
home <- Sys.getenv("HOME")
Sys.setenv(HOME = dirname(demo("scan.ply")))
stopifnot(identical(sfgp_read("~/scan.ply"), scan))
Sys.setenv(HOME = home)
rm(again)
gc() # what the fit holds is freed in its order

# p x k x n, small shapes: a curve bent in four ways
angle <- seq(0, 2 * pi, length.out = 81)[-1]
curve <- cbind(20 * cos(angle), 10 * sin(angle))
bent <- lapply(1:4, function(k) curve + cbind(sin(k * angle), 0.5 * cos(angle)))
train <- simplify2array(lapply(1:5, function(k) curve %*% diag(c(1 + k / 40, 1 - k / 50))))
specimens <- sfgp_specimens(curve, bent, points = curve[c(1, 20, 40), ], train = train)
stopifnot(dim(specimens) == c(3, 2, 4), abs(specimens[, , 2] - bent[[2]][c(1, 20, 40), ]) < 1)
held <- sfgp_register(curve, bent[[1]], landmarks = list(curve[c(5, 50), ], bent[[1]][c(5, 50), ]), landmark_sd = 0.01)
stopifnot(abs(held$points[c(5, 50), ] - bent[[1]][c(5, 50), ]) < 0.1)

refused <- function(expression, words) {
  text <- tryCatch({ expression; "nothing" }, error = conditionMessage)
  if (!grepl(words, text)) stop("expected '", words, "', found '", text, "'")
}
refused(sfgp_read("no-such.ply"), "no-such.ply")
refused(sfgp_register(curve, bent[[1]], no_such = 1), "no_such")
refused(sfgp_register(curve, matrix(NaN, 9, 2)), "point 0")
refused(sfgp_apply(held, cbind(1, 2, 3)), "3D, the fit is 2D")
warned <- tryCatch(sfgp_register(curve, bent[[1]], anisotropy = 0.5), warning = conditionMessage)
stopifnot(grepl("anisotropy", warned))
flagged <- suppressWarnings(sfgp_register(curve, bent[[1]], max_iterations = 2))
stopifnot(flagged$outcome == "max_iterations", any(grepl("^max_iterations: not converged after", flagged$warnings)))
system(paste("(sleep 0.5; kill -INT", Sys.getpid(), ") &")) # Ctrl-C
ended <- tryCatch(sfgp_register(demo("reference.ply"), demo("scan.ply"), tolerance = 1e-12), interrupt = function(i) "interrupt",
                  error = conditionMessage)
stopifnot(ended %in% c("interrupt", "the fit was interrupted"))

page <- readLines(file.path(arguments[1], "docs/r.md")) # its code runs as it stands
starts <- which(page == "```r")
ends <- which(page == "```")
setwd(arguments[1])
for (start in starts) source(textConnection(page[(start + 1):(min(ends[ends > start]) - 1)]))
stopifnot(dim(specimens) == c(3, 3, 2))

for (k in 1:200) sfgp_register(curve, bent[[1]], method = "closest-point", threads = 1)
invisible(gc())
cat("the R package is right\n")
