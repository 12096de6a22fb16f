/* How a machine file came about: its first lines, and the first lines of its section `calibration`.
 * What was measured is written by machine_file.h and operations_file.h. */
#ifndef MACHINE_ORIGIN_H
#define MACHINE_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

#include "model/base/buffer.h"

/* Texts that somebody chose are written as YAML scalars, so they may hold anything. */
typedef struct machine_origin {
    const char *subcommand; /* of isocast, which wrote the file */
    const char *verb;       /* what it did: "calibrated" */
    const char *name;       /* of the machine */
    const char *date;       /* ISO 8601, UTC */
    const char *version;    /* of isocast */
    const char *command;    /* the command line */
    uint64_t seed;
    size_t launches;
} machine_origin;

/* The comment on top, the machine's name and its source. */
void machine_origin_put_head(const machine_origin *origin, isocast_buffer *out);

/* Begins the section `calibration`: date, version, command, seed and launches. */
void machine_origin_put_calibration(const machine_origin *origin, isocast_buffer *out);

/* The standard deviations of ln T between launches and within one; NAN for one that is not known.
 */
void machine_origin_put_sigma(double launch, double within, isocast_buffer *out);

#endif
