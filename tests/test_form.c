/* form=auto of the kernel "surface": the form that costs less for the accuracy asked, where the method takes it. */
#include "model/model.h"
#include "support/sheet.h"
#include "support/support.h"

#include <string.h>

static sfgp_model *model_of(sfgp_context *context, const sfgp_mesh *mesh, const char *method, double accuracy)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, "se:length=2,variance=0.1+surface:length=0.5,variance=0.1,form=auto");
    strcpy(settings.method, method);
    settings.accuracy = accuracy;
    sfgp_model *model = test_model(context, mesh, &settings);
    return model;
}

/* Half of the variance needs few columns, a thousandth of it hundreds, more than the factor costs. The model names the form, and the prediction
 * knows it. */
static void the_cheaper_form_is_taken(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 40, 40, 0.5, 1, 0);
    for (int k = 0; k < 2; k++) {
        const double accuracy = k == 0 ? 0.05 : 1e-4;
        sfgp_model *model = model_of(*state, mesh, "sfgp-scalar", accuracy);
        sfgp_run_size size;
        sfgp_settings settings = test_settings();
        strcpy(settings.kernel, "surface:length=0.5,variance=0.1,form=auto");
        strcpy(settings.method, "sfgp-scalar");
        settings.accuracy = accuracy;
        sfgp_assert_ok(*state, sfgp_run_size_from_mesh(*state, mesh, 0, &settings, &size));
        print_message("%d columns\n", (int)model->basis.scalar.surface);
        assert_int_equal(model->field != NULL, k);
        assert_int_equal(model->basis.scalar.surface > 0, !k);
        assert_int_equal(size.field_entries > 0, k);
        assert_int_equal(strstr(model->kernel, "form=sparse") != NULL, k);
        assert_null(strstr(model->kernel, "auto"));
        sfgp_model_free(model);
    }
    sfgp_mesh_free(mesh);
}

/* Those that do not take the sparse form get columns, whatever they cost: no method refuses form=auto. */
static void every_method_gets_a_form_that_it_takes(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 20, 20, 0.5, 1, 0);
    for (int k = 0; sfgp_method_row(k); k++) {
        const char *name = sfgp_method_row(k)->name;
        sfgp_model *model = model_of(*state, mesh, name, 1e-4);
        sfgp_settings settings = test_settings();
        strcpy(settings.method, name);
        sfgp_solver *solver = test_solver(*state, model, &settings);
        assert_int_equal(model->field != NULL,
                         strncmp(name, "sfgp-", 5) == 0 || strcmp(name, "closest-point") == 0);
        sfgp_solver_free(solver);
        sfgp_model_free(model);
    }
    sfgp_mesh_free(mesh);
}

static void the_kernel_keeps_its_text(void **state)
{
    char text[SFGP_KERNEL_SIZE];
    sfgp_kernel kernel;
    sfgp_assert_ok(*state, sfgp_kernel_parse(*state, "surface:form=auto,length=2", &kernel));
    sfgp_kernel_format(&kernel, text);
    assert_string_equal(text, "surface:length=2,variance=1,smoothness=2,form=auto");
    sfgp_assert_status(*state, sfgp_kernel_parse(*state, "surface:form=auto+surface:form=sparse", &kernel),
                       SFGP_ERROR_PARAMETER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_cheaper_form_is_taken),
        sfgp_unit_test(every_method_gets_a_form_that_it_takes),
        sfgp_unit_test(the_kernel_keeps_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
