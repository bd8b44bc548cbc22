/* A batch under mpirun: the process that hands out cases, and those that run them. Design below. */
#include "cli/batch_mpi.h"
#include "base/platform_clock.h"

#include <stdlib.h>

bool cli_mpi_started(void)
{
    static const char *const SIZES[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}; /* Open MPI; MPICH and kin */
    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
        const char *size = getenv(SIZES[k]);
        if (size && strtol(size, NULL, 10) > 1)
            return true;
    }
    return false;
}

#ifndef SFGP_MPI

sfgp_status cli_mpi_run(cli_session *session, batch *b, bool *speaks)
{
    (void)b;
    *speaks = false;
    return cli_fail(session, SFGP_ERROR_PARAMETER,
                    "mpirun started this, but this sfgp is built without MPI: cmake -DSFGP_MPI=ON");
}

#else

#include "batch/pool.h"

#include <mpi.h>
#include <string.h>

/* Design. MPI does not report that a rank has died (Open MPI 4.1 has no ULFM), so nothing here waits for ever for one
 * rank. Every rank sends a message twice a second. Rank 0 hands the cases of a rank that was silent for SILENCE
 * seconds to others. A rank that gets no answer from rank 0 for SILENCE_MASTER seconds ends. So a batch continues when
 * mpirun allows it (--enable-recovery). Otherwise mpirun ends all ranks, and --resume continues later. When a rank was
 * only slow, a case is done twice, with the same result. */
#define SILENCE 10.0
#define SILENCE_MASTER 60.0
#define PULSE 0.4 /* seconds between two messages of a rank */

enum { TO_MASTER = 1, ANSWER = 2 }; /* tags of messages */
enum { ASK, ALIVE, DONE };          /* kinds of messages to rank 0 */
/* Answers of rank 0 are the number of a case, PROCESS_LATER, or one of these. STOP_LOST: stop, and ranks were lost. */
enum { STOP = PROCESS_NONE, STOP_LOST = -3 };
/* The owner of a case is a rank (from 1 on), or one of these. */
enum { WAITING = -1, FINISHED = -2 };

typedef struct message {
    int64_t kind;          /* ASK, ALIVE or DONE */
    int64_t number;        /* of the case that is done */
    batch_outcome outcome; /* of that case */
} message;

static void sleep_briefly(void)
{
    sfgp_platform_sleep(0.001);
}

/* ---- a rank that runs cases -------------------------------------------------------------------------- */

typedef struct runner {
    double sent; /* time of the last message, by sfgp_platform_seconds */
    bool lost;   /* ranks are lost: MPI_Finalize would wait for them */
    bool alone;  /* rank 0 does not answer */
} runner;

static void send(runner *r, int64_t kind, int64_t number, const batch_outcome *outcome)
{
    message out = {.kind = kind, .number = number};
    if (outcome)
        out.outcome = *outcome;
    MPI_Send(&out, (int)sizeof out, MPI_BYTE, 0, TO_MASTER, MPI_COMM_WORLD);
    r->sent = sfgp_platform_seconds();
}

