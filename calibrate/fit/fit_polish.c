#include "fit_polish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"

/* Median polish (J. W. Tukey, Exploratory Data Analysis, 1977, ch. 11): ln of a time is that of its
 * size and what its launch adds, both medians of what the other leaves. */
enum { SIZES_MIN = 3, ROUNDS = 10 };

/* One size in one launch. */
typedef struct cell {
    size_t item;
    size_t launch; /* index */
    double value;  /* ln of the median */
} cell;

typedef struct table {
    cell *cells; /* [count] */
    size_t count;
    double *numbers; /* [launch_count], of the launches in the samples */
    size_t launch_count;
    double *sizes;    /* [item_count], ln of their times */
    double *launches; /* [launch_count], what they add */
    double *scratch;
} table;

static size_t launch_index(table *t, double number) {
    size_t i = 0;
    while (i < t->launch_count && t->numbers[i] != number) {
        i++;
    }
    if (i == t->launch_count) {
        t->numbers[t->launch_count] = number;
        t->launches[t->launch_count++] = 0;
    }
    return i;
}

static void fill(table *t, const sample *rows, size_t count) {
    size_t item = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && rows[end].m == rows[begin].m &&
               rows[end].launch == rows[begin].launch) {
            t->scratch[end - begin] = rows[end].seconds;
            end++;
        }
        item += begin > 0 && rows[begin].m != rows[begin - 1].m;
        t->cells[t->count++] = (cell){item, launch_index(t, rows[begin].launch),
                                      log(isocast_median(t->scratch, end - begin))};
        begin = end;
    }
}

/* What the sizes, or the launches, are where the others are as they are. */
static void set_sizes(table *t, size_t item) {
    size_t found = 0;
    for (size_t k = 0; k < t->count; k++) {
        if (t->cells[k].item == item) {
            t->scratch[found++] = t->cells[k].value - t->launches[t->cells[k].launch];
        }
    }
    t->sizes[item] = isocast_median(t->scratch, found);
}

static void set_launches(table *t, size_t launch) {
    size_t found = 0;
    for (size_t k = 0; k < t->count; k++) {
        if (t->cells[k].launch == launch) {
            t->scratch[found++] = t->cells[k].value - t->sizes[t->cells[k].item];
        }
    }
    t->launches[launch] = isocast_median(t->scratch, found);
}

static double time_of(const table *t, size_t item, double level) {
    size_t found = 0;
    for (size_t k = 0; k < t->count; k++) {
        if (t->cells[k].item == item) {
            t->scratch[found++] = exp(t->cells[k].value - t->launches[t->cells[k].launch]);
        }
    }
    return level * interquartile_mean(t->scratch, found);
}

static void polish(table *t, size_t item_count) {
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < item_count; i++) {
            set_sizes(t, i);
        }
        for (size_t i = 0; i < t->launch_count; i++) {
            set_launches(t, i);
        }
    }
}

/* What the launches of the steady stretch add, in the middle, as a factor. */
static double level_of(const table *t, const fit_pace *pace) {
    size_t found = 0;
    for (size_t i = 0; i < t->launch_count; i++) {
        if (fit_pace_holds(pace, (unsigned)t->numbers[i])) {
            t->scratch[found++] = exp(t->launches[i]);
        }
    }
    for (size_t i = 0; found == 0 && i < t->launch_count; i++) {
        t->scratch[i] = exp(t->launches[i]);
    }
    return interquartile_mean(t->scratch, found > 0 ? found : t->launch_count);
}

/* A polished table; its launch_count is 0 where there is nothing to polish. False where memory is
 * short. */
static bool make_table(const sample *rows, size_t count, size_t item_count, table *t) {
    bool positive = true;
    *t = (table){0};
    for (size_t k = 0; k < count; k++) {
        positive = positive && rows[k].seconds > 0;
    }
    if (item_count < SIZES_MIN || !positive) {
        return true;
    }
    double *memory = malloc((3 * count + item_count + 1) * sizeof *memory);
    t->cells = malloc((count + 1) * sizeof *t->cells);
    if (memory == NULL || t->cells == NULL) {
        free(memory);
        free(t->cells);
        *t = (table){0};
        return false;
    }
    t->numbers = memory;
    t->launches = memory + count;
    t->scratch = memory + 2 * count;
    t->sizes = memory + 3 * count;
    fill(t, rows, count);
    if (t->launch_count > 1) {
        polish(t, item_count);
    } else {
        t->launch_count = 0;
    }
    return true;
}

static void free_table(table *t) {
    free(t->cells);
    free(t->numbers);
}

bool fit_polish_launches(const sample *rows, size_t count, size_t item_count, fit_pace *pace) {
    table t;
    bool complete = make_table(rows, count, item_count, &t);
    if (complete && t.launch_count > 0) {
        memcpy(t.scratch, t.launches, t.launch_count * sizeof *t.scratch);
        double middle = isocast_median(t.scratch, t.launch_count);
        for (size_t i = 0; complete && i < t.launch_count; i++) {
            complete = fit_pace_add(pace, (unsigned)t.numbers[i], t.launches[i] - middle);
        }
    }
    free_table(&t);
    return complete;
}

bool fit_polish(const sample *rows, size_t count, const fit_pace *pace, double *seconds,
                size_t size_count) {
    table t;
    if (!make_table(rows, count, size_count, &t)) {
        return false;
    }
    double level = t.launch_count > 0 ? level_of(&t, pace) : 1;
    for (size_t i = 0; t.launch_count > 0 && i < size_count; i++) {
        seconds[i] = time_of(&t, i, level);
    }
    free_table(&t);
    return true;
}
