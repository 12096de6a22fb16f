#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Narrower than that nothing is readable: a smaller number is taken as this one. */
enum { COLUMNS_MIN = 20, COLUMNS_MAX = 1000000 };

/* The variable's whole number above 0; 0 where it is none. */
static size_t from_variable(void) {
    const char *text = getenv("COLUMNS");
    char *end;
    long columns = text != NULL ? strtol(text, &end, 10) : 0;
    return columns > 0 && columns <= COLUMNS_MAX && *end == '\0' ? (size_t)columns : 0;
}

static size_t from_terminal(void) {
    struct winsize size = {0};
    return isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                                      : 0;
}

size_t cli_terminal_columns(const char *output) {
    if (strcmp(output, "-") != 0) {
        return 0;
    }
    size_t columns = from_variable();
    columns = columns > 0 ? columns : from_terminal();
    return columns > 0 && columns < COLUMNS_MIN ? COLUMNS_MIN : columns;
}
