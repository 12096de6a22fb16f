#include "schema.h"

#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "subject.h"

static const isocast_table *const documents[] = {
    &cli_prediction_document,  &cli_scalability_document,
    &cli_validation_document,  &cli_comparison_document,
    &cli_transfer_document,    &cli_scaling_document,
    &cli_growth_document,      &cli_explanation_document,
    &cli_ranking_document,     &cli_offers_document,
    &cli_suite_document,       &cli_measurement_document,
    &cli_predictions_document, &cli_explanations_document,
    &cli_growths_document,     &cli_measurements_document,
    &cli_fit_document,         &cli_sweep_document,
    &cli_sets_document,        &cli_forecast_document,
    &cli_joined_document,      &cli_sweep_rows};
/* The last one stands in no document. */
enum { TABLES = sizeof documents / sizeof documents[0], DOCUMENTS = TABLES - 1 };

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
        "oneOf", choices, "$defs", cli_fields_schema(documents, TABLES));
}
