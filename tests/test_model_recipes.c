/* Models that are wrong in one place: a valid file with one object changed, and the words that name it. */
#include "fuzz/recipe.h"
#include "support/corrupt.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STATISMO_LINES                                                                                       \
    "/version/majorVersion i4 = 0\n"                                                                         \
    "/version/minorVersion u1 = 9\n"                                                                         \
    "/representer/points f4 3 4 = 0 1 0 0 0 0 1 0 0 0 0 1\n"                                                 \
    "/representer/cells i4 3 2 = 0 1 1 2 2 3\n"                                                              \
    "/model/mean f8 12 = 0 0 0 1 0 0 0 1 0 0 0 1.5\n"                                                        \
    "/model/pcaBasis f4 12 1 = 0 0 0 0 0 0 0 0 0 0 0 1\n"                                                    \
    "/model/pcaVariance f8 1 = 4\n"                                                                          \
    "/model/noiseVariance f4 = 0\n"

static const char STATISMO[] = STATISMO_LINES;

/* The same in our group: four points, a triangle, one column in space and one mode. The checksum is wrong: it is looked at last. */
static const char OWN[] = STATISMO_LINES "/sfgp/version i4 = 1\n"
                                         "/sfgp/reference f8 4 3 = 0 0 0 1 0 0 0 1 0 0 0 1\n"
                                         "/sfgp/frame f8 4 = 0.25 0.25 0.25 1\n"
                                         "/sfgp/mean f8 4 3 = 0 0 0 1 0 0 0 1 0 0 0 1\n"
                                         "/sfgp/surface f8 = 0\n"
                                         "/sfgp/scalar f8 4 1 = 1 0.5\n"
                                         "/sfgp/pivots i8 1 = 0\n"
                                         "/sfgp/pca f8 12 1 = 0 1 0\n"
                                         "/sfgp/residual f8 = 0\n"
                                         "/sfgp/face_start i8 2 = 0 3\n"
                                         "/sfgp/face_points i8 3 = 0 1 2\n"
                                         "/sfgp/kernel s = se:length=1,variance=1\n"
                                         "/sfgp/prior s = se:length=1,variance=1\n"
                                         "/sfgp/checksum s = 0000000000000000\n";

/* What stands in place of the object of the same name, or behind all others; a name alone: it is left out. */
typedef struct fault {
    const char *base, *line, *words;
    sfgp_status status;
} fault;

#define BAD SFGP_ERROR_FORMAT

