#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "run_state.h"

/* Where a process is in a list of steps. */
typedef struct frame {
    const isocast_step *owner; /* the step whose list it is; NULL: the program's */
    const isocast_steps *steps;
    size_t next;
    double counter, last, stride; /* of a loop */
    size_t handle;                /* what its communication is started under; else NONE */
} frame;

struct isocast_actions {
    const isocast_schedule_run *run;
    int rank;
    isocast_column *columns; /* [inputs, locals] */
    double *values;          /* [local_count] */
    frame frames[ISOCAST_SCHEDULE_DEPTH_MAX + 2];
    size_t depth; /* frames in use */
    double taken; /* actions and turns */
    bool is_over;
    isocast_diagnostics *diagnostics;
    isocast_status status;
};

static const isocast_schedule *schedule_of(const isocast_actions *actions) {
    return actions->run->request.schedule;
}

/* ---- values ---- */

/* The part of a share that a process has. */
static int part_of(const isocast_actions *actions, size_t share, int rank) {
    size_t axis = schedule_of(actions)->shares[share].axis;
    return axis == ISOCAST_SCHEDULE_NONE
               ? rank
               : isocast_schedule_run_coordinate(actions->run, axis, rank);
}

/* What depends on the process alone. */
static void be(isocast_actions *actions, int rank) {
    const isocast_schedule *s = schedule_of(actions);
    for (size_t i = 0; i < s->local_count; i++) {
        const isocast_local *local = &s->locals[i];
        switch (local->kind) {
        case ISOCAST_LOCAL_RANK:
            actions->values[i] = rank;
            break;
        case ISOCAST_LOCAL_AXIS:
            actions->values[i] = isocast_schedule_run_coordinate(actions->run, local->item, rank);
            break;
        case ISOCAST_LOCAL_SHARE:
            actions->values[i] =
                actions->run->dealt[local->item].counts[part_of(actions, local->item, rank)];
            break;
        case ISOCAST_LOCAL_FIRST:
            actions->values[i] =
                actions->run->dealt[local->item].firsts[part_of(actions, local->item, rank)];
            break;
        default:
            break;
        }
    }
}

