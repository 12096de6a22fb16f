#include "fields.h"

#include <string.h>

#include "json_text.h"

/* Whether a report has a column. */
static bool is_reported(const isocast_table *table, const isocast_field *column,
                        const isocast_at *at) {
    return isocast_field_is_in(table, column, ISOCAST_IN_ROWS) &&
           (column->shown == NULL || column->shown(at));
}

static const char *chosen(const char *(*of)(const isocast_at *at), const char *fixed,
                          const isocast_at *at) {
    return of != NULL ? of(at) : fixed;
}

void cli_fields_head(cli_report *report, const isocast_table *table, const void *result) {
    const isocast_at at = {.result = result};
    for (size_t i = 0; i < table->count; i++) {
        const isocast_field *column = &table->columns[i];
        if (is_reported(table, column, &at)) {
            bool tabled = isocast_field_is_in(table, column, ISOCAST_IN_TABLES) &&
                          (column->tabled == NULL || column->tabled(&at));
            isocast_buffer heading = {0};
            if (column->heading_put != NULL) {
                column->heading_put(&at, &heading);
            }
            cli_report_column(
                report,
                &(cli_column){.name = chosen(column->name_of, column->name, &at),
                              .heading = heading.text != NULL ? heading.text : column->heading,
                              .unit = chosen(column->unit_of, column->unit, &at),
                              .kind = (cli_column_kind)column->kind,
                              .digits = column->digits,
                              .optional = column->optional &&
                                          (column->needed == NULL || !column->needed(&at)),
                              .file_only = !tabled,
                              .compared = column->compared});
            if (heading.failed) {
                cli_report_fail(report);
            }
            isocast_buffer_free(&heading);
        }
    }
}

void cli_fields_row(cli_report *report, const isocast_table *table, const isocast_at *at) {
    const isocast_at whole = {.result = at->result};
    for (size_t i = 0; i < table->count; i++) {
        const isocast_field *column = &table->columns[i];
        if (!is_reported(table, column, &whole)) {
            continue;
        }
        if (column->kind == ISOCAST_FIELD_TEXT) {
            isocast_buffer made = {0};
            cli_report_text(report, isocast_field_text(column, at, &made));
            if (made.failed) {
                cli_report_fail(report);
            }
            isocast_buffer_free(&made);
        } else {
            cli_report_number(report, isocast_field_number(column, at));
        }
    }
}

void cli_fields_fill(cli_report *report, const isocast_table *table, const void *result,
                     isocast_item *item) {
    const isocast_at whole = {.result = result, .row = result};
    cli_fields_head(report, table, result);
    isocast_at at = whole;
    for (size_t i = 0; item(&whole, i, &at); i++) {
        cli_fields_row(report, table, &at);
        at = whole;
    }
}

/* The row of a list, with what it has from the row that has the list. */
static bool next_item(isocast_item *item, const isocast_at *in, size_t i, isocast_at *out) {
    *out = (isocast_at){.result = in->result, .index = i, .in = in};
    return item == NULL ? i == 0 : item(in, i, out);
}

json_t *cli_fields_list(const isocast_table *table, const isocast_at *in, isocast_item *item) {
    json_t *array = json_array();
    isocast_at at;
    for (size_t i = 0; next_item(item, in, i, &at); i++) {
        cli_json_append(&array, cli_fields_json(table, &at));
    }
    return array;
}

static json_t *text_of(const isocast_field *column, const isocast_at *at) {
    isocast_buffer made = {0};
    const char *text = isocast_field_text(column, at, &made);
    json_t *value = made.failed ? NULL : cli_json_string(text);
    isocast_buffer_free(&made);
    return value;
}

static json_t *named_of(const isocast_field *column, const isocast_at *at) {
    json_t *object = json_object();
    double value = 0;
    const char *name;
    for (size_t i = 0; (name = column->named(at, i, &value)) != NULL; i++) {
        cli_json_set(&object, name, cli_json_number(value));
    }
    return object;
}

