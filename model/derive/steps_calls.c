#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/schedule/step_kind.h"
#include "orders.h"
#include "steps_maker.h"

bool isocast_derive_starts(isocast_record_operation operation) {
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Isend:
    case ISOCAST_RECORD_OPERATION_Ibsend:
    case ISOCAST_RECORD_OPERATION_Issend:
    case ISOCAST_RECORD_OPERATION_Irsend:
    case ISOCAST_RECORD_OPERATION_Start_send:
    case ISOCAST_RECORD_OPERATION_Start_bsend:
    case ISOCAST_RECORD_OPERATION_Start_ssend:
    case ISOCAST_RECORD_OPERATION_Start_rsend:
    case ISOCAST_RECORD_OPERATION_Irecv:
    case ISOCAST_RECORD_OPERATION_Imrecv:
    case ISOCAST_RECORD_OPERATION_Start_recv:
        return true;
    default:
        return operation >= ISOCAST_RECORD_OPERATION_Ibarrier &&
               operation <= ISOCAST_RECORD_OPERATION_Iexscan;
    }
}

/* The word of a step; NULL: none stands for it. */
const char *isocast_derive_word_of(isocast_record_operation operation) {
    const char *name = isocast_record_operation_find(operation)->operation;
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Cart_sub: /* all of a line know who it has: nobody has to ask */
        return "comm_dup";
    case ISOCAST_RECORD_OPERATION_Win_create:
    case ISOCAST_RECORD_OPERATION_Win_allocate:
        return "allgather";
    case ISOCAST_RECORD_OPERATION_Win_free:
        return "barrier";
    case ISOCAST_RECORD_OPERATION_Alltoallw:
    case ISOCAST_RECORD_OPERATION_Ialltoallw:
        return "alltoallv";
    case ISOCAST_RECORD_OPERATION_Reduce_scatter:
    case ISOCAST_RECORD_OPERATION_Ireduce_scatter:
        return "reduce_scatter_block";
    case ISOCAST_RECORD_OPERATION_Win_fence:
        return name;
    default: /* some that are waited for later have an i before the name */
        return !isocast_record_is_of_all(operation) ? NULL
               : isocast_derive_starts(operation)   ? name + strspn(name, "i")
                                                    : name;
    }
}

/* The root of a collective: one process, or the next one with each call. */
static char *root_text(derive_maker *m, const derive_context *c, size_t place, unsigned along) {
    const isocast_derived_site *site = &m->d->sites[place];
    bool first = true;
    bool same = true;
    bool last = true;
    long root = 0;
    for (size_t r = 0; r < m->d->record_count; r++) {
        const isocast_record *record = m->d->records[r];
        for (size_t i = 0; i < record->call_count; i++) {
            const isocast_record_call *call = &record->calls[i];
            if (m->flow->place_of[r][call->site] == place && call->communicator != SIZE_MAX) {
                root = first ? call->partner : root;
                first = false;
                same = same && call->partner == root;
                last = last &&
                       call->partner == (long)record->communicators[call->communicator].size - 1;
            }
        }
    }
    if (same && root >= 0) {
        return isocast_derive_maker_text(m, "%ld", root);
    }
    isocast_buffer among = {0};
    isocast_buffer_puts(&among, along == 0 ? "p" : "");
    for (size_t i = 0; i < m->grid->count; i++) {
        if ((along & 1U << i) != 0) {
            isocast_buffer_printf(&among, "%s%s", among.length > 0 ? "*" : "",
                                  isocast_side_names[m->grid->extents[i]]);
        }
    }
    char *size = isocast_derive_maker_take(m, &among);
    char *text = NULL;
    if (last) {
        text = isocast_derive_maker_text(m, "%s - 1", size);
    } else if (c->turns == NULL) {
        isocast_derive_maker_doubt(m, place, DERIVE_DOUBT_LESS,
                                   "its root is not known: process 0 is taken");
        text = isocast_derive_maker_text(m, "0");
    } else if (site->roots == ISOCAST_ROOTS_STAY) {
        text = isocast_derive_maker_text(m, "floor((%s - 1)*%s/(%s))", c->counter, size, c->last);
    } else {
        text = isocast_derive_maker_text(m, "mod(%s - 1, %s)", c->counter, size);
        if (site->roots == ISOCAST_ROOTS_EACH_PERHAPS) {
            isocast_derive_maker_doubt(m, place, DERIVE_DOUBT_NOTED,
                                       "records do not show whether the root changes with each "
                                       "call or after many; it changes with each here");
        } else if (site->roots == ISOCAST_ROOTS_ANY) {
            isocast_derive_maker_doubt(m, place, DERIVE_DOUBT_MORE,
                                       "its roots are in no order that is known: here each is "
                                       "the next process, and calls overlap by that");
        }
    }
    return text;
}

/* Bytes of a collective, as its operation counts them; where they go down by equal steps, those of
 * a turn. */
static char *call_bytes_text(derive_maker *m, const derive_context *c, size_t place, bool each) {
    isocast_law least = {0};
    isocast_law step = {0};
    if (m->status == ISOCAST_OK && m->d->sites[place].several && c->turns != NULL && each) {
        m->status = isocast_derive_size_steps_find(m->d, place, &least, &step);
    }
    if (m->status == ISOCAST_OK && least.exact && step.exact) {
        isocast_buffer out = {0};
        isocast_law_write(&least, m->names, "B", false, &out);
        isocast_buffer_puts(&out, " + ");
        isocast_law_write(&step, m->names, "B", true, &out);
        isocast_buffer_printf(&out, "*(%s - %s)", c->last, c->counter);
        return isocast_derive_maker_take(m, &out);
    }
    isocast_law law = isocast_derive_maker_bytes(m, place);
    return isocast_derive_maker_law(m, &law, "B", false);
}

void isocast_derive_call_add(derive_maker *m, const derive_context *c, const derive_item *item,
                             const char *word, derive_steps *steps) {
    char *when;
    char *turns;
    isocast_record_operation operation = m->d->sites[item->place].key.operation;
    isocast_record_class kind = isocast_record_operation_find(operation)->kind;
    derive_steps *list =
        isocast_derive_maker_enter(m, c, item->times, steps, item->place, &when, &turns);
    derive_step *step = isocast_derive_maker_add(m, list, DERIVE_STEP_CALL);
    if (step == NULL) {
        return;
    }
    bool known = true;
    unsigned along = 0;
    if (kind == ISOCAST_RECORD_COLLECTIVE || kind == ISOCAST_RECORD_CREATION) {
        along = isocast_derive_group_axes(m->flow, m->grid, item->place,
                                          operation == ISOCAST_RECORD_OPERATION_Cart_sub, &known);
    }
    if (!known) {
        isocast_derive_maker_doubt(
            m, item->place, DERIVE_DOUBT_LESS,
            "the processes of its communicator are not known: all are taken");
    }
    *step = (derive_step){.kind = DERIVE_STEP_CALL,
                          .word = word,
                          .when = when,
                          .turns = turns,
                          .along = known ? along : 0,
                          .site = item->place,
                          .source = SIZE_MAX,
                          .handle = SIZE_MAX,
                          .requests = 1,
                          .starts = isocast_derive_starts(operation)};
    const isocast_step_kind *form = isocast_step_kind_find(word);
    if (form != NULL && (form->needed & 1U << ISOCAST_FORMULA_ROOT) != 0) {
        step->root = root_text(m, c, item->place, step->along);
    }
    if (form != NULL && (form->needed & 1U << ISOCAST_FORMULA_BYTES) != 0) {
        step->amount = call_bytes_text(m, c, item->place, turns == NULL);
    }
}
