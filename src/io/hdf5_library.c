/* Loads libhdf5, or names what is linked. */
#include "io/hdf5_library.h"
#include "base/context.h"
#include "base/platform_library.h"
#include "base/platform_memory.h"
#include "base/platform_thread.h"

#include <errno.h>
#include <string.h>

#ifdef SFGP_HDF5_SONAME

sfgp_hdf5_library sfgp_h5;

#define SYMBOL(name) {"H5" #name, &sfgp_h5.name},
static const struct {
    const char *name;
    void *place;
} SYMBOLS[] = {SFGP_HDF5_FUNCTIONS(SYMBOL) SFGP_HDF5_IDENTIFIERS(SYMBOL)};

/* The library and those that it is linked with take 20 MiB. The loader does not always say what it lacks. */
#define ROOM ((size_t)32 << 20)

static sfgp_status fail(sfgp_context *context, const char *words)
{
    const bool memory = errno == ENOMEM || !sfgp_platform_has_room(ROOM);
    return sfgp_fail(context, memory ? SFGP_ERROR_MEMORY : SFGP_ERROR_READ, "%s%s cannot be loaded: %s",
                     memory ? "out of memory: " : "", SFGP_HDF5_SONAME, words);
}

static sfgp_status load(sfgp_context *context)
{
    char words[256];
    void *library = sfgp_library_open(SFGP_HDF5_SONAME, sizeof words, words);
    if (!library)
        return fail(context, words);
    for (size_t k = 0; k < sizeof SYMBOLS / sizeof *SYMBOLS; k++) {
        void *symbol = sfgp_library_find(library, SYMBOLS[k].name);
        if (!symbol)
            return sfgp_fail(context, SFGP_ERROR_READ,
                             "%s has no %s: it is another version than sfgp was built for", SFGP_HDF5_SONAME,
                             SYMBOLS[k].name);
        /* C converts no pointer of data to one of a function */
        memcpy(SYMBOLS[k].place, &symbol, sizeof symbol);
    }
    return SFGP_OK;
}

sfgp_status sfgp_hdf5_load(sfgp_context *context)
{
    static sfgp_mutex mutex = SFGP_MUTEX_START;
    static bool loaded;
    sfgp_mutex_lock(&mutex);
    const sfgp_status status = loaded ? SFGP_OK : load(context);
    loaded = status == SFGP_OK;
    sfgp_mutex_unlock(&mutex);
    return status;
}

#else

#define FUNCTION(function) .function = H5##function,
#define IDENTIFIER(name) .name = &H5##name,
sfgp_hdf5_library sfgp_h5 = {SFGP_HDF5_FUNCTIONS(FUNCTION) SFGP_HDF5_IDENTIFIERS(IDENTIFIER)};

sfgp_status sfgp_hdf5_load(sfgp_context *context)
{
    (void)context;
    return SFGP_OK;
}

#endif