static json_t *value_of(const isocast_field *column, const isocast_at *at) {
    isocast_at inner;
    size_t count = 0;
    const double *numbers;
    switch (column->kind) {
    case ISOCAST_FIELD_TEXT:
        return text_of(column, at);
    case ISOCAST_FIELD_NUMBER:
    case ISOCAST_FIELD_SHARE:
    case ISOCAST_FIELD_COUNT:
        break;
    case ISOCAST_FIELD_FLAG:
        return json_boolean(isocast_field_flag(column, at));
    case ISOCAST_FIELD_OBJECT:
        return next_item(column->item, at, 0, &inner) ? cli_fields_json(column->of, &inner)
                                                      : json_null();
    case ISOCAST_FIELD_LIST:
        return cli_fields_list(column->of, at, column->item);
    case ISOCAST_FIELD_NUMBERS:
        numbers = column->numbers(at, &count);
        return cli_json_numbers(numbers, count);
    case ISOCAST_FIELD_NAMED:
        return named_of(column, at);
    case ISOCAST_FIELD_FOREIGN:
        return column->foreign(at);
    }
    return cli_json_number(isocast_field_number(column, at));
}

json_t *cli_fields_json(const isocast_table *table, const isocast_at *at) {
    json_t *object = json_object();
    for (size_t i = 0; i < table->count; i++) {
        const isocast_field *column = &table->columns[i];
        if (isocast_field_is_in(table, column, ISOCAST_IN_JSON) &&
            (column->shown == NULL || column->shown(at))) {
            cli_json_set(&object, column->name, value_of(column, at));
        }
    }
    return object;
}

json_t *cli_fields_document(const isocast_table *table, const void *result) {
    return cli_fields_json(table, &(isocast_at){.result = result, .row = result});
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
static json_t *numbers_schema(const isocast_field *column) {
    json_t *number = described("a value", column->unit != NULL ? column->unit : "1");
    set_type(&number, "number", column->known);
    return number;
}

static json_t *words_schema(const isocast_field *column) {
    json_t *object = described(column->meaning, NULL);
    if (column->words[1] == NULL) {
        cli_json_set(&object, "const", json_string(column->words[0]));
        return object;
    }
    json_t *words = json_array();
    for (size_t i = 0; column->words[i] != NULL; i++) {
        cli_json_append(&words, json_string(column->words[i]));
    }
    if (!column->known) {
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

static json_t *column_schema(const isocast_field *column, json_t **definitions) {
    bool is_text = column->kind == ISOCAST_FIELD_TEXT;
    if (is_text && column->words != NULL) {
        return words_schema(column);
    }
    const char *unit = column->unit != NULL ? column->unit : "1";
    bool is_number = !is_text && column->kind < ISOCAST_FIELD_FLAG;
    json_t *object = described(column->meaning, is_number ? unit : NULL);
    switch (column->kind) {
    case ISOCAST_FIELD_TEXT:
        set_type(&object, "string", column->known);
        break;
    case ISOCAST_FIELD_NUMBER:
    case ISOCAST_FIELD_SHARE:
    case ISOCAST_FIELD_COUNT:
        set_type(&object, "number", column->known);
        break;
    case ISOCAST_FIELD_FLAG:
        set_type(&object, "boolean", true);
        break;
    case ISOCAST_FIELD_LIST:
    case ISOCAST_FIELD_NUMBERS:
        set_type(&object, "array", true);
        cli_json_set(&object, "items",
                     column->kind == ISOCAST_FIELD_LIST ? use_schema(column->of, true, definitions)
                                                        : numbers_schema(column));
        break;
    case ISOCAST_FIELD_NAMED:
        set_type(&object, "object", true);
        cli_json_set(&object, "additionalProperties", numbers_schema(column));
        break;
    case ISOCAST_FIELD_OBJECT:
    case ISOCAST_FIELD_FOREIGN: {
        json_t *use = column->kind == ISOCAST_FIELD_FOREIGN
                          ? json_loads(column->schema, 0, NULL)
                          : use_schema(column->of, column->known, definitions);
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
        const isocast_field *column = &table->columns[i];
        if (isocast_field_is_in(table, column, ISOCAST_IN_JSON)) {
            cli_json_set(&properties, column->name, column_schema(column, definitions));
            if (column->shown == NULL) {
                cli_json_append(&required, json_string(column->name));
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
    cli_json_set(&object, "additionalProperties", json_false());
    return object;
}

json_t *cli_fields_schema(const isocast_table *const *tables, size_t count) {
    json_t *definitions = json_object();
    for (size_t i = 0; i < count; i++) {
        json_decref(use_schema(tables[i], true, &definitions));
    }
    return definitions;
}
