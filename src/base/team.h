/* A team: helper threads of one calling thread, and the loop they share with it (base/parallel.h). */
#ifndef SFGP_BASE_TEAM_H
#define SFGP_BASE_TEAM_H

#include <stdint.h>

typedef struct sfgp_team sfgp_team;

/* A loop over 0 .. count - 1. */
typedef struct sfgp_team_loop {
    void (*body)(const void *data, int64_t first, int64_t end);
    const void *data;
    int64_t count;
    int64_t step; /* indices in a range */
} sfgp_team_loop;

/* A team of up to so many helpers, fewer where the system refuses a thread. NULL: no memory. */
sfgp_team *sfgp_team_new(int helpers);
void sfgp_team_free(sfgp_team *team); /* NULL is allowed */

/* Runs the loop in the calling thread and at most so many helpers. It runs the first range. */
void sfgp_team_run(sfgp_team *team, int helpers, const sfgp_team_loop *loop);

#endif
