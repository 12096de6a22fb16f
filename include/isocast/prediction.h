/* Predictions of an algorithm on a machine: N', T, E and psi on a list of systems, and where the
 * time goes. The method is isospeed-efficiency: Y. Chen, X.-H. Sun, M. Wu, Algorithm-system
 * scalability of heterogeneous computing, J. Parallel Distrib. Comput. 68 (2008) 1403-1412 [CSW].
 *
 * A handle does not change after it was made, so any number of threads may use it at once. */
#ifndef ISOCAST_PUBLIC_PREDICTION_H
#define ISOCAST_PUBLIC_PREDICTION_H

#include <isocast/files.h>
#include <isocast/metric.h>

ISOCAST_BEGIN_C

/* An algorithm bound to a machine. */
typedef struct isocast_model isocast_model;
/* What becomes of the algorithm on each system of a list: its rows. */
typedef struct isocast_prediction isocast_prediction;
/* Where the time of a prediction goes, and what moves it. */
typedef struct isocast_explanation isocast_explanation;

/* Binds an algorithm to a machine, both of which must outlive the model. Free with
 * isocast_model_free(). Errors: INVALID with diagnostics in either file (the machine lacks what the
 * algorithm needs), NO_MEMORY, ARGUMENT (a NULL). */
ISOCAST_PUBLIC isocast_status isocast_model_bind(const isocast_algorithm *algorithm,
                                                 const isocast_machine *machine,
                                                 isocast_diagnostics *diagnostics,
                                                 isocast_model **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_model_free(isocast_model *model);

/* The size of a system in predictions of this model: as isocast_machine_describe_system(), but
 * *marked_speed is made of the marked speeds that the machine file gives for the algorithm's
 * kernel. The two differ only where the file has marked speeds for several programs. Errors: as
 * there. */
ISOCAST_PUBLIC isocast_status isocast_model_describe_system(const isocast_model *model,
                                                            const char *system,
                                                            isocast_diagnostics *diagnostics,
                                                            double *processes,
                                                            double *marked_speed);

/* What counts as the size of systems in W/(T size) and psi. */
typedef enum isocast_system_measure {
    ISOCAST_SIZE_BY_SUM,      /* C, the sum of the marked speeds [CSW] */
    ISOCAST_SIZE_BY_REFERENCE /* R_f C_j, by which 1x2 and 2x1 differ: J. He and others, How to
                                 measure scalability of SMP cluster [HE]. The machine file needs
                                 the key 'reference' */
} isocast_system_measure;

/* What to predict. Start from ISOCAST_REQUEST_INIT: 0 and NULL mean "not given". One of these
 * combinations is to be given:
 *   base and N   hold the speed-efficiency E that the base has at N; solve for N' on the systems
 *   efficiency   hold this E; solve for N' on the systems
 *   N            evaluate the systems at N; nothing is solved
 * Later versions add members at the end; `size` states them which ones the caller knows. */
typedef struct isocast_request {
    size_t size;               /* sizeof(isocast_request) */
    const char *systems;       /* such as "C4,C8", "2..64*2"; see isocast_machine_describe_system */
    const char *base;          /* one system, such as "C2" */
    double N;                  /* the first size parameter */
    double efficiency;         /* E = W/(T C), above 0; or what `metric` holds, in its unit */
    const double *other_sizes; /* the further size parameters, [isocast_algorithm_size_count() - 1];
                                  NULL where there is one alone */
    isocast_metric metric;     /* what is held; 0: the speed-efficiency */
    double level;              /* the share of cases in which an interval is to hold the true value,
                                  above 0 and below 1; 0: 0.9 */
    isocast_system_measure measure; /* what counts as the size of a system; 0: the sum */
} isocast_request;

#define ISOCAST_REQUEST_INIT                                                                       \
    {                                                                                              \
        sizeof(isocast_request), NULL, NULL, 0, 0, NULL, ISOCAST_METRIC_ISOSPEED_E, 0,             \
            ISOCAST_SIZE_BY_SUM                                                                    \
    }

/* Predicts. The model must outlive the prediction; the request is copied. Free with
 * isocast_prediction_free(). A system without a solution is no error: its row says so. Errors, the
 * first two with diagnostics: INVALID (not systems of this machine), ARGUMENT (a NULL, no
 * combination of the above, a size outside the algorithm's range), DOMAIN (E has no value above 0
 * at the base), NO_MEMORY. */
ISOCAST_PUBLIC isocast_status isocast_model_predict(const isocast_model *model,
                                                    const isocast_request *request,
                                                    isocast_diagnostics *diagnostics,
                                                    isocast_prediction **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_prediction_free(isocast_prediction *prediction);

/* A number of a row. NAN where it is not known or does not apply. */
typedef enum isocast_quantity {
    ISOCAST_QUANTITY_P,       /* processes */
    ISOCAST_QUANTITY_C,       /* marked speed of the system, flop/s */
    ISOCAST_QUANTITY_N,       /* first size parameter; N' where it was solved for */
    ISOCAST_QUANTITY_N_LOW,   /* ends of the interval of N, 90 % or the level asked for: of a */
    ISOCAST_QUANTITY_N_HIGH,  /* prediction, from the errors of the machine's parameters */
    ISOCAST_QUANTITY_W,       /* work at N, flop */
    ISOCAST_QUANTITY_T,       /* time, T_c + T_o, s */
    ISOCAST_QUANTITY_T_C,     /* time of the computation, s */
    ISOCAST_QUANTITY_T_O,     /* time of the overhead, s */
    ISOCAST_QUANTITY_E,       /* speed-efficiency W/(T C) [CSW] */
    ISOCAST_QUANTITY_S,       /* achieved speed W/T, flop/s */
    ISOCAST_QUANTITY_SPEEDUP, /* T_c of process 0 alone over T; at a given N alone */
    ISOCAST_QUANTITY_PSI,     /* of the metric, from the row before (the base, for the first) */
    ISOCAST_QUANTITY_PSI_FROM_BASE, /* from the base; from the first row where there is none */
    ISOCAST_QUANTITY_MEMORY,        /* bytes that a process needs */
    ISOCAST_QUANTITY_MEMORY_LIMIT,  /* bytes that a process has */
    ISOCAST_QUANTITY_CONCURRENCY,   /* processes that can work at N */
    ISOCAST_QUANTITY_R_F,           /* performance reference factor of the system [HE] */
    ISOCAST_QUANTITY_T_ALONE,       /* T(W,1), s: T_c of process 0 alone; of the metrics that hold
                                       T(W,1)/(R_f T), and at a given N */
    ISOCAST_QUANTITY_HELD,          /* what the metric holds, in its unit */
    ISOCAST_QUANTITY_LATENCY,       /* average overhead latency L_e, s; of the metric latency */
    ISOCAST_QUANTITY_T_LOW,         /* ends of the interval of T in a run, s: errors of the */
    ISOCAST_QUANTITY_T_HIGH,        /* parameters, spread of launches, misfit of formulas */
    ISOCAST_QUANTITY_E_LOW,         /* ends of the interval of E in a run, likewise */
    ISOCAST_QUANTITY_E_HIGH,
    ISOCAST_QUANTITY_PSI_LOW, /* ends of the interval of psi, from the errors of parameters */
    ISOCAST_QUANTITY_PSI_HIGH,
    ISOCAST_QUANTITY_PSI_FROM_BASE_LOW, /* likewise of psi from the base */
    ISOCAST_QUANTITY_PSI_FROM_BASE_HIGH,
    ISOCAST_QUANTITY_CONDITION /* |d ln N'/d ln E|, E being what is held: above 10, N' is
                                  ill-conditioned; infinite where E does not change with N */
} isocast_quantity;

/* In place of a row's index: the base. */
#define ISOCAST_INDEX_BASE ((size_t)-1)

/* The following speak of one row: index from 0 to isocast_prediction_row_count() - 1 in the order
 * of the request, or ISOCAST_INDEX_BASE. Texts belong to the prediction. A row that is not there
 * gives NULL, NAN, 0 and ISOCAST_ROW_NOT_CONVERGED. */

ISOCAST_PUBLIC size_t isocast_prediction_row_count(const isocast_prediction *prediction);
ISOCAST_PUBLIC const char *isocast_prediction_system(const isocast_prediction *prediction,
                                                     size_t row);
ISOCAST_PUBLIC isocast_row_status isocast_prediction_status(const isocast_prediction *prediction,
                                                            size_t row);
/* What a reader must know beside the numbers, in one sentence; NULL for nothing. */
ISOCAST_PUBLIC const char *isocast_prediction_note(const isocast_prediction *prediction,
                                                   size_t row);
ISOCAST_PUBLIC double isocast_prediction_number(const isocast_prediction *prediction, size_t row,
                                                isocast_quantity quantity);
/* A number by the name that it has in the command's CSV and JSON, such as "T_low"; NAN for a name
 * that is none. */
ISOCAST_PUBLIC double isocast_prediction_value(const isocast_prediction *prediction, size_t row,
                                               const char *name);
/* The names that there are, each with its SI unit ("1" for counts and ratios) and what it means:
 * index from 0 on; NULL where there is no further one. */
ISOCAST_PUBLIC const char *isocast_prediction_value_name(size_t index);
ISOCAST_PUBLIC const char *isocast_prediction_value_unit(size_t index);
ISOCAST_PUBLIC const char *isocast_prediction_value_meaning(size_t index);
/* Every N at which E is the one to hold: rising, the first of them is N; index from 0 to
 * isocast_prediction_root_count() - 1. */
ISOCAST_PUBLIC size_t isocast_prediction_root_count(const isocast_prediction *prediction,
                                                    size_t row);
ISOCAST_PUBLIC double isocast_prediction_root(const isocast_prediction *prediction, size_t row,
                                              size_t index);
/* The terms of the overhead, in the order of the algorithm file, and their times in s. Names belong
 * to the algorithm. */
ISOCAST_PUBLIC size_t isocast_prediction_term_count(const isocast_prediction *prediction);
ISOCAST_PUBLIC const char *isocast_prediction_term_name(const isocast_prediction *prediction,
                                                        size_t term);
ISOCAST_PUBLIC double isocast_prediction_term(const isocast_prediction *prediction, size_t row,
                                              size_t term);
/* What is held, in the metric's unit, such as the speed-efficiency; NAN where N was given. */
ISOCAST_PUBLIC double isocast_prediction_target(const isocast_prediction *prediction);

/* Scalability from a system to another: psi(C, C') = C' W/(C W') [CSW 3.3, definition 3], where W
 * and W' are the work that gives both the same speed-efficiency. C in flop/s, W in flop; 1 is
 * perfect. */
ISOCAST_PUBLIC double isocast_psi(double C, double W, double C_to, double W_to);

/* Predicts, and explains the prediction, which the explanation owns. Arguments and errors as above.
 * Free with isocast_explanation_free(). */
ISOCAST_PUBLIC isocast_status isocast_model_explain(const isocast_model *model,
                                                    const isocast_request *request,
                                                    isocast_diagnostics *diagnostics,
                                                    isocast_explanation **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_explanation_free(isocast_explanation *explanation);
/* The prediction that is explained; belongs to the explanation. */
ISOCAST_PUBLIC const isocast_prediction *
isocast_explanation_prediction(const isocast_explanation *explanation);

/* The parts of T: the computation and the terms of the overhead, the largest on the last solved row
 * first. An index or row that is not there gives NULL and NAN. */
ISOCAST_PUBLIC size_t isocast_explanation_part_count(const isocast_explanation *explanation);
ISOCAST_PUBLIC const char *isocast_explanation_part_name(const isocast_explanation *explanation,
                                                         size_t part);
/* Its time on a row in s, and its share of T. */
ISOCAST_PUBLIC double isocast_explanation_part_time(const isocast_explanation *explanation,
                                                    size_t part, size_t row);
ISOCAST_PUBLIC double isocast_explanation_part_share(const isocast_explanation *explanation,
                                                     size_t part, size_t row);
/* Its growth d ln T/d ln p from the first to the last solved row. */
ISOCAST_PUBLIC double isocast_explanation_part_growth(const isocast_explanation *explanation,
                                                      size_t part);

typedef enum isocast_driver_kind {
    ISOCAST_DRIVER_PARAMETER,    /* a parameter of the machine file */
    ISOCAST_DRIVER_MARKED_SPEED, /* of a node class that the last solved row's system uses */
    ISOCAST_DRIVER_TERM,         /* an overhead term as a whole */
    /* R_f of the last solved row's system, as the machine file has it. */
    ISOCAST_DRIVER_REFERENCE,
    /* All messages of the algorithm together, where the machine file says what its formulas miss.
     */
    ISOCAST_DRIVER_MESSAGES
} isocast_driver_kind;

/* What moves N' (T where N was given) on the last solved row, what moves it most first. An index
 * that is not there gives NULL, ISOCAST_DRIVER_PARAMETER and NAN. */
ISOCAST_PUBLIC size_t isocast_explanation_driver_count(const isocast_explanation *explanation);
/* The name of the parameter, node class, term or algorithm, or "R_f". */
ISOCAST_PUBLIC const char *isocast_explanation_driver_name(const isocast_explanation *explanation,
                                                           size_t driver);
/* What the parameter means, in words; NULL where the name is all there is. */
ISOCAST_PUBLIC const char *
isocast_explanation_driver_meaning(const isocast_explanation *explanation, size_t driver);
ISOCAST_PUBLIC isocast_driver_kind
isocast_explanation_driver_kind(const isocast_explanation *explanation, size_t driver);
/* d ln N'/d ln driver: per cent of N' for one per cent more of it; NAN where it cannot be reported.
 */
ISOCAST_PUBLIC double isocast_explanation_driver_elasticity(const isocast_explanation *explanation,
                                                            size_t driver);

ISOCAST_END_C

#endif
