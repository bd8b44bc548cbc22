/* Models of Scalismo 0.92 and later, HDF5 as JSON (.h5.json): the same model as the HDF5 file, and files that are damaged. */
#include "support/corrupt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ID(n) "0000000" #n "-0000-0000-0000-000000000000"
#define GROUP(id, links) "\"" id "\": {\"attributes\": [], \"links\": [" links "]}"
#define LINK(title, kind, id)                                                                                \
    "{\"class\": \"H5L_TYPE_HARD\", \"title\": \"" title "\", \"collection\": \"" kind "\", \"id\": \"" id   \
    "\"}"
#define SET(id, dims, value)                                                                                 \
    "\"" id                                                                                                  \
    "\": {\"type\": {\"class\": \"H5T_FLOAT\", \"base\": \"H5T_IEEE_F32LE\"}, \"shape\": {\"class\": "       \
    "\"H5S_SIMPLE\", \"dims\": " dims "}, \"value\": " value "}"

/* A tetrahedron whose first mode lifts point 3 and whose second one moves all of it. The objects that are linked stand before
 * those that link to them. */
#define MODEL(basis)                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          \
    "{\"apiVersion\": \"1.1.1\", \"datasets\": {\n" SET(ID(1), "[3, 4]", "[[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]") ",\n" SET(ID(2), "[3, 4]", "[[0, 0, 0, 1], [1, 1, 2, 2], [2, 3, 3, 3]]") ",\n" SET(                                                                                                                                                                                                                                                                                                                                                                                                                    \
        ID(3), "[12]",                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        \
        "[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.5]") ",\n" SET(ID(4), "[12, 2]",                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 \
                                                            basis) ",\n" SET(ID(5), "[2]",                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    \
                                                                             "[4, 0.25]") ",\n" SET(ID(6),                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    \
                                                                                                    "[1]",                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    \
                                                                                                    "[0.0]") ",\n"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            \
                                                                                                             "\"" ID(                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         \
                                                                                                                 7) "\": {\"shape\": {\"class\": \"H5S_SCALAR\"}, \"value\": 0},\n"                                                                                                                                                                                                                                                                                                                                                                                                                                           \
                                                                                                                    "\"" ID(                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  \
                                                                                                                        8) "\": {\"shape\": {\"class\": \"H5S_SCALAR\"}, \"value\": 9}},\n"                                                                                                                                                                                                                                                                                                                                                                                                                                   \
                                                                                                                           "\"groups\": {" GROUP("root", LINK("model", "groups", "m") ", " LINK("representer", "groups", "r") ", " LINK("version", "groups", "v")) ",\n"                                                                                                                                                                                                                                                                                                                                                      \
                                                                                                                                                                                                                                                                   "\"r\": {\"attributes\": [{\"name\": \"datasetType\", \"shape\": {\"class\": \"H5S_SCALAR\"}, \"value\": "                                                                                                                                                                                                                                                 \
                                                                                                                                                                                                                                                                   "\"POLYGON_MESH\"}, {\"name\": \"version/majorVersion\", \"value\": \"0\"}], \"links\": [" LINK("points", "datasets", ID(1)) ", " LINK("cells",                                                                                                                                                                                                            \
                                                                                                                                                                                                                                                                                                                                                                                                          "datasets", ID(2)) "]},\n" GROUP("m",                                                                                                                                                                               \
                                                                                                                                                                                                                                                                                                                                                                                                                                           LINK(                                                                                                                                                                              \
                                                                                                                                                                                                                                                                                                                                                                                                                                               "mean",                                                                                                                                                                        \
                                                                                                                                                                                                                                                                                                                                                                                                                                               "datasets",                                                                                                                                                                    \
                                                                                                                                                                                                                                                                                                                                                                                                                                               ID(3)) ", " LINK("pcaBasis",                                                                                                                                                   \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                "datasets", ID(4)) ", " LINK("pcaVariance", "datasets", ID(5)) ", " LINK("noiseVariance",                                                                     \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "datasets",                                                                          \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         ID(6))) ",\n" GROUP("v",                                                             \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             LINK(                                                            \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "majorVersion", "datasets", ID(7)) ", " LINK("minorVersion", \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "datasets",     \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              ID(8))) "}, \"root\": \"root\"}"

