/* The largest eigenpairs by ARPACK's implicitly restarted Lanczos method (dsaupd, dseupd; Lehoucq, Sorensen,
 * Yang, ARPACK Users' Guide, 1998), in its reverse communication. */
#include "linalg/eig.h"
#include "base/memory.h"
#include "base/platform_thread.h"
#include "base/random.h"

#include <arpack.h>

#define RESTARTS 300
#define MOST_PAIRS 20000 /* the work array is (2 x + 28)^2 with a 32-bit size */

static sfgp_mutex arpack_mutex = SFGP_MUTEX_START;

/* Sizes and arrays of dsaupd and dseupd, under ARPACK's names in brackets. */
typedef struct lanczos {
    int n;
    int wanted;         /* [nev] */
    int basis_size;     /* [ncv] */
    int work_size;      /* [lworkl] */
    double tolerance;   /* [tol]; 0: rounding */
    double *residual;   /* n: [resid] */
    double *basis;      /* n x basis_size: [v] */
    double *work3;      /* 3 n: [workd] */
    double *work;       /* work_size: [workl] */
    double *values;     /* basis_size: [d] */
    int *select;        /* basis_size */
    int parameters[11]; /* [iparam] */
    int pointers[14];   /* [ipntr] */
} lanczos;

static sfgp_status lanczos_new(sfgp_context *context, int64_t n, const sfgp_eig_request *request,
                               lanczos *state)
{
    const int64_t most = request->basis > 0 ? request->basis : 2 * request->count + 20,
                  basis_size = most < n ? most : n;
    sfgp_status status = SFGP_OK;
    *state = (lanczos){.n = (int)n,
                       .wanted = (int)request->count,
                       .basis_size = (int)basis_size,
                       .tolerance = request->tolerance};
    state->work_size = (int)(basis_size * (basis_size + 8));
    if ((status = sfgp_allocate(context, n, &state->residual)) == SFGP_OK &&
        (status = sfgp_allocate(context, n * basis_size, &state->basis)) == SFGP_OK &&
        (status = sfgp_allocate(context, 3 * n, &state->work3)) == SFGP_OK &&
        (status = sfgp_allocate(context, state->work_size, &state->work)) == SFGP_OK &&
        (status = sfgp_allocate(context, basis_size, &state->values)) == SFGP_OK)
        status = sfgp_allocate(context, basis_size, &state->select);
    state->parameters[0] = 1; /* exact shifts */
    state->parameters[2] = RESTARTS;
    state->parameters[6] = 1; /* ordinary eigenproblem */
    return status;
}

static void lanczos_free(lanczos *state)
{
    sfgp_free(state->residual);
    sfgp_free(state->basis);
    sfgp_free(state->work3);
    sfgp_free(state->work);
    sfgp_free(state->values);
    sfgp_free(state->select);
}

static void random_start(lanczos *state, uint64_t seed)
{
    sfgp_random random = sfgp_random_of(seed);
    for (int k = 0; k < state->n; k++)
        state->residual[k] = sfgp_random_uniform(&random) - 0.5;
}

/* Reverse communication: ARPACK asks for y = A x until it is done. */
static int iterate(const sfgp_operator *matrix, lanczos *state)
{
    int request = 0, info = 1; /* 1: start from residual */
    for (;;) {
        dsaupd_c(&request, "I", state->n, "LA", state->wanted, state->tolerance, state->residual,
                 state->basis_size, state->basis, state->n, state->parameters, state->pointers, state->work3,
                 state->work, state->work_size, &info);
        if (request != 1 && request != -1)
            return info;
        matrix->apply(matrix->user, state->work3 + state->pointers[0] - 1,
                      state->work3 + state->pointers[1] - 1);
    }
}

/* The Fortran routine itself: dseupd_c of ARPACK allocates, and does not ask whether it got the memory. The lengths of the texts
 * follow at the end. */
void dseupd_(const int *rvec, const char *howmny, int *select, double *d, double *z, const int *ldz,
             const double *sigma, const char *bmat, const int *n, const char *which, const int *nev,
             const double *tol, double *resid, const int *ncv, double *v, const int *ldv, int *iparam,
             int *ipntr, double *workd, double *workl, const int *lworkl, int *info, size_t howmny_length,
             size_t bmat_length, size_t which_length);

static int extract(lanczos *state)
{
    const int vectors = 1;
    const double sigma = 0; /* not read */
    int info = 0;
    dseupd_(&vectors, "A", state->select, state->values, state->basis, &state->n, &sigma, "I", &state->n,
            "LA", &state->wanted, &state->tolerance, state->residual, &state->basis_size, state->basis,
            &state->n, state->parameters, state->pointers, state->work3, state->work, &state->work_size,
            &info, 1, 1, 2);
    return info;
}

/* Ascending to descending, in place. */
static void reverse_rows(int64_t n, int64_t count, double *rows)
{
    for (int64_t k = 0; k < count / 2; k++) {
        double *a = rows + k * n, *b = rows + (count - 1 - k) * n;
        for (int64_t i = 0; i < n; i++) {
            const double held = a[i];
            a[i] = b[i], b[i] = held;
        }
    }
}

/* The pairs leave the state. */
static void hand_over(lanczos *state, double *values, double **vectors)
{
    for (int k = 0; k < state->wanted; k++)
        values[k] = state->values[state->wanted - 1 - k];
    reverse_rows(state->n, state->wanted, state->basis);
    *vectors = state->basis, state->basis = NULL;
}

sfgp_status sfgp_eig_largest(sfgp_context *context, const sfgp_operator *matrix,
                             const sfgp_eig_request *request, double *values, double **vectors)
{
    const int64_t n = matrix->n, count = request->count;
    lanczos state = {0};
    sfgp_status status = SFGP_OK;
    *vectors = NULL;
    if (n > 100000000 || count < 1 || count > n / 2 || count > MOST_PAIRS)
        return sfgp_fail(context, SFGP_ERROR_NUMERIC, "eigen: %lld pairs of %lld points", (long long)count,
                         (long long)n);
    sfgp_mutex_lock(&arpack_mutex);
    if ((status = lanczos_new(context, n, request, &state)) != SFGP_OK)
        goto cleanup;
    random_start(&state, request->seed);
    int info = iterate(matrix, &state);
    if (info == 0)
        info = extract(&state);
    if (info == 0 && state.parameters[4] >= state.wanted)
        hand_over(&state, values, vectors);
    else
        status = sfgp_fail(context, SFGP_ERROR_NUMERIC,
                           "eigen: ARPACK stopped with %d, %d of %lld pairs converged", info,
                           state.parameters[4], (long long)count);
cleanup:
    lanczos_free(&state);
    sfgp_mutex_unlock(&arpack_mutex);
    return status;
}
