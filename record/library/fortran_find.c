#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include "fortran.h"

record_fortran_function record_fortran_find(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        fprintf(stderr, "isocast: the MPI library has no function %s\n", name);
        _exit(127);
    }
    return (record_fortran_function)found;
}
