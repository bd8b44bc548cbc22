#include "support/support.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/settings.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void products_are_checked(void **state)
{
    int64_t product;
    (void)state;
    assert_true(sfgp_product(3, 4, &product) && product == 12);
    assert_false(sfgp_product(INT64_MAX / 2, 3, &product));
    assert_false(sfgp_product(-1, 3, &product));
}

static void blocks_are_aligned_zeroed_and_outlive_the_context(void **state)
{
    double *block = NULL;
    sfgp_assert_ok(*state, sfgp_allocate(*state, 3, &block));
    assert_int_equal((uintptr_t)block % 64, 0);
    assert_true(block[0] == 0 && block[2] == 0);
    sfgp_context *context = *state;
    sfgp_context_free(context);
    block[2] = 1;
    sfgp_free(block);
    assert_int_equal(sfgp_test_setup(state), 0);
    sfgp_assert_status(*state, sfgp_allocate(*state, INT64_MAX, &block), SFGP_ERROR_MEMORY);
    assert_null(block);
}

/* Small ones from what was freed, large ones from the system. */
static void blocks_are_zeroed_when_memory_is_used_again(void **state)
{
    const int64_t counts[] = {5, 1000, 100000, 10000000};
    for (int k = 0; k < 8; k++) {
        unsigned char *block = NULL;
        const int64_t count = counts[k / 2];
        sfgp_assert_ok(*state, sfgp_allocate(*state, count, &block));
        for (int64_t at = 0; at < count; at++)
            if (block[at] != 0)
                fail();
        memset(block, 1, (size_t)count);
        sfgp_free(block);
    }
}

static void numbers_read_in_every_locale(void **state)
{
    double value = 0;
    (void)state;
    setlocale(LC_ALL, "de_DE.UTF-8");
    assert_int_equal(sfgp_number_parse("1.5rest", 3, &value), SFGP_NUMBER_OK);
    assert_true(value == 1.5);
    setlocale(LC_ALL, "C");
    assert_int_equal(sfgp_number_parse("1e-310", 6, &value), SFGP_NUMBER_OK);
    const char *garbage[] = {"", "1.5.2", "--1", "0x1p3", "1,5", " 1", "1 ", "e5", "1;2"};
    for (size_t k = 0; k < sizeof garbage / sizeof *garbage; k++)
        assert_int_equal(sfgp_number_parse(garbage[k], strlen(garbage[k]), &value), SFGP_NUMBER_GARBAGE);
    const char *infinite[] = {"nan", "inf", "-nan(0x1)", "1e400", "-infinity"};
    for (size_t k = 0; k < sizeof infinite / sizeof *infinite; k++)
        assert_int_equal(sfgp_number_parse(infinite[k], strlen(infinite[k]), &value), SFGP_NUMBER_NOT_FINITE);
}

static void numbers_keep_all_their_bits(void **state)
{
    const double values[] = {0.1, 1.0 / 3, 1e22, 5e-324, -0.0, 123456.789, 1.7976931348623157e308};
    char text[SFGP_NUMBER_SIZE];
    double back;
    (void)state;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        assert_ptr_equal(sfgp_number_format(values[k], text), text);
        assert_int_equal(sfgp_number_parse(text, strlen(text), &back), SFGP_NUMBER_OK);
        assert_memory_equal(&back, &values[k], sizeof back);
    }
    assert_string_equal(sfgp_number_format(0.1, text), "0.1");
    assert_string_equal(sfgp_number_format((double)NAN, text), "nan");
    assert_string_equal(sfgp_number_format(-(double)INFINITY, text), "-inf");
}

/* Values of draft-eastlake-fnv. */
static void checksums_are_the_published_ones(void **state)
{
    (void)state;
    assert_true(sfgp_checksum(SFGP_CHECKSUM_START, "", 0) == SFGP_CHECKSUM_START);
    assert_true(sfgp_checksum(SFGP_CHECKSUM_START, "a", 1) == 0xaf63dc4c8601ec8cu);
    const uint64_t whole = sfgp_checksum(SFGP_CHECKSUM_START, "foobar", 6);
    assert_true(whole == 0x85944171f73967e8u);
    assert_true(sfgp_checksum(sfgp_checksum(SFGP_CHECKSUM_START, "foo", 3), "bar", 3) == whole);
}

