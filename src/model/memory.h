/* Memory of a model, predicted: bytes as doubles, so that nothing overflows. Whoever changes an allocation of model
 * or lowrank that grows with the points or the rank changes its line in model/memory.c; tests/test_memory.c
 * compares with the allocator. */
#ifndef SFGP_MODEL_MEMORY_H
#define SFGP_MODEL_MEMORY_H

#include "kernel/kernel.h"
#include "sfgp/sfgp.h"

/* The kernel of settings for a shape; without terms if it is "auto", or has an error. */
sfgp_kernel sfgp_memory_kernel(const sfgp_settings *settings);
/* Bytes of a factor of Q + W for a field in the sparse form, and what making it, or the variances, takes beside it. 0 without such a field. */
double sfgp_memory_field_factor(const sfgp_run_size *size);
double sfgp_memory_field_work(const sfgp_run_size *size);
/* Bytes of the model. */
double sfgp_model_bytes(const sfgp_run_size *size, const sfgp_settings *settings);
/* The most while it is made, itself included; 0 for one that is there. */
double sfgp_model_making_bytes(const sfgp_run_size *size, const sfgp_settings *settings);

#endif
