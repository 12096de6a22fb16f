/* What is isocast-kernel's own in the driver: the kernels by their names. */
#include <stdlib.h>
#include <string.h>

#include "driver_options.h"

#define DRIVER_PROGRAM(name) &kernel_##name,
#define DRIVER_WORK(name)
#define DRIVER_ROW(name, what) DRIVER_##what(name)
static const kernel *const kernels[] = {KERNEL_ROWS(DRIVER_ROW) NULL};

static int list_kernels(void) {
    for (size_t i = 0; kernels[i] != NULL; i++) {
        const kernel *k = kernels[i];
        printf("%s\t%s\t%s\n", kernel_names[k->id], k->algorithm, k->summary);
    }
    return EXIT_SUCCESS;
}

static bool choose(driver_options *o, bool loud) {
    for (size_t i = 0; o->name != NULL && kernels[i] != NULL; i++) {
        if (strcmp(kernel_names[kernels[i]->id], o->name) == 0) {
            o->kernel = kernels[i];
            return true;
        }
    }
    if (loud && o->name == NULL) {
        fputs("isocast-kernel: name a kernel", stderr);
    } else if (loud) {
        fprintf(stderr, "isocast-kernel: there is no kernel '%s'", o->name);
    }
    for (size_t i = 0; loud && kernels[i] != NULL; i++) {
        fprintf(stderr, "%s%s", i == 0 ? "; known are: " : ", ", kernel_names[kernels[i]->id]);
    }
    if (loud) {
        fputc('\n', stderr);
    }
    return false;
}

const driver_program driver_this = {
    .name = "isocast-kernel",
    .usage = "usage: mpiexec -n P isocast-kernel KERNEL -n N [options]\n"
             "       isocast-kernel --list\n",
    .options = "  --show-distribution      write who owns how many rows, and do not run\n",
    .choose = choose,
    .list = list_kernels};