static void random_numbers_are_the_published_sequence(void **state)
{
    (void)state;
    sfgp_random random =
        sfgp_random_of(0); /* splitmix64(0) starts with this value (Vigna's reference code) */
    assert_true(random.state[0] == 0xe220a8397b1dcdafu);
    double sum = 0, square = 0;
    for (int k = 0; k < 10000; k++) {
        double x = sfgp_random_normal(&random);
        sum += x, square += x * x;
        assert_in_range(sfgp_random_below(&random, 7), 0, 6);
    }
    assert_true(fabs(sum / 10000) < 0.04 && fabs(square / 10000 - 1) < 0.06); /* 4 standard errors */
}

/* As many as wanted, or all; ascending, so distinct. */
static void assert_some(uint64_t seed, int64_t count, int64_t wanted, int64_t *index)
{
    const int64_t expected = wanted < count ? wanted : count;
    assert_int_equal(sfgp_random_some(seed, count, wanted, index), expected);
    for (int64_t k = 0; k < expected; k++)
        assert_true(index[k] >= 0 && index[k] < count && (k == 0 || index[k] > index[k - 1]));
}

static void some_are_as_many_as_wanted_and_ascend(void **state)
{
    int64_t index[40];
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++)
        for (int64_t count = 0; count <= 30; count++)
            for (int64_t wanted = 0; wanted <= count + 2; wanted++)
                assert_some(seed, count, wanted, index);
}

static void some_are_the_same_for_one_seed_and_others_for_another(void **state)
{
    int64_t one[50], same[50], other[50];
    (void)state;
    assert_some(7, 1000, 50, one);
    assert_some(7, 1000, 50, same);
    assert_some(8, 1000, 50, other);
    assert_memory_equal(one, same, sizeof one);
    assert_memory_not_equal(one, other, sizeof one);
}

/* 3 of 10: each of them in 3 / 10 of the trials, each pair in 3 / 10 2 / 9 = 1 / 15, within five standard
 * errors. */
static void all_are_among_some_equally_often(void **state)
{
    enum { TRIALS = 6000, COUNT = 10 };
    int often[COUNT][COUNT] = {{0}};
    (void)state;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        int64_t index[3];
        assert_some(seed, COUNT, 3, index);
        for (int k = 0; k < 9; k++)
            often[index[k / 3]][index[k % 3]]++;
    }
    for (int k = 0; k < COUNT * COUNT; k++) {
        const double share = k / COUNT == k % COUNT ? 3.0 / 10 : 1.0 / 15;
        assert_true(fabs(often[k / COUNT][k % COUNT] - share * TRIALS) <
                    5 * sqrt(share * (1 - share) * TRIALS));
    }
}

/* Each of the six orders of three, in 1 / 6 of the trials within five standard errors. */
static void every_order_is_equally_likely(void **state)
{
    enum { TRIALS = 6000 };
    int often[27] = {0}, orders = 0;
    (void)state;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        int64_t order[3];
        sfgp_random_shuffle(seed, 3, order);
        often[9 * order[0] + 3 * order[1] + order[2]]++;
    }
    for (int k = 0; k < 27; k++)
        if (often[k] > 0) {
            orders++;
            assert_true(fabs(often[k] - TRIALS / 6.0) < 5 * sqrt(TRIALS * 1 / 6.0 * 5 / 6.0));
        }
    assert_int_equal(orders, 6);
}

static double weigh(const void *data, int64_t first, int64_t end)
{
    const double *x = data;
    double sum = 0;
    for (int64_t k = first; k < end; k++)
        sum += x[k] * (double)(k + 1);
    return sum;
}

/* All rows once, and the same bits on any number of threads; what is beyond the last is left alone. */
static void lanes_add_and_copy_the_same_on_any_threads(void **state)
{
    enum { MOST = 1000 };
    double x[MOST], copy[MOST + 1];
    (void)state;
    for (int k = 0; k < MOST; k++)
        x[k] = 1 / (k + 1.0);
    for (int rows = 0; rows <= MOST; rows += rows < 20 ? 1 : 70) {
        sfgp_test_threads(1);
        const double total = sfgp_lanes_total(rows, x);
        double plain = 0;
        for (int k = 0; k < rows; k++)
            plain += x[k];
        assert_true(fabs(total - plain) < 1e-12);
        assert_true(fabs(sfgp_lanes_sum(rows, weigh, x) - rows) < 1e-12 * MOST);
        for (int threads = 2; threads <= 3; threads++) {
            sfgp_test_threads(threads);
            assert_true(sfgp_lanes_total(rows, x) == total);
            memset(copy, 0, sizeof copy);
            sfgp_lanes_copy(rows, x, copy);
            assert_memory_equal(copy, x, (size_t)rows * sizeof *x);
            assert_true(copy[rows] == 0);
        }
    }
}

