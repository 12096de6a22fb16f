/* The roots of one site's collectives in one record: which order they may have had. A record counts
 * the calls of each root and size, and keeps no order: where sizes shrink from call to call, or
 * shares of the calls are uneven, these tell it. */
#ifndef ISOCAST_DERIVE_ROOT_ORDER_H
#define ISOCAST_DERIVE_ROOT_ORDER_H

#include "site_key.h"

/* Which way messages go. */
typedef enum derive_direction { DERIVE_NEITHER, DERIVE_FROM_ROOT, DERIVE_TO_ROOT } derive_direction;

derive_direction isocast_derive_direction_of(isocast_record_operation operation);

/* What the process says of it that calls there most. */
typedef struct derive_root_order {
    bool told;           /* one communicator, and a root of each call */
    size_t site;         /* of the record */
    size_t process;      /* the one that says it */
    size_t communicator; /* of the record */
    double among;        /* its processes */
    double calls;
    /* Of calls that follow each other without a call between that waits for all: how many such rows
     * there are. */
    double rows;
    size_t follower;   /* site of the record that comes behind each call; SIZE_MAX: several do */
    long root;         /* of the first call in the record */
    size_t roots;      /* different ones */
    double fewest;     /* times that the root may have changed, within what is told below */
    double most;       /* likewise */
    bool may_be_each;  /* shares of the calls are those of roots that change with each call */
    bool may_be_stays; /* or of roots that stay for as many calls each */
} derive_root_order;

/* Errors: NO_MEMORY. */
isocast_status isocast_derive_root_order_observe(const isocast_record *record,
                                                 const isocast_site_key *key,
                                                 derive_root_order *out);

/* Whether each call of one site is followed at once by one of the other, of the same communicator,
 * and both have the same roots as often. Errors: NO_MEMORY. */
isocast_status isocast_derive_root_orders_join(const isocast_record *record,
                                               const derive_root_order *before,
                                               const derive_root_order *after, bool *joined);

#endif