#define BASIS                                                                                                \
    "[[0, 0.5], [0, 0], [0, 0], [0, 0.5], [0, 0], [0, 0], [0, 0.5], [0, 0], [0, 0], [0, 0.5], [0, 0], [1, 0]]"

static const char WHOLE[] = MODEL(BASIS);

static const char *put(const char *text)
{
    return test_text("model.h5.json", text);
}

static void the_model_is_that_of_the_numbers(void **state)
{
    sfgp_model *model;
    sfgp_mesh *shape;
    sfgp_model_info info;
    const char *path = put(WHOLE);
    assert_true(sfgp_model_is_file(path));
    sfgp_assert_ok(*state, sfgp_model_read(*state, path, &model));
    assert_string_equal(sfgp_test_warning(), "");
    sfgp_model_describe(model, &info);
    assert_int_equal(info.count, 4);
    assert_int_equal(info.face_count, 4);
    assert_int_equal(info.rank_pca, 2);
    sfgp_assert_ok(*state, sfgp_model_mean(*state, model, &shape));
    assert_true(fabs(shape->points[11] - 1.5) < 1e-12 && fabs(shape->points[3] - 1) < 1e-12);
    assert_int_equal(shape->face_points[1], 1);
    sfgp_mesh_free(shape);
    sfgp_assert_ok(*state, sfgp_model_component(*state, model, 0, 1, &shape)); /* 1 sd is sqrt(4) */
    assert_true(fabs(fabs(shape->points[11] - 1.5) - 2) < 1e-12 && fabs(shape->points[0]) < 1e-12);
    sfgp_mesh_free(shape);
    sfgp_model_free(model);
}

/* Written as HDF5 and read back it has the same numbers: they pass single precision. */
static void it_can_be_written_as_hdf5_and_not_as_json(void **state)
{
    sfgp_model *model, *again;
    sfgp_mesh *first, *second;
    const char *h5 = test_path("model.h5");
    sfgp_assert_ok(*state, sfgp_model_read(*state, put(WHOLE), &model));
    sfgp_assert_error(*state, sfgp_model_write(*state, model, put(WHOLE)), SFGP_ERROR_PARAMETER,
                      ".h5.json is read, not written; write .h5");
    sfgp_assert_ok(*state, sfgp_model_write(*state, model, h5));
    sfgp_assert_ok(*state, sfgp_model_read(*state, h5, &again));
    sfgp_assert_ok(*state, sfgp_model_sample(*state, model, 3, &first));
    sfgp_assert_ok(*state, sfgp_model_sample(*state, again, 3, &second));
    sfgp_assert_meshes_equal(first, second);
    sfgp_mesh_free(first);
    sfgp_mesh_free(second);
    sfgp_model_free(again);
    sfgp_model_free(model);
}

#define SIXTEEN "abcdefghijklmnop"
#define ONE(set)                                                                                             \
    "{\"root\": \"x\", \"groups\": {\"x\": {\"links\": [" LINK("a", "datasets",                              \
                                                               "d") "]}}, \"datasets\": {\"d\": " set "}}"

