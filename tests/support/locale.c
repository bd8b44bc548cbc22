#include "support/locale.h"
#include "support/support.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

void sfgp_test_comma_locale(void)
{
    char command[512];
    snprintf(command, sizeof command, "localedef -c -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
             sfgp_test_folder());
    if (setlocale(LC_ALL, "de_DE.UTF-8"))
        return;
    setenv("LOCPATH", sfgp_test_folder(), 1);
    if (system(command) == -1 || !setlocale(LC_ALL, "de_DE.UTF-8")) {
        print_message("skipped: no de_DE.UTF-8\n");
        skip();
    }
}
