#include "steps_text.h"

#include <stdint.h>
#include <string.h>

#include "call_form.h"
#include "model/schedule/step_kind.h"
#include "site_text.h"

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

static void put_by(const derive_program *program, const derive_step *step, isocast_buffer *out) {
    if (step->way.of_ranks) {
        isocast_buffer_printf(out, "{by: %d", step->way.by[0]);
        return;
    }
    const char *joint = "";
    isocast_buffer_puts(out, "{by: {");
    for (size_t i = 0; i < program->grid->count; i++) {
        if (step->way.by[i] != 0) {
            isocast_buffer_printf(out, "%s%s: %d", joint, program->grid->axes[i], step->way.by[i]);
            joint = ", ";
        }
    }
    isocast_buffer_puts(out, "}");
}

static void put_along(const derive_program *program, const derive_step *step, const char **joint,
                      isocast_buffer *out) {
    if (step->along == 0) {
        return;
    }
    const char *comma = "";
    isocast_buffer_printf(out, "%salong: [", *joint);
    for (size_t i = 0; i < program->grid->count; i++) {
        if ((step->along & 1U << i) != 0) {
            isocast_buffer_printf(out, "%s%s", comma, program->grid->axes[i]);
            comma = ", ";
        }
    }
    isocast_buffer_puts(out, "]");
    *joint = ", ";
}

static void put_list(const isocast_derived *d, const derive_program *program,
                     const derive_step *steps, size_t count, size_t depth, isocast_buffer *out);

static void put_body(const isocast_derived *d, const derive_program *program,
                     const derive_steps *body, size_t depth, isocast_buffer *out) {
    indent(depth, out);
    isocast_buffer_puts(out, "  do:\n");
    put_list(d, program, body->items, body->count, depth + 2, out);
    if (body->count == 0) {
        indent(depth + 2, out);
        isocast_buffer_puts(out, "- work: 0 flop\n");
    }
}

static void put_message(const derive_program *program, const derive_step *step, const char *word,
                        isocast_buffer *out) {
    const char *joint = "";
    isocast_buffer_printf(out, "%s: ", word);
    if (step->kind == DERIVE_STEP_SHIFT || step->kind == DERIVE_STEP_PASS) {
        put_by(program, step, out);
        joint = ", ";
    } else {
        isocast_buffer_puts(out, "{");
    }
    put_along(program, step, &joint, out);
    put_entry("root", step->root, &joint, out);
    put_entry("to", step->to, &joint, out);
    put_entry("from", step->from, &joint, out);
    put_entry("bytes", step->amount, &joint, out);
    bool open = step->kind == DERIVE_STEP_SHIFT && !step->way.wraps;
    isocast_buffer_puts(out, open ? ", ends: open}\n" : "}\n");
}

static void put_name(const isocast_derived *d, const derive_step *step, size_t depth,
                     isocast_buffer *out) {
    if (step->site != SIZE_MAX) {
        indent(depth, out);
        isocast_buffer_puts(out, "  name: ");
        isocast_put_site_name(d, step->site, out);
        isocast_buffer_puts(out, "\n");
    }
}

/* A loop stands in one line, so that a long one is in quotes, which are not folded. */
static void put_loop(const char *loop, isocast_buffer *out) {
    static const size_t long_least = 70;
    const char *quote = strlen(loop) > long_least ? "\"" : "";
    isocast_buffer_printf(out, "for: %s%s%s\n", quote, loop, quote);
}

static void put_step(const isocast_derived *d, const derive_program *program,
                     const derive_step *step, size_t depth, isocast_buffer *out) {
    indent(depth, out);
    isocast_buffer_puts(out, "- ");
    switch (step->kind) {
    case DERIVE_STEP_WORK:
        isocast_buffer_printf(out, "work: %s\n", step->amount != NULL ? step->amount : "0 flop");
        return;
    case DERIVE_STEP_SEND:
        put_message(program, step, "send", out);
        break;
    case DERIVE_STEP_RECEIVE:
        put_message(program, step, "receive", out);
        break;
    case DERIVE_STEP_SENDRECV:
        put_message(program, step, "sendrecv", out);
        break;
    case DERIVE_STEP_PUT:
        put_message(program, step, "put", out);
        break;
    case DERIVE_STEP_SHIFT:
        put_message(program, step, "shift", out);
        break;
    case DERIVE_STEP_PASS:
        put_message(program, step, "pass", out);
        break;
    case DERIVE_STEP_CALL:
        if (step->amount == NULL && step->root == NULL && step->along == 0) {
            isocast_buffer_printf(out, "%s: {}\n", step->word);
        } else {
            put_message(program, step, step->word, out);
        }
        break;
    case DERIVE_STEP_FOR:
        put_loop(step->loop != NULL ? step->loop : "i = 1..1", out);
        break;
    case DERIVE_STEP_START:
        isocast_buffer_printf(out, "start: messages_%zu\n", step->handle);
        break;
    case DERIVE_STEP_FINISH:
        isocast_buffer_printf(out, "finish: messages_%zu\n", step->handle);
        return;
    }
    put_name(d, step, depth, out);
    if (step->kind == DERIVE_STEP_FOR || step->kind == DERIVE_STEP_START ||
        step->kind == DERIVE_STEP_PASS) {
        put_body(d, program, &step->body, depth, out);
    }
}

