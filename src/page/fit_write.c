/* The public function that writes the page of a fit. */
#include "base/memory.h"
#include "base/platform_locale.h"
#include "page/fit_page.h"

#include <stdlib.h>

/* The options as this version knows them, without NULL. */
static sfgp_status complete(sfgp_context *context, const sfgp_page_options *given, size_t size,
                            sfgp_page_options *whole)
{
    *whole = (sfgp_page_options){0};
    const sfgp_status status = sfgp_struct_take(context, "options", given, size, whole, sizeof *whole);
    whole->reference = whole->reference ? whole->reference : "reference";
    whole->target = whole->target ? whole->target : "target";
    whole->unit = whole->unit ? whole->unit : "";
    whole->warning_count = whole->warnings ? whole->warning_count : 0;
    return status;
}

static sfgp_status check(sfgp_context *context, const sfgp_result *result, const sfgp_mesh *reference,
                         const sfgp_mesh *target)
{
    if (reference->count != result->count || reference->dimension != result->dimension)
        return sfgp_fail(
            context, SFGP_ERROR_DATA,
            "reference: %lld points in %dD, the fit has %lld in %dD; give the reference of the fit",
            (long long)reference->count, reference->dimension, (long long)result->count, result->dimension);
    if (target->count < 1 || target->dimension != result->dimension)
        return sfgp_fail(context, SFGP_ERROR_DATA, "target: %lld points in %dD, the fit is in %dD",
                         (long long)target->count, target->dimension, result->dimension);
    return SFGP_OK;
}

/* The page has numbers with a decimal point in every locale. */
static sfgp_status make(const fit_page_input *input, char **text, size_t *size)
{
    void *before = sfgp_platform_locale_begin();
    sfgp_status status = fit_page_make(input, text, size);
    sfgp_platform_locale_end(before);
    return status == SFGP_ERROR_MEMORY
               ? sfgp_fail(input->context, status, "out of memory while the page was made")
               : status;
}

sfgp_status sfgp_result_write_html_sized(sfgp_context *context, const sfgp_result *result,
                                         const sfgp_mesh *reference, const sfgp_mesh *target,
                                         const sfgp_page_options *options, size_t size, const char *path)
{
    fit_page_input input = {context, result, reference, target, {0}};
    char *text = NULL;
    size_t length = 0;
    if (!context || !result || !reference || !target || !path)
        return SFGP_ERROR_PARAMETER;
    sfgp_status status = complete(context, options, size, &input.options);
    if (status == SFGP_OK)
        status = check(context, result, reference, target);
    if (status == SFGP_OK)
        status = make(&input, &text, &length);
    if (status == SFGP_OK)
        status = sfgp_file_write(context, path, text, length);
    free(text);
    return status;
}
