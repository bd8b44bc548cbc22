/* sfgp.h - fit a reference shape to a damaged scan, point by point, with an honest uncertainty.
 *
 * The method is SFGP (Valdeira, Ferreira, Micheletti, Soares, SIAM J. Math. Data Sci. 5(2), 2023): every
 * target point labels every reference point with a probability, a Gaussian process turns the labels into
 * displacements, and reference points that nobody labels are missing and are predicted by the prior.
 *
 * Life of the objects
 *   sfgp_context  one per thread: error text, log and progress call-backs, allocator.
 *   sfgp_mesh     points (and faces), owned by the caller, sfgp_mesh_free.
 *   sfgp_model    reference + low-rank prior. Immutable: any number of threads may share one.
 *   sfgp_solver   workspace of a fit. Mutable: one per thread, reused over any number of targets.
 *   sfgp_result   fitted points, uncertainty, correspondence: the caller's, sfgp_result_free.
 *
 * Every function that can fail returns sfgp_status; the words are in sfgp_context_error(context).
 * The library never prints, exits or prompts. Out-parameters are NULL after a failure.
 * Points are row-major: count x dimension doubles, x0 y0 (z0) x1 ...; dimension is 2 or 3.
 * Lengths in settings are in RMS radii of the reference (root mean square distance of its points to their
 * centroid), variances in squared RMS radii, so that nothing depends on the unit of the files.
 * Results are in the unit of the files.
 */
#ifndef SFGP_H
#define SFGP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SFGP_VERSION "0.1.0"

/* What a shared library exports: everything declared here and nothing else. */
#if defined(__GNUC__)
#define SFGP_API __attribute__((visibility("default")))
#else
#define SFGP_API
#endif

/* ---- status ------------------------------------------------------------------------------------------ */

/* X(name, value, text). Values are the exit codes of the command line; 1 is kept for "ran, but flagged". */
#define SFGP_STATUS_TABLE(X)                                                                                 \
    X(SFGP_OK, 0, "ok")                                                                                      \
    X(SFGP_ERROR_PARAMETER, 2, "invalid parameter")                                                          \
    X(SFGP_ERROR_READ, 3, "cannot read")                                                                     \
    X(SFGP_ERROR_FORMAT, 4, "malformed file")                                                                \
    X(SFGP_ERROR_DATA, 5, "invalid data")                                                                    \
    X(SFGP_ERROR_MEMORY, 6, "out of memory")                                                                 \
    X(SFGP_ERROR_WRITE, 7, "cannot write")                                                                   \
    X(SFGP_ERROR_NUMERIC, 8, "numerical failure")

typedef enum sfgp_status {
#define SFGP_STATUS_ENUM(name, value, text) name = value,
    SFGP_STATUS_TABLE(SFGP_STATUS_ENUM)
#undef SFGP_STATUS_ENUM
} sfgp_status;

/* Short text of a status, e.g. "malformed file". Never NULL. */
SFGP_API const char *sfgp_status_text(sfgp_status status);

/* ---- context ----------------------------------------------------------------------------------------- */

typedef struct sfgp_context sfgp_context;

/* Memory hooks. allocate returns NULL when there is none left. Both are called from one thread at a time. */
typedef struct sfgp_allocator {
    void *(*allocate)(size_t bytes, void *user);
    void (*release)(void *block, void *user);
    void *user;
} sfgp_allocator;

/* State of a running fit. change and tolerance: mean motion of the points in the last iteration and where it
 * stops, in RMS radii. missing: share of reference points without a label. */
typedef struct sfgp_progress {
    int64_t iteration, max_iterations;
    double change, tolerance;
    double missing;
} sfgp_progress;

typedef void (*sfgp_log_function)(void *user, const char *warning);
typedef void (*sfgp_progress_function)(void *user, const sfgp_progress *progress);

/* A new context; allocator NULL means malloc and free. Errors: SFGP_ERROR_MEMORY. */
SFGP_API sfgp_status sfgp_context_new(const sfgp_allocator *allocator, sfgp_context **context);
/* NULL is allowed; objects made with it may outlive it. */
SFGP_API void sfgp_context_free(sfgp_context *context);

/* Text of the last error, "" if there was none; valid until the next call with this context. */
SFGP_API const char *sfgp_context_error(const sfgp_context *context);
/* Warnings since the context was made. */
SFGP_API int64_t sfgp_context_warnings(const sfgp_context *context);
SFGP_API void sfgp_context_set_log(sfgp_context *context, sfgp_log_function log, void *user);
SFGP_API void sfgp_context_set_progress(sfgp_context *context, sfgp_progress_function progress, void *user);
/* Most bytes that the numbers of one HDF5 file may take when it is read, else SFGP_ERROR_MEMORY; 0: no
 * more than a file of its size can hold (64 MiB + 32 times the file). */
SFGP_API void sfgp_context_set_read_limit(sfgp_context *context, int64_t bytes);

/* ---- numbers and checksums --------------------------------------------------------------------------- */

#define SFGP_NUMBER_SIZE 32
/* Writes value into text with the fewest of 15, 16 and 17 digits that read back as the same double, with a
 * point in every locale; "nan", "inf" or "-inf" when it is not finite. Returns text. */
SFGP_API const char *sfgp_number_format(double value, char text[SFGP_NUMBER_SIZE]);

/* FNV-1a, 64 bit (Fowler, Noll, Vo): the sum of bytes appended to those that gave sum. The first sum is
 * SFGP_CHECKSUM_START. Any one changed byte changes the sum; it does not protect against forgery. */
