/* A name that takes another value from condition to condition: what setting.h can set once. Opening
 * it changes what was loaded, before the two are bound, so that the name is an input of their
 * formulas and nothing is compiled again for another value. */
#ifndef ISOCAST_VARIED_H
#define ISOCAST_VARIED_H

#include "algorithm.h"
#include "class_property.h"
#include "model/yaml/schema.h"
#include "platform_number.h"

/* Where the values go. */
typedef enum isocast_varied_kind {
    ISOCAST_VARIED_SIZE,       /* a further size of the algorithm */
    ISOCAST_VARIED_PARAMETER,  /* a parameter of the machine */
    ISOCAST_VARIED_PROPERTY,   /* a property of a node class, which changes systems; where a formula
                                    reads it, it is a parameter, too */
    ISOCAST_VARIED_DEFINITION, /* a definition, until it is opened */
    ISOCAST_VARIED_PLATFORM    /* a number of a platform, which has a machine of its own for each
                                  value: there is nothing to open */
} isocast_varied_kind;

typedef struct isocast_varied {
    char *name; /* free it with free() */
    isocast_varied_kind kind;
    isocast_dimension dimension;
    bool any_dimension;    /* of a definition: what its values have is to be put into `dimension` */
    bool is_time_per_flop; /* a time will do, too, as t_c is written in both */
    double least, most;    /* SI, that a value may have */
    bool above;            /* it must be above `least` */
    bool whole;            /* it counts something */
    size_t index; /* once opened: among the algorithm's sizes, or the machine's parameters */
    isocast_class_property property; /* where the kind is PROPERTY */
    isocast_platform_number number;  /* where it is PLATFORM */
    bool of_definition;              /* a definition was opened as the parameter of another name */
} isocast_varied;

/* Finds what a name stands for: the bytes `span` of the reader's source. False with a diagnostic
 * where it cannot be varied, or memory is short. `platform`, where it is not NULL, has the machine
 * as its hardware, whose numbers vary as the platform's. */
bool isocast_varied_find(isocast_reader *reader, isocast_span span,
                         const isocast_algorithm *algorithm, const isocast_machine *machine,
                         const isocast_platform *platform, isocast_varied *out);

/* Makes it an input, and sets its index. Every one is opened after all --set are applied, and
 * before the model is created; again for each further machine that is alike. Errors: INVALID with a
 * diagnostic, NO_MEMORY. */
isocast_status isocast_varied_open(isocast_varied *variable, isocast_algorithm *algorithm,
                                   isocast_machine *machine, isocast_diagnostics *diagnostics);

#endif
