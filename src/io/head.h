/* Head: what the first bytes of a file and its size say about its format. */
#ifndef SFGP_IO_HEAD_H
#define SFGP_IO_HEAD_H

#include "io/source.h"

typedef struct sfgp_head {
    const unsigned char *bytes;
    int64_t length; /* 4096 or more, less only when the file is smaller */
    int64_t file_size;
} sfgp_head;

sfgp_status sfgp_head_read(sfgp_source *source, sfgp_head *head);
bool sfgp_head_starts(const sfgp_head *head, const char *magic, int64_t length);

bool sfgp_head_is_ply(const sfgp_head *head);
bool sfgp_head_is_npy(const sfgp_head *head);
/* The first line that is not blank nor a comment starts with one of the usual keywords. */
bool sfgp_head_is_obj(const sfgp_head *head);
/* Either of the next two. */
bool sfgp_head_is_stl(const sfgp_head *head);
/* The first word that is not in a comment is OFF, or OFF behind some of ST, C, N, 4 and n. */
bool sfgp_head_is_off(const sfgp_head *head);
/* Such a word in three dimensions. */
bool sfgp_text_is_off(sfgp_text word);
bool sfgp_head_is_vtk(const sfgp_head *head);
/* The magic of .glb, or JSON. */
bool sfgp_head_is_gltf(const sfgp_head *head);
/* XML with the tag VTKFile in sight. */
bool sfgp_head_is_vtp(const sfgp_head *head);
/* The size of the file is 84 + 50 n, n being the count in the bytes 80 to 83. */
bool sfgp_head_is_stl_binary(const sfgp_head *head);
/* Starts with "solid" and has no NUL byte. */
bool sfgp_head_is_stl_text(const sfgp_head *head);
/* 84 + 50 n; needs a length of 84. */
int64_t sfgp_head_stl_size(const sfgp_head *head);

#endif
