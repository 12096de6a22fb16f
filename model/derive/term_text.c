#include "term_text.h"

#include <string.h>

#include "call_text.h"
#include "derived_words.h"

static void put_plain_name(const isocast_derived *d, size_t index, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[d->terms[index].sites[0]];
    const isocast_record_site *place = site->key.site;
    if (place->function[0] != '\0') {
        isocast_put_name(place->function, out);
        isocast_buffer_puts(out, "-");
    }
    const char *call = isocast_call_name(site);
    isocast_put_name(strncmp(call, "MPI_", 4) == 0 ? call + 4 : call, out);
    if (place->line > 0) {
        isocast_buffer_printf(out, "-%zu", place->line);
    } else {
        isocast_buffer_printf(out, "-at-%.0f", place->offset);
    }
}

void isocast_put_term_name(const isocast_derived *d, size_t index, isocast_buffer *out) {
    isocast_buffer own = {0};
    isocast_buffer other = {0};
    put_plain_name(d, index, &own);
    bool again = false;
    for (size_t t = 0; t < index && !own.failed && !other.failed && !again; t++) {
        other.length = 0;
        put_plain_name(d, t, &other);
        again = !other.failed && strcmp(own.text, other.text) == 0;
    }
    out->failed = out->failed || own.failed || other.failed;
    isocast_buffer_append(out, own.text != NULL ? own.text : "", own.length);
    if (again) {
        isocast_buffer_printf(out, "--%zu", index + 1);
    }
    isocast_buffer_free(&own);
    isocast_buffer_free(&other);
}

/* Whether one process has no one to send to. Rounds have messages only where there are calls, so
 * that the condition on several processes stands once, before both. */
isocast_law_guard isocast_term_guard(const isocast_derived *d, const isocast_derived_term *term) {
    isocast_record_operation operation = d->sites[term->sites[0]].key.operation;
    isocast_law_guard rounds = term->rounds.guard;
    bool several = isocast_derived_term_has_rounds(term) &&
                   (rounds == ISOCAST_GUARD_PROCESSES || rounds == ISOCAST_GUARD_COLUMNS);
    bool of_all =
        isocast_record_is_of_all(operation) || operation == ISOCAST_RECORD_OPERATION_Win_fence;
    return term->calls.guard != ISOCAST_GUARD_NONE ? term->calls.guard
           : several                               ? rounds
           : of_all                                ? ISOCAST_GUARD_PROCESSES
                                                   : ISOCAST_GUARD_NONE;
}

bool isocast_term_is_empty(const isocast_derived *d, const isocast_derived_term *term) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    return site->size.known && site->size.term_count == 0 && !site->several;
}

/* "if(p > 1, 40, 0)", how many rounds there are. guard: in which all of it stands. */
static void put_round_count(const isocast_law *rounds, isocast_law_guard guard,
                            const char *const *names, isocast_buffer *out) {
    bool guarded = rounds->guard != ISOCAST_GUARD_NONE && rounds->guard != guard;
    if (guarded) {
        isocast_buffer_puts(out, "if(");
        isocast_guard_write(rounds->guard, out);
        isocast_buffer_puts(out, ", ");
    }
    /* A difference that is exact in the records may be below 0 at other p. */
    bool differs = false;
    for (size_t i = 0; i < rounds->term_count; i++) {
        differs = differs || rounds->numerators[i] < 0;
    }
    isocast_buffer_puts(out, differs ? "max(0, " : "");
    isocast_law_write(rounds, names, "", !guarded && !differs, out);
    isocast_buffer_puts(out, differs ? ")" : "");
    isocast_buffer_puts(out, guarded ? ", 0)" : "");
}

/* Takes the number and the sizes that both counts have out of them: "10*N" of 10*N*min(2, p - 1)
 * and 10*N. common: 1, where they have no such part. */