#define SFGP_CHECKSUM_START 14695981039346656037u
SFGP_API uint64_t sfgp_checksum(uint64_t sum, const void *bytes, size_t size);
/* Writes the sum into text as 16 hexadecimal digits. Returns text. */
#define SFGP_CHECKSUM_SIZE 17
SFGP_API const char *sfgp_checksum_format(uint64_t sum, char text[SFGP_CHECKSUM_SIZE]);

/* ---- profile ----------------------------------------------------------------------------------------- */

/* Where the time of a run goes. One row a stage, X(name, text); stages may lie within each other. */
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

typedef enum sfgp_stage {
#define SFGP_STAGE_ENUM(name, text) name,
    SFGP_STAGE_TABLE(SFGP_STAGE_ENUM)
#undef SFGP_STAGE_ENUM
        SFGP_STAGES
} sfgp_stage;

/* Text of a stage, e.g. "estep"; NULL past the last. */
SFGP_API const char *sfgp_stage_name(int stage);

/* Seconds of a stage since sfgp_profile_start. wall and cpu are without the stages within: each adds up to
 * the whole run. total is wall with them. cpu counts all threads of the process, those that wait for work
 * among them. */
typedef struct sfgp_stage_time {
    int64_t calls;
    double wall, cpu, total;
} sfgp_stage_time;

typedef struct sfgp_profile {
    sfgp_stage_time stages[SFGP_STAGES];
    double wall, cpu; /* of the run */
} sfgp_profile;

/* Starts the clocks of a context, or starts them again at 0. Without it a stage costs one comparison and
 * nothing is measured; with it two calls of a clock. No result depends on it. */
SFGP_API void sfgp_profile_start(sfgp_context *context);
/* Up to now; all 0 before sfgp_profile_start. */
SFGP_API void sfgp_profile_read(const sfgp_context *context, sfgp_profile *profile);

/* For a stage of the program's own, such as reading: enter, do it, leave with what enter gave. */
typedef struct sfgp_mark {
    sfgp_stage stage, outer;
} sfgp_mark;

SFGP_API sfgp_mark sfgp_profile_enter(sfgp_context *context, sfgp_stage stage);
SFGP_API void sfgp_profile_leave(sfgp_context *context, sfgp_mark mark);

/* ---- meshes ------------------------------------------------------------------------------------------ */

/* A point set with optional polygon faces. Face f has the 0-based points
 * face_points[face_start[f]] .. face_points[face_start[f + 1] - 1]. */
typedef struct sfgp_mesh {
    int64_t count;  /* points */
    int dimension;  /* 2 or 3 */
    double *points; /* count x dimension */
    int64_t face_count;
    int64_t *face_start;  /* face_count + 1 offsets, NULL without faces */
    int64_t *face_points; /* face_start[face_count] indices, NULL without faces */
    const char *format;   /* name of the file format it was read from (static), "memory" otherwise */
} sfgp_mesh;

/* A mesh with room for the given sizes, all zero; face_point_count = total number of face corners. */
SFGP_API sfgp_status sfgp_mesh_new(sfgp_context *context, int64_t count, int dimension, int64_t face_count,
                                   int64_t face_point_count, sfgp_mesh **mesh);
/* A mesh without faces from count x dimension doubles, which are copied. */
SFGP_API sfgp_status sfgp_mesh_from_points(sfgp_context *context, int64_t count, int dimension,
                                           const double *points, sfgp_mesh **mesh);
SFGP_API void sfgp_mesh_free(sfgp_mesh *mesh);

/* Reads PLY, OBJ, STL, VTP, VTK legacy, OFF, glTF, NPY or text, also packed by gzip; the format is found by content,
 * then by extension. "-" is standard input. Vertex order and faces are kept; equal corners of an STL become one vertex
 * in the order of first appearance. Bounded: memory is a small multiple of the file, of a packed one at most some
 * hundred times. Errors: SFGP_ERROR_READ, _FORMAT (with line or byte), _DATA, _MEMORY. */
SFGP_API sfgp_status sfgp_mesh_read(sfgp_context *context, const char *path, sfgp_mesh **mesh);

/* One number a point, written beside the coordinates where the format has a place for it (PLY, VTP). */
typedef struct sfgp_attribute {
    const char *name;
    const double *values; /* mesh->count */
    int integer;          /* 1: written as an unsigned byte */
} sfgp_attribute;

/* The attributes of a mesh that was read, in the order of the file, as sfgp_mesh_write takes them. */
typedef struct sfgp_attributes {
    int count;
    sfgp_attribute *items;
} sfgp_attributes;

/* As sfgp_mesh_read, with every number that a point has beside its coordinates: the scalar properties of a PLY
 * and the arrays of one number a point of a VTP, such as red, green and blue, nx, or the sd and missing of a fit. integer is 1 for what was an unsigned byte. A
 * value may be NaN or infinite. Other formats have none (count 0). Free with sfgp_attributes_free. */
SFGP_API sfgp_status sfgp_mesh_read_attributes(sfgp_context *context, const char *path, sfgp_mesh **mesh,
                                               sfgp_attributes **attributes);
SFGP_API void sfgp_attributes_free(sfgp_attributes *attributes);

/* What a file does not tell of itself. All zero: as sfgp_mesh_read. */
typedef struct sfgp_read_options {
    /* Text and NPY: the 2 or 3 columns of the coordinates, separated by commas, each by its number from 1 or by
     * its name in the header, as "2,3,4" or "x,y,z". NULL: the header or the number of columns tells. Formats that
     * name their coordinates take no notice. */
    const char *columns;
} sfgp_read_options;

