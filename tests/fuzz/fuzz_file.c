#include "fuzz_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

int fuzz_file_open(const uint8_t *data, size_t size, char path[FUZZ_PATH_MAX]) {
    int descriptor = memfd_create("fuzz", 0);
    FUZZ_REQUIRE(descriptor >= 0);
    FUZZ_REQUIRE(size == 0 || write(descriptor, data, size) == (ssize_t)size);
    snprintf(path, FUZZ_PATH_MAX, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

void fuzz_file_close(int descriptor) {
    close(descriptor);
}
