/* Compiled formulas as the evaluator sees them: blocks of instructions on numbered registers.
 * Private to the compiler and the evaluator. */
#ifndef ISOCAST_BLOCK_H
#define ISOCAST_BLOCK_H

#include "opcode.h"
#include "program.h"

enum {
    ISOCAST_REGISTERS_MAX = 1 << 16, /* of one block */
    ISOCAST_BLOCK_DEPTH_MAX = 16     /* sums inside sums */
};

/* What an instruction of opcode SELECT says by its `block`. */
enum { ISOCAST_SELECT_ANY, ISOCAST_SELECT_CONTINUOUS };

typedef struct isocast_instruction {
    isocast_opcode opcode;
    unsigned result;     /* register */
    unsigned operand[3]; /* registers; unused ones are 0 */
    /* Of a sum or class reduction: index into the program's blocks. Of a SELECT: whether its values
     * agree where it switches (ISOCAST_SELECT_CONTINUOUS), which nothing but proofs asks for. */
    unsigned block;
} isocast_instruction;

/* A register that starts with a constant. */
typedef struct isocast_block_constant {
    unsigned target;
    double value;
} isocast_block_constant;

/* A register that starts with a column: an input, or a row of the class table. */
typedef struct isocast_block_column {
    unsigned target;
    unsigned column;
} isocast_block_column;

/* A register that starts with the value of the enclosing block's register at the point. */
typedef struct isocast_block_import {
    unsigned target;
    unsigned outer;
} isocast_block_import;

typedef struct isocast_block {
    isocast_instruction *code; /* [code_count] */
    size_t code_count, code_capacity;
    isocast_block_constant *constants; /* [constant_count] */
    size_t constant_count, constant_capacity;
    isocast_block_column *columns; /* [column_count]: inputs in block 0, class rows elsewhere */
    size_t column_count, column_capacity;
    isocast_block_import *imports; /* [import_count], none in block 0 */
    size_t import_count, import_capacity;
    unsigned register_count;
    bool has_running; /* a sum's block: register 0 is the running variable */
    unsigned result;  /* register with the term; unused in block 0 */
} isocast_block;

struct isocast_program {
    isocast_block *blocks; /* [block_count]; 0 is evaluated over the points */
    size_t block_count;
    unsigned *outputs; /* [output_count], registers of block 0 */
    size_t output_count;
};

/* What sums may still take (program.h). Once it is spent, all further sums of the call are given up
 * without a look, so that many points that are too much cost as much as one. */
typedef struct isocast_sum_budget {
    double terms;           /* at this point */
    isocast_effort *effort; /* the caller's */
    bool spent;
} isocast_sum_budget;

/* How a sum was made: of terms at values of the running variable, each times a weight. NaN is in it
 * where the sum was given up. Start from {0}. */
typedef struct isocast_sum_trace {
    double *running; /* [count] */
    double *weights; /* [count] */
    size_t count, capacity;
} isocast_sum_trace;

/* Runs the code of a block over `width` points. `registers` is [register_count][width], filled with
 * constants, columns and imports by this call. For block 0 `points` and `first` state the inputs;
 * for the others `outer` is the enclosing block's registers at the point (stride outer_stride), and
 * `running`
 * ([width]) or the class table of the point gives the rest. */
typedef struct isocast_block_run {
    const isocast_program *program;
    const isocast_block *block;
    size_t width;
    double *registers;
    const isocast_program_points *points;
    size_t first;        /* index of the point at position 0 */
    bool one_point;      /* all positions belong to point `first` */
    const double *outer; /* register r of the enclosing block at outer[r * outer_stride] */
    size_t outer_stride;
    const double *running;              /* [width] */
    const isocast_class_table *classes; /* rows to load, from `class_first` on */
    size_t class_first;
    double *sum_error; /* raised to the largest relative error estimate */
    size_t *terms;     /* raised by the terms of sums that were evaluated; NULL where not wanted */
    isocast_sum_budget *budget;
    /* Gets what the sum that is asked for next is made of, but not of the sums inside it; NULL
     * where not wanted. */
    isocast_sum_trace *trace;
} isocast_block_run;

/* Errors: NO_MEMORY. */
isocast_status isocast_block_evaluate(const isocast_block_run *run);

/* The run of a sum's or a class reduction's block at the point at `position` of the enclosing run.
 * Its width, its registers, and what its terms run over (`running` or `classes`) are still to be
 * set. */
isocast_block_run isocast_block_inside(const isocast_block_run *outer, const isocast_block *block,
                                       size_t position);

/* Marks the registers of block 0 that depend on a marked one: by their operands, and by what the
 * block of a reduction imports. Shape: [registers of block 0]. */
void isocast_program_spread(const isocast_program *program, bool *marks);

/* The class whose term is the maximum or the minimum, by the opcode; the first of several. */
size_t isocast_block_best_class(isocast_opcode opcode, const double *terms, size_t count);

/* How a sum's terms are evaluated: isocast_block_evaluate, which knows of sums, unlike they of it.
 */
typedef isocast_status (*isocast_block_evaluator)(const isocast_block_run *run);

/* The sum over the block's running variable from `from` to `to` (program.h states the meaning), at
 * the point at `position` of the enclosing run. Errors: NO_MEMORY. */
isocast_status isocast_block_sum(const isocast_block_run *outer, const isocast_block *block,
                                 size_t position, double from, double to,
                                 isocast_block_evaluator evaluate, double *out);

#endif
