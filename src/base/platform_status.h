/* The status of a system call that has failed. */
#ifndef SFGP_BASE_PLATFORM_STATUS_H
#define SFGP_BASE_PLATFORM_STATUS_H

#include "sfgp/sfgp.h"

#include <errno.h>

/* SFGP_ERROR_MEMORY where errno says so, otherwise usual. */
static inline sfgp_status sfgp_system_status(sfgp_status usual)
{
    return errno == ENOMEM ? SFGP_ERROR_MEMORY : usual;
}

#endif