static const fault FAULTS[] = {
    {OWN, "", "the numbers are not those that were written", BAD},
    {OWN, "/sfgp/version i4 = 9", "it is 9 and this program reads up to", BAD},
    {OWN, "/sfgp/version i4 = 0", "it is not one number from 1", BAD},
    {OWN, "/sfgp/version i4 2 = 1", "it is not one number from 1", BAD},
    {OWN, "/sfgp/version i4 = 2000000", "it is not one number from 1", BAD},
    {OWN, "/sfgp/frame f8 4 = 0 0 0 -1", "its scale is -1, not positive", BAD},
    {OWN, "/sfgp/frame f8 3 = 0 0 1", "3 numbers, expected 4", BAD},
    {OWN, "/sfgp/frame f8 4 = 0 0 0 1e-306", "it is not the frame of /sfgp/reference", BAD},
    {OWN, "/sfgp/frame f8 4 = 0 0 0 1e6", "it is not the frame of /sfgp/reference", BAD},
    {OWN, "/sfgp/frame f8 4 = 1e200 0 0 1", "it is not the frame of /sfgp/reference", BAD},
    {OWN, "/sfgp/reference f8 12 = 1", "it is not points x 2 or 3", BAD},
    {OWN, "/sfgp/reference f8 4 1 = 1", "it is not points x 2 or 3", BAD},
    {OWN, "/sfgp/reference f8 5 4 = 1", "it is not points x 2 or 3", BAD},
    {OWN, "/sfgp/reference f8 3 3 = 1", "it is not points x 2 or 3", BAD},
    {OWN, "/sfgp/reference f8 4 3 = nan", "value 0 is not finite", BAD},
    {OWN, "/sfgp/mean f8 3 4 = 1", "its shape does not fit the others", BAD},
    {OWN, "/sfgp/mean f8 12 = 1", "its shape does not fit the others", BAD},
    {OWN, "/sfgp/mean f8 4 2 = 1", "its shape does not fit the others", BAD},
    {OWN, "/sfgp/surface f8 = 5", "it is not one number from 0 to 4", BAD},
    {OWN, "/sfgp/surface f8 = 2", "it is more than the columns", BAD},
    {OWN, "/sfgp/scalar f8 4 9 = 1", "it has 9 columns, expected 1 to 4", BAD},
    {OWN, "/sfgp/pivots i8 2 = 0 1", "it is not one for every column in space", BAD},
    {OWN, "/sfgp/pivots i8 1 1 = 0", "it is not one row of numbers", BAD},
    {OWN, "/sfgp/pivots i8 1 = 7", "value 0 is 7, not a whole number from 0 to 3", BAD},
    {OWN, "/sfgp/pivots i8 1 = -1", "value 0 is -1, not a whole number", BAD},
    {OWN, "/sfgp/pivots f8 1 = 0.5", "value 0 is 0.5, not a whole number", BAD},
    {OWN, "/sfgp/residual f8 = -1", "it is not one number from 0", BAD},
    {OWN, "/sfgp/face_start i8 2 = 1 3", "face 0 is not a face", BAD},
    {OWN, "/sfgp/face_start i8 2 = 0 2", "face 0 is not a face", BAD},
    {OWN, "/sfgp/face_start i8 2 = 0 4", "face 0 is not a face", BAD},
    {OWN, "/sfgp/face_points i8 3 = 0 1 9", "value 2 is 9, not a whole number from 0 to 3", BAD},
    {OWN, "/sfgp/kernel s = nothing", "'nothing' is not a kernel", BAD},
    {STATISMO, "/version/majorVersion i4 = 2", "version 2.9 is not one of", BAD},
    {STATISMO, "/version/minorVersion i4 = 7", "version 0.7 is not one of", BAD},
    {STATISMO, "/model/mean f8 3 4 = 1", "it is not one row of numbers", BAD},
    {STATISMO, "/model/mean f8 2 2 3 = 1", "it has too many dimensions", BAD},
    {STATISMO, "/model/mean f8 1 12 = 0 0 0 1 0 0 0 1 0 0 0 1.5", "", SFGP_OK},
    {STATISMO, "/model/mean f8 12 1 = 0 0 0 1 0 0 0 1 0 0 0 1.5", "", SFGP_OK},
    {STATISMO, "/representer/points f4 4 4 = 1", "its shape is neither 2 or 3 x points", BAD},
    {STATISMO, "/representer/points f4 12 = 1", "its shape is neither 2 or 3 x points", BAD},
    {STATISMO, "/representer/points f4 3 5 = 1", "it has not as many numbers as model/mean", BAD},
    {STATISMO, "/representer/points f4 4 3 = 0 0 0 1 0 0 0 1 0 0 0 1", "", SFGP_OK},
    {STATISMO, "/representer/points f4 2 6 = 0 1 0 1 2 3 0 0 1 2 5 3", "", SFGP_OK},
    {STATISMO, "/representer/points f4 6 2 = 0 1 0 1 2 3 0 0 1 2 5 3", "", SFGP_OK},
    {STATISMO, "/representer/cells i4 3 1 = 0 1 9", "it names a point that is not there", BAD},
    {STATISMO, "/representer/cells i4 3 1 = 0 1 -1", "it names a point that is not there", BAD},
    {STATISMO, "/representer/cells f4 3 1 = 0 1 0.5", "it names a point that is not there", BAD},
    {STATISMO, "/representer/cells i4 2 3 = 0 1 2 1 2 3", "", SFGP_OK},
    {STATISMO, "/representer/cells i4 2 2 = 0 1", "", SFGP_OK},
    {STATISMO, "/representer/cells i4 6 = 0 1", "", SFGP_OK},
    {STATISMO, "/representer/cells", "", SFGP_OK},
    {STATISMO, "/model/pcaVariance f8 1 = -1", "it has a variance below 0", BAD},
    {STATISMO, "/model/pcaVariance f8 1 = 0", "all variances are 0: nothing can move", BAD},
    {STATISMO, "/model/pcaVariance f8 13 = 1", "it has no component, or more than", BAD},
    {STATISMO, "/model/pcaBasis f4 12 = 1", "its shape is not that of", BAD},
    {STATISMO, "/model/pcaBasis f4 6 2 = 1", "its shape is not that of", BAD},
    {STATISMO, "/model/pcaBasis f4 12 2 = 1", "its shape is not that of", BAD},
    {STATISMO, "/model/pcaBasis f4 1 12 = 0 0 0 0 0 0 0 0 0 0 0 1", "", SFGP_OK},
    {STATISMO, "/model/noiseVariance f4 = 0.5", "", SFGP_OK},
    {STATISMO, "/model/noiseVariance f4 1 1 1 = 0", "it has too many dimensions", BAD},
    {STATISMO, "/model/noiseVariance", "", SFGP_OK},
};

static size_t name_length(const char *line)
{
    return strcspn(line, " \n");
}

/* The base with the line of the same name replaced. */
static void put_fault(const char *base, const char *line, const char *path)
{
    char text[2048] = "";
    for (const char *at = base; *at; at += strcspn(at, "\n") + 1)
        if (name_length(at) != name_length(line) || strncmp(at, line, name_length(line)) != 0)
            strncat(text, at, strcspn(at, "\n") + 1);
    if (strchr(line, ' '))
        strcat(strcat(text, line), "\n");
    fuzz_recipe_write(text, path);
}

