/* Finds what belongs to the installation: specs by name, helper programs, plot scripts. Everything
 * is looked up relative to the running executable, so a build tree and an installed tree work alike
 * (bin/isocast, libexec/isocast/, share/isocast/{specs,plots}). */
#ifndef CLI_LOCATE_H
#define CLI_LOCATE_H

#include <stdbool.h>

#include "model/base/buffer.h"
#include "model/base/source.h"

typedef enum cli_spec_kind {
    CLI_SPEC_ALGORITHM,
    CLI_SPEC_MACHINE,
    CLI_SPEC_PLATFORM
} cli_spec_kind;

/* A path as given where such a file exists or the text has a '/' or ends in .yaml; else NAME.yaml
 * in $ISOCAST_SPECS/<kind>s or share/isocast/specs/<kind>s; for a machine that is not known, the
 * platform of that name, which shows how to make a machine file of it when it is loaded. Free *out
 * with free(). Gives an exit status and reports on stderr: INVALID where a file NAME.yaml is not
 * there but a specification NAME is; USAGE where there is none of that name,
 * with the known names and the nearest; SYSTEM where that cannot be found out. */
int cli_locate_spec(cli_spec_kind kind, const char *text, char **out);

/* What another file names at a place: a file beside that one, or what cli_locate_spec() takes. Free
 * *out with free(), which is NULL unless the status is OK. Gives an exit status and reports on
 * stderr: INVALID, at the place, where there is neither a file nor a specification of that kind. */
int cli_locate_named(cli_spec_kind kind, const isocast_source *source, isocast_span span,
                     const char *name, char **out);

/* Appends of which kinds there are installed specifications of that name: "a machine and a
 * platform". False where there are none. */
bool cli_locate_kinds(const char *name, isocast_buffer *out);

/* The entry of `kernels` (shape [count]) that an algorithm, a file or an installed one, has as its
 * kernel; NULL where it has none of them. Gives an exit status. */
int cli_locate_kernel(const char *algorithm, const char *const *kernels, size_t count,
                      const char **out);

/* The same as cli_locate_spec for a specification of any kind, algorithms before machines before
 * platforms; *out is the text itself where there is none, for the reader to say, and NULL where
 * the status is not OK.
 */
int cli_locate_any_spec(const char *text, char **out);

/* Reports on stderr which installed specification may be meant by a name that is none, where one is
 * near. Gives an exit status. */
int cli_locate_suggest(const char *text);

/* A folder or file of the specifications, such as "algorithms": in $ISOCAST_SPECS, or in
 * share/isocast/specs, whether it is there or not. Free with free(). NULL where memory is short or
 * the system does not show where this program is; errno says which. */
char *cli_locate_specs(const char *name);

/* launchers.yaml in $ISOCAST_SPECS or share/isocast/specs; NULL where there is none (nothing
 * printed). Free with free(). */
char *cli_locate_launchers(void);

/* A program libexec/isocast/NAME, another file there, share/isocast/plots/NAME; NULL where there is
 * none (nothing printed), or errno shows why it cannot be found. Free with free(). */
char *cli_locate_program(const char *name);
char *cli_locate_part(const char *name);
char *cli_locate_plot_script(const char *name);

/* Reports on stderr what is `missing` where errno says that one of these is not there, else why it
 * cannot be found. Gives SYSTEM. */
int cli_locate_fail(const char *command, const char *missing, ...)
    __attribute__((format(printf, 2, 3)));

/* What isocast may be built without. */
#define CLI_WITHOUT_MPI "isocast was built without MPI (package libmpich-dev or libopenmpi-dev)"
#define CLI_WITHOUT_MPICH                                                                          \
    "isocast was built without MPICH (package libmpich-dev), whose programs alone it records"
#define CLI_WITHOUT_SIMGRID "isocast was built without SimGrid (package libsimgrid-dev)"

/* The same for a program or another part that is there where isocast was built with a library;
 * `without` is one of the three. */
int cli_locate_lacks(const char *command, const char *name, const char *without);

#endif
