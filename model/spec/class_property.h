/* The numbers of a node class that may be given by hand: "class.marked_speed", "class.memory",
 * "class.memory_bandwidth", "class.cache", "class.count", "class.processors", "class.price" and
 * "class.power". */
#ifndef ISOCAST_CLASS_PROPERTY_H
#define ISOCAST_CLASS_PROPERTY_H

#include "machine.h"

typedef enum isocast_class_property_kind {
    ISOCAST_CLASS_PROPERTY_MARKED_SPEED, /* flop/s */
    ISOCAST_CLASS_PROPERTY_MEMORY,       /* B of a node */
    ISOCAST_CLASS_PROPERTY_BANDWIDTH,    /* B/s of a node's memory */
    ISOCAST_CLASS_PROPERTY_CACHE,        /* B of a socket */
    ISOCAST_CLASS_PROPERTY_COUNT,        /* nodes */
    ISOCAST_CLASS_PROPERTY_PROCESSORS,   /* of a node */
    ISOCAST_CLASS_PROPERTY_PRICE,        /* of a node, in the machine's currency */
    ISOCAST_CLASS_PROPERTY_POWER         /* W of a node */
} isocast_class_property_kind;

typedef struct isocast_class_property {
    size_t class; /* index among the machine's */
    isocast_class_property_kind kind;
    isocast_dimension dimension;
    bool whole; /* it counts something */
} isocast_class_property;

/* What a name stands for; false where it names no property of a class of the machine. A machine
 * without any amount has no currency, and so no prices. */
bool isocast_class_property_find(const isocast_machine *machine, const char *name,
                                 isocast_class_property *out);

/* The value of a property in a machine, SI; NAN where the file does not say. */
double isocast_class_property_of(const isocast_machine *machine,
                                 const isocast_class_property *property);

/* Puts a value there. A marked speed given by hand is that of every program, and exact. */
void isocast_class_property_put(isocast_machine *machine, const isocast_class_property *property,
                                double value);

#endif