static void what_is_wrong_is_named(void **state)
{
    const char *path = test_path("model.h5");
    for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; k++) {
        sfgp_model *model = NULL;
        put_fault(FAULTS[k].base, FAULTS[k].line, path);
        sfgp_assert_error(*state, sfgp_model_read(*state, path, &model), FAULTS[k].status, FAULTS[k].words);
        assert_true((FAULTS[k].status == SFGP_OK) == (model != NULL));
        sfgp_model_free(model);
    }
    sfgp_assert_has(sfgp_test_warning(), "the cells of the model are not triangles");
    sfgp_assert_has(sfgp_test_warning(), "the noise variance 0.5 of the model is left out");
}

/* Without the points of the reference, the mean takes their place; it has to be made of points. */
static void the_mean_stands_in_for_a_reference_in_vtk(void **state)
{
    static const char TEXT[] =
        "/representer/reference s = vtk\n/model/mean f8 %d = 0 0 0 1 0 0 0 1 0 0 0 1.5\n"
        "/model/pcaBasis f4 %d 1 = 0 1\n/model/pcaVariance f8 1 = 4\n";
    const char *path = test_path("model.h5");
    for (int size = 11; size <= 12; size++) {
        char text[512];
        sfgp_model *model = NULL;
        snprintf(text, sizeof text, TEXT, size, size);
        fuzz_recipe_write(text, path);
        sfgp_assert_status(*state, sfgp_model_read(*state, path, &model),
                           size == 12 ? SFGP_OK : SFGP_ERROR_FORMAT);
        sfgp_model_free(model);
    }
    sfgp_assert_has(sfgp_test_warning(), "its mean is the reference, without faces");
}

#define ONE_MODEL                                                                                                 \
    "/one/version/majorVersion i4 = 0\n/one/version/minorVersion i4 = 8\n"                                        \
    "/one/representer/points f4 4 3 = 0 0 0 1 0 0 0 1 0 0 0 1\n/one/model/mean f4 12 = 0 0 0 1 0 0 0 1 0 0 0 1\n" \
    "/one/model/pcaBasis f8 12 1 = 1 0\n/one/model/pcaVariance f8 1 = 4\n"

static void a_catalogue_is_looked_up(void **state)
{
    static const struct {
        const char *text, *name, *words;
        sfgp_status status;
    } CASES[] = {
        {"/catalog/a/modelPath s = /one/\n" ONE_MODEL, "", "", SFGP_OK},
        {"/catalog/a/modelPath s = /one\n/catalog/b/modelPath s = /two\n" ONE_MODEL, "", "", SFGP_OK},
        {"/catalog/a/modelPath s = /one\n" ONE_MODEL, ":a", "", SFGP_OK},
        {"/catalog/a/modelPath s = /one\n" ONE_MODEL, ":c", "/catalog/c/modelPath", BAD},
        {"/catalog g =\n", "", "it is empty", BAD},
        {ONE_MODEL, ":a", "there is no catalogue to look 'a' up in", BAD},
    };
    char path[512];
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        char text[1024];
        sfgp_model *model = NULL;
        strcpy(text, CASES[k].text);
        fuzz_recipe_write(text, test_path("model.h5"));
        snprintf(path, sizeof path, "%s/model.h5%s", sfgp_test_folder(), CASES[k].name);
        sfgp_assert_error(*state, sfgp_model_read(*state, path, &model), CASES[k].status, CASES[k].words);
        sfgp_model_free(model);
    }
    sfgp_assert_has(sfgp_test_warning(), "the file has several models: 'a' is taken");
}

/* A file of holes: its size is looked at before it is read. */
static void json_that_is_too_large_is_refused(void **state)
{
    const char *path = test_path("large.h5.json");
    sfgp_model *model = NULL;
    sfgp_test_write(path, "{", 1);
    assert_int_equal(truncate(path, ((off_t)2 << 30) + 1), 0);
    sfgp_assert_error(*state, sfgp_model_read(*state, path, &model), SFGP_ERROR_FORMAT, "larger than 2 GiB");
    assert_int_equal(unlink(path), 0);
}

static void null_is_refused(void **state)
{
    sfgp_model *model = NULL;
    assert_int_equal(sfgp_model_read(NULL, "a.h5", &model), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_model_read(*state, NULL, &model), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_model_read(*state, "a.h5", NULL), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_model_is_file(NULL), 0);
    assert_int_equal(sfgp_model_write(NULL, NULL, "a.h5"), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_model_write(*state, NULL, "a.h5"), SFGP_ERROR_PARAMETER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(what_is_wrong_is_named),   sfgp_unit_test(the_mean_stands_in_for_a_reference_in_vtk),
        sfgp_unit_test(a_catalogue_is_looked_up), sfgp_unit_test(json_that_is_too_large_is_refused),
        sfgp_unit_test(null_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
