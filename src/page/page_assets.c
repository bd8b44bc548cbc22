/* Embeds the files of a page in the program by .incbin, which the assemblers of gcc and clang have. CMake defines the
 * folders: PAGE_ASSET_FOLDER, and PAGE_THREE_FOLDER in a build with views. */
#include "page/page_assets.h"
#include "page/page.h"

/* Defines name[] and name_end[] around the bytes of the file, in read-only data. */
#define EMBED(name, path)                                                                                    \
    extern const char name[], name##_end[];                                                                  \
    __asm__(".pushsection .rodata\n"                                                                         \
            ".global " #name "\n.hidden " #name "\n.global " #name "_end\n.hidden " #name "_end\n" #name     \
            ":\n.incbin \"" path "\"\n" #name "_end:\n.byte 0\n"                                             \
            ".popsection\n")

EMBED(page_embedded_style, PAGE_ASSET_FOLDER "/page.css");
EMBED(page_embedded_table, PAGE_ASSET_FOLDER "/table.js");
#ifdef PAGE_THREE_FOLDER
EMBED(page_embedded_orbit, PAGE_ASSET_FOLDER "/orbit.js");
EMBED(page_embedded_colours, PAGE_ASSET_FOLDER "/colours.js");
EMBED(page_embedded_scene, PAGE_ASSET_FOLDER "/scene.js");
EMBED(page_embedded_panel, PAGE_ASSET_FOLDER "/panel.js");
EMBED(page_embedded_viewer, PAGE_ASSET_FOLDER "/viewer.js");
EMBED(page_embedded_start, PAGE_ASSET_FOLDER "/start.js");
EMBED(page_embedded_three, PAGE_THREE_FOLDER "/package/build/three.module.min.js");
EMBED(page_embedded_licence, PAGE_THREE_FOLDER "/package/LICENSE");
#endif

static const struct {
    page_asset asset;
    const char *begin, *end;
} FILES[] = {
    {PAGE_ASSET_STYLE, page_embedded_style, page_embedded_style_end},
    {PAGE_ASSET_TABLE, page_embedded_table, page_embedded_table_end},
#ifdef PAGE_THREE_FOLDER
    {PAGE_ASSET_VIEWER, page_embedded_orbit, page_embedded_orbit_end},
    {PAGE_ASSET_VIEWER, page_embedded_colours, page_embedded_colours_end},
    {PAGE_ASSET_VIEWER, page_embedded_scene, page_embedded_scene_end},
    {PAGE_ASSET_VIEWER, page_embedded_panel, page_embedded_panel_end},
    {PAGE_ASSET_VIEWER, page_embedded_viewer, page_embedded_viewer_end},
    {PAGE_ASSET_VIEWER, page_embedded_start, page_embedded_start_end},
    {PAGE_ASSET_THREE, page_embedded_three, page_embedded_three_end},
    {PAGE_ASSET_LICENCE, page_embedded_licence, page_embedded_licence_end},
#endif
};

void page_asset_write(FILE *out, page_asset asset)
{
    for (size_t k = 0; k < sizeof FILES / sizeof FILES[0]; k++)
        if (FILES[k].asset == asset)
            fwrite(FILES[k].begin, 1, (size_t)(FILES[k].end - FILES[k].begin), out);
}

bool page_has_viewer(void)
{
#ifdef PAGE_THREE_FOLDER
    return true;
#else
    return false;
#endif
}
