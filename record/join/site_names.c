#include "site_names.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record_module {
    char *path;
    Dwfl *session;
    Dwfl_Module *module; /* NULL where the file cannot be read */
};

/* Debug information in files of their own is looked for nowhere: not on the network either. */
static int find_nothing(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                        const char *file, const char *link, GElf_Word check, char **out) {
    (void)module;
    (void)data;
    (void)name;
    (void)base;
    (void)file;
    (void)link;
    (void)check;
    (void)out;
    return -1;
}

static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_nothing,
                                         .section_address = dwfl_offline_section_address};

/* libdw's own way to end for want of memory is to end the program. */
static _Thread_local jmp_buf without_memory;

static _Noreturn void leave_libdw(void) {
    longjmp(without_memory, 1);
}

/* A file that is gone, or has no debug information, is none of these causes. */
void record_modules_note(record_modules *modules) {
    switch (errno) {
    case ENOMEM:
    case EIO:
    case EINTR:
    case EMFILE:
    case ENFILE:
    case EACCES:
    case ENOSPC:
        modules->cause = errno;
        break;
    default:
        break;
    }
}

static void open_module(record_modules *modules, struct record_module *module, const char *path) {
    *module = (struct record_module){.path = strdup(path), .session = dwfl_begin(&callbacks)};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (module->session != NULL && file >= 0) {
        dwfl_report_begin(module->session);
        module->module = dwfl_report_offline(module->session, path, path, file);
        dwfl_report_end(module->session, NULL, NULL);
        Dwarf_Addr bias = 0;
        Dwarf *debug = module->module != NULL ? dwfl_module_getdwarf(module->module, &bias) : NULL;
        if (debug != NULL) {
            dwarf_new_oom_handler(debug, leave_libdw);
        }
    }
    if (module->path == NULL || module->module == NULL) {
        record_modules_note(modules);
    }
    if (module->module == NULL && file >= 0) {
        close(file); /* else it is the module's */
    }
}

static struct record_module *find_module(record_modules *modules, const char *path) {
    for (uint32_t i = 0; i < modules->count; i++) {
        if (modules->items[i].path != NULL && strcmp(modules->items[i].path, path) == 0) {
            return &modules->items[i];
        }
    }
    struct record_module *grown =
        realloc(modules->items, (modules->count + 1) * sizeof *modules->items);
    if (grown == NULL) {
        return NULL;
    }
    modules->items = grown;
    open_module(modules, &grown[modules->count], path);
    return &grown[modules->count++];
}

/* The innermost function around an address, also where the compiler put it into another one. */
static const char *function_at(Dwfl_Module *module, Dwarf_Addr address) {
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
    Dwarf_Die *scopes = NULL;
    const char *name = NULL;
    int count = unit != NULL ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    for (int i = 0; i < count && name == NULL; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
            name = dwarf_diename(&scopes[i]);
        }
    }
    free(scopes);
    return name != NULL ? name : dwfl_module_addrname(module, address);
}

static record_site_name name_of(Dwfl_Module *module, uint64_t offset) {
    record_site_name name = {"", "", 0};
    Dwarf_Addr bias = 0;
    if (dwfl_module_getelf(module, &bias) == NULL) {
        return name;
    }
    Dwarf_Addr address = offset - 1 + bias;
    const char *function = function_at(module, address);
    name.function = function != NULL ? function : "";
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    const char *file =
        line != NULL ? dwfl_lineinfo(line, NULL, &name.line, NULL, NULL, NULL) : NULL;
    name.file = file != NULL ? file : "";
    name.line = file != NULL ? name.line : 0;
    return name;
}

record_site_name record_site_find(record_modules *modules, const char *path, uint64_t offset) {
    static const record_site_name none = {"", "", 0};
    if (modules->cause == ENOMEM || setjmp(without_memory) != 0) {
        modules->cause = ENOMEM;
        return none;
    }
    errno = 0;
    struct record_module *found = find_module(modules, path);
    if (found == NULL) {
        record_modules_note(modules);
    }
    if (found == NULL || found->module == NULL || offset == 0) {
        return none;
    }
    record_site_name name = name_of(found->module, offset);
    if (name.line == 0 || name.function[0] == '\0' || errno == ENOMEM) {
        record_modules_note(modules);
    }
    return name;
}

void record_modules_free(record_modules *modules) {
    for (uint32_t i = 0; i < modules->count; i++) {
        free(modules->items[i].path);
        if (modules->items[i].session != NULL) {
            dwfl_end(modules->items[i].session);
        }
    }
    free(modules->items);
    *modules = (record_modules){0};
}
