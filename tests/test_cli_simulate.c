/* sfgp simulate: shapes, flags of the table of damages, and what is written. */
#include "test_cli.h"

#include <math.h>

static const char *const FILES[] = {"reference.ply", "truth.ply", "scan.ply", "truth_missing.txt"};

typedef struct simulation {
    sfgp_mesh *reference, *truth, *scan;
    char *mask; /* one 0 or 1 a point */
    int64_t missing;
} simulation;

static simulation load(const char *folder)
{
    simulation made = {cli_read(sfgp_test_path(folder, FILES[0])), cli_read(sfgp_test_path(folder, FILES[1])),
                       cli_read(sfgp_test_path(folder, FILES[2])),
                       sfgp_test_read(sfgp_test_path(folder, FILES[3]), NULL), 0};
    assert_int_equal(strlen(made.mask), 2 * made.truth->count);
    for (int64_t k = 0; k < made.truth->count; k++) {
        made.mask[k] = made.mask[2 * k];
        assert_true(made.mask[k] == '0' || made.mask[k] == '1');
        made.missing += made.mask[k] == '1';
    }
    return made;
}

static void release(simulation *made)
{
    sfgp_mesh_free(made->reference);
    sfgp_mesh_free(made->truth);
    sfgp_mesh_free(made->scan);
    free(made->mask);
}

static bool is_in(const sfgp_mesh *mesh, const double *point)
{
    for (int64_t k = 0; k < mesh->count; k++)
        if (memcmp(mesh->points + k * mesh->dimension, point, (size_t)mesh->dimension * sizeof *point) == 0)
            return true;
    return false;
}

static bool same_files(const char *a, const char *b, int first)
{
    bool same = true;
    for (int k = first; k < 4; k++) {
        size_t size[2];
        char *text[2] = {sfgp_test_read(sfgp_test_path(a, FILES[k]), &size[0]),
                         sfgp_test_read(sfgp_test_path(b, FILES[k]), &size[1])};
        same = same && size[0] == size[1] && memcmp(text[0], text[1], size[0]) == 0;
        free(text[0]), free(text[1]);
    }
    return same;
}

/* ---- shapes ------------------------------------------------------------------------------------------ */

static void the_standard_fish_is_deformed_noisy_and_has_a_gap(void **state)
{
    const char *folder = test_path("fish");
    (void)state;
    cli_expect(sfgp_run_program("simulate", "fish", "-o", folder, NULL), 0, NULL);
    simulation fish = load(folder);
    double moved = 0;
    assert_true(fish.reference->dimension == 2 && fish.truth->dimension == 2 && fish.scan->dimension == 2);
    assert_true(fish.reference->count == 98 && fish.truth->count == 98);
    assert_true(fish.missing > 0 && fish.scan->count == 98 - fish.missing);
    for (int k = 0; k < 2 * 98; k++)
        moved = fmax(moved, fabs(fish.truth->points[k] - fish.reference->points[k]));
    assert_true(moved > 0.05);
    assert_false(is_in(fish.truth, fish.scan->points)); /* noise */
    release(&fish);
}

/* Without noise the scan is what the mask left of the truth, to the bit. */
static void the_mask_tells_what_is_gone(void **state)
{
    const char *folder = test_path("clean");
    (void)state;
    cli_expect(sfgp_run_program("simulate", "fish", "-o", folder, "--noise=0", "--box-width=0.4",
                                "--box-point", "0", "--missing-share=0.1", NULL),
               0, NULL);
    simulation fish = load(folder);
    assert_true(fish.missing > 10 && fish.mask[0] == '1');
    for (int k = 0; k < 98; k++) {
        bool near = fabs(fish.reference->points[2 * k] - fish.reference->points[0]) <= 0.2 &&
                    fabs(fish.reference->points[2 * k + 1] - fish.reference->points[1]) <= 0.2;
        assert_int_equal(is_in(fish.scan, fish.truth->points + 2 * k), fish.mask[k] == '0');
        assert_true(!near || fish.mask[k] == '1');
    }
    release(&fish);
}

