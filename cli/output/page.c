#include "page.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/number.h"
#include "json_text.h"
#include "model/base/quantity.h"
#include "model/base/text.h"
#include "render_grid.h"

/* page.html, which is put into the program: style and script, and where the result goes. */
extern const char cli_page_frame[];
/* what_if.js, likewise: in pages that can be computed again. */
extern const char cli_page_what_if[];
static const char title_mark[] = "<!--TITLE-->";
static const char body_mark[] = "<!--BODY-->";

/* For text between tags and for values of attributes between double quotes alike. NULL: none. */
static void put_text(const char *text, isocast_buffer *out) {
    static const char signs[] = "&<>\"";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    isocast_buffer clean = {0};
    if (text != NULL) {
        isocast_text_clean(text, strlen(text), "\n", &clean);
    }
    for (const char *c = clean.text; c != NULL && *c != '\0'; c++) {
        const char *found = strchr(signs, *c);
        if (found != NULL) {
            isocast_buffer_puts(out, entities[found - signs]);
        } else {
            isocast_buffer_append(out, c, 1);
        }
    }
    out->failed = out->failed || clean.failed;
    isocast_buffer_free(&clean);
}

static void put_element(const char *tag, const char *text, isocast_buffer *out) {
    isocast_buffer_printf(out, "<%s>", tag);
    put_text(text, out);
    isocast_buffer_printf(out, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

/* JSON inside of a script: "<" stands in strings alone, where its code says the same. */
static void put_data(const char *id, json_t *value, isocast_buffer *out) {
    isocast_buffer text = {0};
    cli_json_put(value, &text);
    isocast_buffer_printf(out, "<script type=\"application/json\" id=\"%s\">", id);
    for (const char *c = text.text; c != NULL && *c != '\0'; c++) {
        if (*c == '<') {
            isocast_buffer_puts(out, "\\u003c");
        } else {
            isocast_buffer_append(out, c, 1);
        }
    }
    isocast_buffer_puts(out, "</script>\n");
    out->failed = out->failed || text.failed;
    isocast_buffer_free(&text);
}

/* What a page is made of. */
typedef struct page {
    cli_report *const *reports; /* [count] */
    size_t count;
    json_t *document; /* NULL: there is none */
    json_t *what_if;  /* what sliders need, or a text that says why there are none; NULL: nothing */
} page;

/* Members of an object: "" and NAN where there is none of the kind. */
static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* The results that a document holds: it is one, or has several under the key of its kind. */
static const json_t *part_of(const json_t *document, size_t i) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)document, key, value) {
        const json_t *first = json_array_get(value, 0);
        if (json_object_get(first, "schema") != NULL) {
            return json_array_get(value, i);
        }
    }
    return i == 0 ? document : NULL;
}

static const json_t *origin_of(const json_t *part) {
    const json_t *origin = json_object_get(part, "provenance");
    return origin != NULL ? origin : part;
}

static void put_lines(const char *tag, const cli_report_lines *lines, isocast_buffer *out) {
    for (size_t i = 0; i < lines->count; i++) {
        put_element(tag, lines->items[i], out);
    }
}

/* "isocast.prediction/1" as "prediction", and what it is of. */
static void put_subject(const json_t *part, isocast_buffer *title) {
    const char *schema = text_of(part, "schema");
    const char *kind = strchr(schema, '.') != NULL ? strchr(schema, '.') + 1 : "result of isocast";
    const char *of = text_of(part, "algorithm");
    const char *machine = text_of(part, "machine");
    isocast_buffer_printf(title, "%c%.*s", toupper((unsigned char)kind[0]),
                          (int)strcspn(kind + 1, "/"), kind + 1);
    of = of[0] != '\0' ? of : text_of(part, "runs");
    if (of[0] != '\0') {
        isocast_buffer_printf(title, ": %s", of);
    }
    if (machine[0] != '\0') {
        isocast_buffer_printf(title, " on %s", machine);
    }
    CLI_JSON_EACH(contender, i, json_object_get(part, "contenders")) {
        isocast_buffer_printf(title, "%s%s", i == 0 ? ": " : " or ", text_of(contender, "name"));
    }
}

/* What the result says in sentences; what has none is reported by its first title. */
static void put_answers(const page *p, isocast_buffer *out) {
    const json_t *part;
    bool any = false;
    for (size_t i = 0; (part = part_of(p->document, i)) != NULL; i++) {
        const char *answer = text_of(part, "answer");
        answer = answer[0] != '\0' ? answer : text_of(part, "verdict");
        if (answer[0] != '\0') {
            put_element("p class=\"answer\"", answer, out);
            any = true;
        }
    }
    for (size_t i = 0; !any && i < p->count; i++) {
        put_lines("p", &p->reports[i]->titles, out);
        any = p->reports[i]->titles.count > 0;
    }
}

