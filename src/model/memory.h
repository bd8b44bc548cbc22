/* Memory of a model, predicted: bytes as doubles, so that nothing overflows. Whoever changes an allocation of model
 * or lowrank that grows with the points or the rank changes its line in model/memory.c; tests/test_memory.c
 * compares with the allocator. */
#ifndef SFGP_MODEL_MEMORY_H
#define SFGP_MODEL_MEMORY_H

#include "sfgp/sfgp.h"

/* Bytes of the model. */
double sfgp_model_bytes(const sfgp_run_size *size, const sfgp_settings *settings);
/* The most while it is made, itself included; 0 for one that is there. */
double sfgp_model_making_bytes(const sfgp_run_size *size, const sfgp_settings *settings);

#endif
