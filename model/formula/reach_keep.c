/* Registers that do not depend on N are compared from condition to condition. The ones that differ
 * are loose, and so is all that is made of them: it is computed again for each condition. A
 * register once loose stays so until the group ends. */
#include "reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/pool.h"
#include "reach_state.h"

enum {
    PIECES_MAX = 600,
    SLOTS = 2048,         /* of the hash table, more than pieces; a power of two */
    ENTRIES_MAX = 150000, /* of all pieces */
    STEPS_A_COPY = 2,
    STEPS_A_BAND = 12
};

/* Numbers that differ by less, relative, are the same but for rounding, as C_j/C is for any C. */
static const double rounding = 1e-15;

/* What is to be done with a register of a piece. */
typedef struct task {
    unsigned reg;
    unsigned at; /* among the kept bands */
    bool is_loose;
} task;

typedef struct kept_piece {
    double begin, end;
    unsigned *registers; /* [count], in the order in which they are computed */
    isocast_band *bands; /* [count] */
    size_t count;
    task *tasks; /* [task_count], for the keeper's epoch */
    size_t task_count;
    unsigned long epoch;
} kept_piece;

struct isocast_reach_keeper {
    isocast_pool pool;  /* of the arrays of registers */
    kept_piece *pieces; /* [count] */
    size_t count, capacity;
    size_t entries;              /* of all pieces */
    unsigned short slots[SLOTS]; /* number of a piece, from 1 on; 0: none */
    unsigned *watched;           /* [watched_count], registers that do not depend on N */
    size_t watched_count;
    isocast_band *reference; /* [registers], of those that are watched */
    bool *is_watched;        /* [registers] */
    bool *loose;             /* [registers] */
    bool *needed;            /* [registers]: what stays from one piece to the next is false */
    const isocast_class_table *classes;
    double *class_values; /* [class_count][ISOCAST_CLASS_ROWS] */
    size_t class_count;
    bool has_classes, loose_classes;
    unsigned long epoch;     /* that of the loose registers */
    unsigned long condition; /* stamp of the last one that was compared */
};

static size_t registers_of(const isocast_reach *r) {
    return r->program->blocks[0].register_count + 1;
}

static isocast_reach_keeper *create(const isocast_reach *r) {
    isocast_reach_keeper *k = calloc(1, sizeof *k);
    if (k == NULL) {
        return NULL;
    }
    size_t registers = registers_of(r);
    k->watched = isocast_pool_take(&k->pool, registers, sizeof *k->watched);
    k->reference = isocast_pool_take(&k->pool, registers, sizeof *k->reference);
    k->is_watched = isocast_pool_take(&k->pool, registers, sizeof *k->is_watched);
    k->loose = isocast_pool_take(&k->pool, registers, sizeof *k->loose);
    k->needed = isocast_pool_take(&k->pool, registers, sizeof *k->needed);
    return k;
}

static void free_pieces(isocast_reach_keeper *k) {
    for (size_t i = 0; i < k->count; i++) {
        free(k->pieces[i].registers);
        free(k->pieces[i].bands);
        free(k->pieces[i].tasks);
    }
    k->count = 0;
    k->entries = 0;
}

static void free_keeper(isocast_reach *r) {
    isocast_reach_keeper *k = r->keeper;
    if (k != NULL) {
        free_pieces(k);
        free(k->pieces);
        isocast_pool_free(&k->pool);
        free(k->class_values);
        free(k);
    }
    r->keeper = NULL;
}

static void clear(isocast_reach *r) {
    isocast_reach_keeper *k = r->keeper;
    if (k == NULL) {
        return;
    }
    free_pieces(k);
    memset(k->slots, 0, sizeof k->slots);
    for (size_t i = 0; i < k->watched_count; i++) {
        k->is_watched[k->watched[i]] = false;
    }
    k->watched_count = 0;
    memset(k->loose, 0, registers_of(r) * sizeof *k->loose);
    k->has_classes = k->loose_classes = false;
    k->epoch++;
    k->condition = 0;
}

static size_t slot_of(const isocast_reach_keeper *k, double begin, double end) {
    unsigned long long bits[2];
    memcpy(&bits[0], &begin, sizeof begin);
    memcpy(&bits[1], &end, sizeof end);
    unsigned long long mixed =
        (bits[0] * 0x9E3779B97F4A7C15ULL) ^ (bits[1] * 0xC2B2AE3D27D4EB4FULL);
    size_t slot = (size_t)(mixed >> 40) % SLOTS;
    while (k->slots[slot] != 0 && (k->pieces[k->slots[slot] - 1].begin != begin ||
                                   k->pieces[k->slots[slot] - 1].end != end)) {
        slot = (slot + 1) % SLOTS;
    }
    return slot;
}

