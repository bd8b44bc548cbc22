/* The time of a context by stages: marks charge the time since the last mark. The rules stand in profile.h.
 */
#include "base/profile.h"
#include "base/memory.h"
#include "base/context.h"
#include "base/platform_clock.h"

#include <stddef.h>
#include <string.h>

#define STAGE_TEXT(name, text) text,
static const char *const TEXTS[] = {SFGP_STAGE_TABLE(STAGE_TEXT)};

const char *sfgp_stage_name(int stage)
{
    return stage >= 0 && stage < SFGP_STAGES ? TEXTS[stage] : NULL;
}

void sfgp_profile_start(sfgp_context *context)
{
    const double wall = sfgp_platform_seconds(), cpu = sfgp_platform_cpu_seconds(SFGP_PLATFORM_SELF);
    sfgp_profiler *profiler = &context->profiler;
    *profiler = (sfgp_profiler){.on = true, .start = wall, .start_cpu = cpu, .last = wall, .last_cpu = cpu};
    profiler->stage = SFGP_STAGE_OTHER; /* never left */
    profiler->open[SFGP_STAGE_OTHER] = profiler->spent[SFGP_STAGE_OTHER].calls = 1;
    profiler->since[SFGP_STAGE_OTHER] = wall;
}

/* Charges the time since the last mark to the stage that ran. */
static void charge(sfgp_profiler *profiler)
{
    const double wall = sfgp_platform_seconds(), cpu = sfgp_platform_cpu_seconds(SFGP_PLATFORM_SELF);
    profiler->spent[profiler->stage].wall += wall - profiler->last;
    profiler->spent[profiler->stage].cpu += cpu - profiler->last_cpu;
    profiler->last = wall;
    profiler->last_cpu = cpu;
}

sfgp_mark sfgp_profile_enter(sfgp_context *context, sfgp_stage stage)
{
    sfgp_profiler *profiler = &context->profiler;
    const sfgp_mark mark = {stage, profiler->stage};
    if (!profiler->on)
        return mark;
    charge(profiler);
    profiler->stage = stage;
    if (profiler->open[stage]++ > 0)
        return mark;
    profiler->spent[stage].calls++;
    profiler->since[stage] = profiler->last;
    return mark;
}

void sfgp_profile_leave(sfgp_context *context, sfgp_mark mark)
{
    sfgp_profiler *profiler = &context->profiler;
    if (!profiler->on || profiler->open[mark.stage] == 0) /* it was entered before the start */
        return;
    charge(profiler);
    if (--profiler->open[mark.stage] == 0)
        profiler->spent[mark.stage].total += profiler->last - profiler->since[mark.stage];
    profiler->stage = mark.outer;
}

static void read_clocks(const sfgp_context *context, sfgp_profile *profile)
{
    sfgp_profiler now = context->profiler;
    *profile = (sfgp_profile){.wall = 0};
    if (!now.on)
        return;
    charge(&now);
    profile->wall = now.last - now.start;
    profile->cpu = now.last_cpu - now.start_cpu;
    for (int k = 0; k < SFGP_STAGES; k++) {
        profile->stages[k] = now.spent[k];
        if (now.open[k] > 0)
            profile->stages[k].total += now.last - now.since[k];
    }
}

void sfgp_profile_read_sized(const sfgp_context *context, sfgp_profile *profile, size_t size)
{
    sfgp_profile now;
    read_clocks(context, &now);
    sfgp_struct_copy(&now, sizeof now, size, profile);
}
