/* The tables of a picture, declared: which members of which objects of a result a script reads, and
 * under which names. One reader carries them out. Draws nothing, knows no result. */
#ifndef CLI_PLOT_TABLE_H
#define CLI_PLOT_TABLE_H

#include <jansson.h>
#include <stdbool.h>

#include "model/base/buffer.h"
#include "model/base/text_index.h"

/* What a plot script of plots/ reads: numbers as CSV, and texts as the bytes that they are made of.
 * No text of a user becomes a part of a command of gnuplot. Draws nothing, reads no file. */

/* Lines that can be distinguished in one picture; characters of a label, of a line of the legend,
 * and of the title; quantities, and bytes of the name of a variable. */
enum {
    PLOT_GROUPS_MAX = 10,
    PLOT_LABEL_MAX = 28,
    PLOT_LEGEND_MAX = 44,
    PLOT_TITLE_MAX = 100,
    PLOT_QUANTITIES_MAX = 24,
    PLOT_NAME_MAX = 32
};

/* Files of a script: CSV with a header, numbers only. Any may be empty. */
typedef enum plot_block {
    PLOT_POINTS,
    PLOT_CURVES,
    PLOT_ROUTES,
    PLOT_MORE,
    PLOT_MARKS, /* rows that have no solution */
    PLOT_BLOCKS
} plot_block;

/* What all rows have of a quantity: variables NAME_count, NAME_least, NAME_most, NAME_first and
 * NAME_last, NaN where it is not known. */
typedef struct plot_quantity {
    char name[PLOT_NAME_MAX];
    double count, least, most, first, last;
} plot_quantity;

/* Start from {0}. Memory that runs short is noted (model/base/refused.h). */
typedef struct plot_data {
    const char *script;   /* of plots/ */
    const char *beside;   /* of plots/, which draws the first picture of several; NULL: none */
    isocast_buffer texts; /* CSV: number of the text from 1, byte */
    size_t text_count;
    size_t size_text;         /* number of the text that is the name of the size; 0: it is N */
    isocast_buffer variables; /* gnuplot: a name of this program, a number */
    isocast_buffer blocks[PLOT_BLOCKS];
    plot_quantity quantities[PLOT_QUANTITIES_MAX];
    size_t quantity_count;
    isocast_text_index groups;   /* names of what gets a line of its own */
    isocast_buffer labels;       /* of the groups, each with a NUL behind it */
    isocast_text_index statuses; /* words of the marks */
    double x_low, x_high;        /* of the horizontal axis; 0: nothing was put there yet */
    size_t ticks;                /* names of places on that axis */
} plot_data;

/* Adds a text, cleaned and cut to so many characters; gives its number. */
size_t plot_text_add(plot_data *data, const char *text, size_t characters);

/* The same of a buffer, which it frees. */
size_t plot_text_take(plot_data *data, isocast_buffer *text, size_t characters);

/* The same of a text for a tick, which gnuplot takes for a format. */
size_t plot_tick_text_add(plot_data *data, const char *text, size_t characters);

/* The title comes first: it is text 1. */
void plot_title(plot_data *data, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of a buffer, which it frees. */
void plot_title_take(plot_data *data, isocast_buffer *title);
void plot_variable(plot_data *data, const char *name, double value);

/* Notes a value of a quantity; NAN: that there is such a quantity. Gives what is known of it. */
const plot_quantity *plot_know(plot_data *data, const char *name, double value);

/* One of several that are alike: "held_1". */
void plot_variable_of(plot_data *data, const char *name, size_t number, double value);

/* Appends a row of numbers; NAN becomes gnuplot's. */
void plot_row(isocast_buffer *out, const double *values, size_t count);

/* The value where it can stand on a logarithmic axis, else NAN. */
double plot_positive(double value);

/* A file's name without its folders: titles have little room. */
const char *plot_file_name(const char *path);

/* Makes room for x on the horizontal axis. */
void plot_widen(plot_data *data, double x);

/* Notes a group under its name, with the label that the legend gives it. */
void plot_group_note(plot_data *data, const char *name, const char *label);

/* After all groups are noted and the title is there: adds the labels of those that are drawn, which
 * are spread evenly where there are too many, as texts 2 and on. */
void plot_groups_choose(plot_data *data);

/* How many these are. */
size_t plot_groups_drawn(const plot_data *data);

/* The number of a group among those that are drawn, from 1; 0 where it is not drawn. */
size_t plot_group_drawn(plot_data *data, const char *name);

/* Gives the lines of costs, shape [count], the colours that these names have in every picture:
 * computation has one of its own, and so have idling and all that has no name here ("others"). */
#define PLOT_IDLE "idle or excess computation"
void plot_colours(plot_data *data, const char *const *names, size_t count);

/* The same for the groups that are drawn. */
void plot_group_colours(plot_data *data);

/* Adds such a label as a text; gives its number. */
size_t plot_system_add(plot_data *data, const char *system, double p);

/* Whether a row of this status has a solution. */
bool plot_is_solved(const char *status);

/* Marks a row at x, of a line among several, that has no solution, with its status; or a solution
 * that no axis can hold. */
void plot_mark(plot_data *data, double x, const char *status, size_t group);

/* Adds the words of the marks and what the scripts need of the axes. */
void plot_finish(plot_data *data);
void plot_data_free(plot_data *data);

/* Members of an object: NAN and "" where there is none of the kind. */
double plot_number_of(const json_t *object, const char *key);
double plot_positive_of(const json_t *object, const char *key); /* and plot_positive() of it */
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

/* A table; behind its columns what else is to be said of it. */
#define PLOT_TABLE(its_block, its_rows, its_group, ...)                                            \
    { .block = PLOT_##its_block, .rows = (its_rows), .group = (its_group), .columns = __VA_ARGS__ }

/* Fills tables, shape [count], from a result, and notes the quantities that their columns are
 * (above). The groups were chosen before. */
void plot_put(plot_data *data, const plot_table *tables, size_t count, const json_t *result);

/* Notes the groups that objects of a list name, and chooses those that are drawn. Members "p" and
 * "oversubscribed" are part of the label where the group is a "system". */
void plot_choose(plot_data *data, const json_t *list, const char *group);

/* Names places 1, 2 and on of the horizontal axis by a member of objects from the `first` on, as
 * many as there is room for. */
void plot_name_places(plot_data *data, const json_t *list, size_t first, const char *key,
                      size_t most);

#endif