static void a_file_keeps_its_faces_and_is_damaged_as_asked_only(void **state)
{
    double points[3 * 40];
    const char *folder = test_path("shape");
    (void)state;
    for (int k = 0; k < 40; k++)
        points[3 * k] = k, points[3 * k + 1] = k % 5, points[3 * k + 2] = sin(k);
    const char *file = cli_mesh("shape.obj", 40, 3, points, true);
    cli_expect(sfgp_run_program("simulate", "shape", file, "-o", folder, NULL), 0, NULL);
    simulation whole = load(folder);
    assert_true(whole.reference->face_count == 38 && whole.truth->face_count == 38 && whole.missing == 0);
    assert_memory_equal(whole.reference->points, points, sizeof points);
    for (int k = 0; k < 3 * 40; k++)
        assert_true(fabs(whole.truth->points[k] - points[k]) < 1e-13); /* through the frame and back */
    release(&whole);
    cli_expect(sfgp_run_program("simulate", "shape", file, "-o", folder, "--deformation=0.2", "--outliers",
                                "1", NULL),
               0, NULL);
    simulation bent = load(folder);
    assert_int_equal(bent.scan->count, 80);
    assert_true(fabs(bent.truth->points[3] - points[3]) > 1e-3);
    release(&bent);
}

static void points_in_the_plane_stay_there(void **state)
{
    const double points[] = {0, 0, 1, 0, 0, 1, 2, 2};
    const char *folder = test_path("plane");
    (void)state;
    cli_expect(sfgp_run_program("simulate", "shape", cli_points("plane.txt", 4, 2, points), "-o", folder,
                                "--translation=1", "--file-unit=1", NULL),
               0, NULL);
    simulation made = load(folder);
    assert_true(made.scan->dimension == 2 && made.scan->count == 4);
    assert_true(fabs(hypot(made.truth->points[0], made.truth->points[1]) - 1) <
                1e-14); /* a unit of the file */
    release(&made);
}

/* ---- flags ------------------------------------------------------------------------------------------- */

static void every_damage_has_a_flag_and_a_line_of_help(void **state)
{
    const sfgp_setting *row;
    sfgp_run help = sfgp_run_program("help", "simulate", NULL);
    (void)state;
    for (int k = 0; (row = sfgp_damage_row(k)); k++) {
        char flag[100], line[110], value[40], argument[150];
        snprintf(flag, sizeof flag, "--%s", row->name);
        for (char *c = flag; (c = strchr(c, '_'));)
            *c = '-';
        snprintf(line, sizeof line, "\n  %s ", flag);
        if (!strstr(help.out, line))
            fail_msg("%s has no line of help", flag);
        snprintf(value, sizeof value, "%.17g", fmax(row->least, 0));
        snprintf(argument, sizeof argument, "%s=%s", flag, value);
        cli_expect(sfgp_run_program("simulate", "fish", "-o", test_path("flags"), argument, NULL), 0, NULL);
    }
    cli_expect(help, 0, NULL);
}

static void a_seed_decides_all(void **state)
{
    const char *folders[] = {test_path("one"), test_path("same"), test_path("other")};
    (void)state;
    for (int k = 0; k < 3; k++)
        cli_expect(sfgp_run_program("simulate", "fish", "-o", folders[k], "--outliers=0.2", "--seed",
                                    k < 2 ? "5" : "6", NULL),
                   0, NULL);
    assert_true(same_files(folders[0], folders[1], 0));
    assert_false(same_files(folders[0], folders[2], 1));
}

static void assert_near(const double *point, double x, double y)
{
    assert_true(fabs(point[0] - x) < 1e-9 &&
                fabs(point[1] - y) < 1e-9); /* exp and cos may differ in the last bits */
}

/* A seed that somebody wrote down has to mean the same in later versions: this is what it meant in the first.
 */
