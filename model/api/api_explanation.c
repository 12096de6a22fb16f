#include <isocast/prediction.h>
#include <math.h>

#include "api_request.h"
#include "model/solve/explanation.h"

isocast_status isocast_model_explain(const isocast_model *model, const isocast_request *request,
                                     isocast_diagnostics *diagnostics, isocast_explanation **out) {
    isocast_api_question question;
    isocast_prediction *prediction = NULL;
    isocast_status status = isocast_api_ask(model, request, diagnostics, out, &question);
    if (status == ISOCAST_OK) {
        status = isocast_predict(model, &question.read.request, &prediction);
    }
    if (status == ISOCAST_OK) {
        status = isocast_explain(prediction, &question.read.request, out);
    }
    if (status == ISOCAST_OK) {
        (*out)->owned = prediction;
    } else {
        isocast_prediction_free(prediction);
    }
    return isocast_api_answer(&question, status);
}

const isocast_prediction *isocast_explanation_prediction(const isocast_explanation *explanation) {
    return explanation->prediction;
}

size_t isocast_explanation_part_count(const isocast_explanation *explanation) {
    return explanation->part_count;
}

const char *isocast_explanation_part_name(const isocast_explanation *explanation, size_t part) {
    return part < explanation->part_count ? explanation->parts[part].name : NULL;
}

double isocast_explanation_part_time(const isocast_explanation *explanation, size_t part,
                                     size_t row) {
    return part < explanation->part_count && row < explanation->prediction->row_count
               ? explanation->parts[part].T[row]
               : NAN;
}

double isocast_explanation_part_share(const isocast_explanation *explanation, size_t part,
                                      size_t row) {
    return isocast_explanation_part_time(explanation, part, row) /
           isocast_prediction_number(explanation->prediction, row, ISOCAST_QUANTITY_T);
}

double isocast_explanation_part_growth(const isocast_explanation *explanation, size_t part) {
    return part < explanation->part_count ? explanation->parts[part].growth : NAN;
}

size_t isocast_explanation_driver_count(const isocast_explanation *explanation) {
    return explanation->drivers.count;
}

/* One that is not there is like one of which nothing is known. */
static const isocast_driver *driver_at(const isocast_explanation *explanation, size_t driver) {
    static const isocast_driver nothing = {.kind = ISOCAST_DRIVER_PARAMETER, .elasticity = NAN};
    return driver < explanation->drivers.count ? &explanation->drivers.items[driver] : &nothing;
}

const char *isocast_explanation_driver_name(const isocast_explanation *explanation, size_t driver) {
    return driver_at(explanation, driver)->name;
}

const char *isocast_explanation_driver_meaning(const isocast_explanation *explanation,
                                               size_t driver) {
    return driver_at(explanation, driver)->meaning;
}

isocast_driver_kind isocast_explanation_driver_kind(const isocast_explanation *explanation,
                                                    size_t driver) {
    return driver_at(explanation, driver)->kind;
}

double isocast_explanation_driver_elasticity(const isocast_explanation *explanation,
                                             size_t driver) {
    return driver_at(explanation, driver)->elasticity;
}
