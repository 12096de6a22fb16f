#include "sum_plan.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/order.h"

enum { SLOPES_MAX = 32 };

/* How a register changes with the running variables of the sum (i) and of a sum in its term (j). */
typedef struct course {
    bool is_linear;
    double by_i, by_j; /* where linear; both 0: constant */
    double value;      /* where constant */
    int degree;        /* in i, of a polynomial between two cuts; below 0 where it is none */
} course;

typedef struct planner {
    const isocast_program *program;
    const double *registers; /* of the outer block at its first term */
    double count;
    isocast_sum_plan *plan;
    double slopes[SLOPES_MAX]; /* of the arguments of steps */
    size_t slope_count;
    bool too_many;
    isocast_status status;
} planner;

static const course constant_course = {.is_linear = true};

static bool is_constant(const course *c) {
    return c->is_linear && c->by_i == 0 && c->by_j == 0;
}

static void add_cut(planner *p, double cut) {
    if (cut > 0 && cut < p->count) {
        if (p->plan->cut_count == ISOCAST_SUM_CUTS_MAX) {
            p->plan->is_hidden = true;
        } else {
            p->plan->cuts[p->plan->cut_count++] = cut;
        }
    }
}

static void add_slope(planner *p, double slope) {
    slope = fabs(slope);
    if (slope == floor(slope)) {
        return;
    }
    for (size_t k = 0; k < p->slope_count; k++) {
        if (p->slopes[k] == slope) {
            return;
        }
    }
    if (p->slope_count == SLOPES_MAX) {
        p->too_many = true;
    } else {
        p->slopes[p->slope_count++] = slope;
    }
}

static course combine(isocast_opcode opcode, const course *a, const course *b) {
    static const course unknown = {.is_linear = false};
    if (!a->is_linear || !b->is_linear) {
        return unknown;
    }
    switch (opcode) {
    case ISOCAST_OP_NEGATE:
        return (course){.is_linear = true, .by_i = -a->by_i, .by_j = -a->by_j};
    case ISOCAST_OP_ADD:
        return (course){.is_linear = true, .by_i = a->by_i + b->by_i, .by_j = a->by_j + b->by_j};
    case ISOCAST_OP_SUBTRACT:
        return (course){.is_linear = true, .by_i = a->by_i - b->by_i, .by_j = a->by_j - b->by_j};
    case ISOCAST_OP_MULTIPLY:
        if (is_constant(a)) {
            return (course){
                .is_linear = true, .by_i = a->value * b->by_i, .by_j = a->value * b->by_j};
        }
        return is_constant(b) ? (course){.is_linear = true,
                                         .by_i = b->value * a->by_i,
                                         .by_j = b->value * a->by_j}
                              : unknown;
    case ISOCAST_OP_DIVIDE:
        return is_constant(b) ? (course){.is_linear = true,
                                         .by_i = a->by_i / b->value,
                                         .by_j = a->by_j / b->value}
                              : unknown;
    default:
        return unknown;
    }
}

static bool is_stairs(isocast_opcode opcode) {
    return isocast_opcode_family_of(opcode) == ISOCAST_FAMILY_STAIRS;
}

static bool is_switch(isocast_opcode opcode) {
    isocast_opcode_family family = isocast_opcode_family_of(opcode);
    return family == ISOCAST_FAMILY_COMPARISON || family == ISOCAST_FAMILY_EXTREME;
}

/* What switches where an operand becomes 0: the sign of one, or what one says as a condition. */
static size_t operands_against_zero(isocast_opcode opcode) {
    isocast_opcode_family family = isocast_opcode_family_of(opcode);
    bool by_first = family == ISOCAST_FAMILY_MAGNITUDE || family == ISOCAST_FAMILY_SELECT;
    return family == ISOCAST_FAMILY_LOGICAL ? isocast_opcode_operands(opcode) : by_first;
}

/* Where a - b, linear, changes its sign: there a term of its own, as a == b holds on one at most.
 * `apart` is a - b at the first term. */
static void cut_at_switch(planner *p, const course *a, const course *b, double apart) {
    if (!a->is_linear || !b->is_linear || a->by_i == b->by_i) {
        return;
    }
    double at = -apart / (a->by_i - b->by_i);
    add_cut(p, floor(at));
    add_cut(p, floor(at) + 1);
    add_cut(p, floor(at) + 2);
}

static void cut_at_switches(planner *p, const isocast_instruction *code, const course *courses) {
    if (is_switch(code->opcode)) {
        cut_at_switch(p, &courses[code->operand[0]], &courses[code->operand[1]],
                      p->registers[code->operand[0]] - p->registers[code->operand[1]]);
    }
    for (size_t k = 0; k < operands_against_zero(code->opcode); k++) {
        unsigned operand = code->operand[k];
        cut_at_switch(p, &courses[operand], &constant_course, p->registers[operand]);
    }
}

