/* Reading gzip by zlib: see gzip.h. */
#include "io/gzip.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/zlib_stream.h"

enum { CHUNK = 1 << 16 };

struct sfgp_gzip {
    const sfgp_input *input;
    z_stream stream;
    int64_t taken; /* of the packed bytes */
    int64_t given; /* of the others */
    bool ended;
    unsigned char packed[CHUNK], rest[CHUNK];
};

bool sfgp_gzip_is(const unsigned char *bytes, int64_t length)
{
    return length >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* ---- inflating --------------------------------------------------------------------------------------- */

static sfgp_status fail(const sfgp_gzip *gzip, const char *reason)
{
    return sfgp_fail(gzip->input->context, SFGP_ERROR_FORMAT, "%s: byte %lld of the gzip file: %s",
                     sfgp_path_shown(gzip->input->path), (long long)(gzip->taken - gzip->stream.avail_in),
                     reason);
}

/* Nothing is left to fill it with at the end of the file. */
static sfgp_status fill_packed(sfgp_gzip *gzip)
{
    const int64_t left = gzip->input->size - gzip->taken, length = left < CHUNK ? left : CHUNK;
    if (gzip->stream.avail_in > 0 || length == 0)
        return SFGP_OK;
    sfgp_status status = sfgp_input_read(gzip->input, gzip->taken, length, gzip->packed);
    gzip->taken += length;
    gzip->stream.next_in = gzip->packed;
    gzip->stream.avail_in = status == SFGP_OK ? (uInt)length : 0;
    return status;
}

/* Another member may follow, and zeros up to the end, as tapes have them. */
static sfgp_status end_member(sfgp_gzip *gzip)
{
    sfgp_status status = fill_packed(gzip);
    gzip->ended = status == SFGP_OK && (gzip->stream.avail_in == 0 || *gzip->stream.next_in == 0);
    if (status == SFGP_OK && !gzip->ended)
        inflateReset(&gzip->stream); /* fails only for a stream that was never begun */
    return status;
}

/* At most room bytes; none only at the end. */
static sfgp_status inflate_some(sfgp_gzip *gzip, unsigned char *bytes, int64_t room, int64_t *got)
{
    int code = Z_OK;
    *got = 0;
    while (*got == 0 && !gzip->ended) {
        sfgp_status status = fill_packed(gzip);
        if (status != SFGP_OK)
            return status;
        gzip->stream.next_out = bytes;
        gzip->stream.avail_out = (uInt)room;
        code = inflate(&gzip->stream, Z_NO_FLUSH);
        *got = room - gzip->stream.avail_out;
        if (code == Z_MEM_ERROR)
            return SFGP_ERROR_MEMORY;
        if (code == Z_BUF_ERROR && gzip->taken == gzip->input->size)
            return fail(gzip, "the file is cut short");
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            return fail(gzip, gzip->stream.msg ? gzip->stream.msg : "damaged");
        if (code == Z_STREAM_END && (status = end_member(gzip)) != SFGP_OK)
            return status;
    }
    gzip->given += *got;
    return SFGP_OK;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static sfgp_status check_size(const sfgp_gzip *gzip)
{
    const int64_t most = SFGP_GZIP_FREE + SFGP_GZIP_RATIO * gzip->input->size;
    if (gzip->given <= most && gzip->given <= SFGP_GZIP_MOST)
        return SFGP_OK;
    return sfgp_fail(gzip->input->context, SFGP_ERROR_FORMAT,
                     "%s: %lld bytes of gzip hold more than %lld; unpack the file yourself if you trust it",
                     sfgp_path_shown(gzip->input->path), (long long)gzip->input->size,
                     (long long)(most < SFGP_GZIP_MOST ? most : SFGP_GZIP_MOST));
}

static sfgp_status measure(sfgp_gzip *gzip)
{
    sfgp_status status = SFGP_OK;
    while (!gzip->ended && status == SFGP_OK) {
        int64_t got;
        status = inflate_some(gzip, gzip->rest, CHUNK, &got);
        if (status == SFGP_OK)
            status = check_size(gzip);
    }
    return status;
}

static sfgp_status rewind_to_start(sfgp_gzip *gzip)
{
    gzip->taken = gzip->given = 0;
    gzip->stream.avail_in = 0;
    gzip->ended = false;
    return inflateReset(&gzip->stream) == Z_OK ? SFGP_OK : fail(gzip, "cannot be read again");
}

sfgp_status sfgp_gzip_open(const sfgp_input *input, sfgp_gzip **gzip, int64_t *size)
{
    sfgp_status status = sfgp_allocate(input->context, 1, gzip);
    if (status != SFGP_OK)
        return status;
    (*gzip)->input = input;
    (*gzip)->stream = sfgp_zlib_stream(input->context);
    if (inflateInit2(&(*gzip)->stream, SFGP_ZLIB_GZIP) != Z_OK)
        return SFGP_ERROR_MEMORY;
    status = measure(*gzip);
    *size = (*gzip)->given;
    return status == SFGP_OK ? rewind_to_start(*gzip) : status;
}

void sfgp_gzip_close(sfgp_gzip *gzip)
{
    if (!gzip)
        return;
    inflateEnd(&gzip->stream);
    sfgp_free(gzip);
}

sfgp_status sfgp_gzip_read(sfgp_gzip *gzip, int64_t offset, int64_t length, unsigned char *bytes)
{
    const int64_t end = offset + length;
    while (gzip->given < end) {
        const bool wanted = gzip->given >= offset;
        const int64_t left = (wanted ? end : offset) - gzip->given, most = wanted ? SFGP_ZLIB_AT_ONCE : CHUNK;
        int64_t got;
        sfgp_status status = inflate_some(gzip, wanted ? bytes + (gzip->given - offset) : gzip->rest,
                                          left < most ? left : most, &got);
        if (status != SFGP_OK)
            return status;
        if (got == 0)
            return sfgp_input_fail_changed(gzip->input);
    }
    return SFGP_OK;
}
