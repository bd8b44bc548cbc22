/* picture SCAN.ply FIT.ply TABLE.csv OUT.png - the picture of the README: what came in, what came out, and
 * how sure it is. TABLE.csv is what `sfgp register --table` writes; its columns sd and missing are used.
 *
 * The program draws its own pictures in the same way (src/page/canvas.h). */
#include "page.h"

int main(int count, char **arguments)
{
    sfgp_context *context = NULL;
    if (count != 5)
        die("usage", "picture SCAN.ply FIT.ply TABLE.csv OUT.png");
    if (sfgp_context_new(NULL, &context) != SFGP_OK)
        die("memory", "there is none left");
    struct scene scene = scene_read(context, arguments[1], arguments[2], arguments[3]);
    page_write(&scene, arguments[4]);
    scene_free(&scene);
    sfgp_context_free(context);
    return 0;
}
