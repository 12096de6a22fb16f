#include "sweep_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/options/exit.h"
#include "cli/output/growing.h"
#include "cli/output/ordered.h"
#include "cli/output/progress.h"
#include "interrupt.h"

/* What computes one block after the other in a thread. */
typedef struct maker {
    isocast_sweep_worker *worker;
    cli_sweep_text *text;
} maker;

/* What a rank tells rank 0 before anything is computed. */
typedef struct rank_state {
    int planned; /* exit status */
    char hash[CLI_SWEEP_HASH + 1];
} rank_state;

/* What rank 0 tells all of them then. */
typedef struct rank_order {
    int status;   /* exit status: go on where it is OK */
    double first; /* block */
} rank_order;

/* What goes before the lines of a block on their way to rank 0; a block whose status is not OK, or
 * whose number is below 0, is the rank's last word. */
typedef struct rank_head {
    double number;
    double unsolved;
    isocast_status status;
} rank_head;

typedef struct run {
    const sweep_run_request *request;
    cli_growing output;
    isocast_buffer head;
    isocast_buffer message; /* of another rank, or for rank 0 */
    double blocks;
    double written; /* rows in the file */
    double before;  /* of them when this command began to compute */
    double unsolved;
    bool interrupted;
    bool shows_progress;
    struct timespec began, shown;
    int status;
} run;

static double seconds_since(struct timespec from, struct timespec now) {
    return (double)(now.tv_sec - from.tv_sec) + 1e-9 * (double)(now.tv_nsec - from.tv_nsec);
}

/* "12:34:56" for what is left. */
static void put_time_left(double seconds, isocast_buffer *out) {
    if (seconds < 1e7) {
        long whole = lround(seconds);
        isocast_buffer_printf(out, ", %ld:%02ld:%02ld left", whole / 3600, whole / 60 % 60,
                              whole % 60);
    }
}

static void show_progress(run *r) {
    static const double every = 0.2; /* s */
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!r->shows_progress || seconds_since(r->shown, now) < every) {
        return;
    }
    r->shown = now;
    double rows = isocast_sweep_rows(r->request->sweep);
    double rate = (r->written - r->before) / fmax(seconds_since(r->began, now), every);
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "sweep: %.0f of %.0f rows, %.1f %%, %.3g rows a minute",
                          r->written, rows, 100 * r->written / rows, 60 * rate);
    put_time_left((rows - r->written) / rate, &text);
    if (!text.failed) {
        cli_progress_show("%s", text.text);
    }
    isocast_buffer_free(&text);
}

static isocast_status make_block(void *context, double block, cli_piece *piece) {
    maker *m = context;
    isocast_sweep_records records;
    isocast_status status = isocast_sweep_compute(m->worker, block, &records);
    if (status == ISOCAST_OK) {
        piece->unsolved = cli_sweep_lines(m->text, &records, &piece->text);
    }
    return status;
}

static double rows_to(const run *r, double block) {
    return fmin((block + 1) * ISOCAST_SWEEP_BLOCK, isocast_sweep_rows(r->request->sweep));
}

/* Writes the lines of a block; false where that is the end. */
static bool write_block(run *r, double block, isocast_status status, double unsolved,
                        const char *text, size_t length) {
    if (status != ISOCAST_OK) {
        r->status = cli_exit_of(status);
        return false;
    }
    r->status = cli_growing_append(&r->output, text, length);
    if (r->status != CLI_EXIT_OK) {
        return false;
    }
    r->unsolved += unsolved;
    r->written = rows_to(r, block);
    show_progress(r);
    r->interrupted = r->interrupted || cli_interrupts_came();
    return !r->interrupted;
}

/* Takes the next message of a rank: a block or its last word. */
static bool receive(run *r, int rank, rank_head *head) {
    const ranks_functions *ranks = r->request->ranks->functions;
    size_t length = ranks->expect(rank);
    r->message.length = 0;
    char *bytes = malloc(length);
    if (bytes != NULL) {
        ranks->receive(rank, bytes, length);
        memcpy(head, bytes, sizeof *head);
        isocast_buffer_append(&r->message, bytes + sizeof *head, length - sizeof *head);
    }
    free(bytes);
    return bytes != NULL && !r->message.failed;
}

