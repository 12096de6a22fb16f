/* Which marked speed a program is computed with: a machine file may give one for each program, as
 * what a processor sustains differs from program to program [CSW 4.3]. Reads no file
 * (machine_speeds.h). */
#ifndef ISOCAST_MARKED_SPEED_H
#define ISOCAST_MARKED_SPEED_H

#include "machine.h"
#include "model/base/buffer.h"

/* The key of what holds for programs that have no marked speed of their own. */
#define ISOCAST_MARKED_SPEED_DEFAULT_KEY "default"

/* Where the marked speed of a program comes from. */
typedef enum isocast_marked_speed_origin {
    ISOCAST_MARKED_SPEED_OF_ALL,     /* the machine has one for all programs */
    ISOCAST_MARKED_SPEED_OF_PROGRAM, /* the program has its own */
    ISOCAST_MARKED_SPEED_DEFAULT,    /* it has none; the file gives a default */
    ISOCAST_MARKED_SPEED_MEAN        /* it has none; the mean of those of the others */
} isocast_marked_speed_origin;

/* flop/s of one processor of a class in a program, which is what an algorithm calls its `kernel`;
 * NULL where it names none. */
double isocast_marked_speed_of(const isocast_node_class *class, const char *program);

/* Its standard error in flop/s; NAN where the file does not say. */
double isocast_marked_speed_error(const isocast_node_class *class, const char *program);

/* Where it comes from, in all classes. A machine without a class has one for all. */
isocast_marked_speed_origin isocast_marked_speed_origin_of(const isocast_machine *machine,
                                                           const char *program);

/* What it was measured with; NULL where the file does not say, or the speed is no sustained one. It
 * belongs to the machine. */
const char *isocast_marked_speed_benchmark(const isocast_machine *machine, const char *program);

/* Appends the names of the programs that have their own: "ge, mm and fft". */
void isocast_marked_speed_programs(const isocast_machine *machine, isocast_buffer *out);

#endif