/* As the two above, with options (may be NULL); attributes may be NULL.
 * Errors: also SFGP_ERROR_PARAMETER for columns that are not there. */
SFGP_API sfgp_status sfgp_mesh_read_with(sfgp_context *context, const char *path,
                                         const sfgp_read_options *options, sfgp_mesh **mesh,
                                         sfgp_attributes **attributes);

/* Writes by the extension of path (ply obj stl vtp npy; txt csv tsv xyz asc are text; with .gz behind it packed), whole or
 * not at all: a file beside, then a rename. "-" is standard output and gets PLY, "-.csv" CSV. Coordinates keep all
 * their bits (STL: 32). Errors: SFGP_ERROR_WRITE, _PARAMETER (another extension, or what the format cannot hold),
 * _DATA (not finite), _MEMORY. */
SFGP_API sfgp_status sfgp_mesh_write(sfgp_context *context, const char *path, const sfgp_mesh *mesh,
                                     const sfgp_attribute *attributes, int attribute_count);

/* Whether sfgp_mesh_write has a format for path, for asking before long work. SFGP_ERROR_PARAMETER names those that
 * there are. */
SFGP_API sfgp_status sfgp_mesh_check_path(sfgp_context *context, const char *path);

/* Reads a text file of count zeros and ones, one a line, e.g. 1 = missing. Free with sfgp_mask_free. */
SFGP_API sfgp_status sfgp_mask_read(sfgp_context *context, const char *path, int64_t count,
                                    unsigned char **mask);
SFGP_API void sfgp_mask_free(unsigned char *mask);

/* A numeric data set of an HDF5 file as doubles, row-major. */
typedef struct sfgp_array {
    int rank;         /* 0 (one number) to 4 */
    int64_t shape[4]; /* 1 past the rank */
    double *values;   /* shape[0] x shape[1] x ... */
} sfgp_array;

/* Reads the data set of this name ("/group/name"), of any integer, enumerated or real type; every error names
 * the file and, once that is open, the data set. Bounded: no more memory than the bytes of the file can stand
 * for; data kept in other files are not followed. Calls of several threads wait for each other. Errors:
 * SFGP_ERROR_READ (no such file), _FORMAT (not HDF5, damaged, no such data set, not numeric, rank above 4),
 * _MEMORY. Free with sfgp_array_free. */
SFGP_API sfgp_status sfgp_array_read(sfgp_context *context, const char *path, const char *dataset,
                                     sfgp_array **array);
SFGP_API void sfgp_array_free(sfgp_array *array);

/* Writes size bytes to path, whole or not at all; "-" is standard output. */
SFGP_API sfgp_status sfgp_file_write(sfgp_context *context, const char *path, const void *bytes, size_t size);

/* ---- landmarks --------------------------------------------------------------------------------------- */

/* Named points. Formats: CSV (name,x,y,z or name,x,y; header free), Slicer markups (.mrk.json) and Slicer
 * fiducials (.fcsv). Coordinates are kept as the file has them, in the system that it names. */
typedef struct sfgp_landmarks {
    int64_t count;
    int dimension;      /* 2 or 3 */
    char **names;       /* count, "" for a landmark without a name */
    double *points;     /* count x dimension */
    const char *format; /* "csv", "mrk.json" or "fcsv" (static) */
    const char *system; /* "LPS" or "RAS" (static), "" when the format has none */
} sfgp_landmarks;

/* Errors: SFGP_ERROR_READ, _FORMAT and _DATA with the line, _MEMORY. Free with sfgp_landmarks_free. */
SFGP_API sfgp_status sfgp_landmarks_read(sfgp_context *context, const char *path, sfgp_landmarks **landmarks);
/* By the extension of path (.json and .fcsv are Slicer's, anything else is CSV), whole or not at all. sd
 * (count, may be NULL) becomes a column of CSV, a description of Slicer's. 2D landmarks get z = 0 there.
 * Errors: SFGP_ERROR_WRITE, _PARAMETER (a name that the format cannot hold), _DATA, _MEMORY. */
SFGP_API sfgp_status sfgp_landmarks_write(sfgp_context *context, const char *path,
                                          const sfgp_landmarks *landmarks, const double *sd);
SFGP_API void sfgp_landmarks_free(sfgp_landmarks *landmarks);
/* 1 when path is a readable file of landmarks, by its extension or by a first row that starts with a name. */
SFGP_API int sfgp_landmarks_is_file(const char *path);

/* Landmarks of two files that belong together: by name, or by order when one of the files has no names. Names
 * without a partner are warned of. Files in different systems are both brought into LPS, with a warning;
 * otherwise coordinates are as given. Row k of first and second (count x dimension) is pair k.
 * Errors: SFGP_ERROR_DATA (dimension, a name twice, counts that differ, no pair), _MEMORY. */
typedef struct sfgp_landmark_pairs {
    int64_t count;
    int dimension;
    double *first, *second;
} sfgp_landmark_pairs;

SFGP_API sfgp_status sfgp_landmarks_pair(sfgp_context *context, const sfgp_landmarks *first,
                                         const sfgp_landmarks *second, sfgp_landmark_pairs **pairs);
SFGP_API void sfgp_landmark_pairs_free(sfgp_landmark_pairs *pairs);

/* ---- settings ---------------------------------------------------------------------------------------- */

