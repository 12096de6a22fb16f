/* The conditions are cut into blocks of a fixed number. Threads take one block after the other; a
 * block has its own share of the effort, so that no result depends on which thread came first. */
#include "batch.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "batch_fast.h"
#include "prediction.h"

/* One block of conditions at work. */
typedef struct block_work {
    const isocast_batch_request *request;
    const isocast_batch_results *results;
    size_t first;
    size_t count;
    isocast_effort effort;
    isocast_status status;
} block_work;

static const isocast_system *system_at(const isocast_batch_request *request, size_t k) {
    return request->systems[k * request->systems_stride];
}

/* The model with the values that the machine's parameters have in condition k. Errors: NO_MEMORY.
 */
static isocast_status vary_model(const isocast_batch_request *request, size_t k,
                                 isocast_model **out) {
    size_t count = isocast_model_machine(request->model)->parameter_count;
    double *values = malloc((count + 1) * sizeof *values);
    if (values == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    memcpy(values, isocast_model_parameters(request->model), count * sizeof *values);
    for (size_t i = 0; i < request->parameter_count; i++) {
        values[request->parameters[i].parameter] = request->parameters[i].values[k];
    }
    isocast_status status = isocast_model_with_parameters(request->model, values, out);
    free(values);
    return status;
}

static isocast_batch_note note_of(const isocast_batch_request *request,
                                  const isocast_prediction_row *row) {
    if (request->targets == NULL) {
        return row->p_working < row->p ? ISOCAST_BATCH_FEWER : ISOCAST_BATCH_PLAIN;
    }
    if (!isnan(row->N_efficiency)) {
        return ISOCAST_BATCH_RAISED;
    }
    if (row->solution.every_N) {
        return ISOCAST_BATCH_EVERY_N;
    }
    if (row->solution.gave_up) {
        return ISOCAST_BATCH_GAVE_UP;
    }
    if (!isnan(row->solution.jump_N)) {
        return ISOCAST_BATCH_JUMP;
    }
    return row->solution.complete ? ISOCAST_BATCH_PLAIN : ISOCAST_BATCH_INCOMPLETE;
}

static void put(double *results, size_t k, double value) {
    if (results != NULL) {
        results[k] = value;
    }
}

static void put_row(const isocast_batch_request *request, const isocast_batch_results *results,
                    size_t k, const isocast_prediction_row *row, size_t term_count) {
    bool unreachable = row->status == ISOCAST_ROW_UNREACHABLE;
    put(results->N, k, row->N);
    put(results->W, k, row->W);
    put(results->T, k, row->T);
    put(results->T_c, k, row->T_c);
    put(results->T_o, k, row->T_o);
    put(results->E, k, row->E);
    put(results->held, k, row->held);
    put(results->memory, k, row->memory);
    put(results->concurrency, k, row->concurrency);
    put(results->best_E, k, unreachable ? row->solution.best_E : NAN);
    put(results->best_N, k, unreachable ? row->solution.best_N : NAN);
    for (size_t i = 0; results->terms != NULL && i < term_count; i++) {
        results->terms[i][k] = row->terms[i];
    }
    if (results->status != NULL) {
        results->status[k] = row->status;
    }
    if (results->root_count != NULL) {
        results->root_count[k] = row->solution.root_count;
    }
    if (results->note != NULL) {
        results->note[k] = note_of(request, row);
    }
}

/* Condition k by itself. Errors: ARGUMENT, NO_MEMORY. */
static isocast_status predict_one(const isocast_batch_request *request,
                                  const isocast_batch_results *results, size_t k,
                                  isocast_effort *effort) {
    size_t further = isocast_model_algorithm(request->model)->size_count - 1;
    const isocast_system *system = system_at(request, k);
    bool solve = request->targets != NULL;
    isocast_prediction_request one = {
        .N = solve ? NAN : request->N[k * request->N_stride],
        .other_sizes = request->other_sizes != NULL
                           ? request->other_sizes + k * request->other_sizes_stride * further
                           : NULL,
        .efficiency = solve ? request->targets[k * request->targets_stride] : NAN,
        .systems = &system,
        .system_count = 1,
        .effort = effort,
        .metric = request->metric,
        .numbers_only = true,
        .by_reference = request->by_reference};
    isocast_model *varied = NULL;
    isocast_prediction *prediction = NULL;
    isocast_status status =
        request->parameter_count > 0 ? vary_model(request, k, &varied) : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        status = isocast_predict(varied != NULL ? varied : request->model, &one, &prediction);
    }
    if (status == ISOCAST_OK) {
        put_row(request, results, k, &prediction->rows[0], prediction->term_count);
    }
    isocast_prediction_free(prediction);
    isocast_model_free(varied);
    return status;
}

