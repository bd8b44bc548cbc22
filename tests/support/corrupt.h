/* Help for tests of readers and writers: files from bytes, every prefix and every small change of a file,
 * every failing allocation, and contexts with little memory. */
#ifndef SFGP_TESTS_CORRUPT_H
#define SFGP_TESTS_CORRUPT_H

#include "support/support.h"

/* Puts the bytes into a file of this name in the test folder and reads it as a mesh. */
sfgp_status sfgp_read_bytes(sfgp_context *context, const char *name, const void *bytes, size_t size,
                            sfgp_mesh **mesh);
sfgp_status sfgp_read_text(sfgp_context *context, const char *name, const char *text, sfgp_mesh **mesh);
/* Reads and frees. */
sfgp_status sfgp_try_bytes(sfgp_context *context, const char *name, const void *bytes, size_t size);
sfgp_status sfgp_try_text(sfgp_context *context, const char *name, const char *text);
/* The same of a file that is there, as sfgp_sweep_allocations calls it. */
sfgp_status sfgp_try_path(sfgp_context *context, void *path);

/* Finite points, faces of three and more corners within the points. */
void sfgp_assert_mesh_valid(const sfgp_mesh *mesh);
/* The same numbers bit for bit, the same faces in the same order. */
void sfgp_assert_meshes_equal(const sfgp_mesh *a, const sfgp_mesh *b);

/* Four points that use all bits, a triangle and a quadrangle (dimension 2 or 3). sfgp_mesh_free. */
sfgp_mesh *sfgp_sample_mesh(sfgp_context *context, int dimension);

/* Calls visit for every prefix of the bytes (shorter than size), or for every file with one changed bit or
 * byte; place is the length of the prefix or the index of the change. */
typedef void (*sfgp_visit)(void *user, const char *bytes, size_t size, size_t place);
void sfgp_each_prefix(const char *bytes, size_t size, sfgp_visit visit, void *user);
void sfgp_each_mutation(const char *bytes, size_t size, sfgp_visit visit, void *user);

/* Calls visit for the file with one bit flipped, every step-th bit of it in turn; place is the byte. */
void sfgp_each_flip(const char *bytes, size_t size, size_t step, sfgp_visit visit, void *user);

/* Takes the first 4096 bytes, their digest (io/hdf5_digest.h) from an HDF5 file of ours: it is then one like any other. */
void sfgp_test_remove_digest(const char *path);
/* Gives it the digest of version 1 instead: 512 bytes, FNV-1a, no table, so that libhdf5 reads it. */
void sfgp_test_make_version_1(const char *path);

/* Runs work with the k-th allocation failing, k = 0, 1, ... until it succeeds; then again with all
 * allocations after the k-th failing too. Every failure must be SFGP_ERROR_MEMORY and leave no block behind.
 * Returns the number of allocations of a successful run. */
typedef sfgp_status (*sfgp_work)(sfgp_context *context, void *user);
int sfgp_sweep_allocations(sfgp_context *context, sfgp_work work, void *user);

/* A context whose blocks may have `most` bytes together; sfgp_context_free. One at a time. */
sfgp_context *sfgp_bounded_context(size_t most);
/* Called once, before the next allocation of the bounded context. */
void sfgp_bounded_on_allocation(void (*call)(void *user), void *user);

#endif
