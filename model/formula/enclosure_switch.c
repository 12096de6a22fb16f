/* Where a formula switches inside a piece: its test alone is evaluated, and bisected. */
#include <string.h>

#include "enclosure.h"
#include "enclosure_state.h"
#include "pieces.h"

/* Marks the instructions that the switch's test needs; false where one of them is a sum. */
static bool mark_needed(isocast_enclosure *e) {
    const isocast_instruction *last = e->place.instruction;
    memset(e->needed, 0, e->block->register_count);
    for (size_t k = 0; k < isocast_opcode_operands(last->opcode); k++) {
        e->needed[last->operand[k]] = 1;
    }
    e->needed[last->result] = 1;
    for (const isocast_instruction *i = last; i-- > e->block->code;) {
        if (!e->needed[i->result] || !e->varies[i->result]) {
            continue;
        }
        if (i->opcode >= ISOCAST_OP_SUM) {
            return false;
        }
        for (size_t k = 0; k < isocast_opcode_operands(i->opcode); k++) {
            e->needed[i->operand[k]] = 1;
        }
    }
    return true;
}

/* Whether the switch's test holds at N. */
static bool test_at(isocast_enclosure *e, double N) {
    const isocast_instruction *last = e->place.instruction;
    for (size_t i = 0; i < e->block->column_count; i++) {
        unsigned target = e->block->columns[i].target;
        e->scratch[target] = e->varies[target] ? N : e->scratch[target];
    }
    for (const isocast_instruction *i = e->block->code; i <= last; i++) {
        if (e->needed[i->result] && e->varies[i->result]) {
            e->scratch[i->result] =
                isocast_opcode_fold(i->opcode, e->scratch[i->operand[0]], e->scratch[i->operand[1]],
                                    e->scratch[i->operand[2]]);
        }
    }
    double value = e->scratch[last->result];
    switch (isocast_opcode_family_of(last->opcode)) {
    case ISOCAST_FAMILY_STAIRS:
        return value < e->place.threshold;
    case ISOCAST_FAMILY_EXTREME:
        return e->scratch[last->operand[0]] < e->scratch[last->operand[1]];
    case ISOCAST_FAMILY_MAGNITUDE:
        return e->scratch[last->operand[0]] < 0;
    default:
        return value != 0;
    }
}

bool isocast_enclosure_switch(isocast_enclosure *e, double switch_at[2]) {
    if (e->place.instruction == NULL || !mark_needed(e)) {
        return false;
    }
    for (size_t r = 0; r < e->block->register_count; r++) {
        e->scratch[r] = e->registers[r * ISOCAST_ENCLOSURE_ENDS];
    }
    double low = e->N[0];
    double high = e->N[1];
    bool at_low = test_at(e, low);
    if (test_at(e, high) == at_low) {
        return false;
    }
    for (;;) {
        double middle = isocast_middle(low, high);
        if (middle <= low || middle >= high) {
            break;
        }
        if (test_at(e, middle) == at_low) {
            low = middle;
        } else {
            high = middle;
        }
    }
    switch_at[0] = low;
    switch_at[1] = high;
    return true;
}