/* Whether a row says what it was asked for: there is a time, or at least a size; of an offer that
 * is judged by a suite, a rate. */
static bool is_answered(const json_t *row) {
    const char *asked = json_object_get(row, "T") != NULL     ? "T"
                        : json_object_get(row, "SSP") != NULL ? "SSP"
                                                              : "N";
    return !isnan(number_of(row, asked));
}

static void put_interval(const json_t *row, double level, isocast_buffer *out) {
    static const struct {
        const char *name, *low, *high, *unit;
    } quantities[] = {{"N", "N_low", "N_high", ""},
                      {"T", "T_low", "T_high", "s"},
                      {"E", "E_low", "E_high", ""},
                      {"psi", "psi_low", "psi_high", ""}};
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++) {
        double low = number_of(row, quantities[i].low);
        double high = number_of(row, quantities[i].high);
        const char *unit = quantities[i].unit;
        if (!isnan(low) && !isnan(high)) {
            isocast_buffer_printf(out, "<li>The %.3g %% interval of %s", 100 * level,
                                  quantities[i].name);
            const char *place = text_of(row, "system");
            isocast_buffer_puts(out, place[0] != '\0' ? " on " : "");
            put_text(place, out);
            if (!isnan(number_of(row, "p"))) {
                isocast_buffer_printf(out, " with %.10g processes", number_of(row, "p"));
            }
            isocast_buffer_printf(out, " is %s to ", isocast_quantity_text(low, unit, 4).text);
            isocast_buffer_printf(out, "%s.</li>\n", isocast_quantity_text(high, unit, 4).text);
        }
    }
}

static bool is_noted_alike(const json_t *a, const json_t *b) {
    return is_answered(a) == is_answered(b) &&
           strcmp(text_of(a, "note"), text_of(b, "note")) == 0 &&
           strcmp(text_of(a, "status"), text_of(b, "status")) == 0;
}

/* Rows without an answer, and what is to be said of the others; the same of several rows once. */
static void put_row_notes(const json_t *rows, isocast_buffer *out) {
    enum { ROWS_MAX = 200 };
    size_t count = json_array_size(rows) < ROWS_MAX ? json_array_size(rows) : ROWS_MAX;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        const char *note = text_of(row, "note");
        bool reported = is_answered(row) && note[0] == '\0';
        for (size_t k = 0; k < i && !reported; k++) {
            reported = is_noted_alike(json_array_get(rows, k), row);
        }
        for (size_t k = i; k < count && !reported; k++) {
            if (is_noted_alike(json_array_get(rows, k), row)) {
                isocast_buffer_puts(out, k == i ? "<li>" : ", ");
                const json_t *alike = json_array_get(rows, k);
                const char *system = text_of(alike, "system");
                put_text(system[0] != '\0' ? system : text_of(alike, "offer"), out);
            }
        }
        if (!reported) {
            isocast_buffer_puts(out, is_answered(row) ? ": " : ": no answer (");
            put_text(is_answered(row) ? note : text_of(row, "status"), out);
            isocast_buffer_puts(out, is_answered(row) ? "" : note[0] != '\0' ? "), " : ")");
            put_text(is_answered(row) ? "" : note, out);
            isocast_buffer_puts(out, ".</li>\n");
        }
    }
}

static void put_certainty(const page *p, isocast_buffer *out) {
    const json_t *part;
    isocast_buffer_puts(out, "<ul>\n");
    for (size_t k = 0; (part = part_of(p->document, k)) != NULL; k++) {
        const json_t *rows = json_object_get(part, "rows");
        const json_t *last = NULL;
        size_t answered = 0;
        double level = number_of(part, "level");
        CLI_JSON_EACH(row, i, rows) {
            answered += is_answered(row);
            bool is_best = strcmp(text_of(last, "status"), "best") == 0;
            last = is_answered(row) && !is_best ? row : last;
        }
        if (json_array_size(rows) > 0) {
            isocast_buffer_printf(out, "<li>%zu of %zu rows have an answer.</li>\n", answered,
                                  json_array_size(rows));
        }
        size_t before = out->length;
        put_interval(last, isnan(level) ? 0.9 : level, out);
        if (out->length == before && json_object_get(last, "T_low") != NULL) {
            isocast_buffer_puts(out, "<li>No interval is stated: the numbers behind this have no "
                                     "known errors, or too many. Nothing says that it is exact."
                                     "</li>\n");
        }
        put_row_notes(rows, out);
    }
    isocast_buffer_puts(out, "</ul>\n");
}

