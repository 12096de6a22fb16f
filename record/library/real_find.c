#include <dlfcn.h>
#include <link.h>

#include "state.h"

record_functions record_real;

static void find_from(void *handle) {
#define FIND(name) record_real.name = (__typeof__(record_real.name))dlsym(handle, "PMPI_" #name);
    RECORD_REAL_NAMES(FIND)
#undef FIND
}

/* Looks into a module that may have been loaded for itself, as Python does. */
static int look_into(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    void *handle =
        info->dlpi_name[0] != '\0' ? dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (handle == NULL) {
        return 0;
    }
    /* The handle stays open, so that the functions stay. A module finds what those have that it
     * needs, so this library itself is among what is found. */
    Dl_info own;
    Dl_info found;
    void *init = dlsym(handle, "PMPI_Init");
    bool other = init != NULL && dladdr(init, &found) != 0 &&
                 dladdr((void *)&record_real, &own) != 0 && found.dli_fbase != own.dli_fbase;
    if (other) {
        find_from(handle);
        return 1;
    }
    dlclose(handle);
    return 0;
}

bool record_real_find(void) {
    if (record_real.Init == NULL) {
        find_from(RTLD_NEXT);
    }
    if (record_real.Init == NULL) {
        dl_iterate_phdr(look_into, NULL);
    }
    return record_real.Init != NULL;
}
