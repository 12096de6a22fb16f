/* A machine file: node classes with their marked speeds, named systems, parameters, and operations
 * as formulas in p and m. Immutable after loading (machine_load.h). Owns its tree and formulas;
 * binds nothing to an algorithm (model.h). */
#ifndef ISOCAST_MACHINE_H
#define ISOCAST_MACHINE_H

#include <isocast/files.h> /* isocast_machine_free() */

#include "fitted.h"
#include "model/formula/program.h"
#include "model/yaml/tree.h"
#include "purchase.h"

/* What `explain` does for each of them is done as often as there are. */
enum { ISOCAST_PARAMETERS_MAX = 1000 };

/* The sustained speed of one processor in one program. */
typedef struct isocast_program_speed {
    char *program;         /* as algorithms name it in `kernel` */
    double value;          /* flop/s */
    double standard_error; /* flop/s; NAN where the file does not say */
} isocast_program_speed;

typedef struct isocast_node_class {
    char *name;
    double count;      /* nodes of the class */
    double processors; /* per node */
    /* flop/s of one processor in programs that have no speed of their own: what the file gives, or
     * the mean of `speeds`. Which one counts, marked_speed.h states. */
    double marked_speed;
    double standard_error;         /* flop/s, of marked_speed; NAN where the file does not say */
    bool is_mean;                  /* marked_speed is the mean */
    isocast_program_speed *speeds; /* [speed_count], the same programs in every class; may be none
                                    */
    size_t speed_count;
    double memory;           /* bytes of one node; NAN where the file does not say */
    double memory_bandwidth; /* B/s that all processors of one node sustain together, reading and
                                writing; NAN where the file does not say */
    double sockets;          /* of one node, each with as many processors; 1 where the file does not
                                say */
    double cache;     /* bytes of the last level, which the processors of a socket share; NAN */
    double frequency; /* 1/s, of a processor's clock; NAN where the file does not say */
    double price;     /* of one node in the machine's currency; NAN where the file does not say */
    double power;     /* W of one node; NAN where the file does not say */
    double running_cost; /* of one node, currency/s, without its energy; NAN likewise */
} isocast_node_class;

/* What the marked speed of a program was measured with. */
typedef struct isocast_program_benchmark {
    char *program; /* or "default" */
    char *text;
} isocast_program_benchmark;

typedef struct isocast_parameter {
    char *name;
    double value;          /* SI */
    double standard_error; /* SI; NAN where the file does not say */
    isocast_dimension dimension;
} isocast_parameter;

/* T_x in p and m, or a kernel's seconds per flop in p and m: the processes on a node, and bytes of
 * working set per process. */
typedef struct isocast_operation {
    char *name;
    isocast_formula *formula;
    double p_min, p_max; /* processes measured; NAN where the file does not say */
    double m_min, m_max; /* bytes measured; likewise */
    isocast_fitted fitted;
    /* Its own numbers among the machine's parameters; none where it is a formula. */
    size_t first_parameter, parameter_count;
} isocast_operation;

/* Operations that hold for some algorithms only. */
typedef struct isocast_restriction {
    size_t *operations; /* [operation_count], indices among the machine's */
    size_t operation_count;
    char **algorithms; /* [algorithm_count], names */
    size_t algorithm_count;
    char *reason; /* a clause; NULL where the file does not say */
} isocast_restriction;

/* What the formulas of an algorithm miss beside those of its operations, by runs of its program. */
typedef struct isocast_algorithm_misfit {
    char *algorithm; /* its name */
    double misfit;   /* relative: sd of the factor that all its messages are off by together */
    double drift;    /* sd of another factor, for each unit of ln(p/p_max) beyond p_max; 0: none */
    double p_max;    /* processes of the largest run; NAN where the file does not say */
} isocast_algorithm_misfit;

typedef struct isocast_named_system {
    char *name;
    char *text; /* "server:2+sunblade:1" */
    isocast_span span;
} isocast_named_system;

/* How fast the reference program is on a processor set [HE]. */
typedef struct isocast_reference_set {
    char *placement; /* which set, as isocast_system_placement() writes it */
    double factor;   /* R_f, 1 */
    double error;    /* its standard error, 1; NAN where the file gives none */
    /* Where R_f follows from times: the relative standard error of the time on one processor, which
     * counts in that of R_f, and the class of that processor; else 0. */
    double error_of_one;
    size_t one_class;
} isocast_reference_set;

