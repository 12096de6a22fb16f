/* Sites of records of one program, and when two are the same: where they stand at the same line of
 * the same file, or without lines at the same place of the same module. Counts nothing. */
#ifndef ISOCAST_DERIVE_SITE_KEY_H
#define ISOCAST_DERIVE_SITE_KEY_H

#include "model/record/record.h"

/* The name of a file without its folders. */
const char *isocast_base_name(const char *path);

/* Along which sides of a grid the digits of a rank are, the first digits first. */
typedef enum isocast_axis_order {
    ISOCAST_ORDER_WIDTH_FIRST, /* width, height, depth: the last digits along the shortest side */
    ISOCAST_ORDER_DEPTH_FIRST, /* depth, height, width */
    ISOCAST_ORDER_WDH,
    ISOCAST_ORDER_HWD,
    ISOCAST_ORDER_HDW,
    ISOCAST_ORDER_DWH,
    ISOCAST_ORDERS
} isocast_axis_order;

/* A call site with the call that is made there. Texts belong to a record. */
typedef struct isocast_site_key {
    const isocast_record_site *site;
    isocast_record_operation operation;
    /* Messages along some axes of a grid of three dimensions alone (places.h). */
    bool is_part;
    unsigned axes;
    unsigned
        rank; /* those of one of the lengths that a process has there alone (ranks.h); 0: all */
    isocast_axis_order order; /* how its processes are numbered (places.h) */
} isocast_site_key;

bool isocast_site_key_same(const isocast_site_key *a, const isocast_site_key *b);

/* Whether both are the same call at the same place, whatever part of its messages they mean. */
bool isocast_site_key_same_place(const isocast_site_key *a, const isocast_site_key *b);

/* Whether a call of the record is made at that place, whatever part of its messages is meant. */
bool isocast_site_key_has_call(const isocast_site_key *key, const isocast_record *record,
                               const isocast_record_call *call);

/* Whether two records are of one source whose sizes were fixed when it was compiled: a command of
 * one name became files of different names, which call MPI at the same lines as far as both do. */
bool isocast_same_source(const isocast_record *a, const isocast_record *b);

/* Whether the call has MPI_PROC_NULL to send to, and to receive from. */
bool isocast_call_sends_nothing(const isocast_record_call *call);

#endif