static void analyse(planner *p, const isocast_block *block, const course *outer, bool is_outer);

/* A sum in the term: its steps, and its ends where they move by other than whole numbers. */
static void analyse_inner(planner *p, const isocast_instruction *code, const course *courses) {
    if (code->opcode == ISOCAST_OP_SUM) {
        for (int k = 0; k < 2; k++) {
            const course *end = &courses[code->operand[k]];
            add_slope(p, end->is_linear ? end->by_i : 0);
            add_slope(p, end->is_linear ? end->by_j : 0);
        }
    }
    analyse(p, &p->program->blocks[code->block], courses, false);
}

static course course_of(planner *p, const isocast_instruction *code, const course *courses,
                        bool is_outer) {
    const course *a = &courses[code->operand[0]];
    const course *b = &courses[code->operand[1]];
    const course *c = &courses[code->operand[2]];
    if (code->opcode >= ISOCAST_OP_SUM) {
        analyse_inner(p, code, courses);
        return (course){.is_linear = false, .degree = -1};
    }
    if (is_constant(a) && is_constant(b) && is_constant(c)) {
        course result = constant_course;
        result.value = isocast_opcode_fold(code->opcode, a->value, b->value, c->value);
        return result;
    }
    if (is_stairs(code->opcode) && a->is_linear) {
        add_slope(p, a->by_i);
        add_slope(p, a->by_j);
    } else if (is_outer) {
        cut_at_switches(p, code, courses);
    }
    course result = combine(code->opcode, a, b);
    const int degrees[3] = {a->degree, b->degree, c->degree};
    const bool lines[3] = {a->is_linear, b->is_linear, c->is_linear};
    result.degree = isocast_opcode_degree(code->opcode, degrees, lines);
    return result;
}

static void analyse(planner *p, const isocast_block *block, const course *outer, bool is_outer) {
    course *courses = calloc(block->register_count + 1, sizeof *courses);
    if (courses == NULL) {
        p->status = ISOCAST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i <= block->register_count; i++) {
        courses[i].degree = -1; /* others may fill it: what a result of slopes is, is not known */
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        courses[block->constants[i].target] = constant_course;
        courses[block->constants[i].target].value = block->constants[i].value;
    }
    for (size_t i = 0; i < block->import_count; i++) {
        unsigned target = block->imports[i].target;
        courses[target] = is_outer ? constant_course : outer[block->imports[i].outer];
        if (is_outer) {
            courses[target].value = p->registers[target];
        }
    }
    if (block->has_running) {
        courses[0] = (course){.is_linear = true,
                              .by_i = is_outer ? 1 : 0,
                              .by_j = is_outer ? 0 : 1,
                              .degree = is_outer ? 1 : -1};
    }
    for (size_t i = 0; i < block->code_count; i++) {
        courses[block->code[i].result] = course_of(p, &block->code[i], courses, is_outer);
    }
    if (is_outer) {
        p->plan->degree = courses[block->result].degree;
        /* Steps that are few are cut at, each. */
        for (size_t i = 0; i < block->code_count; i++) {
            const isocast_instruction *code = &block->code[i];
            const course *a = &courses[code->operand[0]];
            double steps = fabs(a->by_i) * p->count;
            if (!is_stairs(code->opcode) || !a->is_linear || a->by_i == 0 ||
                steps > ISOCAST_SUM_STEPS_MAX) {
                continue;
            }
            double half = code->opcode == ISOCAST_OP_ROUND ? 0.5 : 0;
            double first = p->registers[code->operand[0]] - half;
            for (double k = 0; k <= steps + 1; k++) {
                double border = a->by_i > 0 ? floor(first) + 1 + k : ceil(first) - 1 - k;
                double at = floor((border - first) / a->by_i);
                add_cut(p, at);
                add_cut(p, at + 1);
            }
        }
    }
    free(courses);
}

static double most_steps(const planner *p) {
    double most = 0;
    for (size_t k = 0; k < p->slope_count; k++) {
        most = fmax(most, p->slopes[k] * p->count);
    }
    return most;
}

/* The smallest number of terms after which all steps come again; NAN where there is none. */
static double period_of(const planner *p) {
    for (double period = 1; period <= ISOCAST_SUM_PERIOD_MAX; period++) {
        bool fits = true;
        for (size_t k = 0; k < p->slope_count && fits; k++) {
            double turns = period * p->slopes[k];
            fits = fabs(turns - round(turns)) <= 1e-12 * fmax(1, turns);
        }
        if (fits) {
            return period;
        }
    }
    return NAN;
}

