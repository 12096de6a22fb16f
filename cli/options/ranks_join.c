#include "ranks_join.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "exit.h"
#include "locate.h"
#include "ranks_announced.h"

int cli_ranks_refuse(const cli_usage *usage, const char *instead) {
    long count = cli_ranks_announced();
    if (count <= 1) {
        return CLI_EXIT_OK;
    }
    if (cli_ranks_is_another()) {
        /* The first one speaks for all. */
        cli_exit_reported();
        return CLI_EXIT_USAGE;
    }
    return cli_usage_error(usage,
                           "a launcher started %ld processes of 'isocast %s', which "
                           "starts MPI programs itself; run it once: %s",
                           count, usage->command, instead);
}

static const ranks_functions *load_module(const char *command) {
    char *path = cli_locate_program("isocast-ranks");
    /* Parts that MPI loads itself look for its names among those of all. */
    void *module = path != NULL ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    ranks_entry entry = NULL;
    if (module != NULL) {
        /* What POSIX says for a function that dlsym finds. */
        *(void **)&entry = dlsym(module, RANKS_ENTRY);
    }
    if (entry == NULL) {
        const char *cause =
            path == NULL ? "isocast-ranks is not there: " CLI_WITHOUT_MPI : dlerror();
        fprintf(stderr, "isocast %s: cannot join the other processes of mpiexec: %s\n", command,
                cause != NULL ? cause : "the module isocast-ranks has no entry");
    }
    free(path);
    return entry != NULL ? entry() : NULL;
}

/* What all ranks would say is said once. */
static void be_silent(void) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        fflush(stdout);
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
}

int cli_ranks_join(const char *command, cli_ranks *out) {
    *out = (cli_ranks){.count = 1};
    long due = cli_ranks_announced();
    if (due == 1) {
        return CLI_EXIT_OK;
    }
    cli_ranks ranks = {.functions = load_module(command)};
    if (ranks.functions == NULL) {
        return CLI_EXIT_SYSTEM;
    }
    if (!ranks.functions->join(&ranks.rank, &ranks.count)) {
        fprintf(stderr, "isocast %s: MPI cannot be started\n", command);
        return CLI_EXIT_SYSTEM;
    }
    if (due > 1 && ranks.count != due) {
        fprintf(stderr,
                "isocast %s: the launcher started %ld processes, but MPI has %d; use the "
                "mpiexec of the MPI that isocast was built with\n",
                command, due, ranks.count);
        ranks.functions->leave();
        return CLI_EXIT_SYSTEM;
    }
    if (ranks.rank > 0) {
        be_silent();
    }
    *out = ranks;
    return CLI_EXIT_OK;
}

void cli_ranks_leave(cli_ranks *ranks) {
    if (ranks->functions != NULL) {
        ranks->functions->leave();
        ranks->functions = NULL;
    }
}
