/* Predicts the memory of the structures of geom in bytes, as doubles, so that nothing overflows. Keep it in step with
 * what geom/kdtree_builtin_build.c and geom/blocks.c allocate; tests/test_memory.c compares it with the allocator. */
#ifndef SFGP_GEOM_MEMORY_H
#define SFGP_GEOM_MEMORY_H

/* A kd-tree of count points. */
double sfgp_kdtree_bytes(double count);
/* Memory that only its construction needs. */
double sfgp_kdtree_building_bytes(double count);
/* The blocks of count points. */
double sfgp_blocks_bytes(double count);

#endif
