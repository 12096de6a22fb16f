/* isocast-probe-quick NETWORK OPTION..., and isocast-schedule-quick: the probe, or the program of
 * an algorithm file, on a platform, with messages that are not simulated but counted on links one
 * after the other (links.h). Much faster than the simulator, and less exact: what reads it compares
 * both where both can be had. */
#include "process.h"

#include "smpi/smpi.h"
#include <errno.h>

#undef main

int main(int argc, char **argv) {
    quick_network network;
    if (argc < 2 || !quick_network_read(argv[1], &network)) {
        fprintf(stderr, "%s: there is no network, or its file is none\n",
                program_invocation_short_name);
        return 2;
    }
    argv[1] = argv[0];
    int status = quick_run(&network, quick_main, argc - 1, argv + 1);
    quick_network_free(&network);
    return status;
}
