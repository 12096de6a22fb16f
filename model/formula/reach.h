/* The outputs of a program over pieces of the range of one input, N, as bands (band.h), for many
 * conditions after each other. Only what an output needs is computed: of a selection that is
 * decided in the piece, one side; and what does not depend on N, once for each condition. Sums to N
 * over a polynomial in pieces have a closed form. Cheaper than enclosure.h, and weaker: what
 * cancels between outputs is bounded in each of them. Not thread-safe; each thread has its own. */
#ifndef ISOCAST_REACH_H
#define ISOCAST_REACH_H

#include "band.h"
#include "program.h"

typedef struct isocast_reach isocast_reach;

/* *out is NULL for a program that is too long. The program must outlive it. Errors: NO_MEMORY. */
isocast_status isocast_reach_create(const isocast_program *program, size_t input,
                                    isocast_reach **out);
/* NULL is allowed. */
void isocast_reach_free(isocast_reach *r);

/* Begins a condition: the value of input i is columns[i].values[0]; both must stay until the next
 * one. columns[input] is left aside. */
void isocast_reach_bind(isocast_reach *r, const isocast_column *columns,
                        const isocast_class_table *classes);
/* Forgets what was learnt from earlier pieces. That takes time, and nothing else: an effort counts
 * otherwise what was learnt, so a caller who wants it to depend on a part of its conditions alone
 * calls this before each part. */
void isocast_reach_forget(isocast_reach *r);
/* Begins a piece, 0 < begin <= end. With begin == end an output is its value there. */
void isocast_reach_enter(isocast_reach *r, double begin, double end);
/* A single N as a number, of which all that follows are numbers, too: cheaper, and rounded like the
 * program itself, so that it is on the same side of every switch. Sums to N that have no closed
 * form are not known then: the program takes many of their terms at a time. */
void isocast_reach_enter_point(isocast_reach *r, double N);
/* Not known where the program has something that has no rule here. */
isocast_band isocast_reach_output(isocast_reach *r, size_t output);
/* Likewise, of a register of block 0. */
isocast_band isocast_reach_register(isocast_reach *r, unsigned reg);
const isocast_band_piece *isocast_reach_piece(const isocast_reach *r);

/* Steps since the last call, as an effort counts them. */
double isocast_reach_steps(isocast_reach *r);
/* NO_MEMORY where memory was short since the beginning, else OK. */
isocast_status isocast_reach_status(const isocast_reach *r);

/* What a reach keeps of a piece from one condition to the next. Conditions of a group differ in few
 * inputs: what does not depend on these is the same over the same piece, and is computed once. */

/* Begins a group, which ends with the next one, or with isocast_reach_forget(). Inputs that differ
 * by rounding alone count as the same in it. Many groups of one condition only cost time. */
void isocast_reach_group(isocast_reach *r);
/* Begins a piece, begin < end, that other conditions of the group will ask for, too; without a
 * group it is like any piece. */
void isocast_reach_enter_kept(isocast_reach *r, double begin, double end);
/* Keeps what was asked for since then. Where memory is short, it is not kept. */
void isocast_reach_keep(isocast_reach *r);

/* N d/dN of an output over the current piece, which is no single N; the output was asked for
 * before. Where slopes change at once, those of both sides are in it. Not known where the output
 * may jump in the piece, or has something that has no rule here. */
isocast_band isocast_reach_slope(isocast_reach *r, size_t output);

#endif
