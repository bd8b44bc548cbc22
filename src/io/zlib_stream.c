/* zlib: its memory, and writing gzip (RFC 1952). */
#include "io/zlib_stream.h"
#include "base/memory.h"

enum { USUAL_MEMORY = 8 };

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

/* ---- writing ----------------------------------------------------------------------------------------- */

static uInt least(int64_t a, int64_t b)
{
    return (uInt)(a < b ? a : b);
}

/* zlib counts in 32 bits: in pieces. room is enough for all. */
static void deflate_all(z_stream *stream, int64_t size, unsigned char *packed, int64_t room)
{
    int64_t left = size, free_room = room;
    int code = Z_OK;
    stream->next_out = packed;
    while (code == Z_OK) {
        const uInt in = least(left, SFGP_ZLIB_AT_ONCE), out = least(free_room, SFGP_ZLIB_AT_ONCE);
        stream->avail_in = in;
        stream->avail_out = out;
        code = deflate(stream, left > in ? Z_NO_FLUSH : Z_FINISH);
        left -= in - stream->avail_in;
        free_room -= out - stream->avail_out;
    }
}

sfgp_status sfgp_pack(sfgp_context *context, const void *bytes, int64_t size, unsigned char **packed,
                      int64_t *packed_size)
{
    z_stream stream = sfgp_zlib_stream(context);
    stream.next_in = bytes;
    *packed = NULL;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, SFGP_ZLIB_GZIP, USUAL_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return SFGP_ERROR_MEMORY;
    const int64_t room = (int64_t)deflateBound(&stream, (uLong)size);
    sfgp_status status = sfgp_allocate_raw(context, room, 1, (void **)packed);
    if (status == SFGP_OK)
        deflate_all(&stream, size, *packed, room);
    *packed_size = (int64_t)stream.total_out;
    deflateEnd(&stream);
    return status;
}
