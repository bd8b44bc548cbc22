/* The table of sources. Opens and closes sets. */
#include "study/source.h"

#include <stdlib.h>
#include <string.h>

static const study_source *const SOURCES[] = {&study_source_hdf5, &study_source_folder,
                                              &study_source_simulate};
enum { SOURCE_COUNT = sizeof SOURCES / sizeof *SOURCES };

const study_source *study_source_of(json_t *set)
{
    for (int k = 0; k < SOURCE_COUNT; k++)
        if (json_object_get(set, SOURCES[k]->key))
            return SOURCES[k];
    return NULL;
}

int study_find_set(const study *s, const char *name)
{
    for (int k = 0; name && k < s->set_count; k++)
        if (strcmp(s->sets[k].name, name) == 0)
            return k;
    return -1;
}

int study_find_level(const study_set *set, const json_t *value)
{
    for (int k = 0; json_is_number(value) && k < set->level_count; k++)
        if (set->levels[k] == json_number_value(value))
            return k;
    return -1;
}

void study_case_clear(study_case *c)
{
    sfgp_mesh_free(c->reference);
    sfgp_mesh_free(c->target);
    sfgp_mesh_free(c->truth);
    free(c->missing);
    *c = (study_case){0};
}

static void close_source(study_set *set)
{
    if (set->source)
        set->source->close(set);
    for (int k = 0; k < set->training_count; k++)
        sfgp_mesh_free(set->training[k]);
    free(set->training);
    sfgp_mesh_free(set->reference);
    sfgp_model_free(set->model);
    set->model = NULL;
    set->training = NULL;
    set->training_count = 0;
    set->reference = NULL;
    set->state = NULL;
}

void study_set_clear(study_set *set)
{
    close_source(set);
    free(set->levels);
    *set = (study_set){0};
}

static uint64_t add_mesh(uint64_t sum, const sfgp_mesh *mesh)
{
    return sfgp_checksum(sum, mesh->points,
                         (size_t)mesh->count * (size_t)mesh->dimension * sizeof *mesh->points);
}

static void add_checksum(study_set *set)
{
    set->checksum = add_mesh(set->checksum, set->reference);
    for (int k = 0; k < set->training_count; k++)
        set->checksum = add_mesh(set->checksum, set->training[k]);
}

/* When the data do not exist, opens the substitute that the set names, if any. Wrong data are an error. */
static sfgp_status open_set(study *s, study_set *set)
{
    json_t *stand_in = json_object_get(set->json, "stand_in");
    set->checksum = SFGP_CHECKSUM_START;
    sfgp_status status = set->source->open(s, set);
    if (status == SFGP_ERROR_READ && stand_in) {
        set->checksum = SFGP_CHECKSUM_START;
        close_source(set);
        set->json = stand_in;
        set->source = study_source_of(stand_in);
        set->stand_in = true;
        s->error[0] = '\0'; /* what it says of the data is no longer why the study fails */
        status = set->source->open(s, set);
    }
    if (status == SFGP_OK)
        add_checksum(set);
    return status;
}

sfgp_status study_sets_open(study *s)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; status == SFGP_OK && k < s->set_count; k++)
        status = open_set(s, &s->sets[k]);
    return status;
}
