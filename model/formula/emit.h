/* Makes instructions for the compiler. An expression becomes a value: a constant, or a register of
 * the block at some level (0: per point; deeper: inside sums and class reductions). It is put at
 * the outermost level where all it needs is known, so what does not depend on a sum's variable
 * leaves the sum by itself. Knows no formulas. Private to the compiler. */
#ifndef ISOCAST_EMIT_H
#define ISOCAST_EMIT_H

#include "block.h"

enum {
    ISOCAST_INSTRUCTIONS_MAX = 100000,
    ISOCAST_EXPANSION_MAX = 2000000, /* expressions looked at for one program */
    ISOCAST_CALL_DEPTH_MAX = 6000    /* expressions inside each other, through operations */
};

typedef struct isocast_value {
    bool is_constant;
    double constant;
    unsigned level;
    unsigned reg;
} isocast_value;

/* A block on its way, with what finds its instructions again. */
typedef struct isocast_frame {
    isocast_block block;
    unsigned index; /* among the program's blocks */
    struct isocast_known_instruction *table;
    size_t table_size;
    size_t table_used;
} isocast_frame;

/* Once the status is not OK, values mean nothing. INVALID: too many instructions or registers. */
typedef struct isocast_emitter {
    isocast_program *program;
    isocast_status status;
    isocast_frame frames[ISOCAST_BLOCK_DEPTH_MAX + 1]; /* [depth + 1], by level */
    unsigned depth;
    size_t instruction_count;
} isocast_emitter;

isocast_value isocast_value_constant(double number);

/* Makes room for one more of the items; status NO_MEMORY on failure. */
bool isocast_emit_grow(isocast_emitter *e, void **items, size_t count, size_t *capacity,
                       size_t size);

/* An instruction on values; constants are folded by the evaluator's own code, unless the result is
 * not a number: then it is left to the evaluation, which shows where it happens. */
isocast_value isocast_emit_operation(isocast_emitter *e, isocast_opcode opcode, size_t count,
                                     const isocast_value *operands);
/* A SELECT whose two values agree where it switches: condition, then, else. */
isocast_value isocast_emit_join(isocast_emitter *e, const isocast_value operands[3]);
isocast_value isocast_emit_binary(isocast_emitter *e, isocast_opcode opcode, isocast_value a,
                                  isocast_value b);
/* The same without what multiplies by 1, adds 0 and the like. */
isocast_value isocast_emit_simplified(isocast_emitter *e, isocast_opcode opcode, isocast_value a,
                                      isocast_value b);
/* Small whole exponents become multiplications, 1/2 a square root. */
isocast_value isocast_emit_power(isocast_emitter *e, isocast_value base, isocast_value exponent);
/* A column of the inputs (level 0), or of the class table. */
isocast_value isocast_emit_column(isocast_emitter *e, unsigned level, size_t column);

/* Opens a block one level deeper; its register 0 is the running variable where there is one. At
 * most ISOCAST_BLOCK_DEPTH_MAX deep. False without memory. */
bool isocast_emit_open(isocast_emitter *e, bool has_running);
/* Closes the innermost block, which becomes the program's, and reduces it: shape of bounds [count].
 */
isocast_value isocast_emit_close(isocast_emitter *e, isocast_opcode opcode, isocast_value term,
                                 size_t count, const isocast_value *bounds);

/* Sets the open blocks aside, to make instructions outside of them; gives their number. Shape of
 * pending: [ISOCAST_BLOCK_DEPTH_MAX]. */
unsigned isocast_emit_suspend(isocast_emitter *e, isocast_frame *pending);
void isocast_emit_resume(isocast_emitter *e, unsigned depth, const isocast_frame *pending);

/* Register of block 0 that holds the value. */
unsigned isocast_emit_output(isocast_emitter *e, isocast_value v);
/* The instructions become the program's, or are freed. */
void isocast_emit_finish(isocast_emitter *e);
void isocast_emit_discard(isocast_emitter *e);

#endif