#define SFGP_TEXT_SIZE 512

/* Which methods read a setting, as patterns of their names. */
#define SFGP_READ_ALL "*"
#define SFGP_READ_PRIOR "auto sfgp-* closest-point map pca-aniso"
#define SFGP_READ_FACTOR "auto sfgp-* closest-point map bcpd-accelerated bcpd++ cpd-lowrank"
#define SFGP_READ_SMOOTH "bcpd* cpd cpd-lowrank"
#define SFGP_READ_MIXTURE "bcpd* cpd*"
#define SFGP_READ_OUTLIERS "auto sfgp-* bcpd* cpd* pca-aniso"
#define SFGP_READ_VARIANCE "auto sfgp-* closest-point pca-aniso"
#define SFGP_READ_THRESHOLD "sfgp-full sfgp-scalar bcpd* cpd* map pca-aniso"
#define SFGP_READ_DENSITY "auto sfgp-* pca-aniso"

/* The one table of settings: it makes the struct, the defaults, the validation, the command line flags and
 * the table in docs/settings.md. 0 in a real or count marked AUTO means "chosen by the library", and the
 * result holds what was chosen. A setting that is given to a method that does not read it is warned of.
 *   TEXT (name, default, readers, help)
 *   REAL (name, default, least, most, AUTO or FIXED, unit, readers, help)
 *   COUNT(name, default, least, most, AUTO or FIXED, unit, readers, help) */
#define SFGP_SETTINGS(TEXT, REAL, COUNT)                                                                            \
    TEXT(method, "auto", SFGP_READ_ALL, "how to register: sfgp methods lists them")                                 \
    TEXT(kernel, "auto", SFGP_READ_PRIOR " " SFGP_READ_SMOOTH,                                                      \
         "prior: TYPE:length=L,variance=V+...; se matern32 matern52 rq imq laplace")                                \
    TEXT(align_training, "none", SFGP_READ_PRIOR,                                                                   \
         "training shapes before PCA: none | rigid | similarity (Procrustes)")                                      \
    TEXT(lowrank, "cholesky", SFGP_READ_PRIOR " " SFGP_READ_SMOOTH,                                                 \
         "factor of the kernel: eigen | nystrom | cholesky")                                                        \
    COUNT(rank, 0, 1, 1000000, AUTO, "columns", SFGP_READ_FACTOR,                                                   \
          "most columns of the factor; auto: as accuracy needs")                                                    \
    REAL(accuracy, 0, 1e-16, 1.0, AUTO, "squared RMS radii", SFGP_READ_FACTOR,                                      \
         "prior variance a point may lose; auto: 1e-6, small shapes 1e-12")                                         \
    REAL(omega, 0, 1e-6, 0.999999, AUTO, "probability", SFGP_READ_OUTLIERS,                                         \
         "share of outliers; auto: 0.1; method auto starts there and learns it")                                    \
    REAL(pmin, 0, 1e-300, 0.999999, AUTO, "probability", SFGP_READ_THRESHOLD,                                       \
         "least label probability; auto: 1/N_R")                                                                    \
    REAL(variance0, 0, 1e-10, 1e6, AUTO, "squared RMS radii", SFGP_READ_VARIANCE,                                   \
         "registration variance at the start; auto: method auto tries several up to 400 points")                    \
    REAL(tolerance, 1e-4, 1e-15, 1.0, FIXED, "RMS radii", SFGP_READ_ALL,                                            \
         "stop when the mean motion is below")                                                                      \
    COUNT(max_iterations, 1000, 0, 1000000, FIXED, "iterations", SFGP_READ_ALL,                                     \
          "stop after; 0 returns the prior mean")                                                                   \
    REAL(prune, 0, 1e-300, 0.01, AUTO, "probability", SFGP_READ_OUTLIERS,                                           \
         "labels below are not looked for; auto: pmin/1000, without threshold 1/(1000 N_R)")                        \
    TEXT(                                                                                                           \
        outlier_density, "auto", SFGP_READ_DENSITY,                                                                 \
        "density of outliers: count (1/N_S) | volume (1/box of the target) | auto: method auto volume, else count") \
    REAL(max_distance, 0, 1e-6, 1e6, AUTO, "RMS radii", "closest-point map", "farthest label; auto: 0.2")           \
    REAL(lambda, 0, 1e-12, 1e12, AUTO, "", SFGP_READ_SMOOTH " map",                                                 \
         "weight of the prior; auto: 2, map 3e-4")                                                                  \
    REAL(beta, 2, 1e-6, 1e6, FIXED, "normalised lengths", SFGP_READ_SMOOTH,                                         \
         "length of their Gaussian kernel")                                                                         \
    REAL(gamma, 1, 1e-12, 1e12, FIXED, "", "bcpd*", "start deviation, in root mean square distances")               \
    REAL(kappa, 0, 1e-6, 1e12, AUTO, "", "bcpd*", "how equal the mixing weights are; auto: equal")                  \
    TEXT(normalise, "each", SFGP_READ_MIXTURE, "by the shape itself: each | target | reference | none")             \
    COUNT(subset, 5000, 10, 100000000, FIXED, "points", "bcpd++", "points of either shape that are fitted")         \
    REAL(anisotropy, 0.1, 1e-6, 1.0, FIXED, "", "pca-aniso", "variance across the surface, along it = 1")           \
    COUNT(reject, 1, 0, 1, FIXED, "0 or 1", SFGP_READ_ALL,                                                          \
          "1: a fit that next to nothing speaks for is no_overlap")                                                 \
    COUNT(max_memory, 0, 1, 9007199254740992, AUTO, "bytes", SFGP_READ_ALL,                                         \
          "refuse what needs more; 500M, 2G; auto: no limit")                                                       \
    COUNT(threads, 0, -1000000, 1000000, AUTO, "threads", SFGP_READ_ALL,                                            \
          "auto, 0: all cores or OMP_NUM_THREADS; clamped; changes no result")                                      \
    COUNT(seed, 1, 0, 9007199254740992, FIXED, "", SFGP_READ_ALL,                                                   \
          "start vector of ARPACK, points of a search")

