/* What a row of a prediction says: its columns, declared once. */
#ifndef ISOCAST_PREDICTION_FIELDS_H
#define ISOCAST_PREDICTION_FIELDS_H

#include "model/base/field.h"
#include "prediction_result.h"

/* Bits of columns: what relates a row to others. The base has none of these. */
enum { ISOCAST_FIELDS_OF_ROWS = 1, ISOCAST_FIELDS_OF_BILLS = 2 };

/* The whole is an isocast_prediction, a row an isocast_prediction_row. */
extern const isocast_table isocast_prediction_rows, isocast_prediction_base,
    isocast_prediction_brief;

/* The rows; and the base, where there is one. */
isocast_item isocast_prediction_row_item, isocast_prediction_base_item;

/* The words of statuses, ending in NULL; those of metrics, likewise. */
extern const char *const isocast_row_status_words[];

#endif
