/* How steps are made of records. Private to the files of steps. */
#ifndef ISOCAST_DERIVE_STEPS_MAKER_H
#define ISOCAST_DERIVE_STEPS_MAKER_H

#include "call_form.h"
#include "fit.h"
#include "step.h"

typedef struct derive_maker {
    const isocast_derived *d;
    isocast_pool *pool;
    derive_flow *flow;
    const derive_grid *grid;
    isocast_law_point largest;
    isocast_growth_bounds bounds; /* of computing */
    derive_partners **partners;   /* [place_count]; NULL: not found yet */
    const char *names[ISOCAST_DERIVE_SIZES_MAX];
    double *values; /* [record_count] */
    bool *known;    /* [record_count] */
    bool *mask;     /* [slot_count] */
    /* [slot_count], of who looks at one step or one piece of work. */
    double *times, *over, *calm;
    double *sums; /* [slot_count][2] */
    size_t repeats;
    size_t of; /* the place that laws are looked for; SIZE_MAX: none */
    derive_program *program;
    isocast_status status;
} derive_maker;

/* The loop that steps are in. */
typedef struct derive_context {
    const double *turns;   /* [slot_count], of all together; NULL: one */
    const double *entries; /* [slot_count], how often it is begun; NULL: once */
    char counter[24];
    const char *last; /* how many turns it has, a formula */
    size_t depth;
} derive_context;

/* ---- how often, and by whom (steps_maker.c) ---- */

/* Turns of the loop around, on a process, and how often it is begun; 1 where there is none. */
double isocast_derive_turns_of(const derive_context *c, size_t slot);
double isocast_derive_entries_of(const derive_context *c, size_t slot);

/* The slots where something is done, which the next functions look at. */
void isocast_derive_maker_mask(derive_maker *m, const double *times);

/* Sets m->values to the largest of times/over at each record, of the slots of the mask. */
void isocast_derive_maker_observe(derive_maker *m, const double *times, const double *over);

/* In which turns of its loop a step is done, so many times in all; or how often in each turn, as
 * the head of a loop. NULL: once in each. */
void isocast_derive_find_turns(derive_maker *m, const derive_context *c, const double *times,
                               char **turns, char **repeat);

/* One condition, or two of them, that hold just where something is done; NULL: everywhere, or none
 * is known. */
char *isocast_derive_find_when(derive_maker *m, const derive_context *c, const double *times,
                               bool *known);

/* The list for a step that is done so many times, and its conditions. place: for messages. */
derive_steps *isocast_derive_maker_enter(derive_maker *m, const derive_context *c,
                                         const double *times, derive_steps *steps, size_t place,
                                         char **when, char **turns);

/* ---- laws and texts ---- */

/* Of m->values where m->known: the exact law, else the nearest one; of those of a side. */
isocast_law isocast_derive_maker_fit(derive_maker *m);
char *isocast_derive_maker_law(derive_maker *m, const isocast_law *law, const char *unit,
                               bool factor);
char *isocast_derive_maker_count(derive_maker *m, bool factor);

__attribute__((format(printf, 2, 3))) char *isocast_derive_maker_text(derive_maker *m,
                                                                      const char *format, ...);
/* The text of a buffer, which ends; NULL where memory is short. */
char *isocast_derive_maker_take(derive_maker *m, isocast_buffer *buffer);

/* Notes what is not known of a place. */
void isocast_derive_maker_doubt(derive_maker *m, size_t place, derive_doubt_kind kind,
                                const char *what);

/* The same where T may be as much longer as a formula says, which is the program's then. */
void isocast_derive_maker_doubt_time(derive_maker *m, size_t place, derive_doubt_kind kind,
                                     const char *what, char *time);

/* Who the messages of a place are between; NULL where memory is short, or was before. */
const derive_partners *isocast_derive_maker_partners(derive_maker *m, size_t place);

/* The law of the message of a place, in the mean. */
isocast_law isocast_derive_maker_bytes(derive_maker *m, size_t place);

/* The law of how often the process calls that calls a place most. */
isocast_law isocast_derive_maker_calls(derive_maker *m, size_t place);

/* NULL where memory is short, or was before. */
derive_step *isocast_derive_maker_add(derive_maker *m, derive_steps *steps, derive_step_kind kind);

/* ---- computing (steps_work.c) ---- */

void isocast_derive_work_add(derive_maker *m, const derive_context *c, derive_stretch *one,
                             derive_steps *steps);

/* The computing that comes before an item of a list; at its end what leads back to its begin, a
 * place or SIZE_MAX. */
void isocast_derive_works_add(derive_maker *m, const derive_context *c, const derive_items *list,
                              size_t at, size_t header, derive_steps *steps);

/* ---- calls and messages (steps_calls.c) ---- */

void isocast_derive_call_add(derive_maker *m, const derive_context *c, const derive_item *item,
                             const char *word, derive_steps *steps);

/* Bytes of rows, of those that go a way, or all: of the process with most of them, their mean. */
char *isocast_derive_bytes_text(derive_maker *m, const derive_rows *rows, const derive_way *way,
                                bool received);

/* Whether a process waits there, perhaps by asking again and again. */
bool isocast_derive_waits_at(const derive_maker *m, size_t place);

/* Calls of each slot one of the ways; those of several ways at one partner are divided. */
void isocast_derive_count_way(const derive_maker *m, const derive_rows *rows,
                              const derive_cover *cover, size_t which, double *times);

void isocast_derive_messages_add(derive_maker *m, const derive_context *c, const derive_item *item,
                                 derive_steps *steps);

#endif
