/* Buffers and accessors of glTF: see gltf.h. A buffer is the binary part of a .glb, base64 in its own text, or a file
 * beside the .gltf, whose name may not lead out of its folder. */
#include "io/gltf.h"
#include "base/memory.h"
#include "base/platform_file.h"
#include "io/base64.h"
#include "io/file.h"
#include "io/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FILES = 64 }; /* beside one .gltf: many names of one large file would take its memory for each */

sfgp_status sfgp_gltf_fail(const sfgp_gltf *gltf, const char *format, ...)
{
    char words[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return sfgp_fail(gltf->source->context, SFGP_ERROR_FORMAT, "%s: glTF: %s",
                     sfgp_path_shown(gltf->source->path), words);
}

/* ---- buffers ----------------------------------------------------------------------------------------- */

static sfgp_status decode_text(sfgp_gltf *gltf, sfgp_gltf_buffer *buffer, const char *uri)
{
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || memcmp(comma - 7, ";base64", 7) != 0)
        return sfgp_gltf_fail(gltf, "expected data:...;base64, found '%.30s'", uri);
    sfgp_base64 decoder = {.rest = {comma + 1, (int64_t)strlen(comma + 1)}};
    if (buffer->length > decoder.rest.length)
        return sfgp_gltf_fail(gltf, "a buffer of %lld bytes has %lld characters of base64",
                              (long long)buffer->length, (long long)decoder.rest.length);
    sfgp_status status = sfgp_allocate(gltf->source->context, buffer->length, &buffer->owned);
    if (status == SFGP_OK && !sfgp_base64_take(&decoder, buffer->length, buffer->owned))
        return sfgp_gltf_fail(gltf, "a buffer of %lld bytes has less base64, or other characters",
                              (long long)buffer->length);
    return status;
}

/* %20 and the like; false for names that lead elsewhere. */
static bool find_path(const char *beside, const char *uri, char path[SFGP_PLATFORM_PATH])
{
    const char *slash = strrchr(beside, '/');
    const int folder = slash ? (int)(slash - beside) + 1 : 0;
    int length = snprintf(path, SFGP_PLATFORM_PATH, "%.*s", folder, beside);
    for (const char *c = uri; *c && length < SFGP_PLATFORM_PATH - 1; c++) {
        unsigned code;
        const bool coded = *c == '%' && sscanf(c + 1, "%2x", &code) == 1 && c[2] && code >= ' ';
        path[length++] = coded ? (char)code : *c;
        c += coded ? 2 : 0;
    }
    path[length < SFGP_PLATFORM_PATH ? length : SFGP_PLATFORM_PATH - 1] = '\0';
    return length < SFGP_PLATFORM_PATH - 1 && uri[0] && path[folder] != '/' && !strstr(path + folder, "..") &&
           !strchr(path + folder, ':') && !sfgp_path_is_stream(path);
}

static sfgp_status read_file(sfgp_gltf *gltf, sfgp_gltf_buffer *buffer, const char *uri)
{
    char path[SFGP_PLATFORM_PATH];
    sfgp_input input;
    if (++gltf->files > MOST_FILES)
        return sfgp_gltf_fail(gltf, "more than %d buffers in files beside it; save it as .glb", MOST_FILES);
    if (!find_path(gltf->source->path, uri, path))
        return sfgp_gltf_fail(gltf, "'%.100s' is no file beside it", uri);
    sfgp_status status = sfgp_input_open(gltf->source->context, path, &input);
    if (status == SFGP_OK && input.size < buffer->length)
        status = sfgp_gltf_fail(gltf, "'%.100s' has %lld bytes, expected %lld", uri, (long long)input.size,
                                (long long)buffer->length);
    if (status == SFGP_OK)
        status = sfgp_allocate(gltf->source->context, buffer->length, &buffer->owned);
    if (status == SFGP_OK)
        status = sfgp_input_read(&input, 0, buffer->length, buffer->owned);
    gltf->beside += status == SFGP_OK ? buffer->length : 0;
    sfgp_input_close(&input);
    return status;
}

static sfgp_status find_buffer(sfgp_gltf *gltf, sfgp_gltf_buffer *buffer, bool first)
{
    const char *uri = buffer->uri < 0 ? NULL : (const char *)gltf->texts.bytes + buffer->uri;
    if (!uri && first && gltf->binary && buffer->length <= gltf->binary_size) {
        buffer->bytes = gltf->binary;
        return SFGP_OK;
    }
    if (!uri)
        return sfgp_gltf_fail(gltf, "a buffer of %lld bytes is not in the file", (long long)buffer->length);
    sfgp_status status =
        strncmp(uri, "data:", 5) == 0 ? decode_text(gltf, buffer, uri) : read_file(gltf, buffer, uri);
    buffer->bytes = buffer->owned;
    return status;
}

