/* Page: the three panels, their words and the colour bar, in one PNG. */
#ifndef SFGP_BENCH_PICTURE_PAGE_H
#define SFGP_BENCH_PICTURE_PAGE_H

#include "scene.h"

/* Writes the picture; dies when it cannot. Smooths the scene's missing values. */
void page_write(struct scene *scene, const char *path);

#endif
