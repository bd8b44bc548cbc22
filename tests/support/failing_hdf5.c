#include "support/failing_hdf5.h"
#include "io/hdf5_library.h"
#include "support/support.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

/* Type of the result, name, what it is after a failure, parameters, and their names. */
/* clang-format off */
#define FUNCTIONS(X) \
    X(herr_t, Aclose, -1, (hid_t a), (a)) \
    X(hid_t, Acreate_by_name, -1, (hid_t a, const char *b, const char *c, hid_t d, hid_t e, hid_t f, hid_t g, hid_t h), (a, b, c, d, e, f, g, h)) \
    X(htri_t, Aexists_by_name, -1, (hid_t a, const char *b, const char *c, hid_t d), (a, b, c, d)) \
    X(hid_t, Aget_space, -1, (hid_t a), (a)) \
    X(hsize_t, Aget_storage_size, 0, (hid_t a), (a)) \
    X(hid_t, Aget_type, -1, (hid_t a), (a)) \
    X(hid_t, Aopen_by_name, -1, (hid_t a, const char *b, const char *c, hid_t d, hid_t e), (a, b, c, d, e)) \
    X(herr_t, Aread, -1, (hid_t a, hid_t b, void *c), (a, b, c)) \
    X(herr_t, Awrite, -1, (hid_t a, hid_t b, const void *c), (a, b, c)) \
    X(herr_t, Dclose, -1, (hid_t a), (a)) \
    X(hid_t, Dcreate2, -1, (hid_t a, const char *b, hid_t c, hid_t d, hid_t e, hid_t f, hid_t g), (a, b, c, d, e, f, g)) \
    X(hid_t, Dget_create_plist, -1, (hid_t a), (a)) \
    X(haddr_t, Dget_offset, HADDR_UNDEF, (hid_t a), (a)) \
    X(hid_t, Dget_space, -1, (hid_t a), (a)) \
    X(hsize_t, Dget_storage_size, 0, (hid_t a), (a)) \
    X(hid_t, Dget_type, -1, (hid_t a), (a)) \
    X(hid_t, Dopen2, -1, (hid_t a, const char *b, hid_t c), (a, b, c)) \
    X(herr_t, Dread, -1, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, void *f), (a, b, c, d, e, f)) \
    X(herr_t, Dwrite, -1, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, const void *f), (a, b, c, d, e, f)) \
    X(hid_t, Fcreate, -1, (const char *a, unsigned b, hid_t c, hid_t d), (a, b, c, d)) \
    X(herr_t, Fflush, -1, (hid_t a, H5F_scope_t b), (a, b)) \
    X(ssize_t, Fget_file_image, -1, (hid_t a, void *b, size_t c), (a, b, c)) \
    X(hid_t, Fopen, -1, (const char *a, unsigned b, hid_t c), (a, b, c)) \
    X(herr_t, Gclose, -1, (hid_t a), (a)) \
    X(hid_t, Gcreate2, -1, (hid_t a, const char *b, hid_t c, hid_t d, hid_t e), (a, b, c, d, e)) \
    X(herr_t, Gget_info_by_name, -1, (hid_t a, const char *b, H5G_info_t *c, hid_t d), (a, b, c, d)) \
    X(hid_t, Gopen2, -1, (hid_t a, const char *b, hid_t c), (a, b, c)) \
    X(htri_t, Lexists, -1, (hid_t a, const char *b, hid_t c), (a, b, c)) \
    X(ssize_t, Lget_name_by_idx, -1, (hid_t a, const char *b, H5_index_t c, H5_iter_order_t d, hsize_t e, char *f, size_t g, hid_t h), (a, b, c, d, e, f, g, h)) \
    X(htri_t, Oexists_by_name, -1, (hid_t a, const char *b, hid_t c), (a, b, c)) \
    X(herr_t, Pclose, -1, (hid_t a), (a)) \
    X(hid_t, Pcreate, -1, (hid_t a), (a)) \
    X(int, Pget_chunk, -1, (hid_t a, int b, hsize_t *c), (a, b, c)) \
    X(int, Pget_external_count, -1, (hid_t a), (a)) \
    X(H5D_layout_t, Pget_layout, H5D_LAYOUT_ERROR, (hid_t a), (a)) \
    X(int, Pget_nfilters, -1, (hid_t a), (a)) \
    X(herr_t, Pset_create_intermediate_group, -1, (hid_t a, unsigned b), (a, b)) \
    X(herr_t, Pset_elink_cb, -1, (hid_t a, H5L_elink_traverse_t b, void *c), (a, b, c)) \
    X(herr_t, Pset_fapl_core, -1, (hid_t a, size_t b, hbool_t c), (a, b, c)) \
    X(herr_t, Pset_fapl_sec2, -1, (hid_t a), (a)) \
    X(herr_t, Pset_obj_track_times, -1, (hid_t a, hbool_t b), (a, b)) \
    X(herr_t, Pset_userblock, -1, (hid_t a, hsize_t b), (a, b)) \
    X(herr_t, Sclose, -1, (hid_t a), (a)) \
    X(hid_t, Screate, -1, (H5S_class_t a), (a)) \
    X(hid_t, Screate_simple, -1, (int a, const hsize_t *b, const hsize_t *c), (a, b, c)) \
    X(int, Sget_simple_extent_dims, -1, (hid_t a, hsize_t *b, hsize_t *c), (a, b, c)) \
    X(int, Sget_simple_extent_ndims, -1, (hid_t a), (a)) \
    X(hssize_t, Sget_simple_extent_npoints, -1, (hid_t a), (a)) \
    X(H5S_class_t, Sget_simple_extent_type, H5S_NO_CLASS, (hid_t a), (a)) \
    X(herr_t, Sselect_hyperslab, -1, (hid_t a, H5S_seloper_t b, const hsize_t *c, const hsize_t *d, const hsize_t *e, const hsize_t *f), (a, b, c, d, e, f)) \
    X(herr_t, Tclose, -1, (hid_t a), (a)) \
    X(hid_t, Tcopy, -1, (hid_t a), (a)) \
    X(H5T_class_t, Tget_class, H5T_NO_CLASS, (hid_t a), (a)) \
    X(H5T_cset_t, Tget_cset, H5T_CSET_ERROR, (hid_t a), (a)) \
    X(herr_t, Tget_fields, -1, (hid_t a, size_t *b, size_t *c, size_t *d, size_t *e, size_t *f), (a, b, c, d, e, f)) \
    X(int, Tget_offset, -1, (hid_t a), (a)) \
    X(size_t, Tget_precision, 0, (hid_t a), (a)) \
    X(size_t, Tget_size, 0, (hid_t a), (a)) \
    X(hid_t, Tget_super, -1, (hid_t a), (a)) \
    X(htri_t, Tis_variable_str, -1, (hid_t a), (a)) \
    X(herr_t, Tset_cset, -1, (hid_t a, H5T_cset_t b), (a, b)) \
    X(herr_t, Tset_size, -1, (hid_t a, size_t b), (a, b))