/* What the section `reference` says. */
typedef struct isocast_reference {
    char *program; /* NULL where the file does not say */
    double ratio;  /* of its computation to its communication, flop/B or 1; NAN likewise */
    bool measured; /* the file gives times, from which R_f follows; else it gives R_f */
    isocast_reference_set *sets; /* [count] */
    size_t count;                /* 0: the file has no such section */
} isocast_reference;

/* What the marked speeds of a machine are. */
typedef enum isocast_marked_speed_kind {
    ISOCAST_MARKED_SPEED_SUSTAINED, /* what the file says, or single settings */
    ISOCAST_MARKED_SPEED_PEAK,      /* the best rate of one kernel by the file's times per flop */
    ISOCAST_MARKED_SPEED_GIVEN      /* one speed, given by hand for all node classes */
} isocast_marked_speed_kind;

/* Where a kernel's time per flop is least, and what it is there. */
typedef struct isocast_best_rate {
    double rate; /* flop/s, of one process */
    double p;    /* processes on the node; NAN where the time does not depend on them */
    double m;    /* B, the working set of a process; NAN likewise */
} isocast_best_rate;

typedef struct isocast_machine {
    isocast_tree *tree;
    char *name;
    char *source;    /* where its figures come from; NULL where the file does not say */
    char *benchmark; /* what all marked speeds were measured with; NULL likewise */
    isocast_program_benchmark *benchmarks; /* [benchmark_count], where each has its own */
    size_t benchmark_count;
    bool calibrated; /* has a calibration section: measured, with errors and ranges */
    bool simulated;  /* measured on a simulated platform */
    char *schedule;  /* on a platform: where the program of the algorithm was executed, and where
                        not; NULL: it has none */
    isocast_node_class *classes; /* [class_count] */
    size_t class_count;
    isocast_marked_speed_kind marked_speed_kind; /* of all classes (marked_speed_choice.h) */
    isocast_best_rate best_rate;   /* where they are the peak: what they were read from */
    isocast_named_system *systems; /* [system_count] */
    size_t system_count;
    isocast_parameter *parameters; /* [parameter_count]; t_c among them where given */
    size_t parameter_count;
    double *covariance; /* [parameter_count][parameter_count] row-major, SI; NULL where not given */
    isocast_operation *operations; /* [operation_count] */
    size_t operation_count;
    isocast_restriction *restrictions; /* [restriction_count] */
    size_t restriction_count;
    isocast_algorithm_misfit *algorithms; /* [algorithm_count] */
    size_t algorithm_count;
    isocast_operation *compute; /* [compute_count], seconds per flop by kernel name */
    size_t compute_count;
    isocast_reference reference;
    isocast_purchase purchase; /* its currency is that of all amounts of the file */
    double sigma_launch;       /* sd of ln T between launches; NAN where not given */
    double sigma_within;       /* sd of ln T within a launch; NAN where not given */
} isocast_machine;

/* How many of the processes that a class is given share a node, where they fill one node after the
 * other, as launchers place them by default; the last one may have fewer. The number of processes
 * need not be whole. */
double isocast_node_class_fill(const isocast_node_class *class, double processes);

/* What one of so many processes has of its node, where they share it evenly. Processes are spread
 * over the sockets, so that fewer than there are sockets each have one. */
typedef struct isocast_node_share {
    double memory;    /* bytes; NAN where the file does not say */
    double bandwidth; /* B/s of memory; likewise */
    double cache;     /* bytes of the last level; 0 where the file does not say */
} isocast_node_share;

isocast_node_share isocast_node_class_share(const isocast_node_class *class, double processes);

/* The index of the parameter of a name; parameter_count where there is none. */
size_t isocast_machine_parameter(const isocast_machine *machine, const char *name);

/* The covariance of two parameters, SI: what the file gives, else that of independent errors. */
double isocast_machine_covariance(const isocast_machine *machine, size_t i, size_t j);

/* The variance of what has this derivative by each parameter, SI; shape [parameter_count]. */
double isocast_machine_variance(const isocast_machine *machine, const double *gradient);

/* What the file says that an algorithm's formulas miss; NULL where it says nothing of it. */
const isocast_algorithm_misfit *isocast_machine_misfit_of(const isocast_machine *machine,
                                                          const char *algorithm);

/* Whether the operations hold for an algorithm, by its name. */
bool isocast_restriction_allows(const isocast_restriction *restriction, const char *algorithm);

#endif