/* In rank 0: writes the blocks of the others that follow one of its own. */
static bool write_others(run *r, double block) {
    for (int rank = 1; rank < r->request->ranks->count; rank++) {
        rank_head head = {0};
        if (block + rank >= r->blocks) {
            return true;
        }
        if (!receive(r, rank, &head)) {
            r->status = cli_exit_of(ISOCAST_NO_MEMORY);
            return false;
        }
        if (!write_block(r, head.number, head.status, head.unsolved, r->message.text,
                         r->message.length)) {
            return false;
        }
    }
    return true;
}

/* Rank 0, which may be the only one. */
static bool take_and_write(void *context, const cli_piece *piece) {
    run *r = context;
    return write_block(r, piece->number, piece->status, piece->unsolved, piece->text.text,
                       piece->text.length) &&
           write_others(r, piece->number);
}

static void send(run *r, const rank_head *head, const isocast_buffer *lines) {
    r->message.length = 0;
    isocast_buffer_append(&r->message, (const char *)head, sizeof *head);
    if (lines != NULL) {
        isocast_buffer_append(&r->message, lines->text, lines->length);
    }
    if (r->message.failed) {
        const rank_head failure = {.number = -1, .status = ISOCAST_NO_MEMORY};
        r->request->ranks->functions->send(&failure, sizeof failure);
    } else {
        r->request->ranks->functions->send(r->message.text, r->message.length);
    }
}

/* The other ranks. */
static bool take_and_send(void *context, const cli_piece *piece) {
    run *r = context;
    const rank_head head = {piece->number, piece->unsolved, piece->status};
    send(r, &head, piece->status == ISOCAST_OK ? &piece->text : NULL);
    return !r->request->ranks->functions->stopped();
}

static void free_makers(maker *makers, void **pointers, size_t count) {
    for (size_t i = 0; makers != NULL && i < count; i++) {
        isocast_sweep_worker_free(makers[i].worker);
        cli_sweep_text_free(makers[i].text);
    }
    free(makers);
    free(pointers);
}

/* Computes the blocks of this rank from `first` on. */
static isocast_status compute(run *r, double first) {
    const sweep_run_request *request = r->request;
    size_t count = request->threads;
    maker *makers = calloc(count, sizeof *makers);
    void **pointers = calloc(count, sizeof *pointers);
    isocast_status status = makers != NULL && pointers != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = isocast_sweep_worker_create(request->sweep, &makers[i].worker);
        makers[i].text = cli_sweep_text_create(request->sweep, request->format);
        status = makers[i].text == NULL ? ISOCAST_NO_MEMORY : status;
        pointers[i] = &makers[i];
    }
    if (status == ISOCAST_OK) {
        const cli_ordered ordered = {.first = first + request->ranks->rank,
                                     .step = request->ranks->count,
                                     .end = r->blocks,
                                     .threads = count,
                                     .makers = pointers,
                                     .make = make_block,
                                     .take =
                                         request->ranks->rank == 0 ? take_and_write : take_and_send,
                                     .context = r};
        status = cli_ordered_run(&ordered);
    }
    free_makers(makers, pointers, count);
    return status;
}

/* In rank 0: whether all ranks have the same question. */
static int agree(const run *r, const rank_state *all) {
    for (int rank = 1; rank < r->request->ranks->count; rank++) {
        if (all[rank].planned != CLI_EXIT_OK || strcmp(all[rank].hash, all[0].hash) != 0) {
            fprintf(stderr,
                    "isocast %s: process %d reads other files than process 0, or cannot read them; "
                    "all processes need the same files\n",
                    r->request->command, rank);
            return CLI_EXIT_INVALID;
        }
    }
    return CLI_EXIT_OK;
}

/* Opens the output and finds the first block. */
static int begin(run *r, const rank_state *states, cli_growing_request *growing,
                 rank_order *order) {
    int status = states[0].planned;
    status = status == CLI_EXIT_OK ? agree(r, states) : status;
    if (status == CLI_EXIT_OK) {
        status = cli_growing_open(growing, &r->output);
        r->before = r->written = r->output.next * ISOCAST_SWEEP_BLOCK;
        r->unsolved = r->output.unsolved;
    }
    *order = (rank_order){status, r->output.next};
    return status;
}