sfgp_status sfgp_gltf_find_buffers(sfgp_gltf *gltf)
{
    const int64_t count = SFGP_GLTF_COUNT(gltf->buffers, sfgp_gltf_buffer);
    sfgp_status status = SFGP_OK;
    for (int64_t k = 0; k < count && status == SFGP_OK; k++)
        status = find_buffer(gltf, SFGP_GLTF_AT(gltf->buffers, sfgp_gltf_buffer, k), k == 0);
    return status;
}

void sfgp_gltf_free_buffers(sfgp_gltf *gltf)
{
    for (int64_t k = 0; k < SFGP_GLTF_COUNT(gltf->buffers, sfgp_gltf_buffer); k++)
        sfgp_free(SFGP_GLTF_AT(gltf->buffers, sfgp_gltf_buffer, k)->owned);
}

/* ---- accessors --------------------------------------------------------------------------------------- */

static const struct component {
    int64_t code;
    sfgp_scalar type;
    double most; /* of normalised numbers */
} COMPONENTS[] = {{5120, SFGP_INT8, 127},     {5121, SFGP_UINT8, 255},           {5122, SFGP_INT16, 32767},
                  {5123, SFGP_UINT16, 65535}, {5125, SFGP_UINT32, 4294967295.0}, {5126, SFGP_FLOAT32, 1}};

static const struct component *find_component(int64_t code)
{
    for (size_t k = 0; k < sizeof COMPONENTS / sizeof *COMPONENTS; k++)
        if (COMPONENTS[k].code == code)
            return &COMPONENTS[k];
    return NULL;
}

static int64_t element_size(const sfgp_gltf_accessor *accessor)
{
    return accessor->components * sfgp_scalar_size(find_component(accessor->type)->type);
}

/* All numbers are below 2^53, so that no sum overflows. */
static bool fits(const sfgp_gltf *gltf, const sfgp_gltf_accessor *accessor)
{
    if (accessor->view < 0 || accessor->view >= SFGP_GLTF_COUNT(gltf->views, sfgp_gltf_view))
        return false;
    const sfgp_gltf_view *view = SFGP_GLTF_AT(gltf->views, sfgp_gltf_view, accessor->view);
    if (view->buffer < 0 || view->buffer >= SFGP_GLTF_COUNT(gltf->buffers, sfgp_gltf_buffer))
        return false;
    const sfgp_gltf_buffer *buffer = SFGP_GLTF_AT(gltf->buffers, sfgp_gltf_buffer, view->buffer);
    const int64_t size = element_size(accessor), stride = view->stride > 0 ? view->stride : size;
    if (view->offset + view->length > buffer->length || stride < size)
        return false;
    return accessor->count == 0 || (accessor->offset + size <= view->length &&
                                    accessor->count - 1 <= (view->length - accessor->offset - size) / stride);
}

sfgp_status sfgp_gltf_check_accessor(const sfgp_gltf *gltf, int64_t index, int64_t components)
{
    if (index >= SFGP_GLTF_COUNT(gltf->accessors, sfgp_gltf_accessor))
        return sfgp_gltf_fail(gltf, "accessor %lld is not there", (long long)index);
    const sfgp_gltf_accessor *accessor = SFGP_GLTF_AT(gltf->accessors, sfgp_gltf_accessor, index);
    if (accessor->sparse)
        return sfgp_gltf_fail(gltf, "accessor %lld is sparse, which is not read; save the file without",
                              (long long)index);
    if (accessor->components != components || !find_component(accessor->type))
        return sfgp_gltf_fail(gltf, "accessor %lld: expected %s of a known type", (long long)index,
                              components == 3 ? "VEC3" : "SCALAR");
    if (!fits(gltf, accessor))
        return sfgp_gltf_fail(gltf, "accessor %lld reaches beyond its view or buffer, or has none",
                              (long long)index);
    return SFGP_OK;
}

void sfgp_gltf_load(const sfgp_gltf *gltf, int64_t index, int64_t i, double *values)
{
    const sfgp_gltf_accessor *accessor = SFGP_GLTF_AT(gltf->accessors, sfgp_gltf_accessor, index);
    const sfgp_gltf_view *view = SFGP_GLTF_AT(gltf->views, sfgp_gltf_view, accessor->view);
    const struct component *component = find_component(accessor->type);
    const int64_t stride = view->stride > 0 ? view->stride : element_size(accessor);
    const unsigned char *bytes = SFGP_GLTF_AT(gltf->buffers, sfgp_gltf_buffer, view->buffer)->bytes +
                                 view->offset + accessor->offset + i * stride;
    for (int64_t k = 0; k < accessor->components; k++) {
        values[k] = sfgp_scalar_load(component->type, false, bytes + k * sfgp_scalar_size(component->type));
        if (accessor->normalised)
            values[k] = values[k] < -component->most ? -1 : values[k] / component->most;
    }
}