static void put_changes(const page *p, isocast_buffer *out) {
    const json_t *changes = json_object_get(p->document, "changes");
    bool any = json_array_size(changes) > 0;
    size_t moving = 0;
    CLI_JSON_EACH(sentence, i, json_object_get(p->document, "sentences")) {
        put_element("p", json_string_value(sentence), out);
        any = true;
    }
    CLI_JSON_EACH(change, i, changes) {
        moving += json_is_number(json_object_get(change, "threshold"));
    }
    if (json_array_size(changes) > 0) {
        isocast_buffer_printf(out,
                              "<p>%zu numbers were varied, one at a time: %zu of them would "
                              "change the answer. The last table states at which value.</p>\n",
                              json_array_size(changes), moving);
    }
    if (!any) {
        bool of_formulas = text_of(part_of(p->document, 0), "machine")[0] != '\0';
        isocast_buffer_puts(out, of_formulas ? "<p>The command <code>isocast explain</code> shows "
                                               "which numbers of the machine move the result most; "
                                               "of an explanation, the second table does.</p>\n"
                                             : "<p>This kind of result does not say.</p>\n");
    }
}

static void put_tested(const page *p, isocast_buffer *out) {
    bool any = false;
    const json_t *part;
    for (size_t i = 0; (part = part_of(p->document, i)) != NULL; i++) {
        const json_t *algorithm = json_object_get(origin_of(part), "algorithm");
        const char *const texts[] = {text_of(part, "tested"), text_of(algorithm, "held_out")};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
            if (texts[k][0] != '\0') {
                put_element("p", texts[k], out);
                any = true;
            }
        }
        double mean = number_of(json_object_get(json_object_get(part, "errors"), "T"), "mean");
        if (!isnan(mean)) {
            isocast_buffer_printf(out,
                                  "<p>This page compares with runs: T was off by %.2g %% on "
                                  "average.</p>\n",
                                  100 * mean);
            any = true;
        }
    }
    if (!any) {
        isocast_buffer_puts(out, "<p>This result holds no comparison with runs of yours. "
                                 "<code>isocast validate</code> makes one.</p>\n");
    }
}

/* A column of numbers is sorted by the whole number, which is beside what is shown. */
static void put_table(const cli_report *report, isocast_buffer *out) {
    cli_grid grid;
    if (!cli_grid_create(report, &grid)) {
        out->failed = true;
        return;
    }
    isocast_buffer_puts(out,
                        "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"table\">"
                        "<table class=\"sorted\">\n<thead><tr>");
    for (size_t i = 0; i < grid.column_count; i++) {
        const cli_grid_column *column = &grid.columns[i];
        const char *meaning = report->columns[column->column].meaning;
        isocast_buffer_printf(out, "<th scope=\"col\"%s title=\"",
                              column->is_text ? "" : " class=\"n\"");
        put_text(meaning != NULL ? meaning : "", out);
        isocast_buffer_puts(out, "\">");
        put_text(column->heading, out);
        if (column->unit[0] != '\0') {
            isocast_buffer_puts(out, " <small>");
            put_text(column->unit, out);
            isocast_buffer_puts(out, "</small>");
        }
        isocast_buffer_puts(out, "</th>");
    }
    isocast_buffer_puts(out, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < grid.row_count; row++) {
        isocast_buffer_puts(out, "<tr>");
        for (size_t i = 0; i < grid.column_count; i++) {
            const cli_cell *cell = cli_report_cell(report, row, grid.columns[i].column);
            isocast_buffer_puts(out, grid.columns[i].is_text ? "<td" : "<td class=\"n\"");
            if (!isnan(cell->value)) {
                isocast_buffer_puts(out, " data-v=\"");
                cli_number_format(cell->value, out);
                isocast_buffer_puts(out, "\"");
            }
            isocast_buffer_puts(out, ">");
            put_text(cli_grid_text(&grid, row, i), out);
            isocast_buffer_puts(out, "</td>");
        }
        isocast_buffer_puts(out, "</tr>\n");
    }
    isocast_buffer_puts(out, "</tbody></table></div>\n");
    cli_grid_free(&grid);
}

static void put_tables(const page *p, isocast_buffer *out) {
    for (size_t i = 0; i < p->count; i++) {
        put_lines("p class=\"title\"", &p->reports[i]->titles, out);
        if (cli_report_rows(p->reports[i]) > 0) {
            put_table(p->reports[i], out);
        }
        put_lines("p class=\"note\"", &p->reports[i]->footnotes, out);
    }
}