typedef struct sfgp_settings {
#define SFGP_FIELD_TEXT(name, standard, readers, help) char name[SFGP_TEXT_SIZE];
#define SFGP_FIELD_REAL(name, standard, least, most, automatic, unit, readers, help) double name;
#define SFGP_FIELD_COUNT(name, standard, least, most, automatic, unit, readers, help) int64_t name;
    SFGP_SETTINGS(SFGP_FIELD_TEXT, SFGP_FIELD_REAL, SFGP_FIELD_COUNT)
#undef SFGP_FIELD_TEXT
#undef SFGP_FIELD_REAL
#undef SFGP_FIELD_COUNT
} sfgp_settings;

typedef enum sfgp_setting_kind { SFGP_SETTING_TEXT, SFGP_SETTING_REAL, SFGP_SETTING_COUNT } sfgp_setting_kind;

/* One row of the table above, for programs that make their own flags or forms from it. */
typedef struct sfgp_setting {
    const char *name; /* as in the struct; the flag has - for _ */
    sfgp_setting_kind kind;
    size_t offset;        /* in sfgp_settings, or in sfgp_damage */
    const char *standard; /* default as text */
    double least, most;   /* inclusive */
    int automatic;        /* 1: "auto" is allowed */
    const char *unit;
    const char *readers; /* patterns of the methods that read it; "" for damages */
    const char *help;
} sfgp_setting;

SFGP_API void sfgp_settings_default(sfgp_settings *settings);
/* Row index of the table, NULL past its end. */
SFGP_API const sfgp_setting *sfgp_settings_row(int index);
/* Sets one setting from text ("auto" where allowed); the error names the setting, the value and the range. */
SFGP_API sfgp_status sfgp_settings_set(sfgp_context *context, sfgp_settings *settings, const char *name,
                                       const char *value);
/* Checks every number against the table and every name (method, kernel, factor, density) against the rows
 * there are. Models and solvers check too; this is for asking early. SFGP_ERROR_PARAMETER naming the setting.
 */
SFGP_API sfgp_status sfgp_settings_check(sfgp_context *context, const sfgp_settings *settings);
/* The first setting that the prior of a model is made of (kernel, align_training, lowrank, rank, accuracy)
 * and in which the two differ; NULL: none. */
SFGP_API const sfgp_setting *sfgp_settings_prior_change(const sfgp_settings *settings,
                                                        const sfgp_settings *other);

/* A row of the table of methods, for lists in help texts; NULL past its end. */
typedef struct sfgp_method_info {
    const char *name, *summary;
} sfgp_method_info;

SFGP_API const sfgp_method_info *sfgp_method_row(int index);
/* 1 when a method of this name reads the setting. */
SFGP_API int sfgp_method_reads(const char *method, const sfgp_setting *setting);

/* ---- model ------------------------------------------------------------------------------------------- */

typedef struct sfgp_model sfgp_model;

/* Prior over the displacements of a reference: u ~ GP(mean, K), K ~ B B'. training (may be NULL) are shapes
 * in correspondence with the reference: they add their PCA kernel and give the mean. Uses settings kernel,
 * lowrank, rank, accuracy, threads, seed. Everything is copied.
 * The first model of a process warms up OpenBLAS and sets it to one thread for the whole process: the library
 * runs its own threads (settings.threads), so that results have the same bits on any number of them.
 * Cost: cholesky O(N m^2), eigen O(N^2 m). Errors: SFGP_ERROR_PARAMETER, _DATA, _MEMORY, _NUMERIC. */
SFGP_API sfgp_status sfgp_model_new(sfgp_context *context, const sfgp_mesh *reference,
                                    const sfgp_mesh *const *training, int64_t training_count,
                                    const sfgp_settings *settings, sfgp_model **model);
SFGP_API void sfgp_model_free(sfgp_model *model);

typedef struct sfgp_model_info {
    int64_t count; /* reference points */
    int dimension;
    double centre[3], scale; /* frame: (x - centre) / scale; scale = RMS radius in the unit of the files */
    int64_t rank;            /* columns of B: shared by the axes (scalar kernels) + PCA modes */
    int64_t rank_scalar, rank_pca;
    int64_t face_count;
    double kernel_residual;      /* certified: no entry of K - BB' is larger; squared RMS radii */
    char kernel[SFGP_TEXT_SIZE]; /* resolved description of the prior */
} sfgp_model_info;

SFGP_API void sfgp_model_describe(const sfgp_model *model, sfgp_model_info *info);

/* Writes a Statismo / Scalismo shape model (HDF5, docs/models.md) with a group of our own for what the format
 * cannot hold: a model that is read back gives the same bits as the one that was written. Equal models are
 * equal files. Whole or not at all. O(N d r^2 + r^3) with r = d rank_scalar + rank_pca, for the modes.
 * Errors: SFGP_ERROR_WRITE, _DATA (values that a 32-bit real cannot hold), _MEMORY, _NUMERIC. */
