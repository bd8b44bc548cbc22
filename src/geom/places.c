/* Radix sort of places by the bits of their coordinates. */
#include "geom/places.h"
#include "base/memory.h"

#include <string.h>

enum {
    BITS = 11, /* of a digit: so many counters stay in the first cache */
    VALUES = 1 << BITS,
    DIGITS = 6 /* of 64 bits */
};

/* Whole numbers in the order of the coordinates. -0 is 0. */
static uint64_t bits_of(double coordinate)
{
    const double x = coordinate + 0.0;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static unsigned digit_of(uint64_t bits, int digit)
{
    return (unsigned)(bits >> (BITS * digit)) % VALUES;
}

/* How often each digit of a coordinate has each value. */
static void count_digits(int64_t count, const sfgp_place *places, int axis, int64_t counts[DIGITS][VALUES])
{
    memset(counts, 0, DIGITS * sizeof *counts);
    for (int64_t j = 0; j < count; j++) {
        const uint64_t bits = bits_of(places[j].at[axis]);
        for (int k = 0; k < DIGITS; k++)
            counts[k][digit_of(bits, k)]++;
    }
}

/* Moves the places to `sorted`, by one digit. counts: overwritten by where the next place with each value goes. */
static void sort_by_digit(int64_t count, const sfgp_place *places, int axis, int digit, int64_t *counts,
                          sfgp_place *sorted)
{
    int64_t next = 0;
    for (int value = 0; value < VALUES; value++) {
        const int64_t first = next;
        next += counts[value];
        counts[value] = first;
    }
    for (int64_t j = 0; j < count; j++)
        sorted[counts[digit_of(bits_of(places[j].at[axis]), digit)]++] = places[j];
}

sfgp_status sfgp_places_sort(sfgp_context *context, int64_t count, sfgp_place *places)
{
    int64_t(*counts)[VALUES] = NULL;
    sfgp_place *room = NULL, *from = places, *to;
    sfgp_status status = sfgp_allocate(context, DIGITS, &counts);
    if (status == SFGP_OK)
        status = sfgp_allocate_raw(context, count, sizeof *room, (void **)&room);
    to = room;
    for (int axis = 2; axis >= 0 && status == SFGP_OK && count > 0; axis--) {
        count_digits(count, from, axis, counts);
        for (int digit = 0; digit < DIGITS; digit++) {
            if (counts[digit][digit_of(bits_of(from[0].at[axis]), digit)] == count)
                continue; /* all have the same */
            sort_by_digit(count, from, axis, digit, counts[digit], to);
            sfgp_place *const sorted = to;
            to = from;
            from = sorted;
        }
    }
    if (from != places && status == SFGP_OK)
        memcpy(places, from, (size_t)count * sizeof *places);
    sfgp_free(counts);
    sfgp_free(room);
    return status;
}
