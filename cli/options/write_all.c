#include "write_all.h"

#include <errno.h>
#include <unistd.h>

static bool shown;

bool cli_write_shown(void) {
    return shown;
}

bool cli_write_all(int file, const char *bytes, size_t length) {
    shown = shown || (file == STDOUT_FILENO && length > 0);
    while (length > 0) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}
