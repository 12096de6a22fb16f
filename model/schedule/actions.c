#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_state.h"

/* Where a walk is in a list of steps. */
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
    isocast_diagnostics *diagnostics;
    isocast_status status;
};

static const isocast_schedule *schedule_of(const isocast_actions *walk) {
    return walk->run->request.schedule;
}

/* ---- values ---- */

static int coordinate_of(const isocast_actions *walk, size_t axis, int rank) {
    return rank / walk->run->strides[axis] % walk->run->extents[axis];
}

/* The part of a share that a process has. */
static int part_of(const isocast_actions *walk, size_t share, int rank) {
    size_t axis = schedule_of(walk)->shares[share].axis;
    return axis == ISOCAST_SCHEDULE_NONE ? rank : coordinate_of(walk, axis, rank);
}

/* What hangs on the process alone. */
static void be(isocast_actions *walk, int rank) {
    const isocast_schedule *s = schedule_of(walk);
    for (size_t i = 0; i < s->local_count; i++) {
        const isocast_local *local = &s->locals[i];
        switch (local->kind) {
        case ISOCAST_LOCAL_RANK:
            walk->values[i] = rank;
            break;
        case ISOCAST_LOCAL_AXIS:
            walk->values[i] = coordinate_of(walk, local->item, rank);
            break;
        case ISOCAST_LOCAL_SHARE:
            walk->values[i] =
                walk->run->dealt[local->item].counts[part_of(walk, local->item, rank)];
            break;
        case ISOCAST_LOCAL_FIRST:
            walk->values[i] =
                walk->run->dealt[local->item].firsts[part_of(walk, local->item, rank)];
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

static double look_up(const isocast_actions *walk, const isocast_local *local, double argument) {
    const isocast_share *share = &schedule_of(walk)->shares[local->item];
    const isocast_dealt *dealt = &walk->run->dealt[local->item];
    double whole = round(argument);
    double most = local->lookup == ISOCAST_LOOKUP_OF ? dealt->parts : (double)dealt->items;
    if (local->lookup == ISOCAST_LOOKUP_LEFT) {
        return isnan(argument)
                   ? NAN
                   : left_of(share, dealt, part_of(walk, local->item, (int)walk->values[0]),
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

static double run_program(isocast_actions *walk, size_t formula) {
    double value = NAN;
    double *results[] = {&value};
    isocast_program_points point = {.count = 1, .inputs = walk->columns};
    isocast_status status =
        isocast_program_evaluate(walk->run->names.programs[formula], &point, results, NULL);
    walk->status = status != ISOCAST_OK ? status : walk->status;
    return value;
}

/* The value of a formula here, after what it looks up. */
static double value_of(isocast_actions *walk, size_t formula) {
    const isocast_schedule *s = schedule_of(walk);
    const bool *uses = walk->run->names.uses + formula * s->local_count;
    for (size_t i = 0; i < s->local_count; i++) {
        if (uses[i] && s->locals[i].kind == ISOCAST_LOCAL_LOOKUP) {
            walk->values[i] = look_up(walk, &s->locals[i], run_program(walk, s->locals[i].formula));
        }
    }
    return run_program(walk, formula);
}

/* ---- what may be wrong ---- */

static void refuse(isocast_actions *walk, size_t formula, const char *hint, double value,
                   const char *must) {
    const isocast_schedule *s = schedule_of(walk);
    const isocast_schedule_formula *f = &s->formulas[formula];
    isocast_diagnostics_add(walk->diagnostics, ISOCAST_ERROR, s->source, f->formula->span, hint,
                            "%s must be %s; of process %d of %d it is %.10g", f->what, must,
                            walk->rank, walk->run->request.processes, value);
    walk->status = ISOCAST_INVALID;
}

/* A whole number from 0 to one below `end`; 0 with a diagnostic else. */
static int number_below(isocast_actions *walk, size_t formula, int end) {
    double value = value_of(walk, formula);
    double whole = round(value);
    if (walk->status == ISOCAST_OK &&
        (!(whole >= 0 && whole < end) || fabs(value - whole) > 1e-9 * fmax(1, whole))) {
        char must[64];
        snprintf(must, sizeof must, "a whole number from 0 to %d", end - 1);
        refuse(walk, formula, "use mod(..., p), or leave processes out with at:", value, must);
        return 0;
    }
    return walk->status == ISOCAST_OK ? (int)whole : 0;
}

/* An amount that is not below 0. */
static double amount(isocast_actions *walk, size_t formula) {
    if (formula == ISOCAST_SCHEDULE_NONE) {
        return 0;
    }
    double value = value_of(walk, formula);
    if (walk->status == ISOCAST_OK && !(value >= 0 && isfinite(value))) {
        refuse(walk, formula, "write max(0, ...) where there may be nothing", value,
               "0 or above, and a number");
    }
    return value;
}

/* Counts an action or a turn. */
static void take(isocast_actions *walk, const isocast_step *step) {
    if (++walk->taken > ISOCAST_ACTIONS_MOST) {
        isocast_diagnostics_add(walk->diagnostics, ISOCAST_ERROR, schedule_of(walk)->source,
                                step->span, "make loops shorter",
                                "a process takes more than %g steps", ISOCAST_ACTIONS_MOST);
        walk->status = ISOCAST_INVALID;
    }
}

/* ---- loops and conditions ---- */

static void enter(isocast_actions *walk, const isocast_step *owner, const isocast_steps *steps,
                  size_t handle) {
    walk->frames[walk->depth++] = (frame){.owner = owner, .steps = steps, .handle = handle};
}

static void enter_loop(isocast_actions *walk, const isocast_step *step, size_t handle) {
    double first = value_of(walk, step->formulas[ISOCAST_FORMULA_FIRST]);
    double last = value_of(walk, step->formulas[ISOCAST_FORMULA_LAST]);
    size_t by = step->formulas[ISOCAST_FORMULA_STRIDE];
    double stride = by != ISOCAST_SCHEDULE_NONE ? value_of(walk, by) : 1;
    double turns = floor((last - first) / stride + 1e-9) + 1;
    if (walk->status != ISOCAST_OK) {
        return;
    }
    if (stride == 0 || isnan(turns)) {
        refuse(walk, by != ISOCAST_SCHEDULE_NONE ? by : step->formulas[ISOCAST_FORMULA_LAST],
               "write a stride that is not 0, and ends that are numbers", stride,
               "such that the loop ends");
    } else if (turns > ISOCAST_ACTIONS_MOST) {
        refuse(walk, step->formulas[ISOCAST_FORMULA_LAST], "make the loop shorter", last,
               "such that the loop has at most 1e9 turns");
    } else if (turns >= 1) {
        enter(walk, step, &step->body, handle);
        frame *f = &walk->frames[walk->depth - 1];
        f->counter = first;
        f->last = first + (turns - 1) * stride;
        f->stride = stride;
        walk->values[step->local] = first;
    }
}

/* ---- actions ---- */

/* The process so many steps along each axis, or NOBODY. */
static int neighbour(isocast_actions *walk, const isocast_step *step, int direction, bool is_open) {
    const isocast_schedule *s = schedule_of(walk);
    int p = walk->run->request.processes;
    if (step->by == NULL) {
        double by = value_of(walk, step->formulas[ISOCAST_FORMULA_BY]);
        double there = walk->rank + direction * round(by);
        if (is_open || isnan(there)) {
            return there >= 0 && there < p ? (int)there : ISOCAST_ACTION_NOBODY;
        }
        return (int)(there - p * floor(there / p));
    }
    const isocast_grid *grid = &s->grids[step->grid];
    int rank = walk->rank;
    for (size_t i = grid->first_axis; i < grid->first_axis + grid->axis_count; i++) {
        if (step->by[i] == ISOCAST_SCHEDULE_NONE) {
            continue;
        }
        int extent = walk->run->extents[i];
        int here = coordinate_of(walk, i, walk->rank);
        double there = here + direction * round(value_of(walk, step->by[i]));
        double inside = there - extent * floor(there / extent);
        if ((is_open && inside != there) || isnan(inside)) {
            return ISOCAST_ACTION_NOBODY;
        }
        rank += ((int)inside - here) * walk->run->strides[i];
    }
    return rank;
}

/* Fills an action of a step; false where this process has nothing to do in it. */
static bool act(isocast_actions *walk, const isocast_step *step, size_t handle,
                isocast_action *out) {
    int p = walk->run->request.processes;
    *out = (isocast_action){.step = step,
                            .to = ISOCAST_ACTION_NOBODY,
                            .from = ISOCAST_ACTION_NOBODY,
                            .group = step->group,
                            .handle = handle};
    out->flop = amount(walk, step->formulas[ISOCAST_FORMULA_FLOP]);
    out->bytes = amount(walk, step->formulas[ISOCAST_FORMULA_BYTES]);
    size_t to = step->formulas[ISOCAST_FORMULA_TO];
    size_t from = step->formulas[ISOCAST_FORMULA_FROM];
    size_t root = step->formulas[ISOCAST_FORMULA_ROOT];
    out->to = to != ISOCAST_SCHEDULE_NONE ? number_below(walk, to, p) : out->to;
    out->from = step->from_any                  ? ISOCAST_ACTION_ANYBODY
                : from != ISOCAST_SCHEDULE_NONE ? number_below(walk, from, p)
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
    case ISOCAST_STEP_RECEIVE:
        out->kind = ISOCAST_ACTION_RECEIVE;
        return true;
    case ISOCAST_STEP_SENDRECV:
        out->kind = ISOCAST_ACTION_SENDRECV;
        return true;
    case ISOCAST_STEP_SHIFT:
        out->kind = ISOCAST_ACTION_SENDRECV;
        out->to = neighbour(walk, step, 1, step->is_open);
        out->from = neighbour(walk, step, -1, step->is_open);
        return out->to != walk->rank &&
               (out->to != ISOCAST_ACTION_NOBODY || out->from != ISOCAST_ACTION_NOBODY);
    default:
        out->kind = ISOCAST_ACTION_COLLECTIVE;
        out->collective = step->kind->collective;
        if (root != ISOCAST_SCHEDULE_NONE) {
            out->root = number_below(
                walk, root, isocast_schedule_run_place(walk->run, step->group, walk->rank).size);
        }
        return true;
    }
}

/* The message before or behind the steps of a pass; false where there is none. */
static bool pass_on(isocast_actions *walk, const isocast_step *step, bool behind,
                    isocast_action *out) {
    int other = neighbour(walk, step, behind ? 1 : -1, true);
    *out = (isocast_action){.kind = behind ? ISOCAST_ACTION_SEND : ISOCAST_ACTION_RECEIVE,
                            .step = step,
                            .to = behind ? other : ISOCAST_ACTION_NOBODY,
                            .from = behind ? ISOCAST_ACTION_NOBODY : other,
                            .bytes = amount(walk, step->formulas[ISOCAST_FORMULA_BYTES]),
                            .handle = ISOCAST_SCHEDULE_NONE};
    return other != ISOCAST_ACTION_NOBODY && other != walk->rank;
}

/* At the end of a list: the next turn of its loop, or out of it. True where a pass ends, whose
 * message goes on. */
static bool leave(isocast_actions *walk, isocast_action *out) {
    frame *f = &walk->frames[walk->depth - 1];
    const isocast_step *owner = f->owner;
    if (owner != NULL && owner->kind->role == ISOCAST_STEP_FOR) {
        take(walk, owner);
        if (f->counter != f->last) {
            /* Whole numbers stay exact; others end by the number of turns all the same. */
            double next = f->counter + f->stride;
            f->counter = fabs(next - f->last) <= 1e-9 * fabs(f->stride) ? f->last : next;
            walk->values[owner->local] = f->counter;
            f->next = 0;
            return false;
        }
    }
    walk->depth--;
    return owner != NULL && owner->kind->role == ISOCAST_STEP_PASS &&
           pass_on(walk, owner, true, out);
}

/* One step; true where it is an action. */
static bool advance(isocast_actions *walk, const isocast_step *step, size_t handle,
                    isocast_action *out) {
    switch (step->kind->role) {
    case ISOCAST_STEP_GRID:
    case ISOCAST_STEP_SHARE:
    case ISOCAST_STEP_LET:
        return false;
    case ISOCAST_STEP_FOR:
        enter_loop(walk, step, handle);
        return false;
    case ISOCAST_STEP_IF:
    case ISOCAST_STEP_AT: {
        double holds = value_of(walk, step->formulas[ISOCAST_FORMULA_CONDITION]);
        if (isnan(holds)) {
            refuse(walk, step->formulas[ISOCAST_FORMULA_CONDITION], NULL, holds, "a number");
        } else {
            enter(walk, step, holds != 0 ? &step->body : &step->other, handle);
        }
        return false;
    }
    case ISOCAST_STEP_START:
        enter(walk, step, &step->body, step->handle);
        return false;
    case ISOCAST_STEP_FINISH:
        *out = (isocast_action){.kind = ISOCAST_ACTION_FINISH,
                                .step = step,
                                .to = ISOCAST_ACTION_NOBODY,
                                .from = ISOCAST_ACTION_NOBODY,
                                .handle = step->handle};
        return true;
    case ISOCAST_STEP_PASS:
        enter(walk, step, &step->body, handle);
        return pass_on(walk, step, false, out);
    default:
        return act(walk, step, handle, out);
    }
}

isocast_status isocast_actions_next(isocast_actions *walk, isocast_diagnostics *diagnostics,
                                    isocast_action *out) {
    walk->diagnostics = diagnostics;
    bool found = false;
    while (!found && walk->status == ISOCAST_OK && walk->depth > 0) {
        frame *f = &walk->frames[walk->depth - 1];
        if (f->next == f->steps->count) {
            found = leave(walk, out);
        } else {
            const isocast_step *step = &f->steps->items[f->next++];
            found = advance(walk, step, f->handle, out);
            take(walk, step);
        }
    }
    if (walk->status == ISOCAST_OK && !found) {
        *out = (isocast_action){.kind = ISOCAST_ACTION_END, .handle = ISOCAST_SCHEDULE_NONE};
    }
    return walk->status;
}

isocast_status isocast_actions_create(const isocast_schedule_run *run, int rank,
                                      isocast_actions **out) {
    const isocast_schedule_request *request = &run->request;
    size_t locals = request->schedule->local_count;
    isocast_actions *walk = calloc(1, sizeof *walk);
    if (walk == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    walk->run = run;
    walk->rank = rank;
    walk->columns = calloc(request->input_count + locals, sizeof *walk->columns);
    walk->values = calloc(locals, sizeof *walk->values);
    if (walk->columns == NULL || walk->values == NULL) {
        isocast_actions_free(walk);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < request->input_count; i++) {
        walk->columns[i] = (isocast_column){&request->inputs[i], 0};
    }
    for (size_t i = 0; i < locals; i++) {
        walk->values[i] = NAN;
        walk->columns[request->input_count + i] = (isocast_column){&walk->values[i], 0};
    }
    be(walk, rank);
    enter(walk, NULL, &request->schedule->steps, ISOCAST_SCHEDULE_NONE);
    *out = walk;
    return ISOCAST_OK;
}

void isocast_actions_free(isocast_actions *walk) {
    if (walk != NULL) {
        free(walk->columns);
        free(walk->values);
        free(walk);
    }
}

double isocast_actions_bytes_of(isocast_actions *walk, const isocast_action *action, int place) {
    size_t formula = action->step->formulas[ISOCAST_FORMULA_BYTES];
    if (formula == ISOCAST_SCHEDULE_NONE) {
        return 0;
    }
    int member = isocast_schedule_run_member(walk->run, action->group, walk->rank, place);
    be(walk, member);
    double value = value_of(walk, formula);
    be(walk, walk->rank);
    return value >= 0 && isfinite(value) ? value : NAN;
}

void isocast_actions_set_sender(isocast_actions *walk, int rank) {
    walk->values[1] = rank;
}