static void take_common(isocast_law *calls, isocast_law *rounds, isocast_law *common) {
    *common = *calls;
    common->guard = ISOCAST_GUARD_NONE;
    common->term_count = 1;
    common->terms[0].process = 0;
    bool same = calls->term_count == 1 && rounds->term_count == 1 &&
                calls->numerators[0] == rounds->numerators[0] &&
                calls->denominators[0] == rounds->denominators[0] && calls->numerators[0] > 0;
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        const isocast_monomial *a = &calls->terms[0];
        const isocast_monomial *b = &rounds->terms[0];
        same = same && a->factors[i] == b->factors[i] &&
               (a->factors[i] == 0 || a->sizes[i] == b->sizes[i]);
    }
    if (!same) {
        common->terms[0] = (isocast_monomial){0};
        common->numerators[0] = common->denominators[0] = 1;
        return;
    }
    isocast_law *both[] = {calls, rounds};
    for (size_t i = 0; i < 2; i++) {
        both[i]->terms[0] = (isocast_monomial){.process = both[i]->terms[0].process};
        both[i]->numerators[0] = both[i]->denominators[0] = 1;
    }
}

void isocast_put_further(const isocast_derived *d, const isocast_derived_term *term,
                         isocast_law_guard guard, const char *const *names, isocast_buffer *out) {
    if (term->rounds.term_count > 0) {
        isocast_law calls = term->calls;
        isocast_law rounds = term->rounds;
        isocast_law common;
        take_common(&calls, &rounds, &common);
        isocast_put_times(&common, names, out);
        isocast_buffer_puts(out, "max(0, ");
        isocast_law_write(&calls, names, "", false, out);
        isocast_buffer_puts(out, " - ");
        put_round_count(&rounds, guard, names, out);
        isocast_buffer_puts(out, ")*");
    } else {
        isocast_put_times(&term->calls, names, out);
    }
    isocast_buffer_puts(out, "max(0 s, ");
    isocast_put_call(d, term, names, out);
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    isocast_buffer_printf(out, " - %s(0 B",
                          isocast_derive_call_form_find(site->key.operation)->name);
    isocast_put_side(site, out);
    isocast_buffer_puts(out, "))");
}

/* What is under way together is on the way once: the first receive of a round takes its time, each
 * other one that of its bytes. guard: in which all of it stands. */
static void put_rounds(const isocast_derived *d, const isocast_derived_term *term,
                       isocast_law_guard guard, const char *const *names, isocast_buffer *out) {
    bool any = term->rounds.term_count > 0;
    if (any) {
        put_round_count(&term->rounds, guard, names, out);
        isocast_buffer_puts(out, "*");
        isocast_put_call(d, term, names, out);
    }
    if (!isocast_term_is_empty(d, term)) {
        isocast_buffer_puts(out, any ? " + " : "");
        isocast_put_further(d, term, guard, names, out);
    }
}

void isocast_put_formula(const isocast_derived *d, const isocast_derived_term *term,
                         const char *const *names, isocast_buffer *out) {
    if (term->turns.known) {
        isocast_buffer_puts(out, "if(p > 1, ");
        isocast_put_times(&term->turns, names, out);
        isocast_put_call(d, term, names, out);
        isocast_buffer_puts(out, ", 0 s)\n");
        return;
    }
    isocast_law_guard guard = isocast_term_guard(d, term);
    if (guard != ISOCAST_GUARD_NONE) {
        isocast_buffer_puts(out, "if(");
        isocast_guard_write(guard, out);
        isocast_buffer_puts(out, ", ");
    }
    if (isocast_derived_term_has_rounds(term)) {
        put_rounds(d, term, guard, names, out);
    } else if (isocast_derived_roots_change(&d->sites[term->sites[0]])) {
        isocast_put_roots(d, term, names, out);
    } else {
        isocast_put_times(&term->calls, names, out);
        isocast_put_call(d, term, names, out);
    }
    isocast_buffer_puts(out, guard != ISOCAST_GUARD_NONE ? ", 0 s)\n" : "\n");
}
