#include <dlfcn.h>
#include <link.h>

#include "state.h"

record_functions record_real;

/* What is looked for in all modules. */
typedef struct search {
    const char *name;
    void *handle; /* of a module that has it, itself or in what it needs */
} search;

/* Looks into a module that may have been loaded for itself, as Python does. */
static int look_into(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    search *s = context;
    void *handle =
        info->dlpi_name[0] != '\0' ? dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (handle == NULL) {
        return 0;
    }
    /* The handle stays open, so that the functions stay. A module finds what those have that it
     * needs, so this library itself is among what is found. */
    Dl_info own;
    Dl_info found;
    void *symbol = dlsym(handle, s->name);
    bool other = symbol != NULL && dladdr(symbol, &found) != 0 &&
                 dladdr((void *)&record_real, &own) != 0 && found.dli_fbase != own.dli_fbase;
    if (other) {
        s->handle = handle;
        return 1;
    }
    dlclose(handle);
    return 0;
}

void *record_module_of(const char *name) {
    search s = {name, RTLD_NEXT};
    if (dlsym(RTLD_NEXT, name) == NULL) {
        s.handle = NULL;
        dl_iterate_phdr(look_into, &s);
    }
    return s.handle;
}

bool record_real_find(void) {
    void *module = record_real.Init == NULL ? record_module_of("PMPI_Init") : NULL;
    if (module != NULL) {
#define FIND(name) record_real.name = (__typeof__(record_real.name))dlsym(module, "PMPI_" #name);
        RECORD_REAL_NAMES(FIND)
#undef FIND
    }
    return record_real.Init != NULL;
}