static void what_is_wrong_is_told(void **state)
{
    static const struct {
        const char *text, *words;
    } CASES[] = {
        {"", "model.h5.json: line 1: expected an object"},
        {"{}", "no member 'root'"},
        {"{\"root\": \"x\"}", "a link names the object 'x', which is not there"},
        {"{\"root\": \"x\", \"groups\": {\"x\": {}}}", "there is none of this name"},
        {"{\"root\": \"x\", \"groups\": {\"x\": {\"links\": [" LINK("a", "groups", "x") "]}}}",
         "lies too deep"},
        {"{\"root\": \"x\", \"groups\": {\"x\": {\"links\": [" LINK("a/b", "groups", "x") "]}}}",
         "has no name"},
        {ONE("{\"shape\": {\"dims\": [1, 1, 1, 1, 1]}, \"value\": 1}"), "dims are not up to four sizes"},
        {ONE("{\"shape\": {\"dims\": [-1]}, \"value\": 1}"), "dims are not up to four sizes"},
        {ONE("{\"shape\": {\"dims\": [0.5]}, \"value\": 1}"), "dims are not up to four sizes"},
        {ONE("{\"shape\": {\"dims\": [1e12]}, \"value\": 1}"), "dims are not up to four sizes"},
        {ONE("{\"shape\": {\"dims\": [2147483648, 2147483648, 2147483648]}, \"value\": [1]}"),
         "has 1 numbers, its shape -1"},
        {ONE("{\"shape\": 5, \"value\": 1}"), "there is none of this name"},
        {ONE("{\"shape\": {\"dims\": [0]}, \"value\": []}"), "there is none of this name"},
        {ONE("{\"value\": true}"), "expected a number"},
        {"{\"root\": \"x\", \"groups\": {\"" SIXTEEN SIXTEEN SIXTEEN SIXTEEN "\": {}}}",
         "an identifier that is too long"},
        {"{\"root\": \"x\", \"groups\": {\"x\": {}}, \"groups\": {}}", "there is none of this name"},
        {"{\"root\": \"x\", \"groups\": {\"x\": {\"links\": [" LINK("", "groups", "x") "]}}}", "has no name"},
        {"{\"root\": \"x\", \"groups\": {\"x\": {\"links\": [" LINK("a", "datatypes", "x") "]}}}",
         "there is none of this name"},
        {"{\"root\": \"x\", \"groups\": {\"x\": {\"links\": [" LINK(
             "a", "groups", "y") "]}, \"y\": {\"attributes\": "
                                 "[{\"name\": \"n\", \"value\": true}]}}}",
         "there is none of this name"},
        {"{\"root\": \"x\", \"groups\": {\"x\": {\"links\": [" LINK("a", "groups",
                                                                    "y") "]}, \"y\": {\"attributes\": 5}}}",
         "there is none of this name"},
        {MODEL("[1, 2, 3]"), "data set '/model/pcaBasis' has 3 numbers, its shape 24"},
        {MODEL("[[[[[1]]]]]"), "more than four dimensions"},
        {MODEL("[\"a\"]"), "expected a number"},
        {MODEL("[1e999]"), "not a finite number"},
        {MODEL("\"text\""), "model/pcaBasis"}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        sfgp_model *model;
        const sfgp_status status = sfgp_model_read(*state, put(CASES[k].text), &model);
        assert_true(status == SFGP_ERROR_FORMAT || status == SFGP_ERROR_DATA);
        assert_null(model);
        sfgp_assert_has(sfgp_context_error(*state), CASES[k].words);
    }
}

/* A data set that many links name is not written again and again. */
static void links_cannot_repeat_data(void **state)
{
    enum { LINKS = 200 };
    static char text[64 * 1024];
    sfgp_model *model;
    int length = snprintf(text, sizeof text, "{\"root\": \"x\", \"groups\": {\"x\": {\"links\": [");
    for (int k = 0; k < LINKS; k++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%s{\"title\": \"a%d\", \"collection\": \"datasets\", \"id\": \"d\"}",
                           k > 0 ? "," : "", k);
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "]}}, \"datasets\": {\"d\": {\"shape\": {\"dims\": [5000]}, \"value\": [0");
    for (int k = 1; k < 5000; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, ",%d", k % 10);
    snprintf(text + length, sizeof text - (size_t)length, "]}}}");
    sfgp_assert_error(*state, sfgp_model_read(*state, put(text), &model), SFGP_ERROR_FORMAT,
                      "links repeat the data set");
}

static void try_change(void *user, const char *bytes, size_t size, size_t place)
{
    const char *path = test_path("changed.h5.json");
    sfgp_model *model;
    (void)place;
    unlink(path); /* ext4 waits for the disk when a file is overwritten */
    sfgp_test_write(path, bytes, size);
    const sfgp_status status = sfgp_model_read(user, path, &model);
    assert_true(status == SFGP_OK || status == SFGP_ERROR_FORMAT || status == SFGP_ERROR_DATA);
    sfgp_model_free(model);
}

/* Every 23rd prefix and every 61st flipped bit: each is a process. */
static void no_change_of_a_file_breaks_the_reader(void **state)
{
    for (size_t size = 0; size < strlen(WHOLE); size += 23)
        try_change(*state, WHOLE, size, 0);
    sfgp_each_flip(WHOLE, strlen(WHOLE), 61, try_change, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_model_is_that_of_the_numbers),
        sfgp_unit_test(it_can_be_written_as_hdf5_and_not_as_json), sfgp_unit_test(what_is_wrong_is_told),
        sfgp_unit_test(links_cannot_repeat_data), sfgp_unit_test(no_change_of_a_file_breaks_the_reader)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
