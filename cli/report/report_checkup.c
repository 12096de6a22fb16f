#include "report_checkup.h"

#include <assert.h>
#include <string.h>

static const char *const verdict_words[] = {[CHECKUP_UNKNOWN] = NULL,
                                            [CHECKUP_OK] = "ok",
                                            [CHECKUP_WARNING] = "warning",
                                            [CHECKUP_MISSING] = "missing"};

checkup_finding *checkup_add(checkup *list, const char *what, const char *needed_by) {
    assert(list->count < CHECKUP_MAX);
    checkup_finding *finding = &list->items[list->count++];
    *finding = (checkup_finding){.what = what, .needed_by = needed_by, .verdict = CHECKUP_OK};
    return finding;
}

void checkup_append(checkup *list, checkup *other) {
    assert(list->count + other->count <= CHECKUP_MAX);
    memcpy(&list->items[list->count], other->items, other->count * sizeof *other->items);
    list->count += other->count;
    other->count = 0;
}

bool checkup_misses_something(const checkup *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].verdict == CHECKUP_MISSING) {
            return true;
        }
    }
    return false;
}

/* Whether an entry of a list that ", " parts is these `length` bytes. */
static bool has_entry(const char *list, const char *entry, size_t length) {
    for (const char *at = list; at != NULL && *at != '\0';) {
        size_t here = strcspn(at, ",");
        if (here == length && strncmp(at, entry, length) == 0) {
            return true;
        }
        at += here;
        at += strspn(at, ", ");
    }
    return false;
}

/* The commands that miss something, each once. */
static void append_commands(const checkup *list, isocast_buffer *out) {
    for (size_t i = 0; i < list->count; i++) {
        bool missing = list->items[i].verdict == CHECKUP_MISSING;
        for (const char *at = list->items[i].needed_by; missing && *at != '\0';) {
            size_t length = strcspn(at, ",");
            if (!has_entry(out->text, at, length)) {
                isocast_buffer_puts(out, out->length > 0 ? ", " : "");
                isocast_buffer_append(out, at, length);
            }
            at += length;
            at += strspn(at, ", ");
        }
    }
}

static void append_disturbances(const checkup *list, isocast_buffer *out) {
    const char *before = "; measurements may be disturbed: ";
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].verdict == CHECKUP_WARNING) {
            isocast_buffer_puts(out, before);
            isocast_buffer_append(out, list->items[i].disturbs.text,
                                  list->items[i].disturbs.length);
            before = ", ";
        }
    }
}

/* The sentence on top. */
static void append_summary(const checkup *list, cli_report *report) {
    isocast_buffer text = {0};
    isocast_buffer commands = {0};
    append_commands(list, &commands);
    if (commands.length > 0) {
        isocast_buffer_printf(&text, "Something is missing for: %s", commands.text);
    } else {
        isocast_buffer_puts(&text, "All commands can run here");
    }
    append_disturbances(list, &text);
    if (!text.failed) {
        cli_report_title(report, "%s.", text.text);
    }
    isocast_buffer_free(&commands);
    isocast_buffer_free(&text);
}

static void append_cell(const isocast_buffer *text, cli_report *report) {
    cli_report_text(report, text->length > 0 ? text->text : NULL);
}

cli_report *checkup_report(const checkup *list) {
    static const cli_column columns[] = {
        {.name = "what", .kind = CLI_COLUMN_TEXT},
        {.name = "state", .kind = CLI_COLUMN_TEXT},
        {.name = "found", .kind = CLI_COLUMN_TEXT},
        {.name = "needed_by", .heading = "needed by", .kind = CLI_COLUMN_TEXT},
        {.name = "mend", .kind = CLI_COLUMN_TEXT, .file_only = true},
        {.name = "path", .kind = CLI_COLUMN_TEXT, .file_only = true}};
    cli_report *report = cli_report_create();
    append_summary(list, report);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    for (size_t i = 0; i < list->count; i++) {
        const checkup_finding *finding = &list->items[i];
        cli_report_text(report, finding->what);
        cli_report_text(report, verdict_words[finding->verdict]);
        append_cell(&finding->found, report);
        cli_report_text(report, finding->needed_by);
        append_cell(&finding->mend, report);
        append_cell(&finding->path, report);
        if (finding->mend.length > 0) {
            cli_report_footnote(report, "%s: %s.", finding->what, finding->mend.text);
        }
    }
    return report;
}

void checkup_free(checkup *list) {
    for (size_t i = 0; i < list->count; i++) {
        isocast_buffer_free(&list->items[i].found);
        isocast_buffer_free(&list->items[i].mend);
        isocast_buffer_free(&list->items[i].path);
        isocast_buffer_free(&list->items[i].disturbs);
    }
    list->count = 0;
}