static void lanes_cover_all_rows_once(void **state)
{
    const int64_t rows[] = {0, 1, 7, 8, 9, 3000, (int64_t)1 << 40};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_int_equal(sfgp_lane_start(rows[k], 0), 0);
        assert_int_equal(sfgp_lane_start(rows[k], SFGP_LANES), rows[k]);
        for (int lane = 0; lane < SFGP_LANES; lane++)
            assert_true(sfgp_lane_start(rows[k], lane) <= sfgp_lane_start(rows[k], lane + 1));
    }
}

static void settings_take_text_and_name_what_is_wrong(void **state)
{
    sfgp_settings settings = test_settings();
    assert_true(settings.omega == 0 && settings.accuracy == 0 && settings.rank == 0); /* auto */
    assert_int_equal(settings.max_iterations, 1000);
    assert_string_equal(settings.method, "auto");
    sfgp_assert_ok(*state, sfgp_settings_set(*state, &settings, "omega", "0.3"));
    sfgp_assert_ok(*state, sfgp_settings_set(*state, &settings, "rank", "17"));
    sfgp_assert_ok(*state, sfgp_settings_set(*state, &settings, "rank", "auto"));
    assert_true(settings.omega == 0.3 && settings.rank == 0);
    sfgp_assert_ok(*state, sfgp_settings_set(*state, &settings, "omega", "auto"));
    assert_true(settings.omega == 0);
    const char *bad[][2] = {{"omega", "-0.1"}, {"omega", "0"},        {"omega", "1"},
                            {"omega", "nan"},  {"omega", "0,1"},      {"rank", "0"},
                            {"rank", "2.5"},   {"tolerance", "auto"}, {"seed", "-1"},
                            {"nothing", ""},   {"tolerance", "0"},    {"max_iterations", "2147483648"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sfgp_assert_error(*state, sfgp_settings_set(*state, &settings, bad[k][0], bad[k][1]),
                          SFGP_ERROR_PARAMETER, bad[k][0]);
    }
    sfgp_assert_ok(*state, sfgp_settings_check(*state, &settings));
    settings.omega = NAN;
    sfgp_assert_status(*state, sfgp_settings_check(*state, &settings), SFGP_ERROR_PARAMETER);
}

/* A text has room for 511 characters and its end. */
static void a_text_that_is_too_long_is_refused(void **state)
{
    char text[SFGP_TEXT_SIZE + 1];
    sfgp_settings settings = test_settings();
    memset(text, 'x', sizeof text);
    text[SFGP_TEXT_SIZE] = '\0';
    sfgp_assert_error(*state, sfgp_settings_set(*state, &settings, "kernel", text), SFGP_ERROR_PARAMETER,
                      "kernel: text longer than 511");
    text[SFGP_TEXT_SIZE - 1] = '\0';
    sfgp_assert_ok(*state, sfgp_settings_set(*state, &settings, "kernel", text));
    assert_string_equal(settings.kernel, text);
}

/* A program that was compiled before the last setting was added: its block ends before that. */
static void shorter_settings_are_completed(void **state)
{
    const sfgp_setting *last = sfgp_settings_row(0);
    sfgp_settings whole;
    for (int k = 0; sfgp_settings_row(k); k++)
        last = sfgp_settings_row(k);
    sfgp_settings *shorter = malloc(last->offset);
    sfgp_settings_default_sized(shorter, last->offset);
    sfgp_assert_ok(*state, sfgp_settings_set(*state, shorter, "rank", "17"));
    sfgp_assert_status(*state, sfgp_settings_set(*state, shorter, last->name, last->standard),
                       SFGP_ERROR_PARAMETER);
    sfgp_assert_ok(*state, sfgp_settings_check(*state, shorter));
    sfgp_assert_ok(*state, sfgp_settings_complete(*state, shorter, &whole));
    assert_true(whole.size == sizeof whole && whole.rank == 17);
    if (last->kind == SFGP_SETTING_TEXT)
        assert_string_equal((const char *)&whole + last->offset, last->standard);
    else
        assert_true(sfgp_row_load(&whole, last) == strtod(last->standard, NULL));
    free(shorter);
}

static void settings_without_a_size_or_of_a_newer_library_are_refused(void **state)
{
    struct {
        sfgp_settings known;
        double newer;
    } settings;
    memset(&settings, 0, sizeof settings);
    sfgp_assert_error(*state, sfgp_settings_check(*state, &settings.known), SFGP_ERROR_PARAMETER,
                      "sfgp_settings_default");
    sfgp_settings_default_sized(&settings.known, sizeof settings);
    sfgp_assert_status(*state, sfgp_settings_check(*state, &settings.known), SFGP_ERROR_PARAMETER);
}

static void statuses_and_outcomes_have_words(void **state)
{
    (void)state;
    assert_string_equal(sfgp_status_text(SFGP_ERROR_FORMAT), "malformed file");
    assert_string_equal(sfgp_status_text((sfgp_status)99), "unknown status");
#define ASSERT_TEXT(name, value, text) assert_string_equal(sfgp_status_text((sfgp_status)(value)), text);
    SFGP_STATUS_TABLE(ASSERT_TEXT)
#undef ASSERT_TEXT
    assert_string_equal(sfgp_context_error(NULL), "no context");
    assert_int_equal(sfgp_context_warnings(NULL), 0);
    assert_int_equal(sfgp_context_new(NULL, NULL), SFGP_ERROR_PARAMETER);
    assert_string_equal(sfgp_context_error(NULL), "no context");
}

/* The settings that a model is made of, one by one; the others leave it as it is. */
static void changes_of_the_prior_are_named(void **state)
{
    static const char *const CHANGES[][2] = {{"kernel", "se:length=1,variance=1"},
                                             {"align_training", "rigid"},
                                             {"lowrank", "eigen"},
                                             {"rank", "17"},
                                             {"accuracy", "0.01"}};
    sfgp_settings settings;
    sfgp_settings standard = test_settings();
    for (size_t k = 0; k < sizeof CHANGES / sizeof *CHANGES; k++) {
        settings = standard;
        sfgp_assert_ok(*state, sfgp_settings_set(*state, &settings, CHANGES[k][0], CHANGES[k][1]));
        const sfgp_setting *row = sfgp_settings_prior_change(&settings, &standard);
        assert_non_null(row);
        assert_string_equal(row->name, CHANGES[k][0]);
        assert_null(sfgp_settings_prior_change(&settings, &settings));
    }
    settings = standard;
    strcpy(settings.method, "sfgp-full");
    settings.omega = 0.3, settings.seed = 9, settings.threads = 2;
    assert_null(sfgp_settings_prior_change(&settings, &standard));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(products_are_checked),
        sfgp_unit_test(blocks_are_aligned_zeroed_and_outlive_the_context),
        sfgp_unit_test(blocks_are_zeroed_when_memory_is_used_again),
        sfgp_unit_test(numbers_read_in_every_locale),
        sfgp_unit_test(numbers_keep_all_their_bits),
        sfgp_unit_test(checksums_are_the_published_ones),
        sfgp_unit_test(random_numbers_are_the_published_sequence),
        sfgp_unit_test(some_are_as_many_as_wanted_and_ascend),
        sfgp_unit_test(some_are_the_same_for_one_seed_and_others_for_another),
        sfgp_unit_test(all_are_among_some_equally_often),
        sfgp_unit_test(every_order_is_equally_likely),
        sfgp_unit_test(lanes_cover_all_rows_once),
        sfgp_unit_test(lanes_add_and_copy_the_same_on_any_threads),
        sfgp_unit_test(settings_take_text_and_name_what_is_wrong),
        sfgp_unit_test(a_text_that_is_too_long_is_refused),
        sfgp_unit_test(shorter_settings_are_completed),
        sfgp_unit_test(settings_without_a_size_or_of_a_newer_library_are_refused),
        sfgp_unit_test(changes_of_the_prior_are_named),
        sfgp_unit_test(statuses_and_outcomes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