static bool read_line(const void *context, const char *line, size_t length, double number,
                      bool *solved) {
    const sweep_run_request *request = context;
    return cli_sweep_line_read(request->format, line, length, number, solved);
}

/* In rank 0, after its own last block: has the others end, and hears their last words. */
static void end_others(run *r) {
    const cli_ranks *ranks = r->request->ranks;
    if (ranks->functions == NULL) {
        return;
    }
    ranks->functions->stop();
    for (int rank = 1; rank < ranks->count; rank++) {
        rank_head head = {.number = 0};
        while (head.number >= 0) {
            if (!receive(r, rank, &head)) {
                r->status = CLI_EXIT_SYSTEM;
                break;
            }
        }
    }
}

static int finish(run *r) {
    if (r->shows_progress) {
        cli_progress_clear();
    }
    if (r->interrupted && r->status == CLI_EXIT_OK) {
        const char *output = r->request->output;
        bool file = output != NULL && strcmp(output, "-") != 0;
        fprintf(stderr, "isocast %s: interrupted after %.0f of %.0f rows%s\n", r->request->command,
                fmax(r->written, r->output.lines), isocast_sweep_rows(r->request->sweep),
                file ? "; the same command with --resume goes on" : "");
        r->status = CLI_EXIT_SYSTEM;
    }
    if (r->status == CLI_EXIT_OK && r->unsolved > 0) {
        r->status = CLI_EXIT_NO_SOLUTION;
    }
    bool complete = r->status == CLI_EXIT_OK || r->status == CLI_EXIT_NO_SOLUTION;
    return cli_growing_close(&r->output, complete, r->status);
}

/* Rank 0 knows what the file has; the others are told. */
static int start(run *r, int planned, cli_growing_request *growing, rank_order *order) {
    const cli_ranks *ranks = r->request->ranks;
    rank_state own = {.planned = planned};
    if (planned == CLI_EXIT_OK && !cli_sweep_head(r->request->sweep, r->request->format,
                                                  r->request->question, &r->head, own.hash)) {
        own.planned = cli_exit_of(ISOCAST_NO_MEMORY);
    }
    rank_state *states = calloc((size_t)ranks->count, sizeof *states);
    if (states == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    states[0] = own;
    if (ranks->functions != NULL) {
        ranks->functions->gather(&own, sizeof own, states);
    }
    if (ranks->rank == 0) {
        begin(r, states, growing, order);
    }
    if (ranks->functions != NULL) {
        ranks->functions->share(order, sizeof *order);
    }
    free(states);
    return order->status;
}

/* All blocks of this rank, and the end. */
static int carry_out(run *r, const rank_order *order) {
    const sweep_run_request *request = r->request;
    r->blocks = isocast_sweep_blocks(request->sweep);
    clock_gettime(CLOCK_MONOTONIC, &r->began);
    cli_interrupts_catch();
    isocast_status status = compute(r, order->first);
    if (request->ranks->rank > 0) {
        const rank_head last = {.number = -1, .status = status};
        send(r, &last, NULL);
        return CLI_EXIT_OK;
    }
    r->status = r->status == CLI_EXIT_OK ? cli_exit_of(status) : r->status;
    end_others(r);
    return finish(r);
}

int sweep_run(const sweep_run_request *request, int planned) {
    run r = {.request = request,
             .output = {.file = -1},
             .shows_progress = !request->quiet && isatty(STDERR_FILENO) == 1};
    cli_growing_request growing = {
        .command = request->command,
        .path = request->output,
        .resume = request->resume,
        .head = &r.head,
        .lines_most = planned == CLI_EXIT_OK ? isocast_sweep_rows(request->sweep) : 0,
        .block = ISOCAST_SWEEP_BLOCK,
        .read_line = read_line,
        .context = request};
    rank_order order = {.status = CLI_EXIT_OK};
    int status = start(&r, planned, &growing, &order);
    if (status == CLI_EXIT_OK) {
        status = carry_out(&r, &order);
    } else {
        status =
            request->ranks->rank == 0 ? cli_growing_close(&r.output, false, status) : CLI_EXIT_OK;
    }
    isocast_buffer_free(&r.head);
    isocast_buffer_free(&r.message);
    return status;
}
