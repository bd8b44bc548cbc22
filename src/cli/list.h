/* Lists of arguments and paths. */
#ifndef SFGP_CLI_LIST_H
#define SFGP_CLI_LIST_H

/* A list of arguments in their order. The texts belong to argv. */
typedef struct cli_list {
    char **items;
    int count;
} cli_list;

void cli_list_clear(cli_list *list);

#endif
