/* A request of the public interface, read for a model: its texts as systems, its numbers checked.
 * Private to the room. */
#ifndef ISOCAST_API_REQUEST_H
#define ISOCAST_API_REQUEST_H

#include "model/solve/prediction.h"

/* Start from {0}. `request` points into the rest and into the caller's request. */
typedef struct isocast_api_request {
    isocast_prediction_request request;
    isocast_system *base;     /* NULL: none */
    isocast_system **systems; /* [request.system_count] */
} isocast_api_request;

/* Reads a request. Errors, the first two with diagnostics: ARGUMENT, INVALID, NO_MEMORY. Free in
 * either case. */
isocast_status isocast_api_request_read(const isocast_model *model, const isocast_request *given,
                                        isocast_diagnostics *diagnostics, isocast_api_request *out);
void isocast_api_request_free(isocast_api_request *request);

#endif
