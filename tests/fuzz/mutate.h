/* Changes of an input by the structure of its format, for readers that refuse nearly all changes of bytes. */
#ifndef SFGP_TESTS_FUZZ_MUTATE_H
#define SFGP_TESTS_FUZZ_MUTATE_H

#include "base/random.h"

#include <stddef.h>

/* Writes a changed copy of an input into out, of at most room bytes, and returns its size. The same input and state of random
 * give the same bytes. Input of another structure is taken for a small one of its own, or only gets other bytes. */
typedef size_t fuzz_mutator(const unsigned char *in, size_t size, unsigned char *out, size_t room,
                            sfgp_random *random);

/* mutate_ply.c: lines of the header, counts, types, lists, properties; the body is as long as the header says. */
fuzz_mutator fuzz_mutate_ply;
/* mutate_model.c: the table of places of a file of ours (io/hdf5_table.h), names, types, sizes, numbers and texts of its data
 * sets. Its digest agrees. */
fuzz_mutator fuzz_mutate_model;
/* Makes the digest of such a file agree with its bytes. Other bytes are left as they are. */
void fuzz_repair_model(unsigned char *bytes, size_t size);

/* Numbers at which readers break. */
double fuzz_odd_number(sfgp_random *random);

#endif
