/* A kernel from its text and back; the grammar stands in kernel.h. TYPES is the table of kernels. */
#include "base/number.h"
#include "kernel/kernel.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const sfgp_kernel_type *const TYPES[] = {
    &sfgp_kernel_se,  &sfgp_kernel_matern32, &sfgp_kernel_matern52, &sfgp_kernel_rq,
    &sfgp_kernel_imq, &sfgp_kernel_laplace,  &sfgp_kernel_surface};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

/* A part of the setting's text. */
typedef struct word {
    const char *text;
    int length;
} word;

/* Removes the part before the first separator from rest, and returns it. */
static word cut(word *rest, char separator)
{
    const char *end = memchr(rest->text, separator, (size_t)rest->length);
    word front = {rest->text, end ? (int)(end - rest->text) : rest->length};
    int used = end ? front.length + 1 : front.length;
    *rest = (word){rest->text + used, rest->length - used};
    return front;
}

static bool equals(word piece, const char *name)
{
    return (size_t)piece.length == strlen(name) && memcmp(piece.text, name, (size_t)piece.length) == 0;
}

/* Columns that a field needs: those of smoothness 2 are a fifth of those of 1 (docs/adr/0043). */
enum { SMOOTHNESS = 2 };

static sfgp_status parse_smoothness(sfgp_context *context, word value, struct sfgp_kernel_term *term)
{
    if (!equals(value, "1") && !equals(value, "2"))
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "kernel: smoothness: '%.*s' is neither 1 nor 2",
                         value.length, value.text);
    term->smoothness = equals(value, "1") ? 1 : 2;
    return SFGP_OK;
}

static sfgp_status parse_form(sfgp_context *context, word value, struct sfgp_kernel_term *term)
{
    term->sparse = equals(value, "sparse");
    term->automatic = equals(value, "auto");
    if (!term->sparse && !term->automatic && !equals(value, "eigen"))
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "kernel: form: '%.*s' is not eigen, sparse or auto",
                         value.length, value.text);
    return SFGP_OK;
}

/* Whether a parameter has the name of an earlier one; text holds all those of the term, from the first one on. */
static bool is_repeated(word earlier, word name)
{
    while (earlier.text < name.text) {
        word one = cut(&earlier, ','), other = cut(&one, '=');
        if (other.length == name.length && memcmp(other.text, name.text, (size_t)name.length) == 0)
            return true;
    }
    return false;
}

static sfgp_status parse_parameter(sfgp_context *context, word all, word assignment,
                                   struct sfgp_kernel_term *term)
{
    word whole = assignment, name = cut(&assignment, '=');
    if (is_repeated(all, name))
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "kernel: '%.*s' is given twice", name.length,
                         name.text);
    bool length = equals(name, "length"), variance = equals(name, "variance");
    double value = 0, least = length ? 1e-6 : 1e-12, most = 1e6;
    if (!term->type->add && equals(name, "smoothness"))
        return parse_smoothness(context, assignment, term);
    if (!term->type->add && equals(name, "form"))
        return parse_form(context, assignment, term);
    if (!length && !variance)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "kernel: '%.*s' is neither length=... nor variance=...%s", whole.length, whole.text,
                         term->type->add ? "" : " nor smoothness=... nor form=...");
    if (sfgp_number_parse(assignment.text, (size_t)assignment.length, &value) != SFGP_NUMBER_OK ||
        !(value >= least && value <= most))
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "kernel: %.*s: '%.*s' is not a number between %g and %g", name.length, name.text,
                         assignment.length, assignment.text, least, most);
    *(length ? &term->length : &term->variance) = value;
    return SFGP_OK;
}

static sfgp_status fail_type(sfgp_context *context, word term)
{
    char names[128] = "";
    for (int k = 0; k < TYPE_COUNT; k++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s, ", TYPES[k]->name);
    }
    return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                     "kernel: '%.*s': use TYPE:length=L,variance=V with TYPE one of %sor none", term.length,
                     term.text, names);
}

static sfgp_status parse_term(sfgp_context *context, word text, struct sfgp_kernel_term *term)
{
    word whole = text, name = cut(&text, ':');
    sfgp_status status = SFGP_OK;
    *term = (struct sfgp_kernel_term){NULL, 1, 1, 0, false, false};
    for (int k = 0; k < TYPE_COUNT; k++)
        if (equals(name, TYPES[k]->name))
            term->type = TYPES[k];
    if (!term->type)
        return fail_type(context, whole);
    term->smoothness = term->type->add ? 0 : SMOOTHNESS;
    const word all = text;
    if (name.length == whole.length) /* all parameters have their defaults */
        return SFGP_OK;
    do
        status = parse_parameter(context, all, cut(&text, ','), term);
    while (text.length > 0 && status == SFGP_OK);
    return status;
}

static sfgp_status check_sparse(sfgp_context *context, const sfgp_kernel *kernel)
{
    int count = 0;
    for (int k = 0; k < kernel->count; k++)
        count += kernel->terms[k].sparse || kernel->terms[k].automatic;
    return count <= 1
               ? SFGP_OK
               : sfgp_fail(
                     context, SFGP_ERROR_PARAMETER,
                     "kernel: %d terms have form=sparse or form=auto, one may; use form=eigen for the others",
                     count);
}

sfgp_status sfgp_kernel_parse(sfgp_context *context, const char *text, sfgp_kernel *kernel)
{
    word rest = {text, (int)strlen(text)};
    sfgp_status status = SFGP_OK;
    kernel->count = 0;
    if (equals(rest, "none"))
        return SFGP_OK;
    do {
        if (kernel->count == SFGP_KERNEL_TERMS)
            return sfgp_fail(context, SFGP_ERROR_PARAMETER, "kernel: more than %d terms", SFGP_KERNEL_TERMS);
        status = parse_term(context, cut(&rest, '+'), &kernel->terms[kernel->count++]);
    } while (rest.length > 0 && status == SFGP_OK);
    return status == SFGP_OK ? check_sparse(context, kernel) : status;
}

void sfgp_kernel_format(const sfgp_kernel *kernel, char text[SFGP_KERNEL_SIZE])
{
    char length[SFGP_NUMBER_SIZE], variance[SFGP_NUMBER_SIZE];
    size_t used = 0;
    snprintf(text, SFGP_KERNEL_SIZE, "none");
    for (int k = 0; k < kernel->count; k++) {
        const struct sfgp_kernel_term *term = &kernel->terms[k];
        sfgp_number_format(term->length, length);
        sfgp_number_format(term->variance, variance);
        used += (size_t)snprintf(text + used, SFGP_KERNEL_SIZE - used, "%s%s:length=%s,variance=%s",
                                 k > 0 ? "+" : "", term->type->name, length, variance);
        if (term->smoothness > 0)
            used +=
                (size_t)snprintf(text + used, SFGP_KERNEL_SIZE - used, ",smoothness=%d", term->smoothness);
        if (term->sparse || term->automatic)
            used += (size_t)snprintf(text + used, SFGP_KERNEL_SIZE - used, ",form=%s",
                                     term->sparse ? "sparse" : "auto");
    }
}
