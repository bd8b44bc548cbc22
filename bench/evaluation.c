#include "evaluation.h"

#include <stdio.h>
#include <stdlib.h>

sfgp_mesh *bench_ear(sfgp_context *context, const char *kind, int number)
{
    const char *folder = getenv("SFGP_DATA") ? getenv("SFGP_DATA") : "../shared/data";
    char path[4096];
    sfgp_mesh *mesh;
    snprintf(path, sizeof path, number < 0 ? "%s/ears/%s.ply" : "%s/ears/%s/%03d.ply", folder, kind, number);
    const sfgp_status status = sfgp_mesh_read(context, path, &mesh);
    if (status == SFGP_OK)
        return mesh;
    fprintf(stderr, "bench: %s: %s\n", sfgp_status_text(status), sfgp_context_error(context));
    exit(status);
}
