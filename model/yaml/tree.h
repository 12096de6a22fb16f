/* YAML text as a tree whose nodes know where they stand. Owns the source and the nodes. Refuses
 * what YAML lets pass but a specification must not hold: duplicate keys, anchors, aliases, several
 * documents, nesting or size over the caps. Knows no key of any schema. */
#ifndef ISOCAST_TREE_H
#define ISOCAST_TREE_H

#include "model/base/source_read.h"

enum {
    ISOCAST_TREE_DEPTH_MAX = 64, /* nested collections */
    ISOCAST_TREE_NODES_MAX = 200000,
    ISOCAST_TREE_ENTRIES_MAX = 10000 /* keys of one mapping */
};

typedef enum isocast_tree_kind {
    ISOCAST_TREE_SCALAR,
    ISOCAST_TREE_SEQUENCE,
    ISOCAST_TREE_MAPPING
} isocast_tree_kind;

typedef struct isocast_tree_node isocast_tree_node;
typedef struct isocast_tree_entry isocast_tree_entry;

struct isocast_tree_node {
    isocast_tree_kind kind;
    isocast_span span; /* the whole node; for a scalar, its text without quotes */
    bool verbatim;     /* scalar: text equals the source's bytes at span, so places in it map */
    char *text;        /* scalar: NUL-terminated; else NULL */
    size_t count;      /* children of a sequence, entries of a mapping; 0 for a scalar */
    isocast_tree_node *items;    /* [count] for a sequence, else NULL */
    isocast_tree_entry *entries; /* [count] for a mapping, else NULL, in file order */
};

struct isocast_tree_entry {
    isocast_tree_node key; /* always a scalar */
    isocast_tree_node value;
};

typedef struct isocast_tree {
    isocast_source *source;
    isocast_tree_node root;
} isocast_tree;

/* Parses a source, which the tree takes over in every case. Errors, each with diagnostics:
 * INVALID, NO_MEMORY. */
isocast_status isocast_tree_parse(isocast_source *source, isocast_diagnostics *diagnostics,
                                  isocast_tree **out);
void isocast_tree_free(isocast_tree *tree);

/* The entry of a mapping under a key, NULL where there is none or the node is no mapping. */
const isocast_tree_entry *isocast_tree_find(const isocast_tree_node *mapping, const char *key);

/* What a node is, for messages: "a number or text", "a list", "a mapping". */
const char *isocast_tree_kind_name(isocast_tree_kind kind);

#endif