SFGP_API sfgp_status sfgp_model_write(sfgp_context *context, const sfgp_model *model, const char *path);
/* Reads a model of ours, or of Statismo or Scalismo (0.8, 0.9): its points are the reference, its basis and
 * variances the prior, its noise variance is left out with a warning. path may be FILE:NAME for one model of
 * a catalogue; without NAME the first by name is taken, with a warning when there are others. Errors:
 * SFGP_ERROR_READ, _FORMAT naming the data set (also when the checksum of a model of ours does not agree),
 * _DATA, _MEMORY. */
SFGP_API sfgp_status sfgp_model_read(sfgp_context *context, const char *path, sfgp_model **model);
/* 1 when path (or FILE:NAME) is a readable HDF5 file, by its first bytes: a model, not a mesh. */
SFGP_API int sfgp_model_is_file(const char *path);

/* Shapes of a model with the faces of its reference, in the unit of the files. Free with sfgp_mesh_free. */
SFGP_API sfgp_status sfgp_model_reference(sfgp_context *context, const sfgp_model *model, sfgp_mesh **shape);
SFGP_API sfgp_status sfgp_model_mean(sfgp_context *context, const sfgp_model *model, sfgp_mesh **shape);
/* A draw from the prior; equal seeds give equal shapes. */
SFGP_API sfgp_status sfgp_model_sample(sfgp_context *context, const sfgp_model *model, uint64_t seed,
                                       sfgp_mesh **shape);
/* Variances of the principal components of the prior, largest first, squared units of the files: the sum of
 * the squared displacements of all points. Those below 1e-10 of the first are left out. */
SFGP_API sfgp_status sfgp_model_variances(sfgp_context *context, const sfgp_model *model,
                                          sfgp_array **variances);
/* Mean + deviations x the standard deviation of component index, from 0. SFGP_ERROR_PARAMETER past the last.
 */
SFGP_API sfgp_status sfgp_model_component(sfgp_context *context, const sfgp_model *model, int64_t index,
                                          double deviations, sfgp_mesh **shape);

/* ---- alignment --------------------------------------------------------------------------------------- */

typedef enum sfgp_align_kind { SFGP_ALIGN_RIGID, SFGP_ALIGN_SIMILARITY } sfgp_align_kind;

/* x -> scale rotation x + shift; the rotation has determinant +1. */
typedef struct sfgp_similarity {
    int dimension;
    double scale;       /* 1 when rigid */
    double rotation[9]; /* dimension x dimension */
    double shift[3];
} sfgp_similarity;

/* The map that takes moving nearest to fixed, point i to point i, in least squares (weights, count, may be
 * NULL: all 1). Points: count x dimension. Closed form (Horn 1987; Umeyama 1991), O(count).
 * Errors: SFGP_ERROR_PARAMETER, SFGP_ERROR_DATA (not finite, or points that do not determine the map). */
SFGP_API sfgp_status sfgp_align(sfgp_context *context, sfgp_align_kind kind, int64_t count, int dimension,
                                const double *moving, const double *fixed, const double *weights,
                                sfgp_similarity *similarity);
/* out may be in. */
SFGP_API void sfgp_similarity_apply(const sfgp_similarity *similarity, int64_t count, const double *in,
                                    double *out);

/* ---- fit --------------------------------------------------------------------------------------------- */

typedef struct sfgp_solver sfgp_solver;

/* Not converging is a result, not an error. */
#define SFGP_OUTCOME_TABLE(X)                                                                                \
    X(SFGP_CONVERGED, "converged")                                                                           \
    X(SFGP_MAX_ITERATIONS, "max_iterations")                                                                 \
    X(SFGP_NO_OVERLAP, "no_overlap")

typedef enum sfgp_outcome {
#define SFGP_OUTCOME_ENUM(name, text) name,
    SFGP_OUTCOME_TABLE(SFGP_OUTCOME_ENUM)
#undef SFGP_OUTCOME_ENUM
} sfgp_outcome;

SFGP_API const char *sfgp_outcome_name(sfgp_outcome outcome);

typedef struct sfgp_result {
    sfgp_outcome outcome;     /* SFGP_NO_OVERLAP: points are the reference, unchanged */
    int64_t iterations;       /* of the fit that was kept */
    int64_t fits;             /* that were begun to find it, those of subsets and levels among them */
    int64_t total_iterations; /* of all of them */
    double change;            /* mean motion in the last iteration, RMS radii */
    int64_t count;            /* reference points */
    int dimension;
    double *points;         /* count x dimension, fitted, unit of the files */
    double *sd;             /* count, posterior standard deviation per axis, unit of the files */
    unsigned char *missing; /* count, 1 = no target point labels it */
    int64_t *target;        /* count, most probable target point, -1 where missing */
    double *probability;    /* count, its probability, 0 where missing */
    int64_t missing_count;
    double sigma;     /* sqrt(sigma2) at the end, unit of the files: of most methods one for all points,
                             * of the others the median of the labelled points */
    double explained; /* share of target points that are not taken for outliers */
    double omega;     /* outlier weight at the end: learned by method auto */
    double
        pose[16]; /* 4 x 4, row-major: the rigid motion of the reference within the fit, unit of the files */
    int64_t rank; /* columns of the prior that was fitted */
    sfgp_settings settings; /* as resolved for this fit */
    double seconds;         /* wall time of the fit */
} sfgp_result;

