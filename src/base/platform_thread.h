/* Threads, locks and forks. */
#ifndef SFGP_BASE_PLATFORM_THREAD_H
#define SFGP_BASE_PLATFORM_THREAD_H

#include <pthread.h>
#include <stdbool.h>

typedef pthread_mutex_t sfgp_mutex;
#define SFGP_MUTEX_START PTHREAD_MUTEX_INITIALIZER
void sfgp_mutex_init(sfgp_mutex *mutex);
void sfgp_mutex_clear(sfgp_mutex *mutex);
void sfgp_mutex_lock(sfgp_mutex *mutex);
void sfgp_mutex_unlock(sfgp_mutex *mutex);

typedef pthread_cond_t sfgp_condition;
void sfgp_condition_init(sfgp_condition *condition);
void sfgp_condition_clear(sfgp_condition *condition);
/* Under the mutex. It may return without a signal. */
void sfgp_condition_wait(sfgp_condition *condition, sfgp_mutex *mutex);
void sfgp_condition_signal(sfgp_condition *condition); /* one that waits */
void sfgp_condition_signal_all(sfgp_condition *condition);

typedef pthread_t sfgp_thread;
/* A thread that gets no signals: those are for the threads of the caller. False: the system refuses it. */
bool sfgp_thread_start(void *(*run)(void *user), void *user, sfgp_thread *thread);
void sfgp_thread_join(sfgp_thread thread);

typedef pthread_once_t sfgp_once;
#define SFGP_ONCE_START PTHREAD_ONCE_INIT
void sfgp_once_run(sfgp_once *once, void (*run)(void));

/* Functions that run in a thread that forks: before, after in the parent, and after in the child. NULL: none. */
void sfgp_forks_watch(void (*before)(void), void (*parent)(void), void (*child)(void));

#endif