static int64_t request_case(void *user)
{
    runner *r = user;
    int64_t answer = PROCESS_NONE;
    int ready = 0;
    const double start = sfgp_platform_seconds();
    if (r->alone)
        return PROCESS_NONE;
    send(r, ASK, 0, NULL);
    while (!ready && sfgp_platform_seconds() - start < SILENCE_MASTER) {
        MPI_Iprobe(0, ANSWER, MPI_COMM_WORLD, &ready, MPI_STATUS_IGNORE);
        if (!ready)
            sleep_briefly();
    }
    if (!ready)
        return r->alone = r->lost = true, PROCESS_NONE;
    MPI_Recv(&answer, 1, MPI_INT64_T, 0, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    r->lost = answer == STOP_LOST;
    return answer == STOP_LOST ? PROCESS_NONE : answer;
}

static sfgp_status send_outcome(void *user, int64_t number, const batch_outcome *outcome)
{
    send(user, DONE, number, outcome);
    return SFGP_OK;
}

static void send_alive(void *user)
{
    runner *r = user;
    if (sfgp_platform_seconds() - r->sent > PULSE)
        send(r, ALIVE, 0, NULL);
}

static sfgp_status run_cases(cli_session *session, batch *b, bool *lost)
{
    runner r = {.sent = sfgp_platform_seconds()};
    const batch_scheduler scheduler = {&r, request_case, send_outcome, send_alive};
    b->progress = NULL;
    sfgp_status status = batch_run(b, &scheduler);
    *lost = r.lost || status != SFGP_OK;
    if (status != SFGP_OK)
        cli_fail(session, status, "%s", b->error);
    if (r.alone)
        cli_warn(session, "rank 0 does not answer any more; --resume continues");
    return status;
}

/* ---- rank 0 ------------------------------------------------------------------------------------------ */

typedef struct master {
    cli_session *session;
    batch *b;
    int ranks;
    int *owners;   /* of every case of the manifest, by its number */
    int64_t first; /* of the cases to do: none before it is WAITING */
    int64_t left;  /* cases that are not FINISHED */
    double *heard; /* time of the last message of each rank */
    bool *gone;    /* for each rank: it was told to stop, or is silent */
    int running;   /* ranks that are not gone */
    int lost;      /* silent ranks */
} master;

static int64_t assign_case(master *m, int rank)
{
    const batch *b = m->b;
    while (m->first < b->todo_count && m->owners[b->todo[m->first]] != WAITING)
        m->first++;
    if (m->first == b->todo_count)
        return m->left > 0 ? PROCESS_LATER : m->lost > 0 ? STOP_LOST : STOP;
    m->owners[b->todo[m->first]] = rank;
    return b->todo[m->first];
}

static void answer_request(master *m, int rank)
{
    const int64_t number = assign_case(m, rank);
    MPI_Send(&number, 1, MPI_INT64_T, rank, ANSWER, MPI_COMM_WORLD);
    if (number == STOP || number == STOP_LOST) {
        m->running -= !m->gone[rank];
        m->gone[rank] = true;
    }
}

/* The outcome of a rank that was given up is ignored: the case has another owner now. */
static void record_done(master *m, int rank, const message *in)
{
    batch *b = m->b;
    if (m->owners[in->number] != rank)
        return;
    m->owners[in->number] = FINISHED;
    m->left--;
    batch_totals_add(&b->totals, &in->outcome);
    if (b->progress)
        b->progress(b->user, &b->totals);
}

static bool receive(master *m)
{
    int ready = 0;
    message in;
    MPI_Status from;
    MPI_Iprobe(MPI_ANY_SOURCE, TO_MASTER, MPI_COMM_WORLD, &ready, &from);
    if (!ready)
        return false;
    MPI_Recv(&in, (int)sizeof in, MPI_BYTE, from.MPI_SOURCE, TO_MASTER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    m->heard[from.MPI_SOURCE] = sfgp_platform_seconds();
    if (in.kind == DONE)
        record_done(m, from.MPI_SOURCE, &in);
    else if (in.kind == ASK)
        answer_request(m, from.MPI_SOURCE);
    return true;
}

static void return_cases(master *m, int rank)
{
    int64_t cases = 0;
    for (int64_t k = 0; k < m->b->todo_count; k++)
        if (m->owners[m->b->todo[k]] == rank) {
            m->owners[m->b->todo[k]] = WAITING;
            m->first = k < m->first ? k : m->first;
            cases++;
        }
    m->gone[rank] = true;
    m->running--;
    m->lost++;
    cli_warn(m->session, "rank %d is silent; %lld of its cases are done by others", rank, (long long)cases);
}

static void drop_silent(master *m)
{
    for (int rank = 1; rank < m->ranks; rank++)
        if (!m->gone[rank] && sfgp_platform_seconds() - m->heard[rank] > SILENCE)
            return_cases(m, rank);
}

static sfgp_status open_master(master *m)
{
    m->owners = calloc((size_t)m->b->manifest.count + 1, sizeof *m->owners);
    m->heard = calloc((size_t)m->ranks, sizeof *m->heard);
    m->gone = calloc((size_t)m->ranks, sizeof *m->gone);
    if (!m->owners || !m->heard || !m->gone)
        return cli_fail(m->session, SFGP_ERROR_MEMORY, "out of memory");
    for (int64_t k = 0; k < m->b->todo_count; k++)
        m->owners[m->b->todo[k]] = WAITING;
    for (int rank = 0; rank < m->ranks; rank++)
        m->heard[rank] = sfgp_platform_seconds() + SILENCE; /* time for all ranks to start */
    return SFGP_OK;
}

static sfgp_status hand_out_cases(cli_session *session, batch *b, int ranks, bool *lost)
{
    master m = {.session = session, .b = b, .ranks = ranks, .left = b->todo_count, .running = ranks - 1};
    sfgp_status status = open_master(&m);
    b->totals.start = sfgp_platform_seconds();
    while (status == SFGP_OK && m.running > 0) {
        if (!receive(&m))
            sleep_briefly();
        drop_silent(&m);
    }
    *lost = m.lost > 0;
    if (status == SFGP_OK && m.left > 0)
        status = cli_fail(session, SFGP_ERROR_NUMERIC, "all other ranks have ended; --resume continues");
    free(m.owners);
    free(m.heard);
    free(m.gone);
    return status;
}

/* ---- all steps --------------------------------------------------------------------------------------- */

/* All ranks return the status of the first rank that failed, which prints its error. */
static sfgp_status share_status(cli_session *session, const batch *b, sfgp_status own, int rank)
{
    int mine = own != SFGP_OK ? rank : INT32_MAX, first = mine, status = (int)own;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == INT32_MAX)
        return SFGP_OK;
    MPI_Bcast(&status, 1, MPI_INT, first, MPI_COMM_WORLD);
    if (first == rank)
        cli_fail(session, own, "%s", b->error);
    return (sfgp_status)status;
}

sfgp_status cli_mpi_run(cli_session *session, batch *b, bool *speaks)
{
    int rank = 0, ranks = 1;
    bool lost = false;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    *speaks = rank == 0;
    sfgp_status status = share_status(session, b, batch_open(b), rank);
    if (status == SFGP_OK)
        status = share_status(session, b, rank == 0 ? batch_plan(b) : SFGP_OK, rank);
    if (status == SFGP_OK)
        status = rank == 0 ? hand_out_cases(session, b, ranks, &lost) : run_cases(session, b, &lost);
    if (!lost)
        MPI_Finalize();
    return status;
}

#endif