/* What threads share. */
typedef struct batch {
    block_work *blocks; /* [block_count] */
    size_t block_count;
    atomic_size_t next;
    isocast_batch_fast *fast; /* the fast way; NULL where there is none */
} batch;

static void work_on_block(const batch *b, isocast_batch_desk *desk, block_work *block) {
    bool solved[ISOCAST_BATCH_BLOCK] = {false};
    if (desk != NULL) {
        block->status = isocast_batch_fast_solve(b->fast, desk, block->results, block->first,
                                                 block->count, &block->effort, solved);
    }
    for (size_t i = 0; i < block->count && block->status == ISOCAST_OK; i++) {
        if (!solved[i]) {
            isocast_effort lent =
                isocast_effort_lend(&block->effort, 1 / (double)(block->count - i));
            block->status = predict_one(block->request, block->results, block->first + i, &lent);
            isocast_effort_return(&block->effort, &lent);
        }
    }
}

static void *take_blocks(void *shared) {
    batch *b = shared;
    isocast_batch_desk *desk = b->fast != NULL ? isocast_batch_desk_create(b->fast) : NULL;
    bool fails = b->fast != NULL && desk == NULL;
    for (size_t i = atomic_fetch_add(&b->next, 1); i < b->block_count;
         i = atomic_fetch_add(&b->next, 1)) {
        if (fails) {
            b->blocks[i].status = ISOCAST_NO_MEMORY;
        } else {
            work_on_block(b, desk, &b->blocks[i]);
        }
    }
    isocast_batch_desk_free(desk);
    return NULL;
}

/* The calling thread works, too; where a thread cannot be started, the others do its part. */
static void share_out(batch *b, size_t threads) {
    size_t helpers = threads > b->block_count ? b->block_count : threads;
    helpers = helpers > 0 ? helpers - 1 : 0;
    pthread_t *started = helpers > 0 ? malloc(helpers * sizeof *started) : NULL;
    size_t count = 0;
    while (started != NULL && count < helpers &&
           pthread_create(&started[count], NULL, take_blocks, b) == 0) {
        count++;
    }
    take_blocks(b);
    for (size_t i = 0; i < count; i++) {
        pthread_join(started[i], NULL);
    }
    free(started);
}

static bool request_is_valid(const isocast_batch_request *request) {
    size_t parameter_count = isocast_model_machine(request->model)->parameter_count;
    for (size_t i = 0; i < request->parameter_count; i++) {
        if (request->parameters[i].parameter >= parameter_count) {
            return false;
        }
    }
    for (size_t k = 0; request->targets != NULL && k < request->count; k++) {
        double target = request->targets[k * request->targets_stride];
        if (!(target > 0 && target < INFINITY)) {
            return false;
        }
    }
    return (unsigned)request->metric < ISOCAST_METRICS &&
           (request->targets != NULL || request->N != NULL);
}

isocast_status isocast_batch_solve(const isocast_batch_request *request,
                                   const isocast_batch_results *results) {
    if (!request_is_valid(request)) {
        return ISOCAST_ARGUMENT;
    }
    batch b = {.block_count = (request->count + ISOCAST_BATCH_BLOCK - 1) / ISOCAST_BATCH_BLOCK};
    b.blocks = malloc((b.block_count + 1) * sizeof *b.blocks);
    if (b.blocks == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_effort own = isocast_effort_of(request->count);
    isocast_effort *effort = request->effort != NULL ? request->effort : &own;
    for (size_t i = 0; i < b.block_count; i++) {
        size_t first = i * ISOCAST_BATCH_BLOCK;
        size_t left = request->count - first;
        b.blocks[i] =
            (block_work){.request = request,
                         .results = results,
                         .first = first,
                         .count = left < ISOCAST_BATCH_BLOCK ? left : ISOCAST_BATCH_BLOCK,
                         .effort = isocast_effort_lend(effort, 1 / (double)(b.block_count - i)),
                         .status = ISOCAST_OK};
    }
    isocast_status status = isocast_batch_fast_create(request, &b.fast);
    if (status == ISOCAST_OK) {
        share_out(&b, request->threads);
    }
    isocast_batch_fast_free(b.fast);
    for (size_t i = 0; i < b.block_count; i++) {
        isocast_effort_return(effort, &b.blocks[i].effort);
        status = status == ISOCAST_OK ? b.blocks[i].status : status;
    }
    free(b.blocks);
    return status;
}
