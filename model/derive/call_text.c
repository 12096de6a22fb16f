#include "call_text.h"

#include <string.h>

#include "derived_words.h"

/* "8 B + (i - 1)*(16 B)": the size of call i of those whose sizes differ by equal steps. */
static void put_stepped_size(const isocast_derived_site *site, const char *const *names,
                             isocast_buffer *out) {
    isocast_law_write(&site->least, names, "B", false, out);
    isocast_buffer_puts(out, " + (i - 1)*(");
    isocast_law_write(&site->step, names, "B", false, out);
    isocast_buffer_puts(out, ")");
}

/* The size of a message, B; of a site with several the mean one. */
static void put_size(const isocast_derived *d, const isocast_derived_term *term,
                     const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    if (site->stepped) {
        put_stepped_size(site, names, out);
        return;
    }
    bool guarded = site->size.guard != ISOCAST_GUARD_NONE &&
                   site->size.guard != term->calls.guard && site->size.term_count > 0;
    if (guarded) {
        isocast_buffer_puts(out, "if(");
        isocast_guard_write(site->size.guard, out);
        isocast_buffer_puts(out, ", ");
    }
    bool all = site->several && !site->mean;
    isocast_law_write(&site->size, names, "B", all, out);
    if (all) {
        isocast_buffer_puts(out, "/max(1, ");
        isocast_law_write(&term->calls, names, "", false, out);
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, guarded ? ", 0 B)" : "");
}

static void put_divisor(const isocast_law *law, const char *const *names, isocast_buffer *out) {
    isocast_buffer text = {0};
    isocast_law_write(law, names, "", false, &text);
    bool one = text.text != NULL && strpbrk(text.text, " */") == NULL;
    isocast_buffer_printf(out, one ? "/%s" : "/(%s)", text.text != NULL ? text.text : "1");
    out->failed = out->failed || text.failed;
    isocast_buffer_free(&text);
}

const derive_call_form *isocast_term_form(const isocast_derived *d,
                                          const isocast_derived_term *term) {
    return term->turns.known
               ? isocast_derive_call_form_of_turns()
               : isocast_derive_call_form_find(d->sites[term->sites[0]].key.operation);
}

/* Messages between processes that follow each other do not go as far as others. */
void isocast_put_side(const isocast_derived_site *site, isocast_buffer *out) {
    if (site->follow != NULL) {
        isocast_buffer_printf(out, ", %s, min(%s, p_node)", site->follow, site->follow);
    }
}

/* "T_bcast(8 B * N, rows, min(rows, p_node))". operation: of the form. */
static void put_operation(const isocast_derived *d, const isocast_derived_term *term,
                          const char *operation, const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    const derive_call_form *form = isocast_term_form(d, term);
    bool collective = isocast_record_is_of_all(site->key.operation);
    isocast_buffer_printf(out, "%s(", operation);
    if (form->has_size) {
        put_size(d, term, names, out);
    }
    isocast_put_side(site, out);
    if (collective && !site->everybody && site->among.known) {
        isocast_buffer_puts(out, form->has_size ? "" : "0 B");
        isocast_buffer_puts(out, ", ");
        isocast_law_write(&site->among, names, "", false, out);
        isocast_buffer_puts(out, ", min(");
        isocast_law_write(&site->among, names, "", false, out);
        isocast_buffer_puts(out, ", p_node");
        bool apart = site->stride.known &&
                     !(site->stride.term_count == 1 && site->stride.terms[0].cost == 0 &&
                       site->stride.numerators[0] == 1);
        if (apart) {
            put_divisor(&site->stride, names, out);
        }
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, ")");
}

enum { ALONE, NEXT_ROOT, SAME_ROOT };

