/* What the formulas of an algorithm miss beside those of its operations: a few short runs of its
 * kernel, from nearly all communication to little of it, against the prediction of the machine file
 * that was just made. What is found becomes a line of that file. */
#ifndef CAMPAIGN_ALGORITHM_MISFIT_H
#define CAMPAIGN_ALGORITHM_MISFIT_H

#include "kernel_run.h"
#include "model/base/buffer.h"
#include "model/spec/algorithm.h"

typedef struct campaign_misfit_request {
    const char *lister;  /* isocast-kernel, which tells the kernels that there are */
    const char *program; /* isocast-kernel-simulated */
    const isocast_algorithm *algorithm;
    campaign_simulation *simulation;
    isocast_system *const *systems; /* [count], of the platform: what was calibrated on */
    size_t count;
    const char *systems_text; /* the same as they are written */
    const char *name;         /* of the machine file, for messages */
    long seed;                /* of the runs' input */
    const campaign_listener *listener;
} campaign_misfit_request;

/* Runs the kernel on the systems of up to 64 processes, and appends a section `algorithms` to the
 * machine file's text, unless the errors of its operations explain all. Does
 * nothing where no kernel is of this algorithm, or it has several sizes. Errors: those of
 * isocast_machine_read_text() and of campaign_kernel_launch(), NO_MEMORY. */
isocast_status campaign_algorithm_misfit_append(const campaign_misfit_request *request,
                                                isocast_diagnostics *diagnostics,
                                                isocast_buffer *text);

#endif
