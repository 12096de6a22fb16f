#include "fields.h"

#include <stdarg.h>
#include <string.h>

#include "json_text.h"
#include "page.h"

/* Whether a report has a column. */
static bool is_reported(const isocast_table *table, const isocast_field *field,
                        const isocast_at *at) {
    return isocast_field_is_in(table, field, ISOCAST_IN_ROWS) &&
           (field->shown == NULL || field->shown(at));
}

static const char *chosen(const char *(*of)(const isocast_at *at), const char *fixed,
                          const isocast_at *at) {
    return of != NULL ? of(at) : fixed;
}

/* A column that is one of several of a field has its own name. */
static void add_column(cli_report *report, const isocast_table *table, const isocast_field *field,
                       const char *name, const isocast_at *at) {
    bool tabled = isocast_field_is_in(table, field, ISOCAST_IN_TABLES) &&
                  (field->tabled == NULL || field->tabled(at));
    isocast_buffer heading = {0};
    if (field->heading_put != NULL) {
        field->heading_put(at, &heading);
    }
    cli_report_column(
        report,
        &(cli_column){.name = name != NULL ? name : chosen(field->name_of, field->name, at),
                      .heading = heading.text != NULL ? heading.text : field->heading,
                      .unit = chosen(field->unit_of, field->unit, at),
                      .kind = (cli_column_kind)(name != NULL ? field->spread : field->kind),
                      .digits = field->digits,
                      .optional = field->optional && (field->needed == NULL || !field->needed(at)),
                      .file_only = !tabled,
                      .meaning = field->meaning,
                      .compared = field->compared});
    if (heading.failed) {
        cli_report_fail(report);
    }
    isocast_buffer_free(&heading);
}

static void add_cell(cli_report *report, const isocast_field *field, const isocast_at *at) {
    isocast_buffer made = {0};
    double value = 0;
    switch (field->kind) {
    case ISOCAST_FIELD_TEXT:
        cli_report_text(report, isocast_field_text(field, at, &made));
        if (made.failed) {
            cli_report_fail(report);
        }
        isocast_buffer_free(&made);
        break;
    case ISOCAST_FIELD_NAMED:
        for (size_t i = 0; field->named(at, i, &value) != NULL; i++) {
            cli_report_number(report, value);
        }
        break;
    default:
        cli_report_number(report, isocast_field_number(field, at));
    }
}

void cli_fields_head(cli_report *report, const isocast_table *table, const void *result) {
    const isocast_at at = {.result = result};
    double ignored = 0;
    for (size_t i = 0; i < table->count; i++) {
        const isocast_field *field = &table->fields[i];
        bool is_named = field->kind == ISOCAST_FIELD_NAMED;
        if (is_reported(table, field, &at) && !is_named) {
            add_column(report, table, field, NULL, &at);
        }
        const char *name = NULL;
        for (size_t k = 0; is_reported(table, field, &at) && is_named &&
                           (name = field->named(&at, k, &ignored)) != NULL;
             k++) {
            add_column(report, table, field, name, &at);
        }
    }
}

void cli_fields_row(cli_report *report, const isocast_table *table, const isocast_at *at) {
    const isocast_at whole = {.result = at->result};
    for (size_t i = 0; i < table->count; i++) {
        if (is_reported(table, &table->fields[i], &whole)) {
            add_cell(report, &table->fields[i], at);
        }
    }
}

/* The row of a list, with what it has from the row that has the list. */
static bool next_item(isocast_item *item, const isocast_at *in, size_t i, isocast_at *out) {
    *out = (isocast_at){.result = in->result, .index = i, .in = in};
    return item == NULL ? i == 0 : item(in, i, out);
}

void cli_fields_fill(cli_report *report, const isocast_table *table, const void *result,
                     isocast_item *item) {
    const isocast_at whole = {.result = result, .row = result};
    isocast_at at;
    cli_fields_head(report, table, result);
    for (size_t i = 0; next_item(item, &whole, i, &at); i++) {
        cli_fields_row(report, table, &at);
    }
}

cli_report *cli_fields_report(const isocast_table *table, const void *result, isocast_item *item,
                              const char *title, ...) {
    va_list arguments;
    cli_report *report = cli_report_create();
    va_start(arguments, title);
    cli_report_title_of(report, title, arguments);
    va_end(arguments);
    cli_fields_fill(report, table, result, item);
    return report;
}

static json_t *row_of(const isocast_table *table, const isocast_at *at);

static json_t *list_of(const isocast_table *table, const isocast_at *in, isocast_item *item) {
    json_t *array = json_array();
    isocast_at at;
    for (size_t i = 0; next_item(item, in, i, &at); i++) {
        cli_json_append(&array, row_of(table, &at));
    }
    return array;
}

