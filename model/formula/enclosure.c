#include "enclosure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "enclosure_form.h"
#include "enclosure_register.h"
#include "form_sum.h"

enum {
    REDUCTION_RUNS = 20000, /* of blocks, in one enclosure */
    CODE_STEPS = 80,        /* that an instruction costs on forms and ranges, about */
    PIECE_STEPS = 500       /* that a piece costs beside them */
};

enum { ATOMS_AN_INSTRUCTION = ISOCAST_FORM_SUM_DEGREE + 1 };

static bool instruction_varies(const isocast_enclosure *e, const isocast_instruction *instruction) {
    bool varies = false;
    for (size_t k = 0; k < isocast_opcode_operands(instruction->opcode); k++) {
        varies = varies || e->varies[instruction->operand[k]];
    }
    if (instruction->opcode >= ISOCAST_OP_SUM) {
        const isocast_block *block = isocast_enclosure_block(e, instruction);
        for (size_t i = 0; i < block->import_count; i++) {
            varies = varies || e->varies[block->imports[i].outer];
        }
    }
    return varies;
}

static void find_varying(isocast_enclosure *e, size_t input) {
    for (size_t i = 0; i < e->block->column_count; i++) {
        e->varies[e->block->columns[i].target] = e->block->columns[i].column == input;
    }
    for (size_t i = 0; i < e->block->code_count; i++) {
        e->varies[e->block->code[i].result] = instruction_varies(e, &e->block->code[i]);
    }
}

static bool allocate(isocast_enclosure *e, size_t column_count) {
    size_t registers = e->block->register_count + 1;
    e->atom_capacity = ATOMS_AN_INSTRUCTION * e->block->code_count + ATOM_LN_N + 1;
    e->columns = malloc((column_count + 1) * sizeof *e->columns);
    e->registers = malloc(registers * ISOCAST_ENCLOSURE_ENDS * sizeof *e->registers);
    e->scratch = malloc(registers * sizeof *e->scratch);
    e->needed = malloc(registers);
    e->known = malloc(registers);
    e->varies = calloc(registers, sizeof *e->varies);
    e->form_at = malloc(registers * sizeof *e->form_at);
    e->duals = malloc(registers * sizeof *e->duals);
    e->atoms = malloc(e->atom_capacity * sizeof *e->atoms);
    return e->columns != NULL && e->registers != NULL && e->scratch != NULL && e->needed != NULL &&
           e->known != NULL && e->varies != NULL && e->form_at != NULL && e->duals != NULL &&
           e->atoms != NULL;
}

isocast_status isocast_enclosure_create(const isocast_program *program,
                                        const isocast_column *columns, size_t column_count,
                                        size_t input, const isocast_class_table *const *classes,
                                        isocast_effort *effort, isocast_enclosure **out) {
    isocast_enclosure *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    e->program = program;
    e->block = &program->blocks[0];
    if (!allocate(e, column_count)) {
        isocast_enclosure_free(e);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < column_count; i++) {
        e->columns[i] = (isocast_column){columns[i].values, 0};
    }
    e->columns[input] = (isocast_column){e->N, 1};
    e->points = (isocast_program_points){.count = ISOCAST_ENCLOSURE_ENDS,
                                         .inputs = e->columns,
                                         .classes = classes,
                                         .classes_stride = 0};
    e->effort = effort;
    e->reductions.effort = effort;
    e->reductions.program = program;
    e->reductions.classes = classes != NULL ? classes[0] : NULL;
    find_varying(e, input);
    *out = e;
    return ISOCAST_OK;
}

void isocast_enclosure_free(isocast_enclosure *e) {
    if (e != NULL) {
        free(e->columns);
        free(e->registers);
        free(e->scratch);
        free(e->needed);
        free(e->known);
        free(e->varies);
        free(e->form_at);
        free(e->duals);
        free(e->atoms);
        free(e->forms);
        free(e);
    }
}

/* A register that is written as nothing but itself. */
static void store_opaque(isocast_enclosure *e, unsigned reg, const isocast_dual *dual) {
    uint16_t atom = isocast_enclosure_add_atom(e, dual);
    isocast_form form;
    if (atom == ISOCAST_FORM_NO_ATOM) {
        e->status = ISOCAST_NO_MEMORY;
        return;
    }
    isocast_form_atom(&form, atom);
    isocast_enclosure_store(e, reg, &form);
    e->duals[reg] = *dual;
    e->known[reg] = KNOWN_DUAL;
}

static void run_opaque(isocast_enclosure *e, const isocast_instruction *instruction) {
    const isocast_dual *operands[3] = {NULL, NULL, NULL};
    for (size_t k = 0; k < isocast_opcode_operands(instruction->opcode); k++) {
        operands[k] = isocast_enclosure_dual(e, instruction->operand[k]);
    }
    isocast_dual dual = isocast_dual_operate(instruction->opcode, instruction->block != 0,
                                             operands[0], operands[1], operands[2]);
    isocast_enclosure_narrow(e, isocast_enclosure_end(e, instruction->result, 0),
                             isocast_enclosure_end(e, instruction->result, 1), &dual);
    store_opaque(e, instruction->result, &dual);
}

