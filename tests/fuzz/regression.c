/* The regression of the fuzzer, for one reader or all: rounds of every seed and every kept finding, so many copies of each with changed bytes,
 * and four times as many that are changed by the structure of their format (mutate.h). Readers that need a process for each
 * input get a quarter of the copies of bytes, and as many by structure. One round is always made, others until the time is over;
 * round k changes the same bytes in every run.
 * Usage: fuzz_regression                                   names of the readers, a line each
 *        fuzz_regression READER|all SEEDS COPIES SECONDS   SEEDS has a folder for each reader */
#include "base/platform_clock.h"
#include "base/random.h"
#include "fuzz/readers.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 20, ROOM = 1 << 12 };

typedef struct input {
    unsigned char bytes[MOST + ROOM];
    size_t size;
} input;

/* ---- changes ----------------------------------------------------------------------------------------------- */

static size_t place_in(const input *in, sfgp_random *random)
{
    return (size_t)sfgp_random_below(random, (int64_t)in->size);
}

static void flip_a_bit(input *in, sfgp_random *random)
{
    in->bytes[place_in(in, random)] ^= (unsigned char)(1 << sfgp_random_below(random, 8));
}

static void cut_the_end(input *in, sfgp_random *random)
{
    in->size = place_in(in, random);
}

static void repeat_a_piece(input *in, sfgp_random *random)
{
    const size_t from = place_in(in, random), to = place_in(in, random), rest = in->size - from;
    const size_t length = 1 + (size_t)sfgp_random_below(random, rest < ROOM ? (int64_t)rest : ROOM);
    if (in->size + length > MOST)
        return;
    unsigned char piece[ROOM];
    memcpy(piece, in->bytes + from, length);
    memmove(in->bytes + to + length, in->bytes + to, in->size - to);
    memcpy(in->bytes + to, piece, length);
    in->size += length;
}

/* Numbers and words at which readers break. */
static void write_a_word(input *in, sfgp_random *random)
{
    static const char *const WORDS[] = {"-1", "nan", "1e999", "4294967296",       "9223372036854775807",
                                        "\n", "\"",  "]}",    "\xff\xff\xff\xff", "\0\0\0\0"};
    static const size_t LENGTHS[] = {2, 3, 5, 10, 19, 1, 1, 2, 4, 4};
    const int64_t k = sfgp_random_below(random, 10);
    const size_t at = place_in(in, random);
    memcpy(in->bytes + at, WORDS[k], LENGTHS[k]); /* there is room behind the end */
    in->size = at + LENGTHS[k] > in->size ? at + LENGTHS[k] : in->size;
}

