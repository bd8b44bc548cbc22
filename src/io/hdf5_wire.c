/* Blocks of bytes over a socket, whole or not at all. */
#include "io/hdf5_wire.h"

#include <errno.h>
#include <sys/socket.h>

bool sfgp_wire_send(int socket, const void *bytes, int64_t size)
{
    const char *next = bytes;
    while (size > 0) {
        const ssize_t sent = send(socket, next, (size_t)size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        if (sent > 0) {
            next += sent;
            size -= sent;
        }
    }
    return true;
}

bool sfgp_wire_receive(int socket, void *bytes, int64_t size)
{
    char *next = bytes;
    while (size > 0) {
        const ssize_t got = recv(socket, next, (size_t)size, 0);
        if (got == 0)
            errno = EPIPE;
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            next += got;
            size -= got;
        }
    }
    return true;
}