static json_t *text_of(const isocast_field *field, const isocast_at *at) {
    isocast_buffer made = {0};
    const char *text = isocast_field_text(field, at, &made);
    json_t *value = made.failed ? NULL : cli_json_string(text);
    isocast_buffer_free(&made);
    return value;
}

static json_t *named_of(const isocast_field *field, const isocast_at *at) {
    json_t *object = json_object();
    double value = 0;
    const char *name;
    for (size_t i = 0; (name = field->named(at, i, &value)) != NULL; i++) {
        cli_json_set(&object, name, cli_json_number(value));
    }
    return object;
}

static json_t *numbers_of(const isocast_field *field, const isocast_at *at) {
    if (field->element == NULL) {
        const void *numbers = (const char *)at->row + field->offset;
        return cli_json_numbers(numbers, field->length);
    }
    json_t *array = json_array();
    double value = 0;
    for (size_t i = 0; field->element(at, i, &value); i++) {
        cli_json_append(&array, cli_json_number(value));
    }
    return array;
}

static json_t *value_of(const isocast_field *field, const isocast_at *at) {
    isocast_at inner;
    switch (field->kind) {
    case ISOCAST_FIELD_TEXT:
        return text_of(field, at);
    case ISOCAST_FIELD_NUMBER:
    case ISOCAST_FIELD_SHARE:
    case ISOCAST_FIELD_COUNT:
        break;
    case ISOCAST_FIELD_FLAG:
        return json_boolean(isocast_field_flag(field, at));
    case ISOCAST_FIELD_OBJECT:
        return next_item(field->item, at, 0, &inner) ? row_of(field->of, &inner) : json_null();
    case ISOCAST_FIELD_LIST:
        return list_of(field->of, at, field->item);
    case ISOCAST_FIELD_NUMBERS:
        return numbers_of(field, at);
    case ISOCAST_FIELD_NAMED:
        return named_of(field, at);
    case ISOCAST_FIELD_FOREIGN:
        return field->foreign(at);
    }
    return cli_json_number(isocast_field_number(field, at));
}

static json_t *row_of(const isocast_table *table, const isocast_at *at) {
    json_t *object = json_object();
    for (size_t i = 0; i < table->count; i++) {
        const isocast_field *field = &table->fields[i];
        if (isocast_field_is_in(table, field, ISOCAST_IN_JSON) &&
            (field->shown == NULL || field->shown(at))) {
            cli_json_set(&object, field->name, value_of(field, at));
        }
    }
    return object;
}

json_t *cli_fields_document(const isocast_table *table, const void *result) {
    return row_of(table, &(isocast_at){.result = result, .row = result});
}

void cli_result_render(const cli_written *how, const void *result, const cli_common *common,
                       isocast_buffer *out) {
    cli_report *reports[CLI_REPORTS_MAX];
    bool is_page = strcmp(common->format, "html") == 0;
    json_t *document = NULL;
    json_t *what_if = NULL;
    if (cli_has_document(common)) {
        document = cli_fields_document(how->document, result);
        out->failed = out->failed || document == NULL;
    }
    if (!is_page && document != NULL) {
        cli_json_render(document, out);
    } else if (!is_page && !out->failed) {
        size_t count = how->make(result, strcmp(common->format, "csv") == 0, reports);
        cli_reports_render(reports, count, common, out);
    } else if (is_page) {
        what_if = how->what_if != NULL ? how->what_if(result) : NULL;
        out->failed = out->failed || (how->what_if != NULL && what_if == NULL);
        cli_page_render(reports, how->make(result, false, reports), document, what_if, out);
    }
}

int cli_result_write(const cli_written *how, const void *result, const cli_common *common,
                     cli_output *others, size_t count) {
    cli_output outputs[CLI_OUTPUTS_MAX] = {{common->output, {0}}};
    size_t used = 1;
    for (size_t i = 0; i < count; i++) {
        if (others[i].path != NULL) {
            outputs[used++] = others[i];
        } else {
            isocast_buffer_free(&others[i].text);
        }
        others[i].text = (isocast_buffer){0};
    }
    if (used == 1 && !cli_has_document(common)) {
        cli_reports_hint(common);
    }
    cli_result_render(how, result, common, &outputs[0].text);
    return cli_outputs_write(outputs, used);
}

static json_t *described(const char *meaning, const char *unit) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, unit != NULL ? "%s [%s]" : "%s", meaning, unit);
    json_t *object = json_object();
    cli_json_set(&object, "description", text.failed ? NULL : json_string(text.text));
    isocast_buffer_free(&text);
    return object;
}

static void set_type(json_t **object, const char *type, bool known) {
    cli_json_set(object, "type", known ? json_string(type) : json_pack("[s, s]", type, "null"));
}