static void put_item(const char *name, const char *text, isocast_buffer *out) {
    if (text[0] != '\0') {
        isocast_buffer_printf(out, "<dt>%s</dt>", name);
        put_element("dd", text, out);
    }
}

static void put_assumptions(const page *p, isocast_buffer *out) {
    const json_t *origin = origin_of(part_of(p->document, 0));
    const json_t *algorithm = json_object_get(origin, "algorithm");
    const json_t *machine = json_object_get(origin, "machine");
    isocast_buffer_puts(out, "<p>A prediction is as good as the formulas of the program and the "
                             "numbers of the machine. What is stated of them stands here, and in "
                             "the notes under the tables.</p>\n<dl>\n");
    put_item("Formulas of the program", text_of(algorithm, "source"), out);
    put_item("Numbers of the machine", text_of(machine, "source"), out);
    if (json_is_object(machine)) {
        bool simulated = json_is_true(json_object_get(machine, "simulated"));
        bool measured = json_is_true(json_object_get(machine, "calibrated"));
        put_item("How they were found",
                 simulated  ? "Measured on a simulated platform: no such machine was run."
                 : measured ? "Measured by isocast, with errors and ranges."
                            : "Given by the machine file.",
                 out);
        put_item("Measured on", text_of(machine, "date"), out);
    }
    CLI_JSON_EACH(restriction, i, json_object_get(origin, "restrictions")) {
        isocast_buffer line = {0};
        isocast_buffer_printf(&line, "The time of %s is that of another program: %s",
                              text_of(restriction, "operation"), text_of(restriction, "reason"));
        put_item("Does not hold", line.text != NULL ? line.text : "", out);
        isocast_buffer_free(&line);
    }
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)json_object_get(origin, "set"), name, value) {
        isocast_buffer line = {0};
        isocast_buffer_printf(&line, "%s = ", name);
        cli_json_put(json_incref(value), &line);
        put_item("Set on the command line", line.text != NULL ? line.text : "", out);
        isocast_buffer_free(&line);
    }
    isocast_buffer_puts(out, "</dl>\n");
}

static void put_inputs(const page *p, isocast_buffer *out) {
    const json_t *origin = origin_of(part_of(p->document, 0));
    isocast_buffer_puts(out, "<div class=\"wide\"><table><thead><tr><th scope=\"col\">file</th>"
                             "<th scope=\"col\">SHA-256</th></tr></thead>\n<tbody>\n");
    CLI_JSON_EACH(input, i, json_object_get(origin, "inputs")) {
        isocast_buffer_puts(out, "<tr>");
        put_element("td", text_of(input, "file"), out);
        put_element("td class=\"hash\"", text_of(input, "sha256"), out);
        isocast_buffer_puts(out, "</tr>\n");
    }
    isocast_buffer_puts(out, "</tbody></table></div>\n");
    put_element("pre tabindex=\"0\" aria-label=\"command\"", text_of(origin, "command"), out);
    isocast_buffer_puts(out, "<p>isocast ");
    put_text(text_of(origin, "isocast"), out);
    isocast_buffer_puts(out, " made this page. The same files and version give the same numbers. "
                             "The whole result is in the page as JSON: "
                             "<button id=\"save\" type=\"button\" hidden>save result.json</button>"
                             "</p>\n");
}

/* Each column once. */
static bool is_new(cli_report *const *reports, size_t report, size_t column) {
    const char *name = reports[report]->columns[column].name;
    for (size_t i = 0; i <= report; i++) {
        for (size_t k = 0; k < (i < report ? reports[i]->column_count : column); k++) {
            if (strcmp(reports[i]->columns[k].name, name) == 0) {
                return false;
            }
        }
    }
    return true;
}

static void put_words(const page *p, isocast_buffer *out) {
    isocast_buffer_puts(
        out, "<p>A parallel program runs as p processes at once. T is the time of a run, N the "
             "size of the problem, and W its work in operations. C is the speed of all processors "
             "together. The speed-efficiency E = W/(T C) is the part of that speed that the run "
             "makes use of: 1 would be all of it. Scalability psi says how well a larger system "
             "keeps E: 1 is ideal, and less means that the problem has to grow faster than the "
             "system. Numbers in tables are rounded; the whole ones are in the JSON.</p>\n<dl>\n");
    for (size_t i = 0; i < p->count; i++) {
        for (size_t k = 0; k < p->reports[i]->column_count; k++) {
            const cli_column *column = &p->reports[i]->columns[k];
            if (column->meaning != NULL && !column->file_only && is_new(p->reports, i, k)) {
                isocast_buffer_puts(out, "<dt>");
                put_text(column->heading != NULL ? column->heading : column->name, out);
                isocast_buffer_puts(out, "</dt>");
                put_element("dd", column->meaning, out);
            }
        }
    }
    isocast_buffer_puts(out, "</dl>\n");
}

