/* The shape of a network as a text: lists of whole numbers, as SimGrid's topo_parameters. Knows no
 * topology. */
#ifndef ISOCAST_PLATFORM_SHAPE_H
#define ISOCAST_PLATFORM_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

/* The longest shapes have four lists (fat-tree, dragonfly). */
enum { ISOCAST_SHAPE_LISTS = 4, ISOCAST_SHAPE_LENGTH = 16 };

/* SimGrid keeps the numbers as int. */
extern const double isocast_shape_number_most;

/* Lists parted by semicolons, of whole numbers from 1 on separated by commas. */
typedef struct isocast_shape {
    double numbers[ISOCAST_SHAPE_LISTS][ISOCAST_SHAPE_LENGTH]; /* [lists][lengths[list]] */
    size_t lengths[ISOCAST_SHAPE_LISTS];
    size_t lists;
} isocast_shape;

/* False where the text is no shape of any topology. */
bool isocast_shape_parse(const char *text, isocast_shape *out);

#endif
