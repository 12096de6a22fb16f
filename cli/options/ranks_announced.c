#include "ranks_announced.h"

#include <stdlib.h>

long cli_ranks_announced(void) {
    /* MPICH, Intel MPI and Slurm; Open MPI; Cray. */
    static const char *const names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "PALS_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = getenv(names[i]);
        if (text != NULL) {
            return strtol(text, NULL, 10);
        }
    }
    return getenv("PMIX_RANK") != NULL ? 0 : 1;
}

bool cli_ranks_is_another(void) {
    static const char *const names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PALS_RANKID",
                                        "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = getenv(names[i]);
        if (text != NULL) {
            return strtol(text, NULL, 10) > 0;
        }
    }
    return false;
}
