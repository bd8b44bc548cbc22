/* Memory for zlib: see zlib_stream.h. */
#include "io/zlib_stream.h"
#include "base/memory.h"

static voidpf allocate(voidpf context, uInt items, uInt size)
{
    void *block = NULL;
    sfgp_allocate_bytes(context, items, size, &block);
    return block;
}

static void release(voidpf context, voidpf block)
{
    (void)context;
    sfgp_free(block);
}

z_stream sfgp_zlib_stream(sfgp_context *context)
{
    return (z_stream){.zalloc = allocate, .zfree = release, .opaque = context};
}
