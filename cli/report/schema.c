#include "schema.h"

#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "json_prediction.h"
#include "report_scalability.h"
#include "report_sets.h"

static const isocast_table *const documents[] = {&cli_prediction_document,
                                                 &cli_scalability_document, &cli_sets_document};
enum { DOCUMENTS = sizeof documents / sizeof documents[0] };

json_t *cli_results_schema(void) {
    json_t *choices = json_array();
    for (size_t i = 0; i < DOCUMENTS; i++) {
        cli_json_append(&choices, json_pack("{s: s+}", "$ref", "#/$defs/", documents[i]->name));
    }
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema",
        "title", "Results of isocast", "description",
        "The JSON that the commands write. Numbers are in the SI unit that stands in brackets at "
        "the end of their description, [1] for counts and ratios; what is not known or does not "
        "apply is null. CSV has the same names and units, and is empty there.",
        "oneOf", choices, "$defs", cli_fields_schema(documents, DOCUMENTS));
}
