/* Where the time of a run went, as a table to read: a line a stage that ran, and one for the
 * whole. Text is the caller's, free(). SFGP_ERROR_MEMORY. */
#ifndef SFGP_REPORT_PROFILE_H
#define SFGP_REPORT_PROFILE_H

#include "sfgp/sfgp.h"

sfgp_status report_profile(const sfgp_profile *profile, char **text);

#endif