static void change(input *in, sfgp_random *random)
{
    static void (*const CHANGES[])(input *, sfgp_random *) = {flip_a_bit, cut_the_end, repeat_a_piece,
                                                              write_a_word};
    for (int64_t k = sfgp_random_below(random, 3); k >= 0 && in->size > 0; k--)
        CHANGES[sfgp_random_below(random, 4)](in, random);
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static void read_input(const char *path, input *in)
{
    FILE *file = fopen(path, "rb");
    in->size = file ? fread(in->bytes, 1, MOST, file) : 0;
    if (!file)
        perror(path), exit(2);
    fclose(file);
}

/* An input that takes longer than a minute ends the process; it stands in the folder then. */
static sfgp_status read_in_time(const fuzz_reader *reader, const char *folder, const input *in)
{
    alarm(60);
    const sfgp_status status = fuzz_read(reader, folder, in->bytes, in->size);
    alarm(0);
    return status;
}

static void try_change(const fuzz_reader *reader, const input *seed, const char *folder, sfgp_random *random)
{
    static input copy;
    copy = *seed;
    change(&copy, random);
    if (reader->repair && sfgp_random_below(random, 2))
        reader->repair(copy.bytes, copy.size);
    read_in_time(reader, folder, &copy);
}

static bool try_structure(const fuzz_reader *reader, const input *seed, const char *folder,
                          sfgp_random *random)
{
    static input copy;
    copy.size = reader->mutate(seed->bytes, seed->size, copy.bytes, sizeof copy.bytes, random);
    return read_in_time(reader, folder, &copy) == SFGP_OK;
}

typedef struct tally {
    long inputs, structured,
        good; /* changed by structure, and those of them that are read without an error */
} tally;

/* What a round is made with. */
typedef struct plan {
    const fuzz_reader *reader;
    const char *seeds, *folder; /* the second is where an input is written */
    int copies;
} plan;

static void try_seed(const plan *p, const char *path, long round, tally *sum)
{
    static input seed;
    const fuzz_reader *reader = p->reader;
    const char *folder = p->folder;
    const int copies = p->copies;
    read_input(path, &seed);
    sfgp_random random = sfgp_random_of(seed.size + ((uint64_t)round << 32)); /* no seed has 2^32 bytes */
    read_in_time(reader, folder, &seed);
    const int changed = reader->forks ? copies / 4 : copies, structured = !reader->mutate ? 0
                                                                          : reader->forks ? copies / 4
                                                                                          : 4 * copies;
    for (int k = 0; k < changed; k++)
        try_change(reader, &seed, folder, &random);
    for (int k = 0; k < structured; k++)
        sum->good += try_structure(reader, &seed, folder, &random);
    sum->inputs += 1 + changed + structured;
    sum->structured += structured;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the order of their names. */
static void try_round(const plan *p, long round, tally *sum)
{
    char path[4096], *names[256];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", p->seeds, p->reader->name);
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries)) && count < 256;)
        if (entry->d_name[0] != '.')
            names[count++] = strdup(entry->d_name);
    if (entries)
        closedir(entries);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int k = 0; k < count; k++) {
        snprintf(path, sizeof path, "%s/%s/%s", p->seeds, p->reader->name, names[k]);
        try_seed(p, path, round, sum);
        free(names[k]);
    }
}

/* Without seeds there is nothing to wait for. Returns the rounds. */
static long try_rounds(const plan *p, double seconds, tally *sum)
{
    const double start = sfgp_platform_seconds();
    long round = 0;
    do
        try_round(p, round++, sum);
    while (sum->inputs > 0 && sfgp_platform_seconds() - start < seconds);
    return round;
}

/* Some changes of the structure are allowed, some are not: all of one kind would reach little. */
static bool is_mixed(const tally *sum)
{
    return sum->good >= sum->structured / 20 && sum->good <= sum->structured - sum->structured / 20;
}

static void say(const plan *p, const tally *sum, long rounds)
{
    printf("%-20s %6ld inputs in %ld rounds", p->reader->name, sum->inputs, rounds);
    if (p->reader->mutate)
        printf(", %ld by structure, of which %ld are read", sum->structured, sum->good);
    printf("\n");
}

static int print_names(void)
{
    const fuzz_reader *reader;
    for (int k = 0; (reader = fuzz_reader_row(k)); k++)
        printf("%s\n", reader->name);
    return 0;
}

/* False: there is no seed, or the changes of the structure are all of one kind. */
static bool try_reader(const plan *p, double seconds)
{
    tally sum = {0};
    const long rounds = try_rounds(p, seconds, &sum);
    say(p, &sum, rounds);
    return sum.inputs > 0 && is_mixed(&sum);
}

int main(int argc, char **argv)
{
    const fuzz_reader *reader;
    int tried = 0, good = 0;
    if (argc == 1)
        return print_names();
    if (argc != 5)
        return fprintf(stderr, "usage: fuzz_regression [READER|all SEEDS COPIES SECONDS]\n"), 2;
    const char *folder = fuzz_folder();
    for (int k = 0; folder && (reader = fuzz_reader_row(k)); k++) {
        const plan p = {reader, argv[2], folder, atoi(argv[3])};
        if (strcmp(argv[1], "all") != 0 && strcmp(argv[1], reader->name) != 0)
            continue;
        tried++;
        good += try_reader(&p, atof(argv[4]));
    }
    if (tried == 0)
        return fprintf(stderr, "no reader %s, or no folder for its inputs\n", argv[1]), 2;
    fuzz_folder_remove(folder);
    return good < tried;
}
