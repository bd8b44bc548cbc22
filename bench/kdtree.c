/* Micro benchmark of the kd-tree beside other people's, in one run on one thread.
 *
 * Points and query centres are drawn from one bumpy closed surface, centres in random order (the worst for
 * caches). Radii give about 8, 27 and 121 neighbours. Times are CPU time, median of RUNS; the CSV on stdout
 * has the neighbours of all queries together, which must not differ between trees. `bench/kdtree 3000` runs
 * one size only. */
#include "base/random.h"
#include "geom/kdtree.h"
#include "provenance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS 5
#define QUERIES 20000
#define ROOM 4096
#define PEERS 2

#ifdef BENCH_PEERS /* kdtree_peers.cpp */
const char *peer_name(int which);
void *peer_new(int which, int64_t count, const double *points);
int64_t peer_within(const void *tree, const double *centre, double radius2, int32_t *index,
                    double *distance2);
int64_t peer_nearest(const void *tree, const double *centre, double *distance2);
void peer_free(void *tree);
#endif

/* One tree under test: ours, or a peer's behind the same functions. */
typedef struct contender {
    const char *name;
    void *tree;
    int64_t (*within)(const void *tree, const double *centre, double radius2, int32_t *index,
                      double *distance2);
    int64_t (*nearest)(const void *tree, const double *centre, double *distance2);
} contender;

typedef struct problem {
    int64_t count;
    double *points, *centres;
    double radius2[3];
} problem;

static int64_t our_within(const void *tree, const double *centre, double radius2, int32_t *index,
                          double *distance2)
{
    return sfgp_kdtree_within(tree, centre, radius2, index, distance2);
}

static int64_t our_count(const void *tree, const double *centre, double radius2, int32_t *index,
                         double *distance2)
{
    (void)index, (void)distance2;
    return sfgp_kdtree_count(tree, centre, radius2);
}

static int64_t our_nearest(const void *tree, const double *centre, double *distance2)
{
    return sfgp_kdtree_nearest(tree, centre, distance2);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds)
{
    qsort(seconds, RUNS, sizeof *seconds, ascending);
    return seconds[RUNS / 2];
}

static void surface(sfgp_random *random, int64_t count, double *points)
{
    for (double *p = points; p < points + 3 * count; p += 3) {
        double x = sfgp_random_normal(random), y = sfgp_random_normal(random), z = sfgp_random_normal(random);
        double length = sqrt(x * x + y * y + z * z);
        double radius = (1 + 0.2 * sin(5 * x / length) * cos(4 * y / length)) / length;
        p[0] = radius * x, p[1] = 0.6 * radius * y, p[2] = 0.3 * radius * z;
    }
}

static double neighbours(const sfgp_kdtree *tree, const double *centres, double radius2)
{
    int64_t found = 0;
    for (int q = 0; q < 500; q++)
        found += sfgp_kdtree_count(tree, centres + 3 * q, radius2);
    return (double)found / 500;
}

static double radius2_for(const sfgp_kdtree *tree, const double *centres, double wanted)
{
    double low = 0, high = 1;
    for (int k = 0; k < 60; k++) {
        double middle = (low + high) / 2;
        *(neighbours(tree, centres, middle) < wanted ? &low : &high) = middle;
    }
    return high * (1 + 1e-9); /* off the boundary: nanoflann has < for <= */
}

static void print_row(const char *name, const problem *p, const char *what, double value, const char *unit,
                      int64_t found)
{
    printf("%s,%s,%s,%lld,%s,%.6g,%s,%lld\n", bench_commit(), bench_machine(), name, (long long)p->count,
           what, value, unit, (long long)found);
    fflush(stdout);
}

static void time_within(const contender *c, const problem *p, int radius, const char *what)
{
    static int32_t index[ROOM];
    static double distance2[ROOM];
    double seconds[RUNS];
    int64_t found = 0;
    for (int run = 0; run < RUNS; run++) {
        double start = cpu_seconds();
        found = 0;
        for (int q = 0; q < QUERIES; q++)
            found += c->within(c->tree, p->centres + 3 * q, p->radius2[radius], index, distance2);
        seconds[run] = cpu_seconds() - start;
    }
    print_row(c->name, p, what, 1e9 * median(seconds) / QUERIES, "ns", found);
}