/* The same of an operation that has this behind its name: "_next_root". */
static void put_like(const isocast_derived *d, const isocast_derived_term *term, const char *end,
                     const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    if (site->stepped) {
        isocast_buffer_puts(out, "sum(i, 1, ");
        isocast_law_write(&term->calls, names, "", false, out);
        isocast_buffer_puts(out, ", ");
    }
    isocast_buffer operation = {0};
    isocast_buffer_printf(&operation, "%s%s", isocast_term_form(d, term)->name, end);
    put_operation(d, term, operation.text != NULL ? operation.text : "", names, out);
    out->failed = out->failed || operation.failed;
    isocast_buffer_free(&operation);
    if (site->stepped) {
        isocast_buffer_puts(out, ")/max(1, ");
        isocast_law_write(&term->calls, names, "", false, out);
        isocast_buffer_puts(out, ")");
    }
}

const char *const isocast_rooted_ends[ISOCAST_ROOTED_ENDS] = {"_any_root", "_next_root",
                                                              "_same_root"};

static bool has_other_root(const isocast_derived *d, const isocast_derived_term *term) {
    return d->sites[term->sites[0]].roots != ISOCAST_ROOTS_FIRST;
}

void isocast_put_call(const isocast_derived *d, const isocast_derived_term *term,
                      const char *const *names, isocast_buffer *out) {
    put_like(d, term, has_other_root(d, term) ? isocast_rooted_ends[ALONE] : "", names, out);
}

void isocast_put_next(const isocast_derived *d, const isocast_derived_term *term,
                      const char *const *names, isocast_buffer *out) {
    put_like(d, term, has_other_root(d, term) ? isocast_rooted_ends[SAME_ROOT] : "_next", names,
             out);
}

void isocast_put_times(const isocast_law *count, const char *const *names, isocast_buffer *out) {
    isocast_buffer text = {0};
    isocast_law_write(count, names, "", true, &text);
    if (text.text != NULL && strcmp(text.text, "1") != 0) {
        isocast_buffer_printf(out, "%s*", text.text);
    }
    out->failed = out->failed || text.failed;
    isocast_buffer_free(&text);
}

void isocast_put_turns(const isocast_law *count, const char *const *names, isocast_buffer *out) {
    if (count->guard == ISOCAST_GUARD_NONE || count->guard == ISOCAST_GUARD_PROCESSES) {
        isocast_put_times(count, names, out);
        return;
    }
    isocast_buffer_puts(out, "if(");
    isocast_guard_write(count->guard, out);
    isocast_buffer_puts(out, ", ");
    isocast_law_write(count, names, "", false, out);
    isocast_buffer_puts(out, ", 0)*");
}

/* Calls whose count has no exact law are those that are left of all. */
static void put_rest(const isocast_derived_term *term, const isocast_law *const *counts,
                     size_t rest, const char *const *names, isocast_buffer *out) {
    isocast_buffer_puts(out, "max(0, ");
    isocast_law_write(&term->calls, names, "", false, out);
    for (size_t i = 0; i < ISOCAST_ROOTED_ENDS; i++) {
        if (i != rest && counts[i]->term_count > 0) {
            isocast_buffer_puts(out, " - ");
            isocast_law_write(counts[i], names, "", true, out);
        }
    }
    isocast_buffer_puts(out, ")*");
}

/* Calls whose roots change. Those that are waited for count by themselves; in a row the root is
 * soon in the next call, or the next root is. */
void isocast_put_roots(const isocast_derived *d, const isocast_derived_term *term,
                       const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    const isocast_law *const counts[ISOCAST_ROOTED_ENDS] = {
        [ALONE] = &site->alone, [NEXT_ROOT] = &site->next_root, [SAME_ROOT] = &site->same_root};
    size_t rest = site->roots == ISOCAST_ROOTS_ANY    ? ALONE
                  : site->roots == ISOCAST_ROOTS_STAY ? SAME_ROOT
                                                      : NEXT_ROOT;
    const char *joint = "";
    for (size_t i = 0; i < ISOCAST_ROOTED_ENDS; i++) {
        if (counts[i]->term_count == 0) {
            continue;
        }
        isocast_buffer_puts(out, joint);
        if (i == rest && !counts[i]->exact) {
            put_rest(term, counts, rest, names, out);
        } else {
            isocast_put_turns(counts[i], names, out);
        }
        put_like(d, term, isocast_rooted_ends[i], names, out);
        joint = " + ";
    }
}
