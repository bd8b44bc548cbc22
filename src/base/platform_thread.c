/* Threads, locks and forks, by POSIX threads. */
#include "base/platform_thread.h"

#include <signal.h>
#include <stddef.h>

void sfgp_mutex_init(sfgp_mutex *mutex)
{
    pthread_mutex_init(mutex, NULL);
}

void sfgp_mutex_clear(sfgp_mutex *mutex)
{
    pthread_mutex_destroy(mutex);
}

void sfgp_mutex_lock(sfgp_mutex *mutex)
{
    pthread_mutex_lock(mutex);
}

void sfgp_mutex_unlock(sfgp_mutex *mutex)
{
    pthread_mutex_unlock(mutex);
}

void sfgp_condition_init(sfgp_condition *condition)
{
    pthread_cond_init(condition, NULL);
}

void sfgp_condition_clear(sfgp_condition *condition)
{
    pthread_cond_destroy(condition);
}

void sfgp_condition_wait(sfgp_condition *condition, sfgp_mutex *mutex)
{
    pthread_cond_wait(condition, mutex);
}

void sfgp_condition_signal(sfgp_condition *condition)
{
    pthread_cond_signal(condition);
}

void sfgp_condition_signal_all(sfgp_condition *condition)
{
    pthread_cond_broadcast(condition);
}

bool sfgp_thread_start(void *(*run)(void *user), void *user, sfgp_thread *thread)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(thread, NULL, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void sfgp_thread_join(sfgp_thread thread)
{
    pthread_join(thread, NULL);
}

void sfgp_once_run(sfgp_once *once, void (*run)(void))
{
    pthread_once(once, run);
}

void sfgp_forks_watch(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    pthread_atfork(before, parent, child);
}