ISOCAST_ORDER_BY(compare_cuts, double, *x)

isocast_status isocast_sum_plan_make(const isocast_program *program, const isocast_block *block,
                                     const double *registers, double count,
                                     isocast_sum_plan *plan) {
    planner p = {.program = program,
                 .registers = registers,
                 .count = count,
                 .plan = plan,
                 .status = ISOCAST_OK};
    plan->period = 1;
    plan->is_hidden = false;
    plan->cut_count = 0;
    plan->degree = -1;
    analyse(&p, block, NULL, true);
    if (most_steps(&p) > ISOCAST_SUM_STEPS_MAX) {
        double period = p.too_many ? NAN : period_of(&p);
        plan->is_hidden = plan->is_hidden || isnan(period);
        plan->period = isnan(period) ? 1 : period;
    }
    plan->is_hidden = plan->is_hidden || p.too_many;
    qsort(plan->cuts, plan->cut_count, sizeof *plan->cuts, compare_cuts);
    return p.status;
}

enum { CUTS_A_BORDER = 3 };

isocast_status isocast_sum_pieces_create(const isocast_block *block, isocast_sum_pieces *out) {
    isocast_sum_pieces p = {.block = block,
                            .linear = calloc(block->register_count + 1, sizeof *p.linear),
                            .degree = calloc(block->register_count + 1, sizeof *p.degree)};
    if (p.linear == NULL || p.degree == NULL) {
        isocast_sum_pieces_free(&p);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t r = 0; r <= block->register_count; r++) {
        p.degree[r] = -1; /* others may fill it: what a result of slopes is, is not known */
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        p.degree[block->constants[i].target] = 0;
        p.linear[block->constants[i].target] = true;
    }
    for (size_t i = 0; i < block->import_count; i++) {
        p.degree[block->imports[i].target] = 0;
        p.linear[block->imports[i].target] = true;
    }
    if (block->has_running) {
        p.degree[0] = 1;
        p.linear[0] = true;
    }
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        int degrees[3];
        bool lines[3];
        for (size_t k = 0; k < 3; k++) {
            degrees[k] = p.degree[code->operand[k]];
            lines[k] = p.linear[code->operand[k]];
        }
        int degree = isocast_opcode_degree(code->opcode, degrees, lines);
        p.degree[code->result] = degree;
        p.linear[code->result] = degree == 0 || degree == 1;
    }
    *out = p;
    return ISOCAST_OK;
}

void isocast_sum_pieces_free(isocast_sum_pieces *pieces) {
    free(pieces->linear);
    free(pieces->degree);
    pieces->linear = NULL;
    pieces->degree = NULL;
}

int isocast_sum_pieces_degree(const isocast_sum_pieces *pieces) {
    return pieces->degree[pieces->block->result];
}

/* What a comparison's sides are apart at the ends of a piece; false where they are no lines, or the
 * instruction does not depend on which is larger. */
static bool find_apart(const isocast_sum_pieces *p, const isocast_instruction *code,
                       const double *registers, size_t stride, double apart[2]) {
    unsigned a = code->operand[0];
    unsigned b = code->operand[1];
    isocast_opcode_family family = isocast_opcode_family_of(code->opcode);
    bool single = family == ISOCAST_FAMILY_MAGNITUDE;
    bool both = family == ISOCAST_FAMILY_COMPARISON || family == ISOCAST_FAMILY_EXTREME;
    if (!(single && p->linear[a]) && !(both && p->linear[a] && p->linear[b])) {
        return false;
    }
    for (size_t end = 0; end < 2; end++) {
        apart[end] = registers[a * stride + end] - (single ? 0 : registers[b * stride + end]);
    }
    return true;
}

bool isocast_sum_pieces_cut(const isocast_sum_pieces *pieces, double begin, double length,
                            const double *registers, size_t stride, double *cuts, size_t *count) {
    for (size_t i = 0; i < pieces->block->code_count; i++) {
        double apart[2];
        if (!find_apart(pieces, &pieces->block->code[i], registers, stride, apart) ||
            apart[0] == apart[1] || (apart[0] > 0 && apart[1] > 0) ||
            (apart[0] < 0 && apart[1] < 0)) {
            continue;
        }
        /* The term at the border, and that before it, are pieces of their own. */
        double at = begin + floor((length - 1) * (apart[0] / (apart[0] - apart[1])));
        for (int k = 0; k < CUTS_A_BORDER; k++) {
            if (at + k > begin && at + k < begin + length) {
                if (*count == ISOCAST_SUM_CUTS_MAX) {
                    return false;
                }
                cuts[(*count)++] = at + k;
            }
        }
    }
    return true;
}
