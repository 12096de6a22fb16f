#include "steps_check.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/schedule/rehearsal.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/algorithm_program.h"
#include "steps_maker.h"

/* Actions of all processes that one record is worth. */
static const double actions_most = 1e6;

/* Of a grid, those that are other processes. */
static double count_neighbours(const isocast_record *record, const isocast_record_call *call) {
    const isocast_record_communicator *c =
        call->communicator != SIZE_MAX ? &record->communicators[call->communicator] : NULL;
    double own = 0;
    for (size_t i = 0; c != NULL && i < c->dimension_count; i++) {
        own += c->periodic[i] && c->dimensions[i] == 1 ? 2 : 0;
    }
    return fmax(call->neighbours - own, 0);
}

/* What a record says of what the rehearsal counts. */
static isocast_schedule_counts count(const isocast_record *record) {
    isocast_schedule_counts sum = {0};
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        isocast_record_class kind = isocast_record_operation_find(call->operation)->kind;
        bool to_others = call->partner != (long)call->process;
        if (isocast_derive_word_of(call->operation) != NULL) {
            sum.calls += call->calls;
        } else if ((kind == ISOCAST_RECORD_SEND || kind == ISOCAST_RECORD_EXCHANGE ||
                    kind == ISOCAST_RECORD_ONE_SIDED) &&
                   call->partner >= 0 && to_others) {
            sum.messages += call->calls;
            sum.bytes += call->calls * call->bytes;
        } else if (kind == ISOCAST_RECORD_NEIGHBOUR) {
            double others = count_neighbours(record, call);
            sum.messages += call->calls * others;
            sum.bytes += call->calls * others * call->bytes;
        }
    }
    return sum;
}

/* How far apart two counts are, relative. */
static double apart(double a, double b) {
    return a == b ? 0 : fabs(a - b) / fmax(fmax(a, b), 1);
}

typedef struct found {
    size_t rehearsed, same;
    double worst[3]; /* of calls, messages, bytes */
} found;

static isocast_status rehearse(const isocast_derived *d, size_t r,
                               const isocast_algorithm *algorithm, isocast_diagnostics *diagnostics,
                               found *f) {
    isocast_algorithm_run *run = NULL;
    isocast_rehearsal rehearsal = {0};
    isocast_effort effort = {.left = ISOCAST_EFFORT_MAX};
    const isocast_algorithm_run_request request = {.algorithm = algorithm,
                                                   .sizes = d->points[r].sizes,
                                                   .processes = (int)d->records[r]->process_count,
                                                   .effort = &effort};
    isocast_buffer setting = {0};
    isocast_buffer_printf(&setting, "%zu processes", d->records[r]->process_count);
    isocast_status status = setting.failed
                                ? ISOCAST_NO_MEMORY
                                : isocast_algorithm_run_create(&request, diagnostics, &run);
    if (status == ISOCAST_OK) {
        status = isocast_schedule_rehearse(isocast_algorithm_run_steps(run), actions_most,
                                           setting.text, diagnostics, &rehearsal);
    }
    isocast_algorithm_run_free(run);
    isocast_buffer_free(&setting);
    if (status != ISOCAST_OK || !rehearsal.is_complete) {
        return status;
    }
    isocast_schedule_counts told = count(d->records[r]);
    const double errors[] = {apart(told.calls, rehearsal.all.calls),
                             apart(told.messages, rehearsal.all.messages),
                             apart(told.bytes, rehearsal.all.bytes)};
    f->rehearsed++;
    f->same += errors[0] == 0 && errors[1] == 0 && errors[2] < 1e-9;
    for (size_t i = 0; i < 3; i++) {
        f->worst[i] = fmax(f->worst[i], errors[i]);
    }
    return status;
}

isocast_status isocast_derive_steps_check(const isocast_derived *derived,
                                          const isocast_buffer *text, isocast_buffer *out) {
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    found f = {0};
    isocast_status status = isocast_algorithm_read_text("the derived file", text->text,
                                                        text->length, &diagnostics, &algorithm);
    for (size_t r = 0; r < derived->record_count && status == ISOCAST_OK; r++) {
        status = rehearse(derived, r, algorithm, &diagnostics, &f);
    }
    if (status == ISOCAST_INVALID && diagnostics.count > 0) {
        isocast_buffer_printf(out, "The steps do not go together: %s\n",
                              diagnostics.items[0].message);
    } else if (status == ISOCAST_OK) {
        isocast_buffer_printf(out,
                              "Rehearsed, the steps have all calls, messages and bytes of %zu of "
                              "%zu records",
                              f.same, f.rehearsed);
        if (f.same < f.rehearsed) {
            isocast_buffer_printf(out, ", of others up to %.1f, %.1f and %.1f %% more or less",
                                  100 * f.worst[0], 100 * f.worst[1], 100 * f.worst[2]);
        }
        isocast_buffer_puts(out, "\n");
    }
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&diagnostics);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}
