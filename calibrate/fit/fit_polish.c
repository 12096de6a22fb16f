#include "fit_polish.h"

#include <math.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"

/* Median polish (J. W. Tukey, Exploratory Data Analysis, 1977, ch. 11): ln of a time is that of its
 * size and what its launch adds, both medians of what the other leaves. */
enum { SIZES_LEAST = 3, ROUNDS = 10 };

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
                                      log(median_of(t->scratch, end - begin))};
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
    t->sizes[item] = median_of(t->scratch, found);
}

static void set_launches(table *t, size_t launch) {
    size_t found = 0;
    for (size_t k = 0; k < t->count; k++) {
        if (t->cells[k].launch == launch) {
            t->scratch[found++] = t->cells[k].value - t->sizes[t->cells[k].item];
        }
    }
    t->launches[launch] = median_of(t->scratch, found);
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

static void polish(table *t, double *seconds, size_t item_count) {
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < item_count; i++) {
            set_sizes(t, i);
        }
        for (size_t i = 0; i < t->launch_count; i++) {
            set_launches(t, i);
        }
    }
    for (size_t i = 0; i < t->launch_count; i++) {
        t->scratch[i] = exp(t->launches[i]);
    }
    double level = interquartile_mean(t->scratch, t->launch_count);
    for (size_t i = 0; i < item_count; i++) {
        seconds[i] = time_of(t, i, level);
    }
}

bool fit_polish(const sample *rows, size_t count, double *seconds, size_t size_count) {
    bool positive = true;
    for (size_t k = 0; k < count; k++) {
        positive = positive && rows[k].seconds > 0;
    }
    if (size_count < SIZES_LEAST || !positive) {
        return true;
    }
    double *memory = malloc((3 * count + size_count + 1) * sizeof *memory);
    table t = {.cells = malloc((count + 1) * sizeof *t.cells),
               .numbers = memory,
               .launches = memory != NULL ? memory + count : NULL,
               .scratch = memory != NULL ? memory + 2 * count : NULL,
               .sizes = memory != NULL ? memory + 3 * count : NULL};
    bool complete = t.cells != NULL && memory != NULL;
    if (complete) {
        fill(&t, rows, count);
        if (t.launch_count > 1) {
            polish(&t, seconds, size_count);
        }
    }
    free(t.cells);
    free(memory);
    return complete;
}
