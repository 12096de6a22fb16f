/* An algorithm file: work W(N), computation, overhead as named terms, memory, concurrency.
 * Immutable after loading (algorithm_load.h). Checked by itself; what it needs of a machine is
 * bound by model.h. */
#ifndef ISOCAST_ALGORITHM_H
#define ISOCAST_ALGORITHM_H

#include <isocast/files.h> /* isocast_algorithm_free() */

#include "model/base/valid.h"
#include "model/formula/program.h"
#include "model/yaml/tree.h"
#include "rule.h"

enum { ISOCAST_TERMS_MAX = 1000 /* of the overhead */ };

/* Of values that were recorded; none where least is above most, or both are 0. */
typedef struct isocast_recorded_range {
    double least, most;
} isocast_recorded_range;

typedef struct isocast_size {
    char *name; /* "N" */
    char *description;
    double min;          /* at least this; 1 where the file does not say */
    double max;          /* at most this; infinite where the file does not say */
    double fallback;     /* where none is given; NAN: it must be, as that of the first */
    isocast_valid valid; /* the sizes among these that the formulas hold for */
    isocast_recorded_range recorded;
} isocast_size;

typedef struct isocast_term {
    char *name; /* "pivot-rows" */
    isocast_formula *formula;
} isocast_term;

/* A part of T in a phase of measured runs. */
typedef struct isocast_phase_part {
    size_t part;  /* 0: the computation; k from 1 on: the k-th overhead term */
    double share; /* of the part, the others being in other phases; NAN: the file does not say */
    isocast_span span;
} isocast_phase_part;

/* A column of measured runs and the parts of T that show in it. */
typedef struct isocast_phase {
    char *column;              /* "T_exchange" */
    isocast_phase_part *parts; /* [part_count] */
    size_t part_count;
} isocast_phase;

/* A machine parameter that the algorithm's formulas use, with the value to take where the machine
 * has none. */
typedef struct isocast_requirement {
    char *name;
    isocast_dimension dimension;
    double fallback; /* SI; NAN where the machine must have it, or runs have not said it yet */
    double error;    /* its standard error, SI; NAN where the file gives none */
    bool fitted;     /* runs say it (fit: true): what the machine has does not count */
    double min, max; /* SI; a fit stays between them; 0 and INFINITY where the file gives none */
    bool open;       /* it is to be fitted now */
    bool assumed;    /* no run has said it: it is the middle of its range */
    bool varied;     /* it is an input of the formulas although the machine lacks it */
    isocast_span span;
} isocast_requirement;

/* Of the errors of two of them, by index. */
typedef struct isocast_requirement_correlation {
    size_t first, second;
    double value; /* -1 to 1 */
} isocast_requirement_correlation;

typedef struct isocast_algorithm {
    isocast_tree *tree;
    char *name;
    char *title; /* NULL where not given, like the next two */
    char *source;
    char *kernel;
    isocast_size *sizes; /* [size_count]; the first is the one solved for */
    size_t size_count;
    isocast_formula *work;        /* flop */
    isocast_formula *sequential;  /* alpha; NULL: 0 */
    isocast_formula *compute;     /* s; NULL: (1-alpha) W/C + alpha W/C_j */
    isocast_formula *memory;      /* B per process; NULL: not bounded */
    isocast_formula *traffic;     /* B to and from memory, of all processes; NULL: not known */
    isocast_formula *concurrency; /* processes that can work; NULL: not bounded */
    isocast_term *overhead;       /* [overhead_count], s */
    size_t overhead_count;
    /* What T may be longer by, s; where it is below 0, shorter. It is not in T. */
    isocast_term *uncertain; /* [uncertain_count] */
    size_t uncertain_count;
    isocast_term *definitions; /* [definition_count] */
    size_t definition_count;
    /* Formulas in p and m for operations that a machine may lack; its own come first. */
    isocast_term *operations; /* [operation_count] */
    size_t operation_count;
    size_t given_operation_count; /* those of the file; the others stand in for what steps call */
    isocast_requirement *requirements; /* [requirement_count] */
    size_t requirement_count;
    isocast_requirement_correlation *correlations; /* [correlation_count]; others are 0 */
    size_t correlation_count;
    isocast_phase *phases; /* [phase_count]; none where the file does not say */
    size_t phase_count;
    isocast_rule *rule_list; /* [rule_count] */
    size_t rule_count;
    bool rules_are_read;  /* all of them */
    isocast_rules *rules; /* NULL where there are none */
    bool is_recorded;     /* the formulas were derived from records (algorithm_recorded.h) */
    isocast_recorded_range recorded_p; /* processes */
    double recorded_speed; /* of a processor of the records, flop/s; NAN: not known, and a flop of
                              the work is a nanosecond there */
    char *held_out; /* what formulas made without some records missed there; NULL: not said */
    isocast_source **set_sources; /* [set_source_count], of what was set by hand (setting.h) */
    size_t set_source_count;
    /* What the program does, step by step; NULL where the file does not say. Where it does, T_c and
     * the overhead are made of it. */
    struct isocast_schedule *program;
    bool time_per_flop_given; /* by hand: the machine's parameter t_c counts, whatever its file says
                                 of the kernel */
} isocast_algorithm;

/* The name of a part of T: "computation", or an overhead term's. */
const char *isocast_algorithm_part_name(const isocast_algorithm *algorithm, size_t part);

/* The index of the parameter of a name that it asks for; requirement_count where there is none. */
size_t isocast_requirement_find(const isocast_algorithm *algorithm, const char *name);

#endif
