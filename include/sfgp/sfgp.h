/** @mainpage sfgp.h
 *
 * Fits a reference shape to a damaged scan, point by point, with an uncertainty for every point.
 *
 * The method is SFGP (Valdeira, Ferreira, Micheletti, Soares, SIAM J. Math. Data Sci. 5(2), 2023; called "the
 * paper" below). Every target point labels the reference points with probabilities. A Gaussian process turns
 * the labels into displacements. Reference points without labels are missing, and the prior predicts them.
 * docs/algorithm.md explains the method on one page.
 *
 * Four calls make a fit, with a context and the default settings:
 *
 *     sfgp_mesh_read    a reference and a target
 *     sfgp_model_new    reference and prior; never changes, any number of threads may share it
 *     sfgp_solver_new   workspace of a fit; one per thread, for any number of targets
 *     sfgp_solver_run   result: fitted points, standard deviations, which points are missing
 *
 * README.md has a whole program. The groups of this file stand in the order in which a program meets them:
 * context, mesh, settings, model, solver, result. What is needed less often follows.
 *
 * Rules for all functions:
 *
 * - A function that can fail returns sfgp_status. sfgp_context_error(context) is the text of the error.
 * - The library never prints, exits or asks. Warnings go to the log of the context.
 * - What comes back through a pointer to a pointer is the caller's. It is NULL after an error. Its type has a
 *   `_free` function, which accepts NULL.
 * - Other pointers are used during the call only, where nothing else is said. None may be NULL where the
 *   comment does not allow it.
 * - Points are row-major: count x dimension doubles, x0 y0 (z0) x1 ... The dimension is 2 or 3.
 * - Some structs may get fields at their end in a later version; their comments say so. A program gives and gets them by
 *   functions that are `static inline`: they add the size of the struct as the program was compiled, and call the function of
 *   the same name with `_sized`, which is what the library exports. So a program that was compiled before goes on working. What
 *   its struct lacks has its default. All other structs stay as they are (ADR 0048).
 * - Lengths in settings are in RMS radii of the reference: the root mean square distance of its points to
 *   their centroid. Variances are in squared RMS radii. So no setting depends on the unit of the files.
 * - Results are in the unit of the files. They have the same bits on any number of threads, and whatever the floating-point
 *   environment of the caller (rounding, traps, denormals), which models, solvers, maps and distances put aside during a call.
 *
 * Symbols in costs: N reference points, M target points, d dimension, m columns of the factor B of the prior,
 * P the N x M matrix of label probabilities, of which only entries that matter are stored. */