static bool is_like(const isocast_band *a, const isocast_band *b) {
    return a->degree == b->degree && fabs(a->low - b->low) <= rounding * fabs(a->low) &&
           fabs(a->high - b->high) <= rounding * fabs(a->high);
}

/* Looks whether the node classes are those of the conditions before; false without memory. */
static bool compare_classes(isocast_reach_keeper *k, const isocast_class_table *classes) {
    size_t count = classes != NULL ? classes->count : 0;
    if (!k->has_classes) {
        double *values =
            realloc(k->class_values, (count * ISOCAST_CLASS_ROWS + 1) * sizeof *values);
        if (values == NULL) {
            return false;
        }
        k->class_values = values;
        k->class_count = count;
        k->has_classes = true;
        for (size_t i = 0; i < count * ISOCAST_CLASS_ROWS; i++) {
            values[i] = classes->rows[i % ISOCAST_CLASS_ROWS][i / ISOCAST_CLASS_ROWS];
        }
    }
    bool same = count == k->class_count;
    for (size_t i = 0; same && i < count * ISOCAST_CLASS_ROWS; i++) {
        double value = classes->rows[i % ISOCAST_CLASS_ROWS][i / ISOCAST_CLASS_ROWS];
        same = value == k->class_values[i];
    }
    if (!same && !k->loose_classes) {
        k->loose_classes = true;
        k->epoch++;
    }
    return true;
}

/* What is made of something loose is loose. */
static void spread(isocast_reach *r) {
    const isocast_block *block = &r->program->blocks[0];
    bool *loose = r->keeper->loose;
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        if (!r->origins[0][code->result].varies) {
            continue; /* compared by itself */
        }
        bool any = code->opcode > ISOCAST_OP_SUM && r->keeper->loose_classes;
        for (size_t j = 0; j < isocast_opcode_operands(code->opcode); j++) {
            any = any || loose[code->operand[j]];
        }
        if (code->opcode >= ISOCAST_OP_SUM) {
            const isocast_block *inner = &r->program->blocks[code->block];
            for (size_t j = 0; j < inner->import_count; j++) {
                any = any || loose[inner->imports[j].outer];
            }
        }
        loose[code->result] = any;
    }
}

/* Compares the current condition with the ones before; false without memory. */
static bool compare_condition(isocast_reach *r) {
    isocast_reach_keeper *k = r->keeper;
    if (k->condition == r->condition_stamp) {
        return true;
    }
    unsigned long epoch = k->epoch;
    for (size_t i = 0; i < k->watched_count; i++) {
        unsigned reg = k->watched[i];
        isocast_band value = isocast_reach_register(r, reg);
        if (!k->loose[reg] && !is_like(&k->reference[reg], &value)) {
            k->loose[reg] = true;
            k->epoch = epoch + 1;
        }
    }
    if (!compare_classes(k, r->classes)) {
        return false;
    }
    if (k->epoch != epoch) {
        spread(r);
    }
    k->condition = r->condition_stamp;
    return true;
}

/* What an instruction reads, as far as it is known before it runs. */
static void need_operands(const isocast_reach *r, unsigned reg, bool *needed) {
    const isocast_origin *origin = &r->origins[0][reg];
    if (origin->kind != ISOCAST_ORIGIN_CODE) {
        return;
    }
    const isocast_instruction *code = &r->program->blocks[0].code[origin->index];
    if (r->blends[reg].is_known) {
        needed[r->blends[reg].share] = true;
        needed[r->blends[reg].first] = true;
        needed[r->blends[reg].second] = true;
        return;
    }
    for (size_t j = 0; j < isocast_opcode_operands(code->opcode); j++) {
        needed[code->operand[j]] = true;
    }
    const isocast_reach_chain *chain = &r->chains[reg];
    if (chain->count > 0) {
        needed[chain->x] = true;
        for (size_t j = 0; j <= chain->count; j++) {
            needed[chain->values[j]] = true;
        }
    }
    if (code->opcode >= ISOCAST_OP_SUM) {
        const isocast_block *inner = &r->program->blocks[code->block];
        for (size_t j = 0; j < inner->import_count; j++) {
            needed[inner->imports[j].outer] = true;
        }
    }
}

