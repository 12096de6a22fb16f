#include "steps_text.h"

#include <stdint.h>
#include <string.h>

#include "derived_words.h"
#include "step.h"

typedef struct printer {
    const isocast_derived *d;
    double speed; /* flop/s of a processor of the records */
    const char *const *names;
} printer;

static bool same_text(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void indent(size_t depth, isocast_buffer *out) {
    for (size_t i = 0; i <= depth; i++) {
        isocast_buffer_puts(out, "  ");
    }
}

/* A formula inside of { }, in quotes where commas stand in it. */
static void put_value(const char *text, isocast_buffer *out) {
    const char *quote =
        text != NULL && strpbrk(text, ",[]{}#&*!|>%@`\"'") != NULL && strpbrk(text, ",[]{}") != NULL
            ? "\""
            : "";
    isocast_buffer_printf(out, "%s%s%s", quote, text != NULL ? text : "0", quote);
}

static void put_entry(const char *key, const char *text, const char **joint, isocast_buffer *out) {
    if (text != NULL) {
        isocast_buffer_printf(out, "%s%s: ", *joint, key);
        put_value(text, out);
        *joint = ", ";
    }
}

static void put_by(const printer *t, const derive_step *step, isocast_buffer *out) {
    if (step->way.of_ranks) {
        isocast_buffer_printf(out, "{by: %d", step->way.by[0]);
        return;
    }
    const char *joint = "";
    isocast_buffer_puts(out, "{by: {");
    for (size_t i = 0; i < t->d->grid->count; i++) {
        if (step->way.by[i] != 0) {
            isocast_buffer_printf(out, "%s%s: %d", joint, t->d->grid->axes[i], step->way.by[i]);
            joint = ", ";
        }
    }
    isocast_buffer_puts(out, "}");
}

static void put_along(const printer *t, const derive_step *step, const char **joint,
                      isocast_buffer *out) {
    if (step->along == 0) {
        return;
    }
    const char *comma = "";
    isocast_buffer_printf(out, "%salong: [", *joint);
    for (size_t i = 0; i < t->d->grid->count; i++) {
        if ((step->along & 1U << i) != 0) {
            isocast_buffer_printf(out, "%s%s", comma, t->d->grid->axes[i]);
            comma = ", ";
        }
    }
    isocast_buffer_puts(out, "]");
    *joint = ", ";
}

/* Whether a formula is another one on each process. */
static bool names_place(const printer *t, const char *formula) {
    bool names = false;
    for (const char *at = formula; *at != '\0' && !names;) {
        size_t length = strcspn(at, " +-*/^(),<>=!");
        names = length == 4 && strncmp(at, "rank", 4) == 0;
        for (size_t i = 0; i < t->d->grid->count; i++) {
            const char *axis = t->d->grid->axes[i];
            names = names || (length == strlen(axis) && strncmp(at, axis, length) == 0);
        }
        at += length > 0 ? length : 1;
    }
    return names;
}

static void put_list(const printer *t, const derive_step *steps, size_t count, size_t depth,
                     isocast_buffer *out);

static void put_body(const printer *t, const derive_steps *body, size_t depth,
                     isocast_buffer *out) {
    indent(depth, out);
    isocast_buffer_puts(out, "  do:\n");
    put_list(t, body->items, body->count, depth + 2, out);
}

static void put_message(const printer *t, const derive_step *step, const char *word,
                        isocast_buffer *out) {
    const char *joint = "";
    isocast_buffer_printf(out, "%s: ", word);
    if (step->kind == DERIVE_STEP_SHIFT || step->kind == DERIVE_STEP_PASS) {
        put_by(t, step, out);
        joint = ", ";
    } else {
        isocast_buffer_puts(out, "{");
    }
    put_along(t, step, &joint, out);
    put_entry("root", step->root, &joint, out);
    put_entry("to", step->to, &joint, out);
    put_entry("from", step->from, &joint, out);
    put_entry("bytes", step->amount, &joint, out);
    bool open = step->kind == DERIVE_STEP_SHIFT && !step->way.wraps;
    isocast_buffer_puts(out, open ? ", ends: open}\n" : "}\n");
}

static void put_name(const printer *t, const derive_step *step, size_t depth, isocast_buffer *out) {
    if (step->site != SIZE_MAX) {
        indent(depth, out);
        isocast_buffer_puts(out, "  name: ");
        isocast_put_site_name(t->d, step->site, out);
        isocast_buffer_puts(out, "\n");
    }
}

static void put_work(const printer *t, const derive_step *step, isocast_buffer *out) {
    const isocast_law work = isocast_law_scaled(&step->work, t->speed);
    isocast_buffer_puts(out, "work: ");
    isocast_law_write(&work, t->names, "flop", true, out);
    isocast_buffer_printf(out, "%s\n", step->amount != NULL ? step->amount : "");
}

static void put_step(const printer *t, const derive_step *step, size_t depth, isocast_buffer *out) {
    indent(depth, out);
    isocast_buffer_puts(out, "- ");
    switch (step->kind) {
    case DERIVE_STEP_WORK:
        put_work(t, step, out);
        return;
    case DERIVE_STEP_SEND:
        put_message(t, step, "send", out);
        break;
    case DERIVE_STEP_RECEIVE:
        put_message(t, step, "receive", out);
        break;
    case DERIVE_STEP_SENDRECV:
        put_message(t, step, "sendrecv", out);
        break;
    case DERIVE_STEP_PUT:
        put_message(t, step, "put", out);
        break;
    case DERIVE_STEP_SHIFT:
        put_message(t, step, "shift", out);
        break;
    case DERIVE_STEP_PASS:
        put_message(t, step, "pass", out);
        break;
    case DERIVE_STEP_CALL:
        if (step->amount == NULL && step->root == NULL && step->along == 0) {
            isocast_buffer_printf(out, "%s: {}\n", step->word);
        } else {
            put_message(t, step, step->word, out);
        }
        break;
    case DERIVE_STEP_FOR:
        isocast_buffer_printf(out, "for: %s\n", step->loop != NULL ? step->loop : "i = 1..1");
        break;
    case DERIVE_STEP_START:
        isocast_buffer_printf(out, "start: messages_%zu\n", step->handle);
        break;
    case DERIVE_STEP_FINISH:
        isocast_buffer_printf(out, "finish: messages_%zu\n", step->handle);
        return;
    }
    put_name(t, step, depth, out);
    if (step->kind == DERIVE_STEP_FOR || step->kind == DERIVE_STEP_START ||
        step->kind == DERIVE_STEP_PASS) {
        put_body(t, &step->body, depth, out);
    }
}

/* Steps with the same condition stand under it together. */
static void put_turns(const printer *t, const derive_step *steps, size_t count, size_t depth,
                      isocast_buffer *out) {
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        if (steps[i].turns == NULL) {
            put_step(t, &steps[i++], depth, out);
            continue;
        }
        while (end < count && same_text(steps[i].turns, steps[end].turns)) {
            end++;
        }
        indent(depth, out);
        const char *word = names_place(t, steps[i].turns) ? "at" : "if";
        isocast_buffer_printf(out, "- %s: %s\n", word, steps[i].turns);
        indent(depth, out);
        isocast_buffer_puts(out, "  do:\n");
        for (; i < end; i++) {
            put_step(t, &steps[i], depth + 2, out);
        }
    }
}