#ifndef SFGP_H
#define SFGP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup context Context and status
 * Every call gets a context. It holds the text of the last error, the call-backs and the allocator.
 * @{ */

/** Version of this header. Before 1.0 every minor version may change the interface. */
#define SFGP_VERSION "0.1.0"

/** Marks the functions that a shared library exports: all that are declared here, and no other. */
#if defined(__GNUC__)
#define SFGP_API __attribute__((visibility("default")))
#else
#define SFGP_API
#endif

/** The statuses, X(name, value, text). Values are the exit codes of the program, whose 1 means "ran, but
 * flagged". */
#define SFGP_STATUS_TABLE(X)                                                                                 \
    X(SFGP_OK, 0, "ok")                                                                                      \
    X(SFGP_ERROR_PARAMETER, 2, "invalid parameter")                                                          \
    X(SFGP_ERROR_READ, 3, "cannot read")                                                                     \
    X(SFGP_ERROR_FORMAT, 4, "malformed file")                                                                \
    X(SFGP_ERROR_DATA, 5, "invalid data")                                                                    \
    X(SFGP_ERROR_MEMORY, 6, "out of memory")                                                                 \
    X(SFGP_ERROR_WRITE, 7, "cannot write")                                                                   \
    X(SFGP_ERROR_NUMERIC, 8, "numerical failure")                                                            \
    X(SFGP_CANCELLED, 9, "cancelled")

/** How a call ended. */
typedef enum sfgp_status {
#define SFGP_STATUS_ENUM(name, value, text) name = value, /**< text */
    SFGP_STATUS_TABLE(SFGP_STATUS_ENUM)
#undef SFGP_STATUS_ENUM
} sfgp_status;

/** Text of a status.
 * @return such as "malformed file"; never NULL; static */
SFGP_API const char *sfgp_status_text(sfgp_status status);

/** Error text, call-backs and allocator. Threads must not share one. */
typedef struct sfgp_context sfgp_context;

/** Memory functions of the caller. The library calls them from one thread at a time. */
typedef struct sfgp_allocator {
    void *(*allocate)(size_t bytes, void *user); /**< returns NULL when there is no memory left */
    void (*release)(void *block, void *user);    /**< frees what allocate returned */
    void *user;                                  /**< passed to both */
} sfgp_allocator;

/** State of a running fit. Method auto makes several fits in a run, so that iteration may fall and change may rise. A
 * later version may add fields at the end. */
typedef struct sfgp_progress {
    int64_t iteration;      /**< iterations so far */
    int64_t max_iterations; /**< the fit stops there */
    double change;          /**< mean motion of the points in the last iteration, RMS radii */
    double tolerance;       /**< the fit stops when change is below, RMS radii */
    double missing;         /**< share of reference points without a label */
    /** Share of the run that is done: 0 to 1, never less than before. An estimate, as nobody knows how many fits and
     * iterations a run will need. A run may end before it is 1. */
    double fraction;
} sfgp_progress;

/** Receives a warning. user is what sfgp_context_set_log got. */
typedef void (*sfgp_log_function)(void *user, const char *warning);
/** Receives the state of a fit after its iterations, and says whether to go on. It must not use the context, nor what was
 * made with it.
 * @param user what sfgp_context_set_progress got
 * @param progress valid during the call
 * @return 0: go on; anything else: stop. The run then ends with SFGP_CANCELLED within a few iterations, and has freed
 * what it made. Context and solver may be used again. */
typedef int (*sfgp_progress_function)(void *user, const sfgp_progress *progress);

/** Makes a context.
 * @param allocator memory functions, copied; NULL: malloc and free
 * @param[out] context the context; free it with sfgp_context_free
 * @errors SFGP_ERROR_MEMORY */
SFGP_API sfgp_status sfgp_context_new(const sfgp_allocator *allocator, sfgp_context **context);
/** Frees a context; NULL is allowed. Meshes, models and results that were made with it live on. */
SFGP_API void sfgp_context_free(sfgp_context *context);
/** Text of the last error.
 * @return "" if there was none; valid until the next call with this context */
SFGP_API const char *sfgp_context_error(const sfgp_context *context);
/** Number of warnings since the context was made. */
SFGP_API int64_t sfgp_context_warnings(const sfgp_context *context);
/** Sets where warnings go. Without it they are only counted.
 * @param context the context
 * @param log called once for each warning; NULL: nothing is called
 * @param user passed to log */
SFGP_API void sfgp_context_set_log(sfgp_context *context, sfgp_log_function log, void *user);
/** Sets what is told how a fit proceeds, and may stop it.
 * @param context the context
 * @param progress called in the thread that called sfgp_solver_run; NULL: nothing is called
 * @param user passed to progress */
SFGP_API void sfgp_context_set_progress(sfgp_context *context, sfgp_progress_function progress, void *user);
/** Limits what the numbers of one HDF5 file may take in memory when it is read. A file beyond the limit is
 * SFGP_ERROR_MEMORY.
 * @param context the context
 * @param bytes 0, the default: no more than a file of its size can hold (64 MiB + 32 times the file) */
SFGP_API void sfgp_context_set_read_limit(sfgp_context *context, int64_t bytes);
/** Sets on how many threads functions run that take neither settings nor a number of threads: sfgp_distances and sfgp_evaluate_surfaces.
 * @param context the context
 * @param threads as in the settings; 0, the default: all cores */
SFGP_API void sfgp_context_set_threads(sfgp_context *context, int64_t threads);

/** @} */
/** @defgroup mesh Mesh
 * Shapes in memory and in files. docs/files.md has the formats.
 * @{ */

/** Points with optional polygons. Face f has the points face_points[face_start[f]] ..
 * face_points[face_start[f + 1] - 1], counted from 0. */
typedef struct sfgp_mesh {
    int64_t count;        /**< points */
    int dimension;        /**< 2 or 3 */
    double *points;       /**< count x dimension */
    int64_t face_count;   /**< polygons; 0 for a point set */
    int64_t *face_start;  /**< face_count + 1 offsets; NULL without faces */
    int64_t *face_points; /**< face_start[face_count] indices of points; NULL without faces */
    const char *format;   /**< name of the file format that it was read from (static), else "memory" */
    /** What sfgp_read_options.keep asks for; NULL: nothing. Freed with the mesh; a copy of the struct may borrow it. */
    struct sfgp_kept *kept;
} sfgp_mesh;

/** Makes a mesh with room for the given sizes. All values are 0.
 * @param context the context
 * @param count points
 * @param dimension 2 or 3
 * @param face_count polygons; 0: no arrays of faces
 * @param face_point_count corners of all polygons together
 * @param[out] mesh the mesh; free it with sfgp_mesh_free
 * @errors SFGP_ERROR_PARAMETER, _MEMORY */
SFGP_API sfgp_status sfgp_mesh_new(sfgp_context *context, int64_t count, int dimension, int64_t face_count,
                                   int64_t face_point_count, sfgp_mesh **mesh);
/** Makes a mesh without faces from points, which are copied.
 * @param context the context
 * @param count points
 * @param dimension 2 or 3
 * @param points count x dimension
 * @param[out] mesh the mesh; free it with sfgp_mesh_free
 * @errors SFGP_ERROR_PARAMETER, _MEMORY */
SFGP_API sfgp_status sfgp_mesh_from_points(sfgp_context *context, int64_t count, int dimension,
                                           const double *points, sfgp_mesh **mesh);
/** Frees a mesh; NULL is allowed. */
SFGP_API void sfgp_mesh_free(sfgp_mesh *mesh);
/** Turns the faces inside out: the corners of every face get the opposite order. The mirror image of a shape needs it.
 * What sfgp_read_options.keep kept is freed, because it is in the order of the faces.
 * @param[in,out] mesh one that owns its arrays */
SFGP_API void sfgp_mesh_turn_faces(sfgp_mesh *mesh);

/** Sizes of a shape, in the unit of its points, and what its faces leave open. A later version may add fields at the end. */
typedef struct sfgp_mesh_info {
    double low[3];   /**< least coordinates; 0 beyond the dimension */
    double high[3];  /**< largest coordinates; 0 beyond the dimension */
    double diagonal; /**< of the bounding box */
    double radius;   /**< root mean square distance of the points from their centroid */
    double spacing;  /**< median distance to the nearest other point, over up to 101 points; 0 of one point */
    int64_t
        holes; /**< closed rims, also that around an open surface; rims that touch each other count as one. Equal points
                        count as one here and in the next two */
    int64_t open_edges; /**< edges with one face */
    int64_t knots;      /**< edges with more than two faces */
    int64_t copies;     /**< points that lie exactly where an earlier one does */
} sfgp_mesh_info;

/** What sfgp_mesh_describe calls. */
SFGP_API sfgp_status sfgp_mesh_describe_sized(sfgp_context *context, const sfgp_mesh *mesh,
                                              sfgp_mesh_info *info, size_t size);
/** Measures a mesh.
 * @param context the context
 * @param mesh at least one point
 * @param[out] info the measures
 * @cost O(count + corners log corners)
 * @errors SFGP_ERROR_DATA (no points), _PARAMETER (a face of fewer than three corners, or of a point that is not there), _MEMORY */
static inline sfgp_status sfgp_mesh_describe(sfgp_context *context, const sfgp_mesh *mesh,
                                             sfgp_mesh_info *info)
{
    return sfgp_mesh_describe_sized(context, mesh, info, sizeof *info);
}

/** Reads PLY, OBJ, STL, VTP, VTK legacy, OFF, glTF, NPY or text, also packed by gzip. The content tells the
 * format, then the extension. Vertex order and faces are kept. Equal corners of an STL become one vertex, in
 * the order of first appearance.
 * @param context the context
 * @param path a file; "-": standard input
 * @param[out] mesh the mesh; free it with sfgp_mesh_free
 * @cost Memory: a small multiple of the file; of a packed one at most some hundred times.
 * @errors SFGP_ERROR_READ, _FORMAT (naming the line or byte), _DATA (not finite), _MEMORY */
SFGP_API sfgp_status sfgp_mesh_read(sfgp_context *context, const char *path, sfgp_mesh **mesh);

/** One number a point, beside the coordinates. */
typedef struct sfgp_attribute {
    const char *name;     /**< one word, such as "sd" */
    const double *values; /**< one for each point; NaN and infinity are allowed */
    int integer;          /**< 1: an unsigned byte in the file */
} sfgp_attribute;

/** The attributes of a mesh that was read. */
typedef struct sfgp_attributes {
    int count;             /**< attributes */
    sfgp_attribute *items; /**< count, in the order of the file, as sfgp_mesh_write takes them */
} sfgp_attributes;

/** Reads a mesh with the numbers beside its coordinates: the scalar properties of a PLY and the arrays of one
 * number a point of a VTP, such as red, nx, or the sd and missing of a fit.
 * @param context the context
 * @param path as in sfgp_mesh_read
 * @param[out] mesh the mesh; free it with sfgp_mesh_free
 * @param[out] attributes count is 0 for other formats; free them with sfgp_attributes_free
 * @errors as sfgp_mesh_read */
SFGP_API sfgp_status sfgp_mesh_read_attributes(sfgp_context *context, const char *path, sfgp_mesh **mesh,
                                               sfgp_attributes **attributes);
/** Frees attributes; NULL is allowed. */
SFGP_API void sfgp_attributes_free(sfgp_attributes *attributes);

/** What a file does not say itself. All fields 0: as sfgp_mesh_read. A later version may add fields at the end. */
typedef struct sfgp_read_options {
    /** Text and NPY: the 2 or 3 columns of the coordinates, separated by commas, each by its number from 1 or
     * by its name in the header: "2,3,4" or "x,y,z". NULL: the header or the number of columns decides.
     * Formats that name their coordinates ignore it. */
    const char *columns;
    /** 1: colours, texture coordinates, groups and materials of a PLY or OBJ are kept with the mesh, in about the
     * memory of the file. sfgp_mesh_write puts them into a file of the same format, also after the points have moved.
     * Normals are left out, because they would be wrong then. */
    int keep;
    /** The coordinates are multiplied by it: 1000 for a file in metres, beside others in millimetres. 0: as they are. */
    double scale;
} sfgp_read_options;

/** What sfgp_mesh_read_with calls. */
SFGP_API sfgp_status sfgp_mesh_read_with_sized(sfgp_context *context, const char *path,
                                               const sfgp_read_options *options, size_t size,
                                               sfgp_mesh **mesh, sfgp_attributes **attributes);
/** Reads a mesh with options.
 * @param context the context
 * @param path as in sfgp_mesh_read
 * @param options may be NULL
 * @param[out] mesh the mesh; free it with sfgp_mesh_free
 * @param[out] attributes as in sfgp_mesh_read_attributes; may be NULL
 * @errors as sfgp_mesh_read, and SFGP_ERROR_PARAMETER for columns that do not exist and a scale that is no factor */
static inline sfgp_status sfgp_mesh_read_with(sfgp_context *context, const char *path,
                                              const sfgp_read_options *options, sfgp_mesh **mesh,
                                              sfgp_attributes **attributes)
{
    return sfgp_mesh_read_with_sized(context, path, options, sizeof *options, mesh, attributes);
}
/** Writes a mesh, whole or not at all: a file beside, then a rename. Coordinates keep all bits (STL: 32).
 * @param context the context
 * @param path its extension is the format: ply, obj, stl, vtp, npy; txt, csv, tsv, xyz and asc are text; with
 * .gz behind it the file is packed. "-" is standard output and gets PLY, "-.csv" gets CSV
 * @param mesh the mesh
 * @param attributes attribute_count of them, for PLY and VTP; other formats leave them out; may be NULL
 * @param attribute_count 0: none
 * @errors SFGP_ERROR_WRITE, _PARAMETER (another extension, or what the format cannot hold), _DATA (not
 * finite), _MEMORY */
SFGP_API sfgp_status sfgp_mesh_write(sfgp_context *context, const char *path, const sfgp_mesh *mesh,
                                     const sfgp_attribute *attributes, int attribute_count);
/** Checks, before long work, that sfgp_mesh_write has a format for path. Nothing is opened.
 * @errors SFGP_ERROR_PARAMETER; its text names the extensions */
SFGP_API sfgp_status sfgp_mesh_check_path(sfgp_context *context, const char *path);
/** The same, and that this format holds a mesh with the faces of this one, whatever its points: STL needs faces.
 * @errors SFGP_ERROR_PARAMETER */
SFGP_API sfgp_status sfgp_mesh_check_write(sfgp_context *context, const char *path, const sfgp_mesh *mesh);

/** @} */
/** @defgroup settings Settings
 * What a model and a fit depend on. One table makes the struct, the defaults, the checks, the flags of the
 * program and docs/settings.md.
 * @{ */

/** Room of a text setting, with its final 0. */
#define SFGP_TEXT_SIZE 512

/** @name Which methods read a setting
 * Patterns of method names, separated by blanks; `*` stands for any characters.
 * @{ */
#define SFGP_READ_ALL "*"                                         /**< every method */
#define SFGP_READ_PRIOR "auto sfgp-* closest-point map pca-aniso" /**< those with a prior over shapes */
#define SFGP_READ_FACTOR "auto sfgp-* closest-point map bcpd-accelerated bcpd++ cpd-lowrank" /**< low rank */
#define SFGP_READ_SMOOTH "bcpd* cpd cpd-lowrank"                 /**< those with smooth motion */
#define SFGP_READ_MIXTURE "bcpd* cpd*"                           /**< BCPD and CPD */
#define SFGP_READ_OUTLIERS "auto sfgp-* bcpd* cpd* pca-aniso"    /**< those with an outlier weight */
#define SFGP_READ_VARIANCE "auto sfgp-* closest-point pca-aniso" /**< those that start from variance0 */
#define SFGP_READ_THRESHOLD "sfgp-full sfgp-scalar bcpd* cpd* map pca-aniso" /**< those with a threshold */
#define SFGP_READ_DENSITY "auto sfgp-* pca-aniso" /**< those that choose the density of outliers */
/** @} */

/** The table of settings. In a number marked AUTO, 0 means "chosen by the library"; the result holds what was
 * chosen. A setting that is given to a method that does not read it is warned of.
 *
 *     TEXT (name, default, readers, help)
 *     REAL (name, default, least, most, AUTO or FIXED, unit, readers, help)
 *     COUNT(name, default, least, most, AUTO or FIXED, unit, readers, help) */
#define SFGP_SETTINGS(TEXT, REAL, COUNT)                                                                     \
    TEXT(method, "auto", SFGP_READ_ALL, "how to register: sfgp methods lists them")                          \
    TEXT(kernel, "auto", SFGP_READ_PRIOR " " SFGP_READ_SMOOTH,                                               \
         "prior: TYPE:length=L,variance=V+...; se matern32 matern52 rq imq laplace surface")                 \
    TEXT(align_training, "none", SFGP_READ_PRIOR,                                                            \
         "training shapes before PCA: none | rigid | similarity (Procrustes)")                               \
    TEXT(lowrank, "cholesky", SFGP_READ_PRIOR " " SFGP_READ_SMOOTH,                                          \
         "factor of the kernel: eigen | nystrom | cholesky")                                                 \
    COUNT(rank, 0, 1, 1000000, AUTO, "columns", SFGP_READ_FACTOR,                                            \
          "most columns of the factor; auto: as accuracy needs")                                             \
    REAL(accuracy, 0, 1e-16, 1.0, AUTO, "squared RMS radii", SFGP_READ_FACTOR,                               \
         "prior variance a point may lose; auto: 1e-6, small shapes 1e-12")                                  \
    REAL(omega, 0, 1e-15, 0.999999, AUTO, "probability", SFGP_READ_OUTLIERS,                                 \
         "share of outliers; auto: 0.1; method auto starts there and learns it")                             \
    REAL(pmin, 0, 1e-300, 0.999999, AUTO, "probability", SFGP_READ_THRESHOLD,                                \
         "least label probability; auto: 1/N, N reference points")                                           \
    REAL(variance0, 0, 1e-10, 1e6, AUTO, "squared RMS radii", SFGP_READ_VARIANCE,                            \
         "registration variance at the start; auto: 0.05, trained 0.3; method auto tries others as well")    \
    REAL(tolerance, 1e-4, 1e-15, 1.0, FIXED, "RMS radii", SFGP_READ_ALL,                                     \
         "stop when the mean motion is below; after a smaller level below three times that")                 \
    COUNT(max_iterations, 1000, 0, 1000000, FIXED, "iterations", SFGP_READ_ALL,                              \
          "stop after; 0 returns the prior mean, with the deviations of the prior")                          \
    REAL(prune, 0, 1e-300, 0.01, AUTO, "probability", SFGP_READ_OUTLIERS,                                    \
         "smaller label probabilities may be left out; auto: pmin/1000, sfgp-*: 1e-9 pmin, "                 \
         "without pmin 1e-9/N")                                                                              \
    TEXT(outlier_density, "auto", SFGP_READ_DENSITY,                                                         \
         "of outliers: count (1/M, M target points) | volume (1/box of the target); "                        \
         "auto: volume for method auto, else count")                                                         \
    REAL(max_distance, 0, 1e-6, 1e6, AUTO, "RMS radii", "closest-point map", "farthest label; auto: 0.2")    \
    REAL(lambda, 0, 1e-12, 1e12, AUTO, "", SFGP_READ_SMOOTH " map",                                          \
         "weight of the prior; auto: 2, map 3e-4")                                                           \
    REAL(beta, 2, 1e-6, 1e6, FIXED, "normalised lengths", SFGP_READ_SMOOTH,                                  \
         "length of their Gaussian kernel")                                                                  \
    REAL(gamma, 1, 1e-12, 1e12, FIXED, "", "bcpd*", "start deviation, in root mean square distances")        \
    REAL(kappa, 0, 1e-6, 1e12, AUTO, "", "bcpd*", "how equal the mixing weights are; auto: equal")           \
    TEXT(normalise, "each", SFGP_READ_MIXTURE, "by the shape itself: each | target | reference | none")      \
    COUNT(subset, 5000, 10, 100000000, FIXED, "points", "bcpd++", "points of either shape that are fitted")  \
    REAL(anisotropy, 0.1, 1e-6, 1.0, FIXED, "", "pca-aniso",                                                 \
         "ratio of the variance across the surface to that along it")                                        \
    COUNT(reject, 1, 0, 1, FIXED, "0 or 1", SFGP_READ_ALL,                                                   \
          "1: a fit that explains next to nothing is no_overlap, one that fails its own tests doubtful")     \
    COUNT(max_memory, 0, 1, 9007199254740992, AUTO, "bytes", SFGP_READ_ALL,                                  \
          "refuse what needs more; 500M, 2G; auto: no limit")                                                \
    COUNT(threads, 0, -1000000, 1000000, AUTO, "threads", SFGP_READ_ALL,                                     \
          "auto, 0: all cores or OMP_NUM_THREADS; clamped; changes no result")                               \
    COUNT(seed, 1, 0, 9007199254740992, FIXED, "", SFGP_READ_ALL,                                            \
          "start vector of ARPACK, points of a search")                                                      \
    COUNT(mirror, 0, 0, 1, FIXED, "0 or 1", SFGP_READ_ALL,                                                   \
          "1: fit the mirror image of the reference, as for the other side of a body")                       \
    REAL(max_time, 0, 1e-3, 1e9, AUTO, "seconds", SFGP_READ_ALL,                                             \
         "end a fit with what it has found after; auto: no limit")                                           \
    TEXT(effort, "normal", "auto", "what a fit tries: quick | normal | thorough")                            \
    COUNT(detail, 1, 0, 1, FIXED, "0 or 1", "auto",                                                          \
          "1: a surface follows the scan, down to its noise, where the kernel is too smooth")                \
    COUNT(planes, 3, 0, 10, FIXED, "planes", "auto",                                                         \
          "at most so many planes of the scan, as a table or a closed cut, are left out "                    \
          "where the reference has none")                                                                    \
    COUNT(fuzzy, 1, 0, 1, FIXED, "0 or 1", "auto",                                                           \
          "1: a part of the scan that is a fuzzy layer, as hair, is left out")                               \
    COUNT(closures, 1, 0, 1, FIXED, "0 or 1", "auto",                                                        \
          "1: what closes a scan that is cut off, and squeezes an end of the shape, is left out")            \
    COUNT(walls, 1, 0, 1, FIXED, "0 or 1", "auto",                                                           \
          "1: the inner one of two walls that a scan shows, as of a bone, is left out")                      \
    COUNT(                                                                                                   \
        adapt, 1, 0, 1, FIXED, "0 or 1", "auto",                                                             \
        "1: the reference is smoothed, sharpened or moved along its normals if a scan is explained better")  \
    COUNT(resize, 1, 0, 1, FIXED, "0 or 1", "auto",                                                          \
          "1: a doubtful fit is made again with the reference in another size, where that lies much better " \
          "in the scan")                                                                                     \
    COUNT(symmetry, 1, 0, 1, FIXED, "0 or 1", "auto",                                                        \
          "1: both sides of a symmetric reference tend to deform alike, unless the scan speaks against it")

/** The settings, one field for each row of the table. A later version of the library may add rows at the end; it
 * accepts the settings of a program that was compiled before, and gives what they lack its default. */
typedef struct sfgp_settings {
    size_t size; /**< bytes of the struct, set by sfgp_settings_default */
#define SFGP_FIELD_TEXT(name, standard, readers, help) char name[SFGP_TEXT_SIZE];                 /**< help */
#define SFGP_FIELD_REAL(name, standard, least, most, automatic, unit, readers, help) double name; /**< help */
#define SFGP_FIELD_COUNT(name, standard, least, most, automatic, unit, readers, help)                        \
    int64_t name; /**< help */
    SFGP_SETTINGS(SFGP_FIELD_TEXT, SFGP_FIELD_REAL, SFGP_FIELD_COUNT)
#undef SFGP_FIELD_TEXT
#undef SFGP_FIELD_REAL
#undef SFGP_FIELD_COUNT
} sfgp_settings;

/** Type of a setting. */
typedef enum sfgp_setting_kind {
    SFGP_SETTING_TEXT, /**< char[SFGP_TEXT_SIZE] */
    SFGP_SETTING_REAL, /**< double */
    SFGP_SETTING_COUNT /**< int64_t */
} sfgp_setting_kind;

/** A row of SFGP_SETTINGS or SFGP_DAMAGE, for programs that make flags or forms from it. Only the library makes rows: a later
 * version may add fields at the end. */
typedef struct sfgp_setting {
    const char *name;       /**< of the field; the flag has - for _ */
    sfgp_setting_kind kind; /**< type of the field */
    size_t offset;          /**< of the field in sfgp_settings or sfgp_damage */
    const char *standard;   /**< default, as text */
    double least;           /**< smallest value that is allowed */
    double most;            /**< largest value that is allowed */
    int automatic;          /**< 1: "auto" is allowed */
    const char *unit;       /**< "" for none */
    const char *readers;    /**< patterns of the methods that read it; "" for damages */
    const char *help;       /**< what it does, in one line */
} sfgp_setting;

/** What sfgp_settings_default calls. */
SFGP_API void sfgp_settings_default_sized(sfgp_settings *settings, size_t size);
/** Fills in the defaults, and the size. Settings that were not filled in are refused. */
static inline void sfgp_settings_default(sfgp_settings *settings)
{
    sfgp_settings_default_sized(settings, sizeof *settings);
}
/** Sets one setting from text.
 * @param context the context
 * @param settings the settings
 * @param name of the setting
 * @param value a text, a number, or "auto" where that is allowed
 * @errors SFGP_ERROR_PARAMETER; its text names the setting, the value and the range; also for a setting that the program was
 * compiled without */
SFGP_API sfgp_status sfgp_settings_set(sfgp_context *context, sfgp_settings *settings, const char *name,
                                       const char *value);
/** Checks every number against its range, and every name (method, kernel, factor, density) against the rows
 * there are. Models and solvers check too; this is for asking early.
 * @errors SFGP_ERROR_PARAMETER; its text names the setting */
SFGP_API sfgp_status sfgp_settings_check(sfgp_context *context, const sfgp_settings *settings);
/** A row of the table of settings.
 * @param index from 0
 * @return NULL past the last; static */
SFGP_API const sfgp_setting *sfgp_settings_row(int index);
/** Compares the settings that the prior of a model depends on: kernel, align_training, lowrank, rank and
 * accuracy.
 * @return the first in which the two differ; NULL: none */
SFGP_API const sfgp_setting *sfgp_settings_prior_change(const sfgp_settings *settings,
                                                        const sfgp_settings *other);

/** A method of registration: one of SFGP, or one of other authors to compare with. Only the library makes them: a
 * later version may add fields at the end. */
typedef struct sfgp_method_info {
    const char *name;    /**< value of the setting method */
    const char *summary; /**< what it is, in one line */
} sfgp_method_info;

/** A row of the table of methods.
 * @param index from 0
 * @return NULL past the last; static */
SFGP_API const sfgp_method_info *sfgp_method_row(int index);
/** Whether a method reads a setting.
 * @param method its name
 * @param setting a row of the table of settings
 * @return 1 or 0 */
SFGP_API int sfgp_method_reads(const char *method, const sfgp_setting *setting);

/** @} */
/** @defgroup model Model
 * A reference and a Gaussian process over its displacements: u ~ GP(mean, K), K ~ BB'. A model never changes:
 * any number of threads may share one.
 *
 * docs/models.md has the file format. HDF5 files are written, and those of other programs are read, in a child process, so that a
 * damaged file is an error and nothing worse (ADR 0021). Files of this library are read in place (ADR 0044).
 * @{ */

/** Reference and prior. */
typedef struct sfgp_model sfgp_model;
/** Numbers with a shape; see @ref files. */
typedef struct sfgp_array sfgp_array;

/** Makes a model. Training shapes give the mean, and their principal components are added to the kernel. The
 * factor B is certified: no entry of K - BB' is larger than the accuracy (docs/algorithm.md, section 3).
 *
 * The library runs its own threads, so that results have the same bits on any number of them. During a call that computes,
 * OpenBLAS has one thread, in the whole process; after the call it has as many as before.
 * @param context the context
 * @param reference the shape that is fitted later; copied
 * @param training training_count shapes that correspond to the reference point by point; copied; may be NULL
 * @param training_count 0: no training
 * @param settings kernel, align_training, lowrank, rank, accuracy, threads and seed are read; copied
 * @param[out] model the model; free it with sfgp_model_free
 * @cost cholesky O(N m^2), eigen some hundred products of O(N m)
 * @errors SFGP_ERROR_PARAMETER, _DATA, _MEMORY, _NUMERIC */
SFGP_API sfgp_status sfgp_model_new(sfgp_context *context, const sfgp_mesh *reference,
                                    const sfgp_mesh *const *training, int64_t training_count,
                                    const sfgp_settings *settings, sfgp_model **model);
/** Frees a model; NULL is allowed. Its solvers and deformations must be freed before. */
SFGP_API void sfgp_model_free(sfgp_model *model);

/** Facts about a model. A later version may add fields at the end. */
typedef struct sfgp_model_info {
    int64_t count;               /**< reference points, N */
    int dimension;               /**< 2 or 3 */
    double centre[3];            /**< origin of the frame, whose axes are in 3D the principal ones */
    double scale;                /**< RMS radius of the reference, unit of the files */
    int64_t rank;                /**< columns of B: rank_scalar + rank_pca */
    int64_t rank_scalar;         /**< columns of the kernels, which all axes share */
    int64_t rank_pca;            /**< principal components of the training shapes */
    int64_t face_count;          /**< polygons of the reference */
    double kernel_residual;      /**< certified: no entry of K - BB' is larger; squared RMS radii */
    char kernel[SFGP_TEXT_SIZE]; /**< the prior, with what "auto" became */
    /** 1: the reference is symmetric to a plane, which fits make use of (setting symmetry). 0: it is not. -1: nothing looks for a plane, as the prior is
     * not the default one of a surface. */
    int symmetric;
} sfgp_model_info;

/** What sfgp_model_describe calls. */
SFGP_API void sfgp_model_describe_sized(const sfgp_model *model, sfgp_model_info *info, size_t size);
/** Reads the facts of a model. O(1). */
static inline void sfgp_model_describe(const sfgp_model *model, sfgp_model_info *info)
{
    sfgp_model_describe_sized(model, info, sizeof *info);
}
/** Writes a shape model of Statismo and Scalismo (HDF5), whole or not at all. A group of our own has what
 * their format cannot hold. Read back, the model gives the same bits. Equal models are equal files.
 * @cost O(N d r^2 + r^3) with r = d rank_scalar + rank_pca, for the principal components
 * @param context the context
 * @param model the model
 * @param path a name that ends in .h5 or .hdf5, "-" or a device
 * @errors SFGP_ERROR_PARAMETER (another name), _WRITE, _DATA (values that a 32-bit real cannot hold), _MEMORY, _NUMERIC */
SFGP_API sfgp_status sfgp_model_write(sfgp_context *context, const sfgp_model *model, const char *path);
/** Reads a model of ours, or one of Statismo or Scalismo (0.8, 0.9; .h5.json). Of theirs the points are the reference,
 * basis and variances the prior. Their noise variance is left out, with a warning.
 * @param context the context
 * @param path a file, or FILE:NAME for one model of a catalogue; without NAME the first by name, with a
 * warning when there are others
 * @param[out] model the model; free it with sfgp_model_free
 * @errors SFGP_ERROR_READ, _FORMAT (naming the data set; also when the checksum is wrong), _DATA, _MEMORY */
SFGP_API sfgp_status sfgp_model_read(sfgp_context *context, const char *path, sfgp_model **model);
/** Whether path, or the file of FILE:NAME, is a readable HDF5 file: a model and not a mesh. Its first bytes
 * tell.
 * @return 1 or 0 */
SFGP_API int sfgp_model_is_file(const char *path);

/** @name Shapes of a model
 * With the faces of the reference, in the unit of the files. Free them with sfgp_mesh_free.
 * @{ */
/** The reference.
 * @errors SFGP_ERROR_MEMORY */
SFGP_API sfgp_status sfgp_model_reference(sfgp_context *context, const sfgp_model *model, sfgp_mesh **shape);
/** The mean of the prior.
 * @errors SFGP_ERROR_MEMORY */
SFGP_API sfgp_status sfgp_model_mean(sfgp_context *context, const sfgp_model *model, sfgp_mesh **shape);
/** A random shape of the prior. Equal seeds give equal shapes.
 * @cost O(N d m)
 * @errors SFGP_ERROR_MEMORY */
SFGP_API sfgp_status sfgp_model_sample(sfgp_context *context, const sfgp_model *model, uint64_t seed,
                                       sfgp_mesh **shape);
/** The mean, plus deviations times the standard deviation of one principal component.
 * @param context the context
 * @param model the model
 * @param index of the component, from 0
 * @param deviations how many standard deviations, of either sign
 * @param[out] shape the shape
 * @cost as sfgp_model_write
 * @errors SFGP_ERROR_PARAMETER (no such component, or deviations that are not finite), _MEMORY, _NUMERIC */
SFGP_API sfgp_status sfgp_model_component(sfgp_context *context, const sfgp_model *model, int64_t index,
                                          double deviations, sfgp_mesh **shape);
/** @} */
/** Variances of the principal components of the prior, summed over all points, in squared units of the files.
 * @param context the context
 * @param model the model
 * @param[out] variances rank 1, largest first; those below 1e-10 of the first are left out; free them with
 * sfgp_array_free
 * @cost as sfgp_model_write
 * @errors SFGP_ERROR_MEMORY, _NUMERIC */
SFGP_API sfgp_status sfgp_model_variances(sfgp_context *context, const sfgp_model *model,
                                          sfgp_array **variances);

/** @} */
/** @defgroup solver Solver
 * Fits one model to any number of targets. A solver belongs to one thread.
 * @{ */

/** Workspace of the fits of one model. */
typedef struct sfgp_solver sfgp_solver;
/** What a fit found; see @ref result. */
typedef struct sfgp_result sfgp_result;

/** Makes a solver.
 * @param context must outlive the solver
 * @param model must outlive the solver
 * @param settings checked and copied
 * @param[out] solver the solver; free it with sfgp_solver_free
 * @errors SFGP_ERROR_PARAMETER, _MEMORY */
SFGP_API sfgp_status sfgp_solver_new(sfgp_context *context, const sfgp_model *model,
                                     const sfgp_settings *settings, sfgp_solver **solver);
/** Gives landmarks to the fits that follow: point k of the reference, on its surface or not, lies at point k
 * of the target, up to an error of variance sd^2 per axis. They are observations of the Gaussian process
 * (paper, eq. 6). Only auto, the sfgp methods and closest-point use them.
 * @param solver the solver
 * @param count landmarks; 0 takes them away
 * @param reference count x dimension, unit of the files; copied
 * @param target count x dimension, unit of the files; copied
 * @param sd unit of the files; 0: 1 % of the RMS radius; infinity: they change nothing
 * @cost O(count N) once, nothing per iteration
 * @errors SFGP_ERROR_PARAMETER (method, sd), _DATA (not finite), _MEMORY, _NUMERIC */
SFGP_API sfgp_status sfgp_solver_set_landmarks(sfgp_solver *solver, int64_t count, const double *reference,
                                               const double *target, double sd);
/** Checks a target as sfgp_solver_run does, which refuses one of another dimension, of too few or too many points, and one with coordinates
 * that are not finite or much too far away. A target that is flat, say, is a warning.
 * @param context the context
 * @param model what is fitted to it
 * @param target the target
 * @cost O(count)
 * @errors SFGP_ERROR_DATA */
SFGP_API sfgp_status sfgp_model_check_target(sfgp_context *context, const sfgp_model *model,
                                             const sfgp_mesh *target);
/** Fits the model to the points of a target: E-step (paper, eq. 12) and M-step (eq. 6) in turn. Method auto
 * tries several starts before (docs/algorithm.md, section 2; ADR 0013). A fit that does not converge is a
 * result, not an error.
 * @param solver the solver
 * @param target its faces are not used
 * @param[out] result what was found; free it with sfgp_result_free
 * @cost O(N m^2 + entries of P + M log N) per iteration. Memory grows with the largest target so far;
 * sfgp_memory_predict tells how far
 * @errors SFGP_ERROR_PARAMETER (max_memory for a method that is not predicted), _DATA, _MEMORY, _NUMERIC, SFGP_CANCELLED (by the
 * progress call-back) */
SFGP_API sfgp_status sfgp_solver_run(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result **result);
/** Frees a solver; NULL is allowed. Its results live on. */
SFGP_API void sfgp_solver_free(sfgp_solver *solver);

/** @} */
/** @defgroup result Result
 * Point i of a result is point i of the reference.
 * @{ */

/** How a fit ended, X(name, text). */
#define SFGP_OUTCOME_TABLE(X)                                                                                \
    X(SFGP_CONVERGED, "converged")                                                                           \
    X(SFGP_MAX_ITERATIONS, "max_iterations")                                                                 \
    X(SFGP_NO_OVERLAP, "no_overlap")                                                                         \
    X(SFGP_MAX_TIME, "max_time")                                                                             \
    X(SFGP_DOUBTFUL, "doubtful")

/** How a fit ended. */
typedef enum sfgp_outcome {
#define SFGP_OUTCOME_ENUM(name, text) name, /**< text */
    SFGP_OUTCOME_TABLE(SFGP_OUTCOME_ENUM)
#undef SFGP_OUTCOME_ENUM
} sfgp_outcome;

/** What may speak against a fit, X(name, bit, text, what it says). */
#define SFGP_DOUBT_TABLE(X)                                                                                  \
    X(SFGP_DOUBT_DISTANCE, 1, "distance", "the scan lies too far from it")                                   \
    X(SFGP_DOUBT_POSE, 2, "pose", "another pose explains the scan nearly as well")                           \
    X(SFGP_DOUBT_ERROR, 4, "error", "its expected error is above 0.17 RMS radii, with effort quick 0.25")    \
    X(SFGP_DOUBT_MIRROR, 8, "mirror", "the mirror image explains the scan better")                           \
    X(SFGP_DOUBT_BESIDE, 16, "beside",                                                                       \
      "it is of the second search, which takes a part of the scan for other surfaces; its expected error "   \
      "is above 0.125 RMS radii, or a third of what it leaves lies over the inside of the shape")            \
    X(SFGP_DOUBT_LENGTH, 32, "length",                                                                       \
      "the scan does not show one end of a long shape, and the fit is shortened towards that end")

/** What speaks against a fit that is SFGP_DOUBTFUL. */
typedef enum sfgp_doubt {
#define SFGP_DOUBT_ENUM(name, bit, text, meaning) name = (bit), /**< meaning */
    SFGP_DOUBT_TABLE(SFGP_DOUBT_ENUM)
#undef SFGP_DOUBT_ENUM
} sfgp_doubt;

/** Text of an outcome.
 * @return such as "converged"; static */
SFGP_API const char *sfgp_outcome_name(sfgp_outcome outcome);
/** Text of a doubt.
 * @return such as "pose"; static; NULL: there is no such doubt */
SFGP_API const char *sfgp_doubt_name(sfgp_doubt doubt);

/** What a fit found. "Count" below is the number of reference points. Only the library makes results: a later
 * version may add fields at the end. */
struct sfgp_result {
    sfgp_outcome outcome;     /**< how it ended; SFGP_NO_OVERLAP: points are the reference, unchanged */
    int64_t iterations;       /**< of the fit that was kept */
    int64_t fits;             /**< fits that were begun to find it, those of subsets and levels included */
    int64_t total_iterations; /**< of all these fits */
    double change;            /**< mean motion of the points in the last iteration, RMS radii */
    int64_t count;            /**< reference points */
    int dimension;            /**< 2 or 3 */
    double *points;           /**< count x dimension: the fitted shape, unit of the files */
    double *sd;               /**< count: posterior standard deviation per axis, unit of the files */
    unsigned char *missing;   /**< count: 1 where the target does not show the point */
    /** count: most probable target point, from 0; -1 where missing. Of a seen point without a label: the nearest
     * target point that is not an outlier. */
    int64_t *target;
    double *probability;   /**< count: its probability; 0 where missing, and without a label */
    int64_t missing_count; /**< points with missing = 1 */
    /** sqrt(sigma2) at the end, unit of the files: distance of fit and target per axis. Where each point has
     * its own sigma2 (sfgp-full, sfgp-nothreshold): the median of the points with labels. */
    double sigma;
    double explained; /**< share of target points that are not taken for outliers */
    double omega;     /**< outlier weight at the end; method auto learns it */
    /** Rigid motion of the reference within the fit: 4 x 4, row-major, unit of the files. The identity for
     * methods that have none. With the setting mirror it is a motion with a reflection. */
    double pose[16];
    int64_t rank;            /**< columns of the prior that was fitted */
    sfgp_settings *settings; /**< with what "auto" became in this fit */
    double seconds;          /**< wall time of the fit */
    /** Linear part of the fit: fit = similarity (reference + smooth motion). 4 x 4, row-major, unit of the files. The
     * pose for methods that have one, the similarity of BCPD and CPD, the map of cpd-affine. */
    double similarity[16];
    /** How probable the target is under this fit: its evidence bound, in nats, of densities in the unit of the files. It
     * compares fits of one target to different references, or to a reference and its mirror image. NaN without overlap,
     * and for methods other than auto. */
    double evidence;
    /** Standard deviation per axis of the field along the surface that follows what the prior cannot (setting detail), unit
     * of the files; it is part of the points. 0: there is none. */
    double detail;
    double detail_length; /**< over which this field is alike, unit of the files; 0: there is none */
    /** By how many nats a target point the fit is better than the best of those that were tried and are turned by more than 20
     * degrees from it. A small one leaves open which of the two is right. Infinity: there was none. */
    double pose_margin;
    unsigned doubts; /**< sum of sfgp_doubt: what speaks against the fit; 0 unless it is SFGP_DOUBTFUL */
    /** Mean distance of the points from the true ones, as computed from sd, unit of the files: sd sqrt(8 / pi) in space, sd sqrt(pi / 2)
     * in the plane. NaN for methods other than auto, whose sd is not calibrated. */
    double expected_error;
    double expected_error_observed; /**< the same of points with missing = 0; NaN: there are none */
    double expected_error_missing;  /**< the same of points with missing = 1; NaN: there are none */
    int64_t
        detail_points; /**< points that have this field; where they are not all, it is carried to the others; 0: none */
    /** Length over which the surface of the reference was smoothed before the fit (setting adapt), unit of the files. Negative: sharpened
     * by what that length smooths away. 0: neither. */
    double adapted_smooth;
    /** By how much it was moved outwards along its normals, unit of the files. Negative: inwards. 0: it was not. */
    double adapted_offset;
    /** Of the reference in the fit, times its own (setting resize). 1: as it is. */
    double size;
    int symmetric; /**< 1: the prior of the fit is symmetric to a plane, as the reference is (setting symmetry); else 0 */
};

/** Room for the warning of a fit. */
#define SFGP_WARNING_SIZE 512
/** Why a fit is flagged: a sentence that begins with the name of its outcome, such as "no_overlap: ...". sfgp_solver_run does not give it
 * to the log. It names options of the program.
 * @return text; "": the fit has converged, or its doubt is the mirror image, of which sfgp_solver_run has warned */
SFGP_API const char *sfgp_result_warning(const sfgp_result *result, char text[SFGP_WARNING_SIZE]);
/** Frees a result; NULL is allowed. */
SFGP_API void sfgp_result_free(sfgp_result *result);

/** What a page says beside the fit. A field that is 0 or NULL is left out or has its default. A later version may add
 * fields at the end. */
typedef struct sfgp_page_options {
    const char *reference;       /**< path or name of the reference; NULL: "reference" */
    const char *target;          /**< path or name of the target; NULL: "target" */
    const char *unit;            /**< of the points, such as "mm"; NULL: not known */
    int64_t training;            /**< number of training shapes */
    const char *const *warnings; /**< warning_count texts */
    int64_t warning_count;       /**< 0: none */
} sfgp_page_options;

/** What sfgp_result_write_html calls. */
SFGP_API sfgp_status sfgp_result_write_html_sized(sfgp_context *context, const sfgp_result *result,
                                                  const sfgp_mesh *reference, const sfgp_mesh *target,
                                                  const sfgp_page_options *options, size_t size,
                                                  const char *path);
/** Writes the page of a fit: one HTML file with sentences, pictures, numbers, all settings and, where the library was
 * built with it, a view in 3D. It needs no other file and no network. `sfgp register --html` writes the same bytes.
 * @param context the context
 * @param result the fit
 * @param reference the reference of the fit; its faces are drawn
 * @param target the scan; where it has faces, distances are those to its surface
 * @param options NULL: all defaults
 * @param path the file, which appears whole or not at all; "-": standard output
 * @cost O((N + M) log M); memory of a few times the page, which has 0.7 MB and some 60 bytes for each point that is
 * shown, of 20 000 at most. It comes from malloc.
 * @errors SFGP_ERROR_DATA (another reference, no target points, not finite), _WRITE,
 * _MEMORY */
static inline sfgp_status sfgp_result_write_html(sfgp_context *context, const sfgp_result *result,
                                                 const sfgp_mesh *reference, const sfgp_mesh *target,
                                                 const sfgp_page_options *options, const char *path)
{
    return sfgp_result_write_html_sized(context, result, reference, target, options, sizeof *options, path);
}

/** @} */
/** @defgroup landmarks Landmarks
 * Named points. Formats: CSV (name,x,y,z or name,x,y; header optional), Slicer markups (.mrk.json) and Slicer
 * fiducials (.fcsv), Scalismo (.json), MeshLab (.pp), Landmark and Checkpoint (.pts), TPS (.tps) and NTSYS (.nts, .dta). Coordinates are kept as the file has them, in the system that it names.
 * @{ */

/** Named points. */
typedef struct sfgp_landmarks {
    int64_t count;      /**< landmarks */
    int dimension;      /**< 2 or 3 */
    char **names;       /**< count; "" for a landmark without a name */
    double *points;     /**< count x dimension */
    const char *format; /**< "csv", "mrk.json", "fcsv", "json", "pp", "tps" or "nts" (static) */
    const char *system; /**< "LPS" or "RAS" (static); "" when the format has none */
} sfgp_landmarks;

/** Reads landmarks, also packed by gzip or, as "-", from standard input.
 * @param context the context
 * @param path the file
 * @param[out] landmarks free them with sfgp_landmarks_free
 * @errors SFGP_ERROR_READ, _FORMAT and _DATA (naming the line), _MEMORY */
SFGP_API sfgp_status sfgp_landmarks_read(sfgp_context *context, const char *path, sfgp_landmarks **landmarks);
/** Writes landmarks, whole or not at all. Slicer's formats get z = 0 for landmarks in the plane.
 * @param context the context
 * @param path its extension is the format: .json and .fcsv are Slicer's, .pp is MeshLab's, .tps geomorph's, .csv and .txt
 * are CSV, as is "-", standard output; .json is Scalismo's for landmarks of that format and as .scalismo.json
 * @param landmarks the landmarks
 * @param sd count standard deviations: a column of CSV, a description of Slicer's, the uncertainty of Scalismo's; .pp and
 * .tps have none; may be NULL
 * @errors SFGP_ERROR_WRITE, _PARAMETER (another extension, or a name that the format cannot hold), _DATA (not
 * finite), _MEMORY */
SFGP_API sfgp_status sfgp_landmarks_write(sfgp_context *context, const char *path,
                                          const sfgp_landmarks *landmarks, const double *sd);
/** Frees landmarks; NULL is allowed. */
SFGP_API void sfgp_landmarks_free(sfgp_landmarks *landmarks);
/** Whether path is a readable file of landmarks and not a mesh: by its extension, or as a CSV whose first row is a
 * header with a column of names (name, label, landmark, id, lm or point, or none as R writes it) or starts with a name.
 * Of "-", standard input, the content tells; it can still be read once.
 * @return 1 or 0 */
SFGP_API int sfgp_landmarks_is_file(const char *path);

/** Landmarks of two shapes that belong together. */
typedef struct sfgp_landmark_pairs {
    int64_t count;  /**< pairs */
    int dimension;  /**< 2 or 3 */
    double *first;  /**< count x dimension */
    double *second; /**< count x dimension; row k belongs to row k of first */
} sfgp_landmark_pairs;

/** Pairs landmarks by name, or by order when one of the shapes has no names. Names without a partner are
 * warned of. Landmarks in different systems are both brought into LPS, with a warning.
 * @param context the context
 * @param first landmarks of one shape
 * @param second landmarks of the other
 * @param[out] pairs in the order of first; free them with sfgp_landmark_pairs_free
 * @cost O(count^2)
 * @errors SFGP_ERROR_DATA (dimensions or counts that differ, a name twice, no pair), _MEMORY */
SFGP_API sfgp_status sfgp_landmarks_pair(sfgp_context *context, const sfgp_landmarks *first,
                                         const sfgp_landmarks *second, sfgp_landmark_pairs **pairs);
/** Frees pairs; NULL is allowed. */
SFGP_API void sfgp_landmark_pairs_free(sfgp_landmark_pairs *pairs);

/** @} */
/** @defgroup alignment Alignment
 * Rigid motions and similarities from pairs of points.
 * @{ */

/** Which maps are allowed. */
typedef enum sfgp_align_kind {
    SFGP_ALIGN_RIGID,     /**< rotation and shift */
    SFGP_ALIGN_SIMILARITY /**< rotation, shift and scale */
} sfgp_align_kind;

/** x -> scale rotation x + shift. */
typedef struct sfgp_similarity {
    int dimension;      /**< 2 or 3 */
    double scale;       /**< 1 when rigid */
    double rotation[9]; /**< dimension x dimension, row-major; its determinant is +1 */
    double shift[3];    /**< unit of the points */
} sfgp_similarity;

/** Finds the map that takes moving nearest to fixed, point i to point i, in weighted least squares. In closed
 * form (Horn, J. Opt. Soc. Am. A 4(4), 1987; Umeyama, IEEE TPAMI 13(4), 1991).
 * @param context the context
 * @param kind which maps are allowed
 * @param count pairs of points
 * @param dimension 2 or 3
 * @param moving count x dimension
 * @param fixed count x dimension
 * @param weights count, from 0; NULL: all 1
 * @param[out] similarity the map
 * @cost O(count)
 * @errors SFGP_ERROR_PARAMETER (sizes, weights), _DATA (not finite, or the points do not determine a map) */
SFGP_API sfgp_status sfgp_align(sfgp_context *context, sfgp_align_kind kind, int64_t count, int dimension,
                                const double *moving, const double *fixed, const double *weights,
                                sfgp_similarity *similarity);
/** Applies a map to points.
 * @param similarity the map
 * @param count points
 * @param in count x dimension
 * @param[out] out count x dimension; may be in */
SFGP_API void sfgp_similarity_apply(const sfgp_similarity *similarity, int64_t count, const double *in,
                                    double *out);

/** @} */
/** @defgroup deformation Deformation
 * A fit as a map of space: it moves any point, not only those of the reference, with an uncertainty.
 * docs/apply.md says what to expect of it.
 * @{ */

/** A fit as a map of space. */
typedef struct sfgp_deformation sfgp_deformation;

/** Makes the map of a result, its pose included: the posterior of the Gaussian process at any point. Methods
 * without a posterior get a regression, under the prior of the model, on the points that they fitted. Without
 * overlap the map is the identity.
 * @param solver made the result; its model must outlive the map
 * @param result the last result of this solver
 * @param[out] deformation the map; free it with sfgp_deformation_free
 * @cost O(N m^2)
 * @errors SFGP_ERROR_PARAMETER, _MEMORY, _NUMERIC */
SFGP_API sfgp_status sfgp_solver_deformation(sfgp_solver *solver, const sfgp_result *result,
                                             sfgp_deformation **deformation);
/** Frees a map; NULL is allowed. */
SFGP_API void sfgp_deformation_free(sfgp_deformation *deformation);
/** Moves points. Points of the reference land on the fit.
 * @param context the context
 * @param deformation the map
 * @param count points
 * @param in count x dimension, unit of the files
 * @param threads as in the settings; 0: all cores
 * @param[out] out count x dimension, unit of the files; may be in
 * @param[out] sd count posterior standard deviations per axis, unit of the files: at points of the
 * reference those of the fit, between them with what the low rank and the interpolation leave out; may be NULL
 * @cost O(count (m^2 + rank_pca d))
 * @errors SFGP_ERROR_DATA (not finite), _MEMORY */
SFGP_API sfgp_status sfgp_deformation_apply(sfgp_context *context, const sfgp_deformation *deformation,
                                            int64_t count, const double *in, int64_t threads, double *out,
                                            double *sd);
/** The posterior of the fit as a model: its mean is the fit, its samples are shapes that the fit holds possible. Their
 * standard deviations are those of the fit, their correlations those of the Gaussian process.
 * @param context the context
 * @param deformation the map
 * @param[out] posterior with the reference of the fit, its faces turned if the map mirrors, and the prior "posterior";
 * free it with sfgp_model_free
 * @cost O(N m^2); the model has N d m numbers
 * @errors SFGP_ERROR_MEMORY */
SFGP_API sfgp_status sfgp_deformation_posterior(sfgp_context *context, const sfgp_deformation *deformation,
                                                sfgp_model **posterior);
/** Writes the model and the fit (HDF5, docs/models.md), whole or not at all.
 * @param context the context
 * @param deformation the map
 * @param path a name that ends in .h5 or .hdf5, "-" or a device
 * @errors SFGP_ERROR_PARAMETER (another name), _WRITE, _DATA, _MEMORY */
SFGP_API sfgp_status sfgp_deformation_write(sfgp_context *context, const sfgp_deformation *deformation,
                                            const char *path);
/** Reads what sfgp_deformation_write wrote. It moves points to the same bits.
 * @param context the context
 * @param path the file
 * @param[out] deformation the map, which owns its model; free it with sfgp_deformation_free
 * @errors SFGP_ERROR_READ, _FORMAT, _DATA, _MEMORY */
SFGP_API sfgp_status sfgp_deformation_read(sfgp_context *context, const char *path,
                                           sfgp_deformation **deformation);
/** The model under a map.
 * @return borrowed: do not free it */
SFGP_API const sfgp_model *sfgp_deformation_model(const sfgp_deformation *deformation);
/** How the fit of a map ended. */
SFGP_API sfgp_outcome sfgp_deformation_outcome(const sfgp_deformation *deformation);
/** Whether a map mirrors, as that of a fit with the setting mirror does: turn the faces of the meshes that it moves
 * (sfgp_mesh_turn_faces).
 * @return 1 or 0 */
SFGP_API int sfgp_deformation_mirrors(const sfgp_deformation *deformation);

/** @} */
/** @defgroup evaluation Evaluation
 * Errors of a fit whose truth is known, and distances between shapes.
 * @{ */

/** Distances between fitted and true points, unit of the files; NaN when count is 0. */
typedef struct sfgp_error_summary {
    int64_t count; /**< points */
    double mean;   /**< mean distance */
    double median; /**< half of the distances are below */
    double p95;    /**< 95 % of the distances are below */
} sfgp_error_summary;

/** Errors of a fit. A later version may add fields at the end. */
typedef struct sfgp_evaluation {
    sfgp_error_summary all;      /**< over all points */
    sfgp_error_summary observed; /**< over the points that the scan shows */
    sfgp_error_summary missing;  /**< over the points that it does not show */
} sfgp_evaluation;

/** What sfgp_evaluate calls. */
SFGP_API sfgp_status sfgp_evaluate_sized(sfgp_context *context, const sfgp_mesh *fitted,
                                         const sfgp_mesh *truth, const unsigned char *mask,
                                         sfgp_evaluation *evaluation, size_t size);
/** Compares point i of fitted with point i of truth. Quantiles interpolate linearly (type 7 of Hyndman and
 * Fan, Am. Stat. 50(4), 1996).
 * @param context the context
 * @param fitted the fitted shape
 * @param truth as many points
 * @param mask count bytes, 1: missing in the scan; NULL: nothing is missing
 * @param[out] evaluation the errors
 * @cost O(count log count)
 * @errors SFGP_ERROR_DATA (sizes that differ, not finite), _MEMORY */
static inline sfgp_status sfgp_evaluate(sfgp_context *context, const sfgp_mesh *fitted,
                                        const sfgp_mesh *truth, const unsigned char *mask,
                                        sfgp_evaluation *evaluation)
{
    return sfgp_evaluate_sized(context, fitted, truth, mask, evaluation, sizeof *evaluation);
}

/** Distance from every point of a shape to another shape: to the surface of `to` where it has faces in 3D, else to its
 * nearest point. The points need no correspondence.
 * @param context the context
 * @param from its faces are not used
 * @param to polygons are fans of triangles
 * @param[out] distances from->count, unit of the points
 * @cost O((from->count + size of to) log(size of to))
 * @errors SFGP_ERROR_DATA (dimensions that differ, no points, not finite), _PARAMETER (faces), _MEMORY */
SFGP_API sfgp_status sfgp_distances(sfgp_context *context, const sfgp_mesh *from, const sfgp_mesh *to,
                                    double *distances);

/** Distances between shapes, unit of the points. */
typedef struct sfgp_distance_summary {
    int64_t count;  /**< points */
    double mean;    /**< mean distance */
    double rms;     /**< root of the mean square */
    double p95;     /**< 95 % of the distances are below */
    double largest; /**< largest distance */
} sfgp_distance_summary;

/** How far two shapes are from each other, without correspondence. A later version may add fields at the end. */
typedef struct sfgp_surface_evaluation {
    sfgp_distance_summary fitted_to_truth; /**< from the points of the fit to the surface of the truth */
    sfgp_distance_summary truth_to_fitted; /**< from the points of the truth to the surface of the fit */
    /** Over all these distances together. Its largest is the symmetric Hausdorff distance between the points of each shape
     * and the surface of the other. */
    sfgp_distance_summary symmetric;
} sfgp_surface_evaluation;

/** What sfgp_evaluate_surfaces calls. */
SFGP_API sfgp_status sfgp_evaluate_surfaces_sized(sfgp_context *context, const sfgp_mesh *fitted,
                                                  const sfgp_mesh *truth, sfgp_surface_evaluation *evaluation,
                                                  size_t size);
/** Compares two shapes by sfgp_distances in both directions. They may have different points.
 * @param context the context
 * @param fitted the fitted shape
 * @param truth the true shape
 * @param[out] evaluation the distances
 * @errors as sfgp_distances */
static inline sfgp_status sfgp_evaluate_surfaces(sfgp_context *context, const sfgp_mesh *fitted,
                                                 const sfgp_mesh *truth, sfgp_surface_evaluation *evaluation)
{
    return sfgp_evaluate_surfaces_sized(context, fitted, truth, evaluation, sizeof *evaluation);
}

/** @} */
/** @defgroup simulation Simulation
 * Shapes and damaged scans whose truth is known. data/README.md has the formulas of the shapes.
 * @{ */

/** Makes an ear-like surface, in mm. Ears of one resolution have the same faces: they correspond point by
 * point.
 * @param context the context
 * @param resolution rings of points, 4 to 4096: 1 + 2 resolution (resolution + 1) points
 * @param seed which ear; 0: the mean ear
 * @param[out] ear free it with sfgp_mesh_free
 * @errors SFGP_ERROR_PARAMETER, _MEMORY */
SFGP_API sfgp_status sfgp_simulate_ear(sfgp_context *context, int64_t resolution, uint64_t seed,
                                       sfgp_mesh **ear);
/** Makes a fish-like outline with points inside: 98 points of the unit square, no faces. It stands in for the
 * fish of the 2D benchmark of point set registration, which has as many points and the same size.
 * @errors SFGP_ERROR_MEMORY */
SFGP_API sfgp_status sfgp_simulate_fish(sfgp_context *context, sfgp_mesh **fish);

/** The table of damages, with rows as in SFGP_SETTINGS but without readers. It makes the struct, the
 * defaults, the ranges and the flags of `sfgp simulate`. Unit "length" is the RMS radius of the shape, or the
 * unit of the file when file_unit is 1. Unit "share" is of the number of points. */
#define SFGP_DAMAGE(REAL, COUNT)                                                                             \
    REAL(deformation, 0, 0, 1e6, FIXED, "length", "warp by 12 Gaussian bumps: standard deviation of each")   \
    REAL(deformation_length, 0, 1e-6, 1e6, AUTO, "length", "L of bumps exp(-r^2/L^2); auto: 1.28 radii")     \
    REAL(affine, 0, 0, 1e3, FIXED, "", "random affine map: standard deviation of its entries")               \
    REAL(rotation, 0, -1e6, 1e6, FIXED, "degrees", "about a random axis")                                    \
    REAL(translation, 0, 0, 1e6, FIXED, "length", "in a random direction")                                   \
    REAL(scale, 0, -0.999, 1e6, FIXED, "factor - 1", "0.02 is 2 % larger")                                   \
    COUNT(holes, 0, 0, 1000000, FIXED, "balls", "cut out around random points")                              \
    REAL(hole_radius, 0, 0, 1e6, FIXED, "length", "of every ball")                                           \
    REAL(box_width, 0, 0, 1e6, FIXED, "length", "side of a box along the axes that is cut out; 0: none")     \
    COUNT(box_point, -1, -1, 9007199254740991, FIXED, "point", "in the middle of it, from 0; -1: random")    \
    REAL(missing_share, 0, 0, 1, FIXED, "share", "points that are left out at random")                       \
    REAL(noise, 0, 0, 1e6, FIXED, "length", "normal, standard deviation per axis")                           \
    REAL(outliers, 0, 0, 1000, FIXED, "share", "points of no shape, uniform in the bounding box")            \
    COUNT(file_unit, 0, 0, 1, FIXED, "0 or 1", "1: lengths are in the unit of the file, not in RMS radii")

/** What is done to a shape: a seed, and one field for each row of the table. A later version may add rows at the end. */
typedef struct sfgp_damage {
    uint64_t seed; /**< of all random numbers */
#define SFGP_FIELD_REAL(name, standard, least, most, automatic, unit, help) double name;   /**< help */
#define SFGP_FIELD_COUNT(name, standard, least, most, automatic, unit, help) int64_t name; /**< help */
    SFGP_DAMAGE(SFGP_FIELD_REAL, SFGP_FIELD_COUNT)
#undef SFGP_FIELD_REAL
#undef SFGP_FIELD_COUNT
} sfgp_damage;

/** What sfgp_damage_default calls. */
SFGP_API void sfgp_damage_default_sized(sfgp_damage *damage, size_t size);
/** Fills in the defaults: no damage, seed 0. */
static inline void sfgp_damage_default(sfgp_damage *damage)
{
    sfgp_damage_default_sized(damage, sizeof *damage);
}
/** A row of the table of damages.
 * @param index from 0
 * @return NULL past the last; static */
SFGP_API const sfgp_setting *sfgp_damage_row(int index);
/** What sfgp_damage_set calls. */
SFGP_API sfgp_status sfgp_damage_set_sized(sfgp_context *context, sfgp_damage *damage, size_t size,
                                           const char *name, double value);
/** Sets one field.
 * @param context the context
 * @param damage the damage
 * @param name of the field
 * @param value 0 is "auto" where that is allowed
 * @errors SFGP_ERROR_PARAMETER; its text names the field and its range */
static inline sfgp_status sfgp_damage_set(sfgp_context *context, sfgp_damage *damage, const char *name,
                                          double value)
{
    return sfgp_damage_set_sized(context, damage, sizeof *damage, name, value);
}
/** What sfgp_simulate_scan calls. */
SFGP_API sfgp_status sfgp_simulate_scan_sized(sfgp_context *context, sfgp_mesh *truth,
                                              const sfgp_damage *damage, size_t size, sfgp_mesh **scan,
                                              unsigned char *mask);
/** Makes a scan of a shape. In this order:
 *
 * - Warp, the law of the 2D benchmark: y = sum_k exp(-|x - z_k|^2 / L^2) w_k + [x, 1] A, x counted from the
 *   centroid. The z_k are 12 points of the shape, far from each other. The w_k are normal, with standard
 *   deviation deformation. A = [I; 0] + normal numbers of standard deviation affine, the last row in lengths.
 * - Similarity about the centroid of the shape.
 * - Missing points: balls, box and random ones, chosen on the shape as it was given. So a seed takes the same
 *   points whatever else is asked for.
 * - Noise, then outliers in the bounding box of the whole truth, then a random order.
 *
 * Warp, similarity, box and random points have random streams of their own.
 * @param context the context
 * @param[in,out] truth warp and similarity move it too, so that it stays the exact answer
 * @param damage what is done
 * @param[out] scan the points that are left; free it with sfgp_mesh_free
 * @param[out] mask truth->count bytes, 1: not in the scan; may be NULL
 * @cost O(count (12 + holes))
 * @errors SFGP_ERROR_PARAMETER (naming the field), _DATA (nothing is left), _MEMORY */
static inline sfgp_status sfgp_simulate_scan(sfgp_context *context, sfgp_mesh *truth,
                                             const sfgp_damage *damage, sfgp_mesh **scan, unsigned char *mask)
{
    return sfgp_simulate_scan_sized(context, truth, damage, sizeof *damage, scan, mask);
}
/** Makes the shapes of data/demo.
 * @param context the context
 * @param[out] reference the mean ear; free it and the next two with sfgp_mesh_free
 * @param[out] truth another ear
 * @param[out] scan its damaged scan
 * @param[out] mask truth->count bytes, 1: not in the scan; free it with sfgp_mask_free
 * @errors SFGP_ERROR_MEMORY */
SFGP_API sfgp_status sfgp_simulate_demo(sfgp_context *context, sfgp_mesh **reference, sfgp_mesh **truth,
                                        sfgp_mesh **scan, unsigned char **mask);

/** @} */
/** @defgroup memory Memory
 * The memory of a run, before it starts. docs/time-and-memory.md compares it with what runs took.
 * @{ */

/** What the memory of a run depends on. A later version may add fields at the end. */
typedef struct sfgp_run_size {
    int dimension;        /**< 2 or 3 */
    int64_t count;        /**< reference points */
    int64_t face_count;   /**< polygons of the reference */
    int64_t corner_count; /**< corners of all polygons together */
    int64_t training;     /**< training shapes */
    int64_t rank_scalar;  /**< columns of the kernels */
    int64_t rank_pca;     /**< principal components */
    int made;             /**< 1: the model exists already */
    int64_t targets;      /**< target points; 0: no fit */
    int64_t
        field_entries; /**< of the sparse precision of a kernel with form=sparse; 0: no such kernel, or not known */
    int64_t field_factor; /**< bytes of its Cholesky factor */
    int64_t field_work;   /**< bytes that factorising, or variances, take for a while */
    int symmetric;        /**< 1: the reference is symmetric to a plane (setting symmetry) */
} sfgp_run_size;

/** Bytes that the library asks for; 0: not predicted. The room for all responsibilities is included, of which
 * a fit may fill only a part. Not included: the program and its libraries (some 30 MiB), and meshes. A later version
 * may add fields at the end. */
typedef struct sfgp_memory {
    int64_t model;            /**< the model, as long as it lives */
    int64_t set_up;           /**< most while the model is made, itself included; 0 when it exists already */
    int64_t responsibilities; /**< P, which is most of a fit */
    int64_t fit;              /**< most while a target is fitted: solver, result and P, without the model */
    int64_t peak;             /**< the larger of set_up and model + fit */
} sfgp_memory;

/** What sfgp_run_size_from_mesh calls. */
SFGP_API sfgp_status sfgp_run_size_from_mesh_sized(sfgp_context *context, const sfgp_mesh *reference,
                                                   int64_t training, const sfgp_settings *settings,
                                                   sfgp_run_size *size, size_t bytes);
/** Sizes of a run from its reference, without a target. The rank that the accuracy needs is exact up to 2000
 * points. Above, it is extrapolated from factors of 1000 and 2000 points, usually within a few per cent.
 * @param context the context
 * @param reference the reference
 * @param training number of training shapes
 * @param settings those of the model
 * @param[out] size targets is 0: set it before a prediction
 * @cost O(2000 r^2) for r columns, r <= 2000
 * @errors as sfgp_model_new */
static inline sfgp_status sfgp_run_size_from_mesh(sfgp_context *context, const sfgp_mesh *reference,
                                                  int64_t training, const sfgp_settings *settings,
                                                  sfgp_run_size *size)
{
    return sfgp_run_size_from_mesh_sized(context, reference, training, settings, size, sizeof *size);
}
/** What sfgp_run_size_from_model calls. */
SFGP_API void sfgp_run_size_from_model_sized(const sfgp_model *model, sfgp_run_size *size, size_t bytes);
/** Sizes of a run from its model, without a target. O(1). */
static inline void sfgp_run_size_from_model(const sfgp_model *model, sfgp_run_size *size)
{
    sfgp_run_size_from_model_sized(model, size, sizeof *size);
}
/** What sfgp_memory_predict calls. */
SFGP_API sfgp_status sfgp_memory_predict_sized(sfgp_context *context, const sfgp_run_size *size,
                                               size_t size_bytes, const sfgp_settings *settings,
                                               sfgp_memory *memory, size_t memory_bytes);
/** Predicts the memory of a run: all of it for auto, the sfgp methods and closest-point, for other methods
 * that of the model only. O(1).
 * @errors SFGP_ERROR_PARAMETER */
static inline sfgp_status sfgp_memory_predict(sfgp_context *context, const sfgp_run_size *size,
                                              const sfgp_settings *settings, sfgp_memory *memory)
{
    return sfgp_memory_predict_sized(context, size, sizeof *size, settings, memory, sizeof *memory);
}
/** What sfgp_memory_check calls. */
SFGP_API sfgp_status sfgp_memory_check_sized(sfgp_context *context, const sfgp_run_size *size, size_t bytes,
                                             const sfgp_settings *settings);
/** Refuses a run that needs more than settings.max_memory. sfgp_solver_run does so itself.
 * @errors SFGP_ERROR_MEMORY, with both numbers and the flag that helps; _PARAMETER when the method is not
 * predicted */
static inline sfgp_status sfgp_memory_check(sfgp_context *context, const sfgp_run_size *size,
                                            const sfgp_settings *settings)
{
    return sfgp_memory_check_sized(context, size, sizeof *size, settings);
}

/** @} */
/** @defgroup files Masks, arrays and bytes
 * Files other than meshes, landmarks and models.
 * @{ */

/** Reads a text file of zeros and ones, one a line, such as 1 = missing.
 * @param context the context
 * @param path the file
 * @param count lines that it must have
 * @param[out] mask count bytes; free it with sfgp_mask_free
 * @errors SFGP_ERROR_READ, _FORMAT (naming the line), _MEMORY */
SFGP_API sfgp_status sfgp_mask_read(sfgp_context *context, const char *path, int64_t count,
                                    unsigned char **mask);
/** Frees a mask; NULL is allowed. */
SFGP_API void sfgp_mask_free(unsigned char *mask);

/** Numbers with a shape. */
struct sfgp_array {
    int rank;         /**< number of dimensions: 0 (one number) to 4 */
    int64_t shape[4]; /**< size of each dimension; 1 past the rank */
    double *values;   /**< shape[0] x shape[1] x ..., row-major */
};

/** Reads a data set of an HDF5 file, of any integer, enumerated or real type. Links to other files are not
 * followed. A child process reads (ADR 0021).
 * @param context the context
 * @param path the file
 * @param dataset "/group/name"
 * @param[out] array free it with sfgp_array_free
 * @cost Memory: see sfgp_context_set_read_limit.
 * @errors SFGP_ERROR_READ (no such file), _FORMAT (not HDF5, damaged, no such data set, not numeric, rank
 * above 4), _MEMORY; the text names the file and the data set */
SFGP_API sfgp_status sfgp_array_read(sfgp_context *context, const char *path, const char *dataset,
                                     sfgp_array **array);
/** Frees an array; NULL is allowed. */
SFGP_API void sfgp_array_free(sfgp_array *array);

/** Writes bytes to a file, whole or not at all.
 * @param context the context
 * @param path the file; a link is followed; "-": standard output. The bytes of one that ends in .gz are packed
 * @param bytes size bytes; may be NULL when size is 0
 * @param size number of bytes
 * @errors SFGP_ERROR_WRITE, _MEMORY */
SFGP_API sfgp_status sfgp_file_write(sfgp_context *context, const char *path, const void *bytes, size_t size);

/** Room for a number as text. */
#define SFGP_NUMBER_SIZE 32
/** Writes a number with the fewest of 15, 16 and 17 digits that read back as the same double, with a point in
 * every locale; "nan", "inf" or "-inf" when it is not finite.
 * @return text */
SFGP_API const char *sfgp_number_format(double value, char text[SFGP_NUMBER_SIZE]);

/** The checksum of no bytes. */
#define SFGP_CHECKSUM_START 14695981039346656037u
/** Adds bytes to a checksum: FNV-1a, 64 bit (Fowler, Noll, Vo). Any one changed byte changes the sum. It does
 * not protect against forgery.
 * @param sum of the bytes before; at first SFGP_CHECKSUM_START
 * @param bytes size bytes
 * @param size number of bytes
 * @return the sum of all bytes so far */
SFGP_API uint64_t sfgp_checksum(uint64_t sum, const void *bytes, size_t size);
/** Room for a checksum as text. */
#define SFGP_CHECKSUM_SIZE 17
/** Writes a checksum as 16 hexadecimal digits.
 * @return text */
SFGP_API const char *sfgp_checksum_format(uint64_t sum, char text[SFGP_CHECKSUM_SIZE]);

/** @} */
/** @defgroup profile Profile
 * Where the time of a run goes. Without sfgp_profile_start a stage costs one comparison, with it two readings
 * of a clock. No result depends on it.
 * @{ */

/** The stages, X(name, text). Stages may lie within each other. */
#define SFGP_STAGE_TABLE(X)                                                                                  \
    X(SFGP_STAGE_OTHER, "other")             /* outside of all stages */                                     \
    X(SFGP_STAGE_READ, "read")               /* files in */                                                  \
    X(SFGP_STAGE_MODEL, "model")             /* the model: training shapes, PCA */                           \
    X(SFGP_STAGE_FACTOR, "factor")           /* its low-rank factor, kernel included */                      \
    X(SFGP_STAGE_FIT, "fit")                 /* a fit; the whole loop of a baseline */                       \
    X(SFGP_STAGE_TARGET, "target")           /* the target in the frame, its kd-tree, workspace */           \
    X(SFGP_STAGE_SEARCH, "search")           /* where the fit starts */                                      \
    X(SFGP_STAGE_LEVEL, "level")             /* a part of a dense shape chosen, and its fit carried over */  \
    X(SFGP_STAGE_REFINE, "refine")           /* fits again from a settled one: reposed, reheated */          \
    X(SFGP_STAGE_ESTEP, "estep")             /* E-step */                                                    \
    X(SFGP_STAGE_MSTEP, "mstep")             /* M-step: normal matrix, solve, mean and variance */           \
    X(SFGP_STAGE_PARAMETERS, "parameters")   /* sigma2, outlier weight, mixing weights */                    \
    X(SFGP_STAGE_UNCERTAINTY, "uncertainty") /* variances from the observed information */                   \
    X(SFGP_STAGE_WRITE, "write")             /* files out */

/** Stages of a run. */
typedef enum sfgp_stage {
#define SFGP_STAGE_ENUM(name, text) name, /**< text */
    SFGP_STAGE_TABLE(SFGP_STAGE_ENUM)
#undef SFGP_STAGE_ENUM
        SFGP_STAGES /**< number of stages */
} sfgp_stage;

/** Text of a stage.
 * @return such as "estep"; NULL past the last; static */
SFGP_API const char *sfgp_stage_name(int stage);

/** Time of a stage since sfgp_profile_start, in seconds. */
typedef struct sfgp_stage_time {
    int64_t calls; /**< how often it was entered */
    double wall;   /**< without the stages within, so that all stages add up to the run */
    double cpu;    /**< likewise, of all threads of the process, waiting ones included */
    double total;  /**< wall time with the stages within */
} sfgp_stage_time;

/** Times of all stages, in seconds. A later version may add stages at the end. */
typedef struct sfgp_profile {
    double wall;                         /**< of the run */
    double cpu;                          /**< of the run, all threads */
    sfgp_stage_time stages[SFGP_STAGES]; /**< by sfgp_stage */
} sfgp_profile;

/** Starts the clocks of a context, or starts them again at 0. */
SFGP_API void sfgp_profile_start(sfgp_context *context);
/** What sfgp_profile_read calls. */
SFGP_API void sfgp_profile_read_sized(const sfgp_context *context, sfgp_profile *profile, size_t size);
/** Reads the clocks: times so far; all 0 before sfgp_profile_start. */
static inline void sfgp_profile_read(const sfgp_context *context, sfgp_profile *profile)
{
    sfgp_profile_read_sized(context, profile, sizeof *profile);
}

/** What sfgp_profile_leave needs. */
typedef struct sfgp_mark {
    sfgp_stage stage; /**< the stage that was entered */
    sfgp_stage outer; /**< the stage around it */
} sfgp_mark;

/** Enters a stage of the program's own work, such as reading.
 * @return for sfgp_profile_leave */
SFGP_API sfgp_mark sfgp_profile_enter(sfgp_context *context, sfgp_stage stage);
/** Leaves the stage that mark came from. */
SFGP_API void sfgp_profile_leave(sfgp_context *context, sfgp_mark mark);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