/* The registers of a piece that are loose, and those which these read, or which are outputs. */
static bool list_tasks(isocast_reach *r, kept_piece *p) {
    isocast_reach_keeper *k = r->keeper;
    if (p->tasks == NULL) {
        p->tasks = malloc((p->count + 1) * sizeof *p->tasks);
    }
    if (p->tasks == NULL) {
        return false;
    }
    memset(k->needed, 0, registers_of(r) * sizeof *k->needed);
    for (size_t o = 0; o < r->program->output_count; o++) {
        k->needed[r->program->outputs[o]] = true;
    }
    for (size_t i = 0; i < p->count; i++) {
        if (k->loose[p->registers[i]]) {
            need_operands(r, p->registers[i], k->needed);
        }
    }
    p->task_count = 0;
    for (size_t i = 0; i < p->count; i++) {
        unsigned reg = p->registers[i];
        if (k->loose[reg] || k->needed[reg]) {
            p->tasks[p->task_count++] = (task){reg, (unsigned)i, k->loose[reg]};
        }
    }
    p->epoch = k->epoch;
    return true;
}

/* Puts what is kept of the current piece, and computes the rest; false where nothing is. */
static bool recall(isocast_reach *r) {
    isocast_reach_keeper *k = r->keeper;
    size_t number = k != NULL ? k->slots[slot_of(k, r->piece.begin, r->piece.end)] : 0;
    if (number == 0 || !compare_condition(r)) {
        return false;
    }
    kept_piece *p = &k->pieces[number - 1];
    if (p->epoch != k->epoch && !list_tasks(r, p)) {
        return false;
    }
    for (size_t i = 0; i < p->task_count; i++) {
        const task *t = &p->tasks[i];
        if (t->is_loose) {
            isocast_reach_run_entry(r, &r->entries[t->reg]);
            r->effort += STEPS_A_BAND;
        } else {
            r->bands[t->reg] = p->bands[t->at];
            r->stamps[t->reg] = r->piece_stamp;
            r->effort += STEPS_A_COPY;
        }
    }
    return true;
}

/* Watches what was read for the current condition. */
static void watch(isocast_reach *r, unsigned reg) {
    isocast_reach_keeper *k = r->keeper;
    if (!k->is_watched[reg] && !r->origins[0][reg].varies && r->stamps[reg] == r->condition_stamp) {
        k->is_watched[reg] = true;
        k->watched[k->watched_count++] = reg;
        k->reference[reg] = r->bands[reg];
    }
}

static void keep_piece(isocast_reach *r) {
    if (r->keeper == NULL) {
        r->keeper = create(r);
        r->free_keeper = free_keeper;
    }
    isocast_reach_keeper *k = r->keeper;
    const isocast_block *block = &r->program->blocks[0];
    if (k == NULL || k->pool.failed || k->count == PIECES_MAX || k->entries > ENTRIES_MAX ||
        !compare_condition(r) ||
        !isocast_array_grow((void **)&k->pieces, k->count, &k->capacity, sizeof *k->pieces)) {
        return;
    }
    kept_piece p = {.begin = r->piece.begin, .end = r->piece.end};
    p.registers = malloc((block->register_count + 1) * sizeof *p.registers);
    for (unsigned reg = 0; p.registers != NULL && reg < block->register_count; reg++) {
        watch(r, reg);
        if (r->origins[0][reg].kind == ISOCAST_ORIGIN_COLUMN && r->origins[0][reg].varies &&
            r->stamps[reg] == r->piece_stamp) {
            p.registers[p.count++] = reg;
        }
    }
    for (size_t i = 0; p.registers != NULL && i < block->code_count; i++) {
        unsigned reg = block->code[i].result;
        if (r->origins[0][reg].varies && r->stamps[reg] == r->piece_stamp) {
            p.registers[p.count++] = reg;
        }
    }
    unsigned *shorter = realloc(p.registers, (p.count + 1) * sizeof *p.registers);
    p.registers = shorter != NULL ? shorter : p.registers;
    p.bands = malloc((p.count + 1) * sizeof *p.bands);
    size_t slot = slot_of(k, p.begin, p.end);
    if (p.registers == NULL || p.bands == NULL || k->slots[slot] != 0) {
        free(p.registers);
        free(p.bands);
        return;
    }
    for (size_t i = 0; i < p.count; i++) {
        p.bands[i] = r->bands[p.registers[i]];
    }
    p.epoch = k->epoch - 1;
    k->pieces[k->count++] = p;
    k->slots[slot] = (unsigned short)k->count;
    k->entries += p.count;
}

void isocast_reach_group(isocast_reach *r) {
    clear(r);
    r->has_group = true;
}

void isocast_reach_enter_kept(isocast_reach *r, double begin, double end) {
    if (!r->has_group) {
        isocast_reach_enter(r, begin, end);
        return;
    }
    isocast_reach_begin(r, begin, end);
    if (!recall(r)) {
        isocast_reach_enter(r, begin, end);
        r->keeps = true;
    }
}

void isocast_reach_keep(isocast_reach *r) {
    if (r->keeps) {
        r->keeps = false;
        keep_piece(r);
    }
}
