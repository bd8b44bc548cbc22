/* SHA-256, after FIPS 180-4; letters and constants as there. */
#include "batch/digest.h"
#include "report/file.h"

#include <stdio.h>
#include <string.h>

static const uint32_t ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

/* The message schedule W_0 .. W_63 of a block. */
static void expand_block(const unsigned char block[64], uint32_t w[64])
{
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        const uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10) + w[t - 7] +
               (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) + w[t - 16];
    }
}

/* One round, h with its word added: what a will be. d becomes e. So the next round names the variables one further instead of moving them. */
static inline uint32_t turn(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                            uint32_t g, uint32_t h)
{
    const uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    h += (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) + choice;
    *d += h;
    return h + (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) + majority;
}

static void compress_block(uint32_t state[8], const unsigned char block[64])
{
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5],
                    g = state[6], h = state[7];
    expand_block(block, w);
    for (int t = 0; t < 64; t += 8) {
        h = turn(a, b, c, &d, e, f, g, h + ROUND[t] + w[t]);
        g = turn(h, a, b, &c, d, e, f, g + ROUND[t + 1] + w[t + 1]);
        f = turn(g, h, a, &b, c, d, e, f + ROUND[t + 2] + w[t + 2]);
        e = turn(f, g, h, &a, b, c, d, e + ROUND[t + 3] + w[t + 3]);
        d = turn(e, f, g, &h, a, b, c, d + ROUND[t + 4] + w[t + 4]);
        c = turn(d, e, f, &g, h, a, b, c + ROUND[t + 5] + w[t + 5]);
        b = turn(c, d, e, &f, g, h, a, b + ROUND[t + 6] + w[t + 6]);
        a = turn(b, c, d, &e, f, g, h, a + ROUND[t + 7] + w[t + 7]);
    }
    const uint32_t v[8] = {a, b, c, d, e, f, g, h};
    for (int k = 0; k < 8; k++)
        state[k] += v[k];
}

void digest_start(digest *d)
{
    static const uint32_t FIRST[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    *d = (digest){.size = 0};
    memcpy(d->state, FIRST, sizeof FIRST);
}

void digest_add(digest *d, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        const size_t used = d->size % 64, part = size < 64 - used ? size : 64 - used;
        memcpy(d->block + used, from, part);
        d->size += part;
        from += part;
        size -= part;
        if (d->size % 64 == 0)
            compress_block(d->state, d->block);
    }
}

/* A one bit, zeros, and the length in bits as 64 bits, to the end of a block. */
void digest_end(digest *d, char text[BATCH_DIGEST])
{
    static const unsigned char PADDING[64] = {0x80};
    const uint64_t bits = 8 * d->size;
    unsigned char length[8];
    for (int k = 0; k < 8; k++)
        length[k] = (unsigned char)(bits >> (56 - 8 * k));
    digest_add(d, PADDING, 1 + (119 - d->size % 64) % 64);
    digest_add(d, length, sizeof length);
    for (int k = 0; k < 8; k++)
        snprintf(text + 8 * k, 9, "%08x", (unsigned)d->state[k]);
}

void digest_text(const char *text, char hex[BATCH_DIGEST])
{
    digest d;
    digest_start(&d);
    digest_add(&d, text, strlen(text));
    digest_end(&d, hex);
}

bool digest_file(const char *path, char hex[BATCH_DIGEST])
{
    unsigned char part[16384];
    digest d;
    const char *problem;
    hex[0] = '\0';
    FILE *in = report_file_open(path, &problem);
    if (!in)
        return false;
    digest_start(&d);
    for (size_t got; (got = fread(part, 1, sizeof part, in)) > 0;)
        digest_add(&d, part, got);
    const bool good = !ferror(in);
    fclose(in);
    if (good)
        digest_end(&d, hex);
    return good;
}