/* Workspace for fits of one model, which must outlive it. Settings are checked and copied.
 * Errors: SFGP_ERROR_PARAMETER, SFGP_ERROR_MEMORY. */
SFGP_API sfgp_status sfgp_solver_new(sfgp_context *context, const sfgp_model *model,
                                     const sfgp_settings *settings, sfgp_solver **solver);
/* Landmarks as constraints of the runs that follow: point k of the reference (anywhere, on the surface or
 * not) lies at point k of the target, observed with variance sd^2 per axis. Points and sd are in the unit of
 * the files; sd 0 stands for 1 % of the RMS radius; infinity changes nothing. Copied; count 0 takes them
 * away. Only the sfgp methods and closest-point have them. O(count N) once and nothing per iteration. Errors:
 * SFGP_ERROR_PARAMETER (method, sd), _DATA (not finite), _MEMORY, _NUMERIC. */
SFGP_API sfgp_status sfgp_solver_set_landmarks(sfgp_solver *solver, int64_t count, const double *reference,
                                               const double *target, double sd);

/* Fits the model to the points of target (faces are not used). Memory grows with the largest target seen.
 * Cost per iteration: O(N m^2 + nnz(P) + N_R log N_S). Errors: SFGP_ERROR_DATA, _MEMORY, _NUMERIC. */
SFGP_API sfgp_status sfgp_solver_run(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result **result);
SFGP_API void sfgp_solver_free(sfgp_solver *solver);
SFGP_API void sfgp_result_free(sfgp_result *result);

/* ---- memory ------------------------------------------------------------------------------------------ */

/* What the memory of a run depends on. */
typedef struct sfgp_run_size {
    int dimension;
    int64_t count;                    /* reference points */
    int64_t face_count, corner_count; /* of the reference; corners: of all faces together */
    int64_t training;                 /* shapes */
    int64_t rank_scalar, rank_pca;    /* columns of the factor */
    int made;                         /* 1: the model is there, its set-up is over */
    int64_t targets;                  /* target points; 0: no fit */
} sfgp_run_size;

/* Bytes that the library asks for, the room for all labels included: pages of it that a fit never touches
 * cost nothing, so that the process may well stay below. Its code and libraries (some 30 MiB), and meshes,
 * are not in it. 0: not predicted. */
typedef struct sfgp_memory {
    int64_t model;            /* the model, as long as it lives */
    int64_t set_up;           /* most while it is made, itself included; 0 when it is there */
    int64_t responsibilities; /* P, which is most of a fit */
    int64_t fit;  /* solver and result, most while a target is fitted, P included, without the model */
    int64_t peak; /* the larger of set_up and model + fit */
} sfgp_memory;

/* Sizes of a run from its reference, without the targets. The rank that the accuracy will ask for is told
 * from factors of 1000 and 2000 of the points: exact up to 2000 points, else within a few per cent as long as
 * 2000 points can tell. O(2000 r^2) for r columns, r <= 2000. Errors: those of sfgp_model_new. */
SFGP_API sfgp_status sfgp_run_size_from_mesh(sfgp_context *context, const sfgp_mesh *reference,
                                             int64_t training, const sfgp_settings *settings,
                                             sfgp_run_size *size);
SFGP_API void sfgp_run_size_from_model(const sfgp_model *model, sfgp_run_size *size);
/* The methods of the SFGP family and closest-point; of the others only the model. O(1). Errors:
 * SFGP_ERROR_PARAMETER. */
SFGP_API sfgp_status sfgp_memory_predict(sfgp_context *context, const sfgp_run_size *size,
                                         const sfgp_settings *settings, sfgp_memory *memory);
/* SFGP_ERROR_MEMORY when that is more than settings.max_memory, with both numbers and the flag that helps;
 * SFGP_ERROR_PARAMETER when the method is not predicted. sfgp_solver_run asks by itself. */
SFGP_API sfgp_status sfgp_memory_check(sfgp_context *context, const sfgp_run_size *size,
                                       const sfgp_settings *settings);

/* ---- deformation ------------------------------------------------------------------------------------- */

/* A fit as a map of space: it carries any point, not only those of the reference, with its uncertainty
 * (src/fit/deformation.h has the mathematics, docs/apply.md what to expect of it). */
typedef struct sfgp_deformation sfgp_deformation;

/* The map of a result, the last of this solver, whose model must outlive it; the pose of the fit, a rigid
 * motion, is in it. Baselines have no posterior: theirs is a Gaussian process regression, under the prior of
 * the model, on the points they fitted. Without overlap it is the identity. O(N m^2). Errors:
 * SFGP_ERROR_PARAMETER, _MEMORY, _NUMERIC. */
SFGP_API sfgp_status sfgp_solver_deformation(sfgp_solver *solver, const sfgp_result *result,
                                             sfgp_deformation **deformation);
SFGP_API void sfgp_deformation_free(sfgp_deformation *deformation);

/* Carries count points (count x dimension, unit of the files); out may be in. sd (count, may be NULL):
 * posterior standard deviation per axis, with what the low rank and the interpolation leave out. Points of
 * the reference land on the fit. Same bits on any number of threads (0: all cores). O(count (m^2 + p d)).
 * Errors: SFGP_ERROR_DATA (not finite), _MEMORY. */
SFGP_API sfgp_status sfgp_deformation_apply(sfgp_context *context, const sfgp_deformation *deformation,
                                            int64_t count, const double *in, int64_t threads, double *out,
                                            double *sd);

