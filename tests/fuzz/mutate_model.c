/* Changes a file of ours (io/hdf5_digest.h) by its structure: rows of the table of places, and the numbers and texts that they
 * name. What a row has lost or got in size is written anew behind the end, so that sizes and bytes agree; a few changes make
 * them disagree. The digest is repaired at the end, so that the readers behind it see the change. The HDF5 image itself is only
 * changed by single bytes: what libhdf5 makes of damaged files is a matter of the process that it runs in. */
#include "fuzz/mutate.h"
#include "fuzz/mutate_model.h"
#include "io/hdf5_digest.h"

#include <string.h>

static const char MAGIC[] = "sfgp HDF5 2\n";

static int below(sfgp_random *random, int bound)
{
    return (int)sfgp_random_below(random, bound);
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

static void change_type(model_parts *m, sfgp_random *random)
{
    sfgp_hdf5_row *row = model_row(m, random), old = *row;
    row->type = (sfgp_hdf5_type)below(random, 4);
    if (below(random, 8) == 0)
        row->kind = (sfgp_hdf5_kind)below(random, 3);
    if (row->kind == SFGP_HDF5_NUMBERS && old.kind == SFGP_HDF5_NUMBERS && below(random, 4) > 0)
        model_renew(m, &old, row);
}

static void change_place(model_parts *m, sfgp_random *random)
{
    sfgp_hdf5_row *row = model_row(m, random);
    const int64_t places[] = {0,         model_row(m, random)->first, (int64_t)m->size, (int64_t)m->size - 1,
                              INT64_MAX, row->first / 2 + 1};
    row->first = places[below(random, 6)];
}

static void change_name(model_parts *m, sfgp_random *random)
{
    static const char *const NAMES[] = {"/sfgp/surface", "/sfgp/pivots",         "/sfgp/pca",
                                        "/sfgp/scalar",  "/sfgp/face_start",     "/fit/spread",
                                        "/fit/points",   "/fit/pose/rotation",   "/fit/pose/shift",
                                        "/catalog",      "/catalog/a/modelPath", "/representer",
                                        "/model/mean",   "/version/minorVersion"};
    sfgp_hdf5_row *row = model_row(m, random);
    const char *name = below(random, 2) ? NAMES[below(random, 14)] : model_row(m, random)->name;
    memmove(row->name, name, strlen(name) + 1);
}

static void add_row(model_parts *m, sfgp_random *random)
{
    if (m->table.count == SFGP_HDF5_TABLE_ROWS)
        return;
    const sfgp_hdf5_row copy = *model_row(m, random);
    m->table.rows[m->table.count++] = copy;
    change_name(m, random);
}

static void remove_row(model_parts *m, sfgp_random *random)
{
    sfgp_hdf5_row *row = model_row(m, random);
    if (m->table.count > 1)
        *row = m->table.rows[--m->table.count];
}

/* ---- bytes ------------------------------------------------------------------------------------------------- */

static void change_byte(model_parts *m, sfgp_random *random)
{
    if (m->size > SFGP_HDF5_DIGEST_SIZE)
        m->bytes[SFGP_HDF5_DIGEST_SIZE + below(random, (int)(m->size - SFGP_HDF5_DIGEST_SIZE))] ^=
            (unsigned char)(1 << below(random, 8));
}

static void cut_end(model_parts *m, sfgp_random *random)
{
    if (m->size > SFGP_HDF5_DIGEST_SIZE + 1)
        m->size -= (size_t)below(random, (int)(m->size - SFGP_HDF5_DIGEST_SIZE)) / 2;
}

static void break_table(model_parts *m, sfgp_random *random)
{
    (void)random;
    m->broken = true;
}

static void (*const CHANGES[])(model_parts *, sfgp_random *) = {model_change_dimension,
                                                                model_change_shape,
                                                                model_claim_shape,
                                                                model_change_numbers,
                                                                model_change_numbers,
                                                                model_change_text,
                                                                change_type,
                                                                change_place,
                                                                change_name,
                                                                add_row,
                                                                remove_row,
                                                                change_byte,
                                                                cut_end,
                                                                break_table};

/* ---- the file ---------------------------------------------------------------------------------------------- */

static bool has_table(const unsigned char *bytes, size_t size)
{
    return size >= SFGP_HDF5_DIGEST_SIZE && memcmp(bytes, MAGIC, sizeof MAGIC - 1) == 0;
}

/* The text of the table, as its reader takes it. */
static void copy_table(const unsigned char *bytes, char text[SFGP_HDF5_TABLE_SIZE])
{
    memcpy(text, bytes + SFGP_HDF5_HEAD_SIZE, SFGP_HDF5_TABLE_SIZE - 1);
    text[SFGP_HDF5_TABLE_SIZE - 1] = '\0';
    char *end = strstr(text, "\n\n");
    if (end)
        end[1] = '\0';
}

void fuzz_repair_model(unsigned char *bytes, size_t size)
{
    char text[SFGP_HDF5_TABLE_SIZE];
    if (!has_table(bytes, size))
        return;
    copy_table(bytes, text);
    sfgp_hdf5_digest_write(text, (int64_t)size, (char *)bytes);
}

static void write_table(const model_parts *m, sfgp_random *random)
{
    sfgp_hdf5_table_text text = {.length = 0};
    for (int k = 0; k < m->table.count; k++)
        sfgp_hdf5_table_add(m->table.rows[k].name, &m->table.rows[k], &text);
    if (m->broken && text.length > 0)
        text.text[below(random, text.length)] = (char)(1 + below(random, 255));
    sfgp_hdf5_digest_write(text.text, (int64_t)m->size, (char *)m->bytes);
}

size_t fuzz_mutate_model(const unsigned char *in, size_t size, unsigned char *out, size_t room,
                         sfgp_random *random)
{
    char text[SFGP_HDF5_TABLE_SIZE];
    model_parts m = {.bytes = out, .size = size < room ? size : room, .room = room};
    memcpy(out, in, m.size);
    if (!has_table(out, m.size))
        return m.size;
    copy_table(out, text);
    if (sfgp_hdf5_table_parse(text, (int64_t)m.size, &m.table) && m.table.count > 0) {
        for (int k = 1 + below(random, 3); k > 0; k--)
            CHANGES[below(random, (int)(sizeof CHANGES / sizeof *CHANGES))](&m, random);
        write_table(&m, random);
    } else {
        change_byte(&m, random);
        fuzz_repair_model(out, m.size);
    }
    return m.size;
}
