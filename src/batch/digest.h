/* SHA-256 (FIPS 180-4), so that sha256sum can check the digests in case.json. */
#ifndef SFGP_BATCH_DIGEST_H
#define SFGP_BATCH_DIGEST_H

#include "batch/parts.h"

typedef struct digest {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    unsigned char block[64];
} digest;

void digest_start(digest *d);
void digest_add(digest *d, const void *bytes, size_t size);
void digest_end(digest *d, char text[BATCH_DIGEST]);

/* The digest of a text. */
void digest_text(const char *text, char hex[BATCH_DIGEST]);
/* The digest of a file. False, and hex is "": the file cannot be read. */
bool digest_file(const char *path, char hex[BATCH_DIGEST]);

#endif