/* Sliders, or why there are none. */
static void put_what_if(const page *p, isocast_buffer *out) {
    if (json_is_string(p->what_if)) {
        put_element("p", json_string_value(p->what_if), out);
    } else {
        isocast_buffer_puts(
            out,
            "<p>Move a slider, and your browser computes the formulas of this page again with "
            "that number from a tenth of its value to ten times it. Intervals are not computed "
            "again.</p>\n<noscript><p>A browser with JavaScript computes it.</p></noscript>"
            "<div id=\"what-if-board\"></div>\n");
        put_data("what-if-data", json_incref(p->what_if), out);
        isocast_buffer_printf(out, "<script>\n%s</script>\n", cli_page_what_if);
    }
}

static void put_pictures(const page *p, isocast_buffer *out) {
    (void)p;
    isocast_buffer_puts(out, "<noscript><p>A browser with JavaScript draws them.</p></noscript>"
                             "<div id=\"charts\"></div>\n");
}

/* The sections, in their order; what of a page they need. */
enum { ANY, DOCUMENT, WHAT_IF };
static const struct {
    const char *id, *heading;
    void (*put)(const page *p, isocast_buffer *out);
    int needs;
} sections[] = {{"answer", "The answer", put_answers, ANY},
                {"sure", "How sure is that?", put_certainty, DOCUMENT},
                {"change", "What would change it", put_changes, DOCUMENT},
                {"tested", "How near such results came to real runs", put_tested, DOCUMENT},
                {"pictures", "Pictures", put_pictures, DOCUMENT},
                {"what-if", "What if", put_what_if, WHAT_IF},
                {"tables", "Tables", put_tables, ANY},
                {"assumptions", "What this rests on", put_assumptions, DOCUMENT},
                {"again", "Inputs, and how to run this again", put_inputs, DOCUMENT},
                {"words", "How to read this", put_words, ANY}};

static void put_body(const page *p, const char *title, isocast_buffer *out) {
    const bool has[] = {
        [ANY] = true, [DOCUMENT] = p->document != NULL, [WHAT_IF] = p->what_if != NULL};
    isocast_buffer_puts(out, "<header>");
    put_element("h1", title, out);
    isocast_buffer_puts(out, "</header>\n<main>\n");
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (has[sections[i].needs]) {
            isocast_buffer_printf(out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n",
                                  sections[i].id, sections[i].id, sections[i].heading);
            sections[i].put(p, out);
            isocast_buffer_puts(out, "</section>\n");
        }
    }
    isocast_buffer_puts(out, "</main>\n");
    if (p->document != NULL) {
        put_data("result", json_incref(p->document), out);
    }
}

/* The frame with what belongs at its marks. */
static void put_framed(const char *title, const isocast_buffer *body, isocast_buffer *out) {
    const char *at_title = strstr(cli_page_frame, title_mark);
    const char *at_body = strstr(at_title, body_mark);
    isocast_buffer_append(out, cli_page_frame, (size_t)(at_title - cli_page_frame));
    put_text(title, out);
    at_title += strlen(title_mark);
    isocast_buffer_append(out, at_title, (size_t)(at_body - at_title));
    isocast_buffer_append(out, body->text, body->length);
    isocast_buffer_puts(out, at_body + strlen(body_mark));
}

void cli_page_render(cli_report **reports, size_t count, json_t *document, json_t *what_if,
                     isocast_buffer *out) {
    isocast_buffer title = {0};
    isocast_buffer body = {0};
    for (size_t i = 0; i < count; i++) {
        out->failed = out->failed || reports[i] == NULL || reports[i]->failed;
    }
    if (!out->failed) {
        put_subject(document, &title);
        const page p = {reports, count, document, what_if};
        put_body(&p, title.text != NULL ? title.text : "", &body);
        out->failed = title.failed || body.failed;
    }
    if (!out->failed) {
        put_framed(title.text, &body, out);
    }
    isocast_buffer_free(&title);
    isocast_buffer_free(&body);
    for (size_t i = 0; i < count; i++) {
        cli_report_free(reports[i]);
    }
    json_decref(document);
    json_decref(what_if);
}