/* HDF5, whole or not at all: the model (docs/models.md) and the fit. Read back, it carries points to the same
 * bits. Errors of write: SFGP_ERROR_WRITE, _DATA, _MEMORY; of read: SFGP_ERROR_READ, _FORMAT, _DATA, _MEMORY.
 */
SFGP_API sfgp_status sfgp_deformation_write(sfgp_context *context, const sfgp_deformation *deformation,
                                            const char *path);
SFGP_API sfgp_status sfgp_deformation_read(sfgp_context *context, const char *path,
                                           sfgp_deformation **deformation);
/* The model under it, and whether the fit had an overlap; the deformation owns the model or borrows it. */
SFGP_API const sfgp_model *sfgp_deformation_model(const sfgp_deformation *deformation);
SFGP_API sfgp_outcome sfgp_deformation_outcome(const sfgp_deformation *deformation);

/* ---- evaluation -------------------------------------------------------------------------------------- */

/* Distances between fitted and true points; NaN when count is 0. */
typedef struct sfgp_error_summary {
    int64_t count;
    double mean, median, p95;
} sfgp_error_summary;

typedef struct sfgp_evaluation {
    sfgp_error_summary all, observed, missing;
} sfgp_evaluation;

/* Point i of fitted against point i of truth; quantiles interpolate linearly (type 7 of Hyndman and Fan);
 * mask (may be NULL) marks missing points with 1. */
SFGP_API sfgp_status sfgp_evaluate(sfgp_context *context, const sfgp_mesh *fitted, const sfgp_mesh *truth,
                                   const unsigned char *mask, sfgp_evaluation *evaluation);

/* ---- simulation -------------------------------------------------------------------------------------- */

/* An ear-like surface, in mm, from a parametric family that data/README.md documents; equal resolution gives
 * equal connectivity, so that shapes of one family correspond point by point. seed 0 is the mean ear. */
SFGP_API sfgp_status sfgp_simulate_ear(sfgp_context *context, int64_t resolution, uint64_t seed,
                                       sfgp_mesh **ear);

/* A fish-like outline in the plane with points inside: 98 points, no faces, in the unit square. A stand-in
 * for the 2D Fish benchmark, with as many points and of its size, by a formula of its own (data/README.md).
 */
SFGP_API sfgp_status sfgp_simulate_fish(sfgp_context *context, sfgp_mesh **fish);

/* The one table of damages: it makes the struct, the defaults, the ranges and the flags of sfgp simulate.
 * Unit "length" is the RMS radius of the shape, or the unit of the file when file_unit is 1; "share" is of
 * the number of points. The rows read as in SFGP_SETTINGS. */
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
    REAL(outliers, 0, 0, 1000, FIXED, "share", "stray points, uniform in the bounding box")                  \
    COUNT(file_unit, 0, 0, 1, FIXED, "0 or 1", "1: lengths are in the unit of the file, not in RMS radii")

typedef struct sfgp_damage {
#define SFGP_FIELD_REAL(name, standard, least, most, automatic, unit, help) double name;
#define SFGP_FIELD_COUNT(name, standard, least, most, automatic, unit, help) int64_t name;
    SFGP_DAMAGE(SFGP_FIELD_REAL, SFGP_FIELD_COUNT)
#undef SFGP_FIELD_REAL
#undef SFGP_FIELD_COUNT
    uint64_t seed;
} sfgp_damage;

SFGP_API void sfgp_damage_default(sfgp_damage *damage); /* no damage, seed 0 */
/* Row index of the table, NULL past its end; offset is in sfgp_damage. */
SFGP_API const sfgp_setting *sfgp_damage_row(int index);
/* Sets one field; 0 is "auto" where that is allowed. SFGP_ERROR_PARAMETER naming the field and its range. */
SFGP_API sfgp_status sfgp_damage_set(sfgp_context *context, sfgp_damage *damage, const char *name,
                                     double value);

/* A scan of truth; mask (truth->count, may be NULL) gets 1 where a point was removed. Step by step:
 * - warp, the law of the Fish benchmark: y = sum_k exp(-|x - z_k|^2 / L^2) w_k + [x, 1] A, x counted from the
 *   centroid; z: 12 points of the shape far from each other; w: normal, deformation its deviation;
 *   A = [I; 0] + normal, affine its deviation, the last row in lengths;
 * - similarity about the centroid of the shape;
 * - missing points: balls, box and random ones, chosen on the shape as it was given, so that a seed takes the
 *   same points whatever else is asked for;
 * - noise, outliers in the bounding box of the whole truth, random order.
 * Warp and similarity move truth as well, so that it stays the exact answer. Warp, similarity, box and random
 * points have random streams of their own. Cost: O(count (12 + holes)).
 * Errors: SFGP_ERROR_PARAMETER naming the field, SFGP_ERROR_DATA when nothing is left, SFGP_ERROR_MEMORY. */
SFGP_API sfgp_status sfgp_simulate_scan(sfgp_context *context, sfgp_mesh *truth, const sfgp_damage *damage,
                                        sfgp_mesh **scan, unsigned char *mask);

/* The shapes of data/demo: mean ear, another ear, its damaged scan and mask (free with sfgp_mask_free). */
SFGP_API sfgp_status sfgp_simulate_demo(sfgp_context *context, sfgp_mesh **reference, sfgp_mesh **truth,
                                        sfgp_mesh **scan, unsigned char **mask);

#ifdef __cplusplus
}
#endif

#endif
