#include "provenance.h"

#include <stdio.h>
#include <string.h>

/* First line of a stream, with ';' for ','. */
static void read_line(FILE *stream, char *line, int size)
{
    if (!stream || !fgets(line, size, stream))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    for (char *c = line; *c; c++)
        if (*c == ',')
            *c = ';';
}

const char *bench_commit(void)
{
    static char commit[64];
    FILE *git = popen("git describe --always --dirty=+ --exclude='*' 2>/dev/null", "r");
    read_line(git, commit, sizeof commit);
    if (git)
        pclose(git);
    return commit[0] ? commit : "unknown";
}

const char *bench_machine(void)
{
    static char line[256];
    FILE *cpu = popen("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1", "r");
    read_line(cpu, line, sizeof line);
    if (cpu)
        pclose(cpu);
    return line[0] ? line : "unknown";
}