static void run_reduction(isocast_enclosure *e, const isocast_instruction *instruction) {
    const isocast_block *block = isocast_enclosure_block(e, instruction);
    isocast_form form;
    if (isocast_enclosure_sum(e, instruction, &form)) {
        isocast_enclosure_store(e, instruction->result, &form);
        return;
    }
    for (size_t k = 0; k < isocast_opcode_operands(instruction->opcode); k++) {
        isocast_enclosure_dual(e, instruction->operand[k]);
    }
    for (size_t i = 0; i < block->import_count; i++) {
        isocast_enclosure_dual(e, block->imports[i].outer);
    }
    isocast_dual dual;
    isocast_status status =
        isocast_block_range_reduce(&e->reductions, instruction, e->duals, &dual);
    if (status != ISOCAST_OK) {
        e->status = status;
        return;
    }
    isocast_enclosure_narrow(e, isocast_enclosure_end(e, instruction->result, 0),
                             isocast_enclosure_end(e, instruction->result, 1), &dual);
    store_opaque(e, instruction->result, &dual);
}

static void run(isocast_enclosure *e, const isocast_instruction *instruction) {
    isocast_form form;
    if (!e->varies[instruction->result]) {
        e->known[instruction->result] = KNOWN_CONSTANT;
    } else if (instruction->opcode >= ISOCAST_OP_SUM) {
        run_reduction(e, instruction);
    } else if (isocast_enclosure_operate(e, instruction, &form)) {
        isocast_enclosure_store(e, instruction->result, &form);
    } else {
        run_opaque(e, instruction);
    }
}

/* Computes every register at both ends of the piece. */
static isocast_status evaluate_ends(isocast_enclosure *e, double low, double high) {
    double error = 0;
    e->N[0] = low;
    e->N[1] = high;
    isocast_sum_budget budget = {.effort = e->effort};
    isocast_block_run run = {.program = e->program,
                             .block = e->block,
                             .width = ISOCAST_ENCLOSURE_ENDS,
                             .registers = e->registers,
                             .points = &e->points,
                             .sum_error = &error,
                             .budget = &budget};
    return isocast_block_evaluate(&run);
}

isocast_status isocast_enclosure_enter(isocast_enclosure *e, double low, double high) {
    isocast_status status = evaluate_ends(e, low, high);
    if (status != ISOCAST_OK) {
        return status;
    }
    e->effort->left -= PIECE_STEPS + CODE_STEPS * (double)e->block->code_count;
    e->status = ISOCAST_OK;
    e->forms_used = 0;
    e->place = (switch_place){.instruction = NULL};
    e->reductions.budget = REDUCTION_RUNS;
    e->atoms[ATOM_LN_N] = (isocast_dual){{log(low), log(high)}, {1, 1}};
    e->atom_count = ATOM_LN_N + 1;
    memset(e->known, KNOWN_CONSTANT, e->block->register_count);
    for (size_t i = 0; i < e->block->column_count; i++) {
        unsigned target = e->block->columns[i].target;
        if (e->varies[target]) {
            isocast_form form;
            isocast_form_power_of_N(&form, 1);
            isocast_enclosure_store(e, target, &form);
        }
    }
    for (size_t i = 0; i < e->block->code_count && e->status == ISOCAST_OK; i++) {
        run(e, &e->block->code[i]);
    }
    for (size_t o = 0; o < e->program->output_count && e->status == ISOCAST_OK; o++) {
        unsigned reg = e->program->outputs[o];
        if (e->known[reg] == KNOWN_CONSTANT) {
            isocast_form form;
            isocast_form_constant(&form, isocast_enclosure_end(e, reg, 0));
            isocast_enclosure_store(e, reg, &form);
        }
    }
    return e->status;
}

isocast_form_ranges isocast_enclosure_ranges(const isocast_enclosure *e) {
    return isocast_enclosure_factors(e);
}

const isocast_form *isocast_enclosure_output(const isocast_enclosure *e, size_t output) {
    return isocast_enclosure_stored_form(e, e->program->outputs[output]);
}

isocast_status isocast_enclosure_adopt(isocast_enclosure *e, const isocast_enclosure *other,
                                       isocast_form *form, bool *known) {
    size_t first = ATOM_LN_N + 1;
    size_t adopted = other->atom_count - first;
    size_t total = e->atom_count + adopted;
    *known = total <= UINT16_MAX;
    if (!*known) {
        return ISOCAST_OK;
    }
    if (total > e->atom_capacity) {
        isocast_dual *grown = realloc(e->atoms, total * sizeof *grown);
        if (grown == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        e->atoms = grown;
        e->atom_capacity = total;
    }
    memcpy(e->atoms + e->atom_count, other->atoms + first, adopted * sizeof *e->atoms);
    /* ln N is the same one in both; the order of the others stays. */
    isocast_form_shift_atoms(form, (uint16_t)first, (uint16_t)(e->atom_count - first));
    e->atom_count = total;
    return ISOCAST_OK;
}
