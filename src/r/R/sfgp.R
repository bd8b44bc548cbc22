# Shapes in and out: paths, n x 2 or n x 3 matrices, or lists with points and faces as sfgp_read makes them.

shape_of <- function(shape) {
  if (is.character(shape)) return(path.expand(shape))
  if (is.list(shape)) return(list(points = points_of(shape$points), faces = shape$faces))
  list(points = points_of(shape), faces = NULL)
}

points_of <- function(points) {
  points <- as.matrix(points)
  storage.mode(points) <- "double"
  if (!ncol(points) %in% 2:3) stop("a shape has 2 or 3 columns, not ", ncol(points))
  points
}

# An array p x k x n of specimens, or a list of shapes, as a list.
shapes_of <- function(shapes) {
  if (is.array(shapes) && length(dim(shapes)) == 3) shapes <- lapply(seq_len(dim(shapes)[3]), function(i) shapes[, , i])
  lapply(shapes, shape_of)
}

texts_of <- function(settings) {
  if (length(settings) > 0 && (is.null(names(settings)) || any(names(settings) == ""))) stop("settings have names")
  text <- function(value) if (is.character(value)) value else format(as.numeric(value), digits = 17) # TRUE is 1
  vapply(settings, text, "")
}

sfgp_read <- function(path) .Call(C_read, path.expand(path))

sfgp_register <- function(reference, target, train = NULL, landmarks = NULL, landmark_sd = 0, ...) {
  if (!is.null(landmarks)) landmarks <- lapply(landmarks, points_of)
  fit <- .Call(C_register, shape_of(reference), shape_of(target), shapes_of(train), landmarks, as.double(landmark_sd),
               texts_of(list(...)))
  for (text in fit$warnings) warning(text, call. = FALSE)
  structure(fit, class = "sfgp_fit")
}

sfgp_apply <- function(fit, points) .Call(C_apply, fit$map, points_of(points))

sfgp_specimens <- function(reference, targets, points = NULL, ...) {
  fits <- lapply(targets, function(target) sfgp_register(reference, target, ...))
  moved <- lapply(fits, function(fit) if (is.null(points)) fit$points else sfgp_apply(fit, points)$points)
  specimens <- simplify2array(moved)
  dimnames(specimens) <- list(NULL, c("x", "y", "z")[seq_len(dim(specimens)[2])], names(targets))
  specimens
}

print.sfgp_fit <- function(x, ...) {
  cat("sfgp fit:", x$outcome, "with", nrow(x$points), "points,", sum(x$missing), "missing\n")
  invisible(x)
}