/* Steps with the same condition stand under it together. */
static void put_turns(const isocast_derived *d, const derive_program *program,
                      const derive_step *steps, size_t count, size_t depth, isocast_buffer *out) {
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        if (steps[i].turns == NULL) {
            put_step(d, program, &steps[i++], depth, out);
            continue;
        }
        while (end < count && same_text(steps[i].turns, steps[end].turns)) {
            end++;
        }
        indent(depth, out);
        isocast_buffer_printf(out, "- if: %s\n", steps[i].turns);
        indent(depth, out);
        isocast_buffer_puts(out, "  do:\n");
        for (; i < end; i++) {
            put_step(d, program, &steps[i], depth + 2, out);
        }
    }
}

static void put_list(const isocast_derived *d, const derive_program *program,
                     const derive_step *steps, size_t count, size_t depth, isocast_buffer *out) {
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && same_text(steps[i].when, steps[end].when)) {
            end++;
        }
        if (steps[i].when == NULL) {
            put_turns(d, program, &steps[i], end - i, depth, out);
            i = end;
            continue;
        }
        indent(depth, out);
        isocast_buffer_printf(out, "- at: %s\n", steps[i].when);
        indent(depth, out);
        isocast_buffer_puts(out, "  do:\n");
        put_turns(d, program, &steps[i], end - i, depth + 2, out);
        bool both = end < count && strcmp(steps[i].when, "rank == 0") == 0 &&
                    steps[end].when != NULL && strcmp(steps[end].when, "rank > 0") == 0;
        i = end;
        if (both) {
            while (end < count && same_text(steps[i].when, steps[end].when)) {
                end++;
            }
            indent(depth, out);
            isocast_buffer_puts(out, "  else:\n");
            put_turns(d, program, &steps[i], end - i, depth + 2, out);
            i = end;
        }
    }
}

static const char *word_of(const derive_step *step) {
    return step->kind == DERIVE_STEP_CALL       ? step->word
           : step->kind == DERIVE_STEP_SHIFT    ? "shift"
           : step->kind == DERIVE_STEP_SENDRECV ? "sendrecv"
           : step->kind == DERIVE_STEP_PUT      ? "put"
                                                : NULL;
}

static bool calls(const derive_steps *steps, const char *word) {
    bool does = false;
    for (size_t i = 0; i < steps->count && !does; i++) {
        const char *own = word_of(&steps->items[i]);
        does = (own != NULL && strcmp(own, word) == 0) || calls(&steps->items[i].body, word);
    }
    return does;
}

/* Formulas of the operations that the steps call, once each. */
static void put_operations(const derive_program *program, isocast_buffer *out) {
    size_t count;
    const char *const *words = isocast_step_words(&count);
    const char *head = "operations:       # where the machine does not say\n";
    for (size_t i = 0; i < count; i++) {
        const char *operation = isocast_step_kind_find(words[i])->operation;
        const derive_call_form *form =
            operation != NULL ? isocast_derive_call_form_named(operation) : NULL;
        bool again = false;
        for (size_t k = 0; k < i && form != NULL && !again; k++) {
            const char *other = isocast_step_kind_find(words[k])->operation;
            again = other != NULL && isocast_derive_call_form_named(other) == form &&
                    calls(&program->steps, words[k]);
        }
        if (form != NULL && form->lacked != NULL && calls(&program->steps, words[i]) && !again) {
            isocast_buffer_printf(out, "%s  %s: %s\n", head, operation, form->lacked);
            head = "";
        }
    }
}

void isocast_derive_steps_put(const isocast_derived *derived, const derive_program *program,
                              isocast_buffer *out) {
    if (program->needs_power) {
        isocast_buffer_puts(out, "valid: {that: log2(p) == floor(log2(p)), otherwise: p must be a "
                                 "power of two}\n");
    } else if (program->needs_several) {
        isocast_buffer_puts(out, "valid: {that: p >= 2, otherwise: one process deals out what "
                                 "others do}\n");
    }
    isocast_buffer_puts(out, "program:\n");
    if (program->grid->count > 0) {
        isocast_buffer_puts(out, "  - grid: {");
        for (size_t i = 0; i < program->grid->count; i++) {
            isocast_buffer_printf(out, "%s%s: %s", i > 0 ? ", " : "", program->grid->axes[i],
                                  program->grid->extents[i]);
        }
        isocast_buffer_puts(out, "}\n");
    }
    put_list(derived, program, program->steps.items, program->steps.count, 0, out);
    isocast_buffer_puts(out, program->steps.count == 0 ? "  - work: 0 flop\n" : "");
    put_operations(program, out);
}
