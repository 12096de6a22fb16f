#include "fit_request.h"

fit_ways fit_request_ways(const fit_request *request) {
    return (fit_ways){.map = request->map, .times = request->times, .name = request->name};
}

bool fit_request_counts(const fit_request *request) {
    fit_ways ways = fit_request_ways(request);
    return fit_ways_known(&ways);
}
