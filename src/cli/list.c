/* Lists of arguments and paths. */
#include "cli/list.h"

#include <stdlib.h>

void cli_list_clear(cli_list *list)
{
    free(list->items);
    *list = (cli_list){0};
}
