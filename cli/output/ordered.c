#include "ordered.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* Pieces that lie ready for each thread: one is taken while the next is made. */
enum { READY_EACH = 2 };

typedef struct slot {
    cli_piece piece;
    bool ready;
} slot;

typedef struct shared {
    const cli_ordered *request;
    pthread_mutex_t mutex;
    pthread_cond_t made;  /* a slot became ready */
    pthread_cond_t taken; /* a slot became free */
    slot *slots;          /* [slot_count], piece i stands in slot i mod slot_count */
    size_t slot_count;
    double count;   /* pieces in all */
    double started; /* the next piece to make */
    double done;    /* the next piece to take */
    bool stopped;
} shared;

typedef struct worker {
    shared *all;
    void *maker;
    pthread_t thread;
} worker;

static slot *slot_of(shared *all, double piece) {
    return &all->slots[(size_t)piece % all->slot_count];
}

static isocast_status make(const cli_ordered *request, void *maker, double index,
                           cli_piece *piece) {
    piece->number = request->first + index * request->step;
    piece->unsolved = 0;
    piece->text.length = 0;
    isocast_status status = request->make(maker, piece->number, piece);
    return piece->text.failed ? ISOCAST_NO_MEMORY : status;
}

/* Waits until there is a piece to make and room for it; a negative number where there is none. */
static double next_piece(shared *all) {
    pthread_mutex_lock(&all->mutex);
    while (!all->stopped && all->started < all->count &&
           all->started >= all->done + (double)all->slot_count) {
        pthread_cond_wait(&all->taken, &all->mutex);
    }
    double piece = !all->stopped && all->started < all->count ? all->started++ : -1;
    pthread_mutex_unlock(&all->mutex);
    return piece;
}

static void *work(void *context) {
    worker *w = context;
    shared *all = w->all;
    for (double i = next_piece(all); i >= 0; i = next_piece(all)) {
        slot *place = slot_of(all, i);
        isocast_status status = make(all->request, w->maker, i, &place->piece);
        pthread_mutex_lock(&all->mutex);
        place->piece.status = status;
        place->ready = true;
        pthread_cond_signal(&all->made);
        pthread_mutex_unlock(&all->mutex);
    }
    return NULL;
}

/* Takes the pieces as they become ready. */
static void take_all(shared *all) {
    const cli_ordered *request = all->request;
    bool more = true;
    for (double i = 0; i < all->count && more; i++) {
        slot *place = slot_of(all, i);
        pthread_mutex_lock(&all->mutex);
        while (!place->ready) {
            pthread_cond_wait(&all->made, &all->mutex);
        }
        pthread_mutex_unlock(&all->mutex);
        more = request->take(request->context, &place->piece) && place->piece.status == ISOCAST_OK;
        pthread_mutex_lock(&all->mutex);
        place->ready = false;
        all->done = i + 1;
        all->stopped = !more;
        pthread_cond_broadcast(&all->taken);
        pthread_mutex_unlock(&all->mutex);
    }
}

static isocast_status run_threads(shared *all, worker *workers, size_t count) {
    size_t started = 0;
    while (started < count) {
        workers[started].all = all;
        workers[started].maker = all->request->makers[started];
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0) {
            break;
        }
        started++;
    }
    /* Fewer threads make the same pieces. */
    if (started > 0) {
        take_all(all);
    }
    for (size_t i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    return started > 0 ? ISOCAST_OK : ISOCAST_IO;
}

/* Without threads: what is made is taken at once. */
static isocast_status run_alone(const cli_ordered *request, double count) {
    cli_piece piece = {0};
    bool more = true;
    for (double i = 0; i < count && more; i++) {
        piece.status = make(request, request->makers[0], i, &piece);
        more = request->take(request->context, &piece) && piece.status == ISOCAST_OK;
    }
    isocast_buffer_free(&piece.text);
    return ISOCAST_OK;
}

isocast_status cli_ordered_run(const cli_ordered *request) {
    double count = fmax(0, ceil((request->end - request->first) / request->step));
    if (request->threads == 1) {
        return run_alone(request, count);
    }
    shared all = {.request = request,
                  .mutex = PTHREAD_MUTEX_INITIALIZER,
                  .made = PTHREAD_COND_INITIALIZER,
                  .taken = PTHREAD_COND_INITIALIZER,
                  .slot_count = READY_EACH * request->threads,
                  .count = count};
    all.slots = calloc(all.slot_count, sizeof *all.slots);
    worker *workers = calloc(request->threads, sizeof *workers);
    isocast_status status = all.slots != NULL && workers != NULL
                                ? run_threads(&all, workers, request->threads)
                                : ISOCAST_NO_MEMORY;
    for (size_t i = 0; all.slots != NULL && i < all.slot_count; i++) {
        isocast_buffer_free(&all.slots[i].piece.text);
    }
    free(all.slots);
    free(workers);
    return status;
}