/* The part that has an item of blocks: the last that begins at it or before, and is not empty. */
static int block_owner(const isocast_dealt *dealt, double item) {
    int low = 0;
    int high = dealt->parts;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (dealt->firsts[middle] <= item) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Items from number `item` on that a part has. */
static double left_of(const isocast_share *share, const isocast_dealt *dealt, int part,
                      double item) {
    double from = fmin(fmax(ceil(item), 0), (double)dealt->items);
    if (!share->in_turns) {
        return fmin(fmax(dealt->firsts[part] + dealt->counts[part] - from, 0), dealt->counts[part]);
    }
    if (dealt->owner == NULL) {
        double before = ceil((from - part) / dealt->parts);
        return dealt->counts[part] - fmax(before, 0);
    }
    double left = 0;
    for (size_t i = (size_t)from; i < dealt->items; i++) {
        left += dealt->owner[i] == part;
    }
    return left;
}

static double look_up(const isocast_actions *actions, const isocast_local *local, double argument) {
    const isocast_share *share = &schedule_of(actions)->shares[local->item];
    const isocast_dealt *dealt = &actions->run->dealt[local->item];
    double whole = round(argument);
    double most = local->lookup == ISOCAST_LOOKUP_OF ? dealt->parts : (double)dealt->items;
    if (local->lookup == ISOCAST_LOOKUP_LEFT) {
        return isnan(argument)
                   ? NAN
                   : left_of(share, dealt, part_of(actions, local->item, (int)actions->values[0]),
                             argument);
    }
    if (!(whole >= 0 && whole < most)) {
        return NAN;
    }
    if (local->lookup == ISOCAST_LOOKUP_OF) {
        return dealt->counts[(size_t)whole];
    }
    return !share->in_turns       ? block_owner(dealt, whole)
           : dealt->owner != NULL ? dealt->owner[(size_t)whole]
                                  : fmod(whole, dealt->parts);
}

static double run_program(isocast_actions *actions, size_t formula) {
    double value = NAN;
    isocast_status status = isocast_schedule_run_evaluate(actions->run, formula, actions->columns,
                                                          &value, &actions->is_over);
    actions->status = status != ISOCAST_OK ? status : actions->status;
    return value;
}

/* The value of a formula here, after what it looks up. */
static double value_of(isocast_actions *actions, size_t formula) {
    const isocast_schedule *s = schedule_of(actions);
    const bool *uses = actions->run->names.uses + formula * s->local_count;
    for (size_t i = 0; i < s->local_count; i++) {
        if (uses[i] && s->locals[i].kind == ISOCAST_LOCAL_LOOKUP) {
            actions->values[i] =
                look_up(actions, &s->locals[i], run_program(actions, s->locals[i].formula));
        }
    }
    return run_program(actions, formula);
}

/* ---- what may be wrong ---- */

static void refuse(isocast_actions *actions, size_t formula, const char *hint, double value,
                   const char *must) {
    const isocast_schedule *s = schedule_of(actions);
    const isocast_schedule_formula *f = &s->formulas[formula];
    if (actions->is_over) {
        return; /* the value is one that was given up */
    }
    isocast_diagnostics_add(actions->diagnostics, ISOCAST_ERROR, s->source, f->formula->span, hint,
                            "%s must be %s; of process %d of %d it is %.10g", f->what, must,
                            actions->rank, actions->run->request.processes, value);
    actions->status = ISOCAST_INVALID;
}

/* A whole number from 0 to one below `end`; 0 with a diagnostic else. */
static int number_below(isocast_actions *actions, size_t formula, int end) {
    double value = value_of(actions, formula);
    double whole = round(value);
    if (actions->status == ISOCAST_OK &&
        (!(whole >= 0 && whole < end) || fabs(value - whole) > 1e-9 * fmax(1, whole))) {
        char must[64];
        snprintf(must, sizeof must, "a whole number from 0 to %d", end - 1);
        refuse(actions, formula, "use mod(..., p), or leave processes out with at:", value, must);
        return 0;
    }
    return actions->status == ISOCAST_OK ? (int)whole : 0;
}

/* An amount that is not below 0. */
static double amount(isocast_actions *actions, size_t formula) {
    if (formula == ISOCAST_SCHEDULE_NONE) {
        return 0;
    }
    double value = value_of(actions, formula);
    if (actions->status == ISOCAST_OK && !(value >= 0 && isfinite(value))) {
        refuse(actions, formula, "write max(0, ...) where there may be nothing", value,
               "0 or above, and a number");
    }
    return value;
}

/* Counts an action or a turn. */
static void take(isocast_actions *actions, const isocast_step *step) {
    double most = actions->run->request.most;
    actions->taken++;
    if (most > 0) {
        actions->is_over = actions->is_over || actions->taken > most;
    } else if (actions->taken > ISOCAST_ACTIONS_MOST) {
        isocast_diagnostics_add(actions->diagnostics, ISOCAST_ERROR, schedule_of(actions)->source,
                                step->span, "make loops shorter",
                                "a process takes more than %g steps", ISOCAST_ACTIONS_MOST);
        actions->status = ISOCAST_INVALID;
    }
}

bool isocast_actions_are_over(const isocast_actions *actions) {
    return actions->is_over;
}

/* ---- loops and conditions ---- */

static void enter(isocast_actions *actions, const isocast_step *owner, const isocast_steps *steps,
                  size_t handle) {
    actions->frames[actions->depth++] = (frame){.owner = owner, .steps = steps, .handle = handle};
}

static void enter_loop(isocast_actions *actions, const isocast_step *step, size_t handle) {
    double first = value_of(actions, step->formulas[ISOCAST_FORMULA_FIRST]);
    double last = value_of(actions, step->formulas[ISOCAST_FORMULA_LAST]);
    size_t by = step->formulas[ISOCAST_FORMULA_STRIDE];
    double stride = by != ISOCAST_SCHEDULE_NONE ? value_of(actions, by) : 1;
    double turns = floor((last - first) / stride + 1e-9) + 1;
    if (actions->status != ISOCAST_OK) {
        return;
    }
    if (stride == 0 || isnan(turns)) {
        refuse(actions, by != ISOCAST_SCHEDULE_NONE ? by : step->formulas[ISOCAST_FORMULA_LAST],
               "write a stride that is not 0, and ends that are numbers", stride,
               "such that the loop ends");
    } else if (turns > ISOCAST_ACTIONS_MOST) {
        refuse(actions, step->formulas[ISOCAST_FORMULA_LAST], "make the loop shorter", last,
               "such that the loop has at most 1e9 turns");
    } else if (turns >= 1) {
        enter(actions, step, &step->body, handle);
        frame *f = &actions->frames[actions->depth - 1];
        f->counter = first;
        f->last = first + (turns - 1) * stride;
        f->stride = stride;
        actions->values[step->local] = first;
    }
}

/* ---- actions ---- */

/* The process so many steps along each axis, or NOBODY. */
static int neighbour(isocast_actions *actions, const isocast_step *step, int direction,
                     bool is_open) {
    const isocast_schedule *s = schedule_of(actions);
    int p = actions->run->request.processes;
    if (step->by == NULL) {
        double by = value_of(actions, step->formulas[ISOCAST_FORMULA_BY]);
        double there = actions->rank + direction * round(by);
        if (is_open || isnan(there)) {
            return there >= 0 && there < p ? (int)there : ISOCAST_ACTION_NOBODY;
        }
        return (int)(there - p * floor(there / p));
    }
    const isocast_grid *grid = &s->grids[step->grid];
    int rank = actions->rank;
    for (size_t i = grid->first_axis; i < grid->first_axis + grid->axis_count; i++) {
        if (step->by[i] == ISOCAST_SCHEDULE_NONE) {
            continue;
        }
        int extent = actions->run->extents[i];
        int here = isocast_schedule_run_coordinate(actions->run, i, actions->rank);
        double there = here + direction * round(value_of(actions, step->by[i]));
        double inside = there - extent * floor(there / extent);
        if ((is_open && inside != there) || isnan(inside)) {
            return ISOCAST_ACTION_NOBODY;
        }
        rank += ((int)inside - here) * actions->run->strides[i];
    }
    return rank;
}

/* The bytes of a step, or its largest part. */
static double bytes_of(isocast_actions *actions, const isocast_step *step) {
    size_t formula = step->formulas[ISOCAST_FORMULA_BYTES];
    const isocast_schedule_run *run = actions->run;
    if (!isocast_step_has_pairs(step->kind)) {
        return amount(actions, formula);
    }
    double most = 0;
    int size = isocast_schedule_run_place(run, step->group, actions->rank).size;
    for (int i = 0; i < size && actions->status == ISOCAST_OK; i++) {
        actions->values[step->local] =
            isocast_schedule_run_member(run, step->group, actions->rank, i);
        most = fmax(most, amount(actions, formula));
    }
    return most;
}

/* Fills an action of a step; false where this process has nothing to do in it. */
static bool act(isocast_actions *actions, const isocast_step *step, size_t handle,
                isocast_action *out) {
    int p = actions->run->request.processes;
    *out = (isocast_action){.step = step,
                            .to = ISOCAST_ACTION_NOBODY,
                            .from = ISOCAST_ACTION_NOBODY,
                            .tag = step->tag,
                            .group = step->group,
                            .handle = handle};
    out->flop = amount(actions, step->formulas[ISOCAST_FORMULA_FLOP]);
    out->bytes = bytes_of(actions, step);
    size_t to = step->formulas[ISOCAST_FORMULA_TO];
    size_t from = step->formulas[ISOCAST_FORMULA_FROM];
    size_t root = step->formulas[ISOCAST_FORMULA_ROOT];
    out->to = to != ISOCAST_SCHEDULE_NONE ? number_below(actions, to, p) : out->to;
    out->from = step->from_any                  ? ISOCAST_ACTION_ANYBODY
                : from != ISOCAST_SCHEDULE_NONE ? number_below(actions, from, p)
                                                : out->from;
    switch (step->kind->role) {
    case ISOCAST_STEP_WORK:
        out->kind = ISOCAST_ACTION_WORK;
        return true;
    case ISOCAST_STEP_COPY:
        out->kind = ISOCAST_ACTION_COPY;
        return true;
    case ISOCAST_STEP_SEND:
        out->kind = ISOCAST_ACTION_SEND;
        return true;
    case ISOCAST_STEP_PUT:
        out->kind = ISOCAST_ACTION_PUT;
        return true;
    case ISOCAST_STEP_RECEIVE:
        out->kind = ISOCAST_ACTION_RECEIVE;
        return true;
    case ISOCAST_STEP_SENDRECV:
        out->kind = ISOCAST_ACTION_SENDRECV;
        return true;
    case ISOCAST_STEP_SHIFT:
        out->kind = ISOCAST_ACTION_SENDRECV;
        out->to = neighbour(actions, step, 1, step->is_open);
        out->from = neighbour(actions, step, -1, step->is_open);
        return out->to != actions->rank &&
               (out->to != ISOCAST_ACTION_NOBODY || out->from != ISOCAST_ACTION_NOBODY);
    default:
        out->kind = ISOCAST_ACTION_COLLECTIVE;
        out->collective = step->kind->collective;
        if (root != ISOCAST_SCHEDULE_NONE) {
            out->root = number_below(
                actions, root,
                isocast_schedule_run_place(actions->run, step->group, actions->rank).size);
        }
        return true;
    }
}

/* B of the message that a pass has at the next turn of its loop; below 0: there is none, or it
 * comes from somebody else. */
static double next_bytes_of(isocast_actions *actions, const isocast_step *step, int from) {
    const frame *loop = &actions->frames[actions->depth - 2]; /* the last one is the pass's own */
    if (!step->is_ahead || loop->counter == loop->last) {
        return -1;
    }
    size_t counter = loop->owner->local;
    actions->values[counter] = loop->counter + loop->stride;
    bool same = neighbour(actions, step, -1, true) == from;
    double bytes = same ? amount(actions, step->formulas[ISOCAST_FORMULA_BYTES]) : -1;
    actions->values[counter] = loop->counter;
    return bytes;
}

/* The message before or behind the steps of a pass; false where there is none. */
static bool pass_on(isocast_actions *actions, const isocast_step *step, bool behind,
                    isocast_action *out) {
    int other = neighbour(actions, step, behind ? 1 : -1, true);
    *out = (isocast_action){.kind = behind ? ISOCAST_ACTION_SEND : ISOCAST_ACTION_RECEIVE,
                            .step = step,
                            .to = behind ? other : ISOCAST_ACTION_NOBODY,
                            .from = behind ? ISOCAST_ACTION_NOBODY : other,
                            .tag = step->tag,
                            .bytes = amount(actions, step->formulas[ISOCAST_FORMULA_BYTES]),
                            .next_bytes = -1,
                            .handle = ISOCAST_SCHEDULE_NONE};
    bool there = other != ISOCAST_ACTION_NOBODY && other != actions->rank;
    if (there && !behind) {
        out->next_bytes = next_bytes_of(actions, step, other);
    }
    return there;
}

/* At the end of a list: the next turn of its loop, or out of it. True where a pass ends, whose
 * message goes on. */
static bool leave(isocast_actions *actions, isocast_action *out) {
    frame *f = &actions->frames[actions->depth - 1];
    const isocast_step *owner = f->owner;
    if (owner != NULL && owner->kind->role == ISOCAST_STEP_FOR) {
        take(actions, owner);
        if (f->counter != f->last) {
            /* Whole numbers stay exact; others end by the number of turns all the same. */
            double next = f->counter + f->stride;
            f->counter = fabs(next - f->last) <= 1e-9 * fabs(f->stride) ? f->last : next;
            actions->values[owner->local] = f->counter;
            f->next = 0;
            return false;
        }
    }
    actions->depth--;
    return owner != NULL && owner->kind->role == ISOCAST_STEP_PASS &&
           pass_on(actions, owner, true, out);
}

/* One step; true where it is an action. */
static bool advance(isocast_actions *actions, const isocast_step *step, size_t handle,
                    isocast_action *out) {
    switch (step->kind->role) {
    case ISOCAST_STEP_GRID:
    case ISOCAST_STEP_SHARE:
    case ISOCAST_STEP_LET:
        return false;
    case ISOCAST_STEP_FOR:
        enter_loop(actions, step, handle);
        return false;
    case ISOCAST_STEP_IF:
    case ISOCAST_STEP_AT: {
        double holds = value_of(actions, step->formulas[ISOCAST_FORMULA_CONDITION]);
        if (isnan(holds)) {
            refuse(actions, step->formulas[ISOCAST_FORMULA_CONDITION], NULL, holds, "a number");
        } else {
            enter(actions, step, holds != 0 ? &step->body : &step->other, handle);
        }
        return false;
    }
    case ISOCAST_STEP_START:
        enter(actions, step, &step->body, step->handle);
        return false;
    case ISOCAST_STEP_FINISH:
        *out = (isocast_action){.kind = ISOCAST_ACTION_FINISH,
                                .step = step,
                                .to = ISOCAST_ACTION_NOBODY,
                                .from = ISOCAST_ACTION_NOBODY,
                                .handle = step->handle};
        return true;
    case ISOCAST_STEP_PASS:
        enter(actions, step, &step->body, handle);
        return pass_on(actions, step, false, out);
    default:
        return act(actions, step, handle, out);
    }
}

isocast_status isocast_actions_next(isocast_actions *actions, isocast_diagnostics *diagnostics,
                                    isocast_action *out) {
    actions->diagnostics = diagnostics;
    bool found = false;
    while (!found && actions->status == ISOCAST_OK && actions->depth > 0 && !actions->is_over) {
        frame *f = &actions->frames[actions->depth - 1];
        if (f->next == f->steps->count) {
            found = leave(actions, out);
        } else {
            const isocast_step *step = &f->steps->items[f->next++];
            found = advance(actions, step, f->handle, out);
            take(actions, step);
        }
    }
    if (actions->status == ISOCAST_OK && (!found || actions->is_over)) {
        *out = (isocast_action){.kind = ISOCAST_ACTION_END, .handle = ISOCAST_SCHEDULE_NONE};
    }
    return actions->status;
}

isocast_status isocast_actions_create(const isocast_schedule_run *run, int rank,
                                      isocast_actions **out) {
    const isocast_schedule_request *request = &run->request;
    size_t locals = request->schedule->local_count;
    isocast_actions *actions = calloc(1, sizeof *actions);
    if (actions == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    actions->run = run;
    actions->rank = rank;
    actions->is_over = run->is_over;
    actions->columns = calloc(request->input_count + locals, sizeof *actions->columns);
    actions->values = calloc(locals, sizeof *actions->values);
    if (actions->columns == NULL || actions->values == NULL) {
        isocast_actions_free(actions);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < request->input_count; i++) {
        actions->columns[i] = (isocast_column){&request->inputs[i], 0};
    }
    for (size_t i = 0; i < locals; i++) {
        actions->values[i] = NAN;
        actions->columns[request->input_count + i] = (isocast_column){&actions->values[i], 0};
    }
    be(actions, rank);
    enter(actions, NULL, &request->schedule->steps, ISOCAST_SCHEDULE_NONE);
    *out = actions;
    return ISOCAST_OK;
}

void isocast_actions_free(isocast_actions *actions) {
    if (actions != NULL) {
        free(actions->columns);
        free(actions->values);
        free(actions);
    }
}

double isocast_actions_bytes_of(isocast_actions *actions, const isocast_action *action, int place) {
    size_t formula = action->step->formulas[ISOCAST_FORMULA_BYTES];
    if (formula == ISOCAST_SCHEDULE_NONE) {
        return 0;
    }
    int member = isocast_schedule_run_member(actions->run, action->group, actions->rank, place);
    be(actions, member);
    double value = value_of(actions, formula);
    be(actions, actions->rank);
    return value >= 0 && isfinite(value) ? value : NAN;
}

double isocast_actions_bytes_between(isocast_actions *actions, const isocast_action *action,
                                     int place, bool sends) {
    int member = isocast_schedule_run_member(actions->run, action->group, actions->rank, place);
    actions->values[action->step->local] = sends ? member : actions->rank;
    be(actions, sends ? actions->rank : member);
    double value = value_of(actions, action->step->formulas[ISOCAST_FORMULA_BYTES]);
    be(actions, actions->rank);
    return value >= 0 && isfinite(value) ? value : NAN;
}

void isocast_actions_set_sender(isocast_actions *actions, int rank) {
    actions->values[1] = rank;
}
