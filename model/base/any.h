/* Whether something holds for any, or for all, of a list: functions of one file, defined in a line.
 * `parameters` are theirs, in parentheses; `holds` is what is asked of the i-th of `count`. */
#ifndef ISOCAST_ANY_H
#define ISOCAST_ANY_H

#include <stdbool.h>
#include <stddef.h>

#define ISOCAST_ANY(name, parameters, count, holds)                                                \
    static bool name parameters {                                                                  \
        size_t i = 0;                                                                              \
        while (i < (count) && !(holds)) {                                                          \
            i++;                                                                                   \
        }                                                                                          \
        return i < (count);                                                                        \
    }
#define ISOCAST_ALL(name, parameters, count, holds)                                                \
    static bool name parameters {                                                                  \
        size_t i = 0;                                                                              \
        while (i < (count) && (holds)) {                                                           \
            i++;                                                                                   \
        }                                                                                          \
        return i == (count);                                                                       \
    }

#endif
