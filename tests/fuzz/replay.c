/* Runs a fuzz target over every file of the folders given; the sanitizers do the rest. */
#include <dirent.h>
#include <string.h>

#include "fuzz.h"

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return -1;
    }
    uint8_t *data = NULL;
    size_t size = 0;
    size_t got;
    do {
        uint8_t *grown = realloc(data, size + 65536);
        if (grown == NULL) {
            free(data);
            fclose(file);
            return -1;
        }
        data = grown;
        got = fread(data + size, 1, 65536, file);
        size += got;
    } while (got > 0);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

int main(int argc, char **argv) {
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder == NULL) {
            perror(argv[i]);
            return EXIT_FAILURE;
        }
        const struct dirent *entry;
        while ((entry = readdir(folder)) != NULL) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.') {
                /* Reported before, so that a crash names its input. */
                printf("%s\n", entry->d_name);
                fflush(stdout);
                if (replay_file(path) != 0) {
                    return EXIT_FAILURE;
                }
                count++;
            }
        }
        closedir(folder);
    }
    printf("%zu inputs\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
