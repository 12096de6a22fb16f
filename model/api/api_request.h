/* A request of the public interface, read for a model: its texts as systems, its numbers checked.
 * Private to the room. */
#ifndef ISOCAST_API_REQUEST_H
#define ISOCAST_API_REQUEST_H

#include "api.h"
#include "model/solve/prediction.h"

/* Start from {0}. `request` points into the rest and into the caller's request. */
typedef struct isocast_api_request {
    isocast_prediction_request request;
    isocast_system *base;     /* NULL: none */
    isocast_system **systems; /* [request.system_count] */
} isocast_api_request;

/* What callers and library know of a request, whose first member is its size_t `size`. */
typedef struct isocast_api_members {
    size_t first_version; /* bytes of the smallest that there ever was */
    size_t known;         /* bytes that this library knows */
    const char *start;    /* hint to whoever has no such size */
} isocast_api_members;

/* Takes over the members that caller and library both know; `out` has the initial ones. A caller
 * that was built with a newer header may know more; what it says in those must not be passed over.
 * Errors, with a diagnostic: ARGUMENT. */
isocast_status isocast_api_take_members(const isocast_api_members *members, const void *given,
                                        isocast_diagnostics *diagnostics, void *out);

/* Notes what is wrong with a request, and gives ARGUMENT. hint: NULL for none. */
isocast_status isocast_api_refuse(isocast_diagnostics *diagnostics, const char *hint,
                                  const char *message);

/* Reads a request. Errors, the first two with diagnostics: ARGUMENT, INVALID, NO_MEMORY. Free in
 * either case. */
isocast_status isocast_api_request_read(const isocast_model *model, const isocast_request *given,
                                        isocast_diagnostics *diagnostics, isocast_api_request *out);
void isocast_api_request_free(isocast_api_request *request);

/* A public function that takes a request about a model, from its beginning to its end. */
typedef struct isocast_api_question {
    isocast_api_call call;
    isocast_api_request read;
} isocast_api_question;

/* Begins one: enters the call and reads the request. `out` is where the result will go. Errors:
 * those of isocast_api_request_read(), and ARGUMENT where model, request or out is NULL. End it
 * with isocast_api_answer() in either case. */
isocast_status isocast_api_ask(const isocast_model *model, const isocast_request *request,
                               isocast_diagnostics *diagnostics, const void *out,
                               isocast_api_question *question);

/* Ends it: frees what was read and leaves the call. Gives the status that the function comes back
 * with. */
isocast_status isocast_api_answer(isocast_api_question *question, isocast_status status);

#endif
