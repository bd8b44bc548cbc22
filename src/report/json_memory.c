/* Memory of jansson, which does not bear to get none. */
#include "base/platform_leave.h"
#include "report/json_text.h"

#include <stdio.h>
#include <stdlib.h>

static void *allocate_or_end(size_t bytes)
{
    void *block = malloc(bytes);
    if (block || bytes == 0)
        return block;
    fputs("sfgp: error: out of memory\n", stderr);
    sfgp_platform_leave(SFGP_ERROR_MEMORY);
}

void report_json_guard_memory(void)
{
    json_set_alloc_funcs(allocate_or_end, free);
}
