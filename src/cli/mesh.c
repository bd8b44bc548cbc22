/* Reads meshes with the options of the command line. */
#include "cli/mesh.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

sfgp_status cli_mesh_check_target_scale(cli_session *session)
{
    if (session->target_scale > 0 && isfinite(session->target_scale))
        return SFGP_OK;
    return cli_fail(session, SFGP_ERROR_PARAMETER, "--target-scale: %g is no factor; give a number above 0",
                    session->target_scale);
}

void cli_mesh_tell(cli_session *session, const char *role, const char *path, const sfgp_mesh *mesh)
{
    cli_tell(session, "%s: %s: %s, %" PRId64 " points, %" PRId64 " faces, %dD", role, cli_path_shown(path),
             mesh->format, mesh->count, mesh->face_count, mesh->dimension);
}

sfgp_status cli_mesh_read(cli_session *session, const char *path, sfgp_mesh **mesh)
{
    const sfgp_status status = sfgp_mesh_read_with(session->context, path, &session->read, mesh, NULL);
    if (status == SFGP_OK) {
        if (session->verbose)
            cli_mesh_tell(session, "read", path, *mesh);
        session->meshes_read++;
        session->tables_read += strcmp((*mesh)->format, "text") == 0 || strcmp((*mesh)->format, "npy") == 0;
    }
    return cli_check(session, status);
}

sfgp_status cli_mesh_read_kept(cli_session *session, const char *path, sfgp_mesh **mesh)
{
    session->read.keep = 1;
    const sfgp_status status = cli_mesh_read(session, path, mesh);
    session->read.keep = 0;
    return status;
}

sfgp_status cli_mesh_read_target(cli_session *session, const char *path, sfgp_mesh **mesh)
{
    session->read.scale = session->target_scale;
    const sfgp_status status = cli_mesh_read(session, path, mesh);
    session->read.scale = 0;
    return status;
}

void cli_mesh_warn_unused(cli_session *session)
{
    if (session->read.columns && session->meshes_read > 0 && session->tables_read == 0)
        cli_warn(session, "--columns: not used, no text and no NPY file was read");
}