static void time_nearest(const contender *c, const problem *p)
{
    double seconds[RUNS], distance2;
    int64_t sum = 0;
    for (int run = 0; run < RUNS; run++) {
        double start = cpu_seconds();
        sum = 0;
        for (int q = 0; q < QUERIES; q++)
            sum += c->nearest(c->tree, p->centres + 3 * q, &distance2);
        seconds[run] = cpu_seconds() - start;
    }
    print_row(c->name, p, "nearest (sum of indices)", 1e9 * median(seconds) / QUERIES, "ns", sum);
}

static void time_queries(const contender *c, const problem *p)
{
    time_within(c, p, 0, "within ~8");
    time_within(c, p, 1, "within ~27");
    time_within(c, p, 2, "within ~121");
    time_nearest(c, p);
}

static sfgp_kdtree *time_our_build(sfgp_context *context, const problem *p)
{
    sfgp_kdtree *tree = NULL;
    double seconds[RUNS];
    for (int run = 0; run < RUNS; run++) {
        sfgp_kdtree_free(tree);
        double start = cpu_seconds();
        if (sfgp_kdtree_new(context, p->count, 3, p->points, &tree) != SFGP_OK)
            exit(6);
        seconds[run] = cpu_seconds() - start;
    }
    print_row(sfgp_kdtree_backend(), p, "build", median(seconds), "s", p->count);
    return tree;
}

static void run_ours(sfgp_context *context, problem *p)
{
    contender ours = {sfgp_kdtree_backend(), time_our_build(context, p), our_within, our_nearest};
    const double wanted[] = {8, 27, 121};
    for (int k = 0; k < 3; k++)
        p->radius2[k] = radius2_for(ours.tree, p->centres, wanted[k]);
    time_queries(&ours, p);
    ours.within = our_count;
    time_within(&ours, p, 0, "count ~8");
    time_within(&ours, p, 1, "count ~27");
    time_within(&ours, p, 2, "count ~121");
    sfgp_kdtree_free(ours.tree);
}

#ifdef BENCH_PEERS
static void run_peer(int which, const problem *p)
{
    contender peer = {peer_name(which), NULL, peer_within, peer_nearest};
    double seconds[RUNS];
    for (int run = 0; run < RUNS; run++) {
        if (peer.tree)
            peer_free(peer.tree);
        double start = cpu_seconds();
        peer.tree = peer_new(which, p->count, p->points);
        seconds[run] = cpu_seconds() - start;
        if (!peer.tree) {
            printf("%s,%s,%s,%lld,absent,,,\n", bench_commit(), bench_machine(), peer.name,
                   (long long)p->count);
            return;
        }
    }
    print_row(peer.name, p, "build", median(seconds), "s", p->count);
    time_queries(&peer, p);
    peer_free(peer.tree);
}
#endif

static void run_size(sfgp_context *context, int64_t count)
{
    problem p = {.count = count};
    sfgp_random random = sfgp_random_of(1);
    p.points = malloc((size_t)count * 3 * sizeof *p.points);
    p.centres = malloc(QUERIES * 3 * sizeof *p.centres);
    if (!p.points || !p.centres)
        exit(6);
    surface(&random, count, p.points);
    surface(&random, QUERIES, p.centres);
    run_ours(context, &p);
#ifdef BENCH_PEERS
    for (int which = 0; which < PEERS; which++)
        run_peer(which, &p);
#endif
    free(p.points);
    free(p.centres);
}

int main(int count, char **arguments)
{
    const int64_t sizes[] = {3000, 100000, 1000000};
    sfgp_context *context;
    if (sfgp_context_new(NULL, &context) != SFGP_OK)
        return 6;
    printf("commit,machine,tree,points,what,value,unit,found\n");
    if (count > 1)
        run_size(context, atoll(arguments[1]));
    for (int k = 0; count == 1 && k < 3; k++)
        run_size(context, sizes[k]);
    sfgp_context_free(context);
    return 0;
}
