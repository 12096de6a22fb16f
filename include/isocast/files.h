/* Algorithms, machines and platforms: from a file or from text in memory.
 * docs/reference/specifications.md and docs/how-to/platforms.md show what the text may say.
 *
 * A handle does not change after it was loaded, so any number of threads may use it at once. Every
 * loader reports all problems that it finds; *out is set on success only. */
#ifndef ISOCAST_FILES_H
#define ISOCAST_FILES_H

#include <stddef.h>

#include <isocast/status.h>

ISOCAST_BEGIN_C

/* Work W(N), computation, overhead as named terms, memory and concurrency of a parallel program. */
typedef struct isocast_algorithm isocast_algorithm;
/* Node classes with their marked speeds, named systems, and how long operations take. */
typedef struct isocast_machine isocast_machine;
/* Hardware as a data sheet gives it: node classes, and the network between them. */
typedef struct isocast_platform isocast_platform;

/* Loads a file. `path` may be "-" for standard input. `diagnostics` may be NULL. Free with the
 * function of the same name that ends in _free. Errors: INVALID (the file cannot be opened, or it
 * has problems), IO, NO_MEMORY, ARGUMENT (path or out is NULL). */
ISOCAST_PUBLIC isocast_status isocast_algorithm_load_file(const char *path,
                                                          isocast_diagnostics *diagnostics,
                                                          isocast_algorithm **out);
ISOCAST_PUBLIC isocast_status isocast_machine_load_file(const char *path,
                                                        isocast_diagnostics *diagnostics,
                                                        isocast_machine **out);
ISOCAST_PUBLIC isocast_status isocast_platform_load_file(const char *path,
                                                         isocast_diagnostics *diagnostics,
                                                         isocast_platform **out);

/* Loads text in memory: `length` bytes of YAML in UTF-8, which need no NUL at the end and are
 * copied. `name` is what diagnostics call the text. Otherwise as above. */
ISOCAST_PUBLIC isocast_status isocast_algorithm_load_text(const char *name, const char *text,
                                                          size_t length,
                                                          isocast_diagnostics *diagnostics,
                                                          isocast_algorithm **out);
ISOCAST_PUBLIC isocast_status isocast_machine_load_text(const char *name, const char *text,
                                                        size_t length,
                                                        isocast_diagnostics *diagnostics,
                                                        isocast_machine **out);
ISOCAST_PUBLIC isocast_status isocast_platform_load_text(const char *name, const char *text,
                                                         size_t length,
                                                         isocast_diagnostics *diagnostics,
                                                         isocast_platform **out);

/* NULL is allowed. Models, predictions and all else that was made of a handle is freed before it.
 */
ISOCAST_PUBLIC void isocast_algorithm_free(isocast_algorithm *algorithm);
ISOCAST_PUBLIC void isocast_machine_free(isocast_machine *machine);
ISOCAST_PUBLIC void isocast_platform_free(isocast_platform *platform);

/* What the files say. Texts belong to the handle; an index that is too large gives NULL. */

ISOCAST_PUBLIC const char *isocast_algorithm_name(const isocast_algorithm *algorithm);
/* The size parameters, such as N. The first one is the one that is solved for. */
ISOCAST_PUBLIC size_t isocast_algorithm_size_count(const isocast_algorithm *algorithm);
ISOCAST_PUBLIC const char *isocast_algorithm_size_name(const isocast_algorithm *algorithm,
                                                       size_t index);

ISOCAST_PUBLIC const char *isocast_machine_name(const isocast_machine *machine);
/* The systems that the file names, such as C8. */
ISOCAST_PUBLIC size_t isocast_machine_system_count(const isocast_machine *machine);
ISOCAST_PUBLIC const char *isocast_machine_system_name(const isocast_machine *machine,
                                                       size_t index);
/* The operations that the file has formulas for, such as T_bcast. */
ISOCAST_PUBLIC size_t isocast_machine_operation_count(const isocast_machine *machine);
ISOCAST_PUBLIC const char *isocast_machine_operation_name(const isocast_machine *machine,
                                                          size_t index);

/* The size of a system: *processes is p, *marked_speed is C in flop/s, the sum of the marked speeds
 * of all processes [CSW]; either may be NULL. `system` is a name of the file
 * ("C8"), a number of processes ("64") where the machine has one node class, a mix
 * ("server:2+sunblade:7"), or k processes on each of m nodes ("4x16"). Where the file has marked
 * speeds for several programs, the default counts; isocast_model_describe_system() takes those for
 * an algorithm's kernel. Errors: INVALID with diagnostics (not one system of this machine),
 * NO_MEMORY, ARGUMENT (a NULL). */
ISOCAST_PUBLIC isocast_status isocast_machine_describe_system(const isocast_machine *machine,
                                                              const char *system,
                                                              isocast_diagnostics *diagnostics,
                                                              double *processes,
                                                              double *marked_speed);

ISOCAST_PUBLIC const char *isocast_platform_name(const isocast_platform *platform);
/* The platform's node classes and systems as a machine without operations, whose marked speeds are
 * the speeds of the processors. Belongs to the platform. */
ISOCAST_PUBLIC const isocast_machine *isocast_platform_hardware(const isocast_platform *platform);

/* How long one operation takes on a system, in seconds. operation: such as "T_bcast"; m: the size
 * of its message in bytes, which is ignored where the operation has none; system: as above, its p
 * is the operation's. The formula is the machine file's. Errors: INVALID with diagnostics (no such
 * operation or system), DOMAIN (the formula has no finite value there), NO_MEMORY, ARGUMENT (a
 * NULL; m is not finite, or is below 0). */
ISOCAST_PUBLIC isocast_status isocast_machine_evaluate_operation(const isocast_machine *machine,
                                                                 const char *operation,
                                                                 const char *system, double m,
                                                                 isocast_diagnostics *diagnostics,
                                                                 double *seconds);

/* A name that a formula may use, and what it stands for. The struct will not change. */
typedef struct isocast_variable {
    const char *name; /* letters, digits and _, starting with a letter */
    const char *unit; /* such as "ms" or "B"; NULL for a count */
    double value;     /* in that unit */
} isocast_variable;

enum { ISOCAST_UNIT_LENGTH = 192 }; /* bytes that the name of a unit takes at most, with its NUL */

/* The value of one formula, such as "2*T_send(8 KiB) + N*3 ms". Besides the variables, shape
 * [count], it may use what `machine` and `system` give: operations, parameters, p, C, C_j, p_i,
 * C_i, memory_i, nodes, p_node, p_node_max and class.property. Where `machine` is NULL, `system` is
 * ignored and the formula has its variables alone. *value is in the SI unit whose name goes to
 * `unit`, shape [ISOCAST_UNIT_LENGTH] ("s", "flop/s"; "1" for a count); `unit` may be NULL. Errors:
 * INVALID with diagnostics (a problem of the formula, a variable or the system), DOMAIN (no finite
 * value), NO_MEMORY, ARGUMENT (a NULL that is not allowed). */
ISOCAST_PUBLIC isocast_status isocast_formula_evaluate(const char *formula,
                                                       const isocast_variable *variables,
                                                       size_t count, const isocast_machine *machine,
                                                       const char *system,
                                                       isocast_diagnostics *diagnostics,
                                                       double *value, char *unit);

ISOCAST_END_C

#endif
