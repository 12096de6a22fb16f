/* The tables of a picture, declared: which members of which objects of a result a script reads, and
 * under which names. One reader carries them out. Draws nothing, knows no result. */
#ifndef CLI_PLOT_TABLE_H
#define CLI_PLOT_TABLE_H

#include <jansson.h>

#include "plot_data.h"

/* Members of an object: NAN and "" where there is none of the kind. */
double plot_number_of(const json_t *object, const char *key);
const char *plot_text_of(const json_t *object, const char *key);
bool plot_flag_of(const json_t *object, const char *key);

/* An element of an array of numbers; NAN where there is none. */
double plot_element_of(const json_t *object, const char *key, size_t index);

/* Sets a member that no result has, for a table to read; NAN becomes null. */
void plot_set(json_t *object, const char *key, double value);

typedef struct plot_table {
    plot_block block;
    /* Where its objects are: paths from the result on, parted by blanks, each to a list or to one
     * object. "fronts_of_offers.points" are the points of every front. */
    const char *rows;
    /* The member that names the group of a row: only rows of groups that are drawn are there, in
     * the order of these, as lines join what follows each other, and the group is the column
     * "group". NULL: there are no groups. */
    const char *group;
    /* The columns behind that, parted by blanks: NAME, or NAME=MEMBER where objects call it
     * otherwise; the member # is the number of the object in its list, from 1. What an object lacks
     * is that of the object that has its list. NAME|COLUMN and NAME=MEMBER|COLUMN are a column
     * before it where they are not known. Where a column is a list of numbers, the object
     * is so many rows. A number that a logarithmic axis cannot hold is not known. A row
     * without the first column is left out. Behind a name may stand
     *   0  it may be 0: it stands on a plain axis
     *   ~  columns NAME_low and NAME_high follow, the ends of its interval: known where all three
     * are !  a row without it is left out, too. */
    const char *columns;
    /* Rows without this column, or whose status is no solution, are marked; NULL: none is. */
    const char *solved;
    bool beside; /* the first column is not what the horizontal axis of the picture is made for */
} plot_table;

/* Fills tables, shape [count], from a result, and notes the quantities that their columns are
 * (plot_data.h). The groups were chosen before. */
void plot_put(plot_data *data, const plot_table *tables, size_t count, const json_t *result);

/* Notes the groups that objects of a list name, and chooses those that are drawn. Members "p" and
 * "oversubscribed" are part of the label where the group is a "system". */
void plot_choose(plot_data *data, const json_t *list, const char *group);

/* Names places 1, 2 and on of the horizontal axis by a member of objects from the `first` on, as
 * many as there is room for. */
void plot_name_places(plot_data *data, const json_t *list, size_t first, const char *key,
                      size_t most);

#endif