/* The numbers of a list, or by name. */
static json_t *numbers_schema(const isocast_field *field) {
    json_t *number = described("a value", field->unit != NULL ? field->unit : "1");
    set_type(&number, "number", field->known);
    return number;
}

static json_t *words_schema(const isocast_field *field) {
    json_t *object = described(field->meaning, NULL);
    if (field->words[1] == NULL) {
        cli_json_set(&object, "const", json_string(field->words[0]));
        return object;
    }
    json_t *words = json_array();
    for (size_t i = 0; field->words[i] != NULL; i++) {
        cli_json_append(&words, json_string(field->words[i]));
    }
    if (!field->known) {
        cli_json_append(&words, json_null());
    }
    cli_json_set(&object, "enum", words);
    return object;
}

static json_t *rows_schema(const isocast_table *table, bool known, json_t **definitions);

/* A row of a table where it is used; its definition is added where it has a name. */
static json_t *use_schema(const isocast_table *table, bool known, json_t **definitions) {
    if (table->name == NULL) {
        return rows_schema(table, known, definitions);
    }
    if (*definitions != NULL && json_object_get(*definitions, table->name) == NULL) {
        cli_json_set(definitions, table->name, json_null());
        json_t *definition = rows_schema(table, true, definitions);
        cli_json_set(definitions, table->name, definition);
    }
    json_t *use = json_pack("{s: s+}", "$ref", "#/$defs/", table->name);
    return known ? use : json_pack("{s: [o, {s: s}]}", "anyOf", use, "type", "null");
}

static json_t *field_schema(const isocast_field *field, json_t **definitions) {
    bool is_text = field->kind == ISOCAST_FIELD_TEXT;
    if (is_text && field->words != NULL) {
        return words_schema(field);
    }
    const char *unit = field->unit != NULL ? field->unit : "1";
    bool is_number = !is_text && field->kind < ISOCAST_FIELD_FLAG;
    json_t *object = described(field->meaning, is_number ? unit : NULL);
    switch (field->kind) {
    case ISOCAST_FIELD_TEXT:
        set_type(&object, "string", field->known);
        break;
    case ISOCAST_FIELD_NUMBER:
    case ISOCAST_FIELD_SHARE:
    case ISOCAST_FIELD_COUNT:
        set_type(&object, "number", field->known);
        break;
    case ISOCAST_FIELD_FLAG:
        set_type(&object, "boolean", true);
        break;
    case ISOCAST_FIELD_LIST:
    case ISOCAST_FIELD_NUMBERS:
        set_type(&object, "array", true);
        cli_json_set(&object, "items",
                     field->kind == ISOCAST_FIELD_LIST ? use_schema(field->of, true, definitions)
                                                       : numbers_schema(field));
        break;
    case ISOCAST_FIELD_NAMED:
        set_type(&object, "object", true);
        cli_json_set(&object, "additionalProperties", numbers_schema(field));
        break;
    case ISOCAST_FIELD_OBJECT:
    case ISOCAST_FIELD_FOREIGN: {
        json_t *use = field->kind == ISOCAST_FIELD_FOREIGN
                          ? json_loads(field->schema, 0, NULL)
                          : use_schema(field->of, field->known, definitions);
        if (json_object_update_missing(use, object) != 0) {
            json_decref(use);
            use = NULL;
        }
        json_decref(object);
        return use;
    }
    }
    return object;
}

static json_t *rows_schema(const isocast_table *table, bool known, json_t **definitions) {
    json_t *properties = json_object();
    json_t *required = json_array();
    for (size_t i = 0; i < table->count; i++) {
        const isocast_field *field = &table->fields[i];
        if (isocast_field_is_in(table, field, ISOCAST_IN_JSON)) {
            cli_json_set(&properties, field->name, field_schema(field, definitions));
            if (field->shown == NULL) {
                cli_json_append(&required, json_string(field->name));
            }
        }
    }
    json_t *object = json_object();
    set_type(&object, "object", known);
    if (table->meaning != NULL) {
        cli_json_set(&object, "description", json_string(table->meaning));
    }
    cli_json_set(&object, "properties", properties);
    cli_json_set(&object, "required", required);
    json_t *further = json_false();
    if (table->further != NULL) {
        further = described(table->further, "units");
        set_type(&further, "number", true);
    }
    cli_json_set(&object, "additionalProperties", further);
    return object;
}

json_t *cli_fields_schema(const isocast_table *const *tables, size_t count) {
    json_t *definitions = json_object();
    for (size_t i = 0; i < count; i++) {
        json_decref(use_schema(tables[i], true, &definitions));
    }
    return definitions;
}
