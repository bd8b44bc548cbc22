/* A process of libhdf5 that is kept: see kept.h. Each file comes as a message with the socket for its requests. */
#include "fuzz/kept.h"
#include "fuzz/parts.h"
#include "io/hdf5_serve.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

bool __real_sfgp_child_start(const sfgp_child_task *task, sfgp_child *child);
sfgp_child_end __real_sfgp_child_finish(sfgp_child *child, bool force);

enum {
    FILES = 1000, /* of a process */
    FILES_BETWEEN = 256
};

typedef struct message {
    sfgp_child_task task;
    sfgp_hdf5_job job;
    char path[4096];
} message;

static struct {
    sfgp_child process;
    int files; /* that it has read */
} kept = {.process = {.id = -1, .socket = -1}};

/* ---- libhdf5 ----------------------------------------------------------------------------------------------- */

void fuzz_close_hdf5(void)
{
    static int files;
    hid_t open[64];
    for (ssize_t count; (count = H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_ALL, 64, open)) > 0;)
        for (ssize_t k = 0; k < count; k++)
            H5Idec_ref(open[k]);
    if (++files % FILES_BETWEEN == 0)
        H5close();
    if (files % FILES_BETWEEN <=
        1) /* to keep the block of half a MiB that every open file has: new pages cost more than all else */
        H5set_free_list_limits(-1, -1, -1, -1, -1, -1);
}

/* ---- messages ---------------------------------------------------------------------------------------------- */

typedef union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
} control;

static bool send_message(int to, const message *sent, int socket)
{
    struct iovec part = {.iov_base = (void *)sent, .iov_len = sizeof *sent};
    control room = {
        .header = {.cmsg_len = CMSG_LEN(sizeof socket), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    memcpy(CMSG_DATA(&room.header), &socket, sizeof socket);
    return sendmsg(to, &header, MSG_NOSIGNAL) == (ssize_t)sizeof *sent;
}

static bool receive_message(int from, message *got, int *socket)
{
    struct iovec part = {.iov_base = got, .iov_len = sizeof *got};
    control room;
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    if (recvmsg(from, &header, MSG_WAITALL) != (ssize_t)sizeof *got || !CMSG_FIRSTHDR(&header))
        return false;
    memcpy(socket, CMSG_DATA(CMSG_FIRSTHDR(&header)), sizeof *socket);
    return true;
}

/* ---- in the process ---------------------------------------------------------------------------------------- */

/* As many seconds of the processor as a process of its own would have. */
static void allow_seconds(int64_t seconds)
{
    struct rlimit limit;
    struct rusage used;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || getrusage(RUSAGE_SELF, &used) != 0)
        return;
    limit.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + seconds + 1);
    setrlimit(RLIMIT_CPU, &limit);
}

static void wait_for_end(int socket)
{
    char bytes[1024];
    ssize_t got;
    do
        got = recv(socket, bytes, sizeof bytes, 0);
    while (got > 0 || (got < 0 && errno == EINTR));
}

static void serve_files(void *user, int socket)
{
    static message file;
    int requests = -1;
    (void)user;
    while (receive_message(socket, &file, &requests)) {
        file.job.path = file.path;
        allow_seconds(file.task.seconds);
        file.task.serve(&file.job, requests);
        wait_for_end(requests);
        close(requests);
        fuzz_close_hdf5();
    }
}

/* ---- in front of it ---------------------------------------------------------------------------------------- */

static bool start_process(const sfgp_child_task *task)
{
    const sfgp_child_task all = {.serve = serve_files, .memory = task->memory, .patience = task->patience};
    if (kept.process.id > 0)
        __real_sfgp_child_finish(&kept.process, true);
    kept.files = 0;
    return __real_sfgp_child_start(&all, &kept.process);
}

static bool make_socket(const sfgp_child_task *task, int ends[2])
{
    const struct timeval patience = {.tv_sec = (time_t)task->patience};
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 &&
           setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0 &&
           setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0;
}

bool fuzz_kept_start(const sfgp_child_task *task, sfgp_child *child)
{
    static message file;
    int ends[2];
    file = (message){.task = *task, .job = *(const sfgp_hdf5_job *)task->user};
    snprintf(file.path, sizeof file.path, "%s", file.job.path);
    if ((kept.process.id <= 0 || ++kept.files > FILES) && !start_process(task))
        return false;
    fuzz_require(make_socket(task, ends), "there is a socket");
    /* It may have broken down behind the last file. */
    fuzz_require(send_message(kept.process.socket, &file, ends[1]) ||
                     (start_process(task) && send_message(kept.process.socket, &file, ends[1])),
                 "a process takes the file");
    close(ends[1]);
    *child = (sfgp_child){.id = kept.process.id, .socket = ends[0]};
    return true;
}

bool fuzz_kept_has(const sfgp_child *child)
{
    return child->id > 0 && child->id == kept.process.id;
}

/* Its end of the socket is closed only when it is gone. */
sfgp_child_end fuzz_kept_finish(sfgp_child *child, bool force)
{
    char byte;
    const bool gone = recv(child->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    close(child->socket);
    *child = (sfgp_child){.id = -1, .socket = -1};
    return gone || force ? __real_sfgp_child_finish(&kept.process, force) : (sfgp_child_end){.known = true};
}
