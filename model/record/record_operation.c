#include "record_operation.h"

#include <string.h>

#define AS_ROW(name, text, class, operation) {text, ISOCAST_RECORD_##class, operation},
static const isocast_record_operation_row rows[ISOCAST_RECORD_OPERATION_COUNT] = {
    ISOCAST_RECORD_OPERATIONS(AS_ROW)};
#undef AS_ROW

const isocast_record_operation_row *isocast_record_operation_find(size_t number) {
    return &rows[number];
}

bool isocast_record_is_between_two(isocast_record_operation operation) {
    isocast_record_class kind = rows[operation].kind;
    return kind == ISOCAST_RECORD_SEND || kind == ISOCAST_RECORD_RECEIVE ||
           kind == ISOCAST_RECORD_EXCHANGE;
}

bool isocast_record_is_of_all(isocast_record_operation operation) {
    isocast_record_class kind = rows[operation].kind;
    return kind == ISOCAST_RECORD_COLLECTIVE || kind == ISOCAST_RECORD_CREATION;
}

bool isocast_record_is_to_neighbours(isocast_record_operation operation) {
    return rows[operation].kind == ISOCAST_RECORD_NEIGHBOUR;
}

size_t isocast_record_operation_named(const char *name) {
    size_t i = 0;
    while (i < ISOCAST_RECORD_OPERATION_COUNT && strcmp(rows[i].name, name) != 0) {
        i++;
    }
    return i;
}