static void a_seed_means_the_same_for_ever(void **state)
{
    const char *folder = test_path("golden");
    (void)state;
    cli_expect(sfgp_run_program("simulate", "fish", "-o", folder, "--missing-share=0.2", "--outliers=0.1",
                                "--rotation=10", NULL),
               0, NULL);
    simulation fish = load(folder);
    fish.mask[98] = '\0';
    assert_string_equal(fish.mask, "1111111100110000000100000000000000110001000010000000010010010100001"
                                   "1001111110000000011011000000000");
    assert_int_equal(fish.scan->count, 77);
    assert_near(fish.truth->points, 0.11543042969466155, 0.6946820234121793);
    assert_near(fish.truth->points + 2 * 97, 0.6153789680244903, 0.34454238220646494);
    assert_near(fish.scan->points, 0.1408434139491881, 0.5745784224805955);
    assert_near(fish.scan->points + 2 * 76, 0.3826998302760273, 0.30449089208529917);
    release(&fish);
}

/* What a flag says is what the shape's standard is replaced by; the standard itself may be given too. */
static void flags_replace_the_standard(void **state)
{
    const char *ear = test_path("ear"), *said = test_path("said"), *less = test_path("less");
    (void)state;
    cli_expect(sfgp_run_program("simulate", "ear", "-o", ear, "--resolution=6", NULL), 0, NULL);
    cli_expect(sfgp_run_program("simulate", "ear", "-o", said, "--resolution=6", "--seed=4", "--holes=3",
                                "--hole-radius=0.5", "--noise=0.003", "--outliers=0.05", "--rotation=3",
                                "--translation=0.03", "--scale=0.02", "--box-width=0", "--deformation=0",
                                NULL),
               0, NULL);
    assert_true(same_files(ear, said, 0));
    cli_expect(sfgp_run_program("simulate", "ear", "-o", less, "--resolution=6", "--rotation=0", NULL), 0,
               NULL);
    assert_false(same_files(ear, less, 1));
}

static void mistakes_are_named(void **state)
{
    const char *folder = test_path("never"), *file = cli_points("two.txt", 2, 2, (double[]){0, 0, 1, 1});
    const struct {
        const char *arguments[6], *words;
    } bad[] = {
        {{"fish", "-o", folder, "--resolution=5"}, "--resolution: only an ear has one, not fish"},
        {{"fish", "extra", "-o", folder}, "one argument too many: 'extra'"},
        {{"shape", file, "extra", "-o", folder}, "one argument too many: 'extra'"},
        {{"shape", "-o", folder}, "FILE is missing"},
        {{"shape", file}, "-o FOLDER is missing"},
        {{"fish", "-o", folder, "--box-point=98"}, "box_point: 98 is no point of a shape of 98"},
        {{"fish", "-o", folder, "--missing-share=1.5"}, "missing_share"},
        {{"fish", "-o", folder, "--file-unit=2"}, "file_unit"},
        {{"fish", "-o", folder, "--deformation=-1"}, "deformation"},
        {{"fish", "-o", folder, "--affine=nan"}, "--affine: 'nan' is not a number"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const char *const *a = bad[k].arguments;
        cli_expect(sfgp_run_program("simulate", a[0], a[1], a[2], a[3], a[4], a[5], NULL), 2, bad[k].words);
    }
    cli_expect(sfgp_run_program("simulate", "fish", "-o", folder, "--missing-share=1", NULL), 5,
               "missing_share");
    cli_expect(sfgp_run_program("simulate", "shape", test_path("none.ply"), "-o", folder, NULL), 3,
               "none.ply");
    assert_false(cli_exists(folder));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_standard_fish_is_deformed_noisy_and_has_a_gap),
        cmocka_unit_test(the_mask_tells_what_is_gone),
        cmocka_unit_test(a_file_keeps_its_faces_and_is_damaged_as_asked_only),
        cmocka_unit_test(points_in_the_plane_stay_there),
        cmocka_unit_test(every_damage_has_a_flag_and_a_line_of_help),
        cmocka_unit_test(a_seed_decides_all),
        cmocka_unit_test(a_seed_means_the_same_for_ever),
        cmocka_unit_test(flags_replace_the_standard),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