static void put_list(const printer *t, const derive_step *steps, size_t count, size_t depth,
                     isocast_buffer *out) {
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && same_text(steps[i].when, steps[end].when)) {
            end++;
        }
        if (steps[i].when == NULL) {
            put_turns(t, &steps[i], end - i, depth, out);
            i = end;
            continue;
        }
        indent(depth, out);
        isocast_buffer_printf(out, "- at: %s\n", steps[i].when);
        indent(depth, out);
        isocast_buffer_puts(out, "  do:\n");
        put_turns(t, &steps[i], end - i, depth + 2, out);
        bool both = end < count && strcmp(steps[i].when, "rank == 0") == 0 &&
                    steps[end].when != NULL && strcmp(steps[end].when, "rank > 0") == 0;
        i = end;
        if (both) {
            while (end < count && same_text(steps[i].when, steps[end].when)) {
                end++;
            }
            indent(depth, out);
            isocast_buffer_puts(out, "  else:\n");
            put_turns(t, &steps[i], end - i, depth + 2, out);
            i = end;
        }
    }
}

void isocast_derive_steps_put(const isocast_derived *derived, double speed,
                              const char *const *names, isocast_buffer *out) {
    const derive_program *program = derived->program;
    const printer t = {.d = derived, .speed = speed, .names = names};
    bool ran_alone = false;
    for (size_t r = 0; r < derived->record_count; r++) {
        ran_alone = ran_alone || derived->points[r].p == 1;
    }
    if (program->needs_power) {
        isocast_buffer_puts(out, "valid: {that: log2(p) == floor(log2(p)), otherwise: p must be a "
                                 "power of two}\n");
    } else if (program->deals_out && !ran_alone) {
        isocast_buffer_puts(out, "valid: {that: p >= 2, otherwise: one process deals out what "
                                 "others do}\n");
    }
    isocast_buffer_puts(out, "program:\n");
    if (derived->grid->count > 0) {
        isocast_buffer_puts(out, "  - grid: {");
        for (size_t i = 0; i < derived->grid->count; i++) {
            isocast_buffer_printf(out, "%s%s: %s", i > 0 ? ", " : "", derived->grid->axes[i],
                                  isocast_side_names[derived->grid->extents[i]]);
        }
        isocast_buffer_puts(out, "}\n");
    }
    put_list(&t, program->steps.items, program->steps.count, 0, out);
}
