/* The end of a process without what exit does: no function that was registered runs, and no buffer is written. */
#ifndef SFGP_BASE_PLATFORM_LEAVE_H
#define SFGP_BASE_PLATFORM_LEAVE_H

/* In a child that was forked, whose buffers are copies of those of its parent; and without memory, where OpenBLAS would wait for
 * its threads for ever. A coverage build writes its counters before. */
_Noreturn void sfgp_platform_leave(int code);

/* Before another program takes the place of this one in its process. Does nothing but in a coverage build. */
void sfgp_platform_keep_counters(void);

#endif