/* clang-format on */

#define NUMBER(type, name, failed, parameters, arguments) NUMBER_##name,
enum { FUNCTIONS(NUMBER) COUNT };
_Static_assert((int)COUNT <= (int)FAILING_HDF5_MOST, "failing_hdf5.h");

static sfgp_hdf5_library real;
static struct {
    int function;
    long k, calls[FAILING_HDF5_MOST];
} * plan; /* shared with the processes that are started */

static bool fails(int function)
{
    return plan->calls[function]++ == plan->k && function == plan->function;
}

#define STAND_IN(type, name, failed, parameters, arguments)                                                  \
    static type call_##name parameters                                                                       \
    {                                                                                                        \
        return fails(NUMBER_##name) ? failed : real.name arguments;                                          \
    }
FUNCTIONS(STAND_IN)

#define NAME(type, name, failed, parameters, arguments) #name,
static const char *const NAMES[] = {FUNCTIONS(NAME)};

const char *failing_hdf5_name(int function)
{
    return NAMES[function];
}

void failing_hdf5_start(int function, long k)
{
    if (!plan) {
        assert_int_equal(sfgp_hdf5_load(NULL), SFGP_OK);
        real = sfgp_h5;
        plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        assert_true(plan != MAP_FAILED);
    }
    plan->function = function;
    plan->k = k;
    memset(plan->calls, 0, sizeof plan->calls);
#define TAKE_PLACE(type, name, failed, parameters, arguments) sfgp_h5.name = call_##name;
    FUNCTIONS(TAKE_PLACE)
}

void failing_hdf5_stop(long calls[FAILING_HDF5_MOST])
{
    sfgp_h5 = real;
    if (calls)
        memcpy(calls, plan->calls, sizeof plan->calls);
}
