/* What a row of a prediction says: its columns, declared once. */
#ifndef ISOCAST_PREDICTION_FIELDS_H
#define ISOCAST_PREDICTION_FIELDS_H

#include "model/base/field.h"
#include "prediction_result.h"

/* Bits of columns: what relates a row to others. The base has none of these. */
enum { ISOCAST_FIELDS_OF_ROWS = 1, ISOCAST_FIELDS_OF_BILLS = 2 };

/* Columns of a row of a prediction that other results have, too: what goes behind is where they are
 * shown, and what else is to be said of them there. */
#define ISOCAST_POINT(name, kind, member, unit, ...)                                               \
    ISOCAST_FIELD(name, kind, isocast_prediction_row, member, unit, __VA_ARGS__)
#define ISOCAST_POINT_E_LOW(...)                                                                   \
    ISOCAST_POINT("E_low", NUMBER, E_low, NULL,                                                    \
                  "lower end of the interval of E in a run at N, likewise", __VA_ARGS__)
#define ISOCAST_POINT_E_HIGH(...)                                                                  \
    ISOCAST_POINT("E_high", NUMBER, E_high, NULL, "upper end of that interval", __VA_ARGS__)
#define ISOCAST_POINT_MEMORY(...)                                                                  \
    ISOCAST_POINT("memory", NUMBER, memory, "B",                                                   \
                  "memory that one process needs; null where the algorithm does not say",          \
                  __VA_ARGS__)
#define ISOCAST_POINT_MEMORY_LIMIT(...)                                                            \
    ISOCAST_POINT("memory_limit", NUMBER, memory_limit, "B",                                       \
                  "memory that the system has for one process; null where the machine does not "   \
                  "say",                                                                           \
                  __VA_ARGS__)
#define ISOCAST_POINT_CONCURRENCY(...)                                                             \
    ISOCAST_POINT("concurrency", NUMBER, concurrency, NULL,                                        \
                  "processes that can work at N; null where the algorithm does not say",           \
                  __VA_ARGS__)
#define ISOCAST_POINT_NODES(...)                                                                   \
    ISOCAST_POINT("nodes", COUNT, nodes, NULL,                                                     \
                  "that the system uses; where the machine file says anything of price or power",  \
                  .known = true, __VA_ARGS__)
#define ISOCAST_POINT_PRICE(...)                                                                   \
    ISOCAST_POINT("price", NUMBER, price, "EUR or USD",                                            \
                  "of these nodes with what they need besides, in the currency", __VA_ARGS__)
#define ISOCAST_POINT_POWER(...)                                                                   \
    ISOCAST_POINT("power", NUMBER, power, "W", "of these nodes with what they need besides",       \
                  __VA_ARGS__)
#define ISOCAST_POINT_ENERGY(...)                                                                  \
    ISOCAST_POINT("energy", NUMBER, energy, "J", "of a run, power T", __VA_ARGS__)
#define ISOCAST_POINT_COST(name, ...)                                                              \
    ISOCAST_POINT(name, NUMBER, cost, "EUR or USD",                                                \
                  "of a run: T by the price over the seconds of use in the lifetime, running "     \
                  "cost and energy, in the currency",                                              \
                  __VA_ARGS__)
#define ISOCAST_CURRENCY(of, ...)                                                                  \
    ISOCAST_MADE("currency", TEXT, .text = of, NULL,                                               \
                 "EUR or USD: the one of all amounts of the machine file; null where it has none " \
                 "but 0",                                                                          \
                 __VA_ARGS__)

/* The whole is an isocast_prediction, a row an isocast_prediction_row. */
extern const isocast_table isocast_prediction_rows, isocast_prediction_base,
    isocast_prediction_brief;

/* The rows; and the base, where there is one. */
isocast_item isocast_prediction_row_item, isocast_prediction_base_item;

/* The words of statuses, ending in NULL; those of metrics, likewise. */
extern const char *const isocast_row_status_words[];

#endif
