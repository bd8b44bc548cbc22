/* Memory of the structures of geom, predicted: bytes as doubles, so that nothing overflows. Whoever changes what
 * geom/kdtree_builtin.c or geom/blocks.c allocates changes it here; tests/test_memory.c compares with the allocator. */
#ifndef SFGP_GEOM_MEMORY_H
#define SFGP_GEOM_MEMORY_H

/* A kd-tree of so many points, and what is gone when it is built. */
double sfgp_kdtree_bytes(double count);
double sfgp_kdtree_building_bytes(double count);
/* Blocks of so many points. */
double sfgp_blocks_bytes(double count);

#endif
