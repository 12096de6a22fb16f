/* The order of calls, and what T hangs on by it: pipelines that fill, messages that are under way
 * while processes compute. The records are those of programs that are gone through here call by
 * call. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "made_records.h"

enum {
    PROCESSES_MOST = 8,
    SITES_MOST = 8,
    SWEEPS = 3,
    NULL_PARTNER = -3,
    NO_PARTNER = -1,
    EACH = -9
};

/* How often each process was where, and went from there to where. Site 0 is the first call. */
typedef struct trace {
    int p;
    int at[PROCESSES_MOST];
    const char *calls[SITES_MOST];
    int partners[PROCESSES_MOST][SITES_MOST];
    int bytes[SITES_MOST];
    int times[PROCESSES_MOST][SITES_MOST];
    int ways[PROCESSES_MOST][SITES_MOST][SITES_MOST];
    double computing[PROCESSES_MOST][SITES_MOST][SITES_MOST];
    double next; /* s, computing before the next call */
} trace;

static void call(trace *t, int r, int site, const char *name, int partner, int bytes) {
    t->calls[site] = name;
    t->partners[r][site] = partner;
    t->bytes[site] = bytes;
    t->times[r][site]++;
    t->ways[r][t->at[r]][site]++;
    t->computing[r][t->at[r]][site] += t->next;
    t->next = 0;
    t->at[r] = site;
}

static isocast_record *record_of_trace(const trace *t, int N) {
    isocast_buffer b = begin_record(t->p, "start a b c d e f g", "%d", N);
    for (int r = 0; r < t->p; r++) {
        isocast_buffer_printf(&b, "call,%d,0,,MPI_Init,,0,,,1,0\n", r);
        for (int s = 1; s < SITES_MOST; s++) {
            const char *communicator =
                t->calls[s] != NULL && (strncmp(t->calls[s], "MPI_Wa", 6) == 0 ||
                                        strncmp(t->calls[s], "MPI_Testa", 9) == 0)
                    ? ""
                    : "0";
            char partner[16] = "";
            if (t->partners[r][s] != NO_PARTNER) {
                snprintf(partner, sizeof partner, "%d", t->partners[r][s]);
            }
            if (t->partners[r][s] == NULL_PARTNER) {
                snprintf(partner, sizeof partner, "null");
            }
            bool each = t->partners[r][s] == EACH; /* other process, in turns */
            for (int k = 0; each && k < t->p; k++) {
                if (k != r) {
                    isocast_buffer_printf(&b, "call,%d,%d,0,%s,%d,%d,,,%d,0\n", r, s, t->calls[s],
                                          k, t->bytes[s], t->times[r][s] / (t->p - 1));
                }
            }
            if (t->times[r][s] > 0 && !each) {
                isocast_buffer_printf(&b, "call,%d,%d,%s,%s,%s,%d,,,%d,0\n", r, s, communicator,
                                      t->calls[s], partner, t->bytes[s], t->times[r][s]);
            }
        }
        for (int from = 0; from < SITES_MOST; from++) {
            for (int to = 0; to < SITES_MOST; to++) {
                int times = t->ways[r][from][to];
                double time = t->computing[r][from][to];
                if (times > 0) {
                    isocast_buffer_printf(&b, "compute,%d,%d,%d,%d,%.9g,%.9g,%.9g,%.9g\n", r, from,
                                          to, times, time, time * time / times, time / times,
                                          time / times);
                }
            }
        }
    }
    return record_of(&b);
}

/* Blocks come from the process before, and a call of all ends a sweep. */
static isocast_record *blocks_run(int N, int p, const char *ending, int bytes) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int block = 0; block < N; block++) {
                if (r > 0) {
                    call(&t, r, 1, "MPI_Recv", r - 1, 8);
                }
                t.next = 1e-3;
                if (r < p - 1) {
                    call(&t, r, 2, "MPI_Send", r + 1, 8);
                }
            }
            call(&t, r, 3, ending, NO_PARTNER, bytes);
        }
    }
    return record_of_trace(&t, N);
}

static isocast_record *wavefront_run(int N, int p) {
    return blocks_run(N, p, "MPI_Barrier", 0);
}

/* Each sends to the left one, then receives from it, then the same to the right: in one sweep this
 * goes through all processes, but the next one follows right behind. */
static isocast_record *halo_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < N; sweep++) {
            if (r > 0) {
                call(&t, r, 1, "MPI_Send", r - 1, 8);
                call(&t, r, 2, "MPI_Recv", r - 1, 8);
            }
            if (r < p - 1) {
                call(&t, r, 3, "MPI_Send", r + 1, 8);
                call(&t, r, 4, "MPI_Recv", r + 1, 8);
            }
            t.next = 1e-3;
        }
    }
    return record_of_trace(&t, N);
}

/* To the last process and back to the first in each sweep. */
static isocast_record *back_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < N; sweep++) {
            if (r > 0) {
                call(&t, r, 1, "MPI_Recv", r - 1, 8);
            }
            t.next = 1e-3;
            if (r < p - 1) {
                call(&t, r, 2, "MPI_Send", r + 1, 8);
                call(&t, r, 3, "MPI_Recv", r + 1, 8);
            }
            if (r > 0) {
                call(&t, r, 4, "MPI_Send", r - 1, 8);
            }
        }
    }
    return record_of_trace(&t, N);
}

/* As the wavefront, but for a call of which it is not known who waits for whom. */
static isocast_record *unknown_run(int N, int p) {
    return blocks_run(N, p, "MPI_Scan", 8);
}

/* A message to each neighbour is under way while the process computes; a sum of all while it
 * computes a third as much, and then all wait before it computes. */
static isocast_record *under_way_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        int right = r < p - 1 ? r + 1 : NULL_PARTNER;
        int left = r > 0 ? r - 1 : NULL_PARTNER;
        for (int sweep = 0; sweep < N; sweep++) {
            call(&t, r, 1, "MPI_Irecv", left, 80);
            call(&t, r, 2, "MPI_Isend", right, 80);
            t.next = 3e-3;
            call(&t, r, 3, "MPI_Waitall", NO_PARTNER, 2);
            call(&t, r, 4, "MPI_Iallreduce", NO_PARTNER, 8);
            t.next = 1e-3;
            call(&t, r, 5, "MPI_Wait", NO_PARTNER, 1);
            t.next = 4e-3;
        }
        call(&t, r, 6, "MPI_Win_fence", NO_PARTNER, 0);
    }
    return record_of_trace(&t, N);
}

/* A token goes around a ring. */
static isocast_record *ring_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p && p > 1; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < N; sweep++) {
            if (r == 0) {
                call(&t, r, 1, "MPI_Send", 1, 8);
                call(&t, r, 2, "MPI_Recv", p - 1, 8);
            } else {
                call(&t, r, 3, "MPI_Recv", r - 1, 8);
                call(&t, r, 4, "MPI_Send", (r + 1) % p, 8);
            }
        }
    }
    return record_of_trace(&t, N);
}

/* Calls that get fewer with each process: on 14 of them there would be less than none. */
static isocast_record *fewer_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        for (int i = 0; i < 40 - 3 * p; i++) {
            call(&t, r, 1, "MPI_Barrier", NO_PARTNER, 0);
        }
    }
    return record_of_trace(&t, N);
}

/* Messages of 0 B around a ring beside others of 80 B. */
static isocast_record *empty_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p && p > 1; r++) {
        for (int sweep = 0; sweep < N; sweep++) {
            call(&t, r, 1, "MPI_Irecv", (r + p - 1) % p, 80);
            call(&t, r, 2, "MPI_Irecv", (r + 1) % p, 0);
            call(&t, r, 3, "MPI_Isend", (r + 1) % p, 80);
            call(&t, r, 4, "MPI_Isend", (r + p - 1) % p, 0);
            call(&t, r, 5, "MPI_Waitall", NO_PARTNER, 4);
        }
    }
    return record_of_trace(&t, N);
}

/* All send to process 0, and wait for its answer. Its partners stand at one line. */
static isocast_record *master_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p && p > 1; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < N; sweep++) {
            for (int k = 1; k < p && r == 0; k++) {
                call(&t, r, 1, "MPI_Recv", EACH, 8);
            }
            for (int k = 1; k < p && r == 0; k++) {
                call(&t, r, 2, "MPI_Send", EACH, 8);
            }
            if (r > 0) {
                call(&t, r, 3, "MPI_Send", 0, 8);
                call(&t, r, 4, "MPI_Recv", 0, 8);
            }
        }
        call(&t, r, 5, "MPI_Barrier", NO_PARTNER, 0);
    }
    return record_of_trace(&t, N);
}

/* A token in a ring that each process asks for. */
static isocast_record *asking_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p && p > 1; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < N; sweep++) {
            if (r == 0) {
                call(&t, r, 1, "MPI_Send", 1, 8);
            }
            call(&t, r, 2, "MPI_Irecv", (r + p - 1) % p, 8);
            for (int i = 0; i < 7; i++) {
                call(&t, r, 3, "MPI_Test", NO_PARTNER, 0);
            }
            if (r > 0) {
                call(&t, r, 4, "MPI_Send", (r + 1) % p, 8);
            }
        }
        call(&t, r, 5, "MPI_Barrier", NO_PARTNER, 0);
    }
    return record_of_trace(&t, N);
}

/* A message to each side is under way while a process computes, and it asks until they have come.
 */
static isocast_record *until_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < N; sweep++) {
            call(&t, r, 1, "MPI_Irecv", (r + p - 1) % p, 80);
            call(&t, r, 2, "MPI_Isend", (r + 1) % p, 80);
            t.next = 8e-4;
            for (int i = 0; i <= (7 * p * p + 3 * N + sweep) % 11; i++) {
                call(&t, r, 3, "MPI_Testall", NO_PARTNER, 2);
                t.next = 1e-5;
            }
        }
    }
    return record_of_trace(&t, N);
}

/* Each process puts under a lock of process 0, then to the next one between post and wait, and
 * a broadcast is under way while it computes. */
static isocast_record *windows_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < N; sweep++) {
            call(&t, r, 1, "MPI_Win_lock", 0, 0);
            call(&t, r, 2, "MPI_Put", 0, 80);
            call(&t, r, 3, "MPI_Win_unlock", 0, 0);
            call(&t, r, 4, "MPI_Win_start", NO_PARTNER, 0);
            call(&t, r, 5, "MPI_Win_wait", NO_PARTNER, 0);
            call(&t, r, 6, "MPI_Ibcast", 0, 80);
            t.next = 1e-3;
            call(&t, r, 7, "MPI_Wait", NO_PARTNER, 1);
        }
    }
    return record_of_trace(&t, N);
}

/* Two messages of a process are under way together. */
static isocast_record *together_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p && p > 1; r++) {
        for (int sweep = 0; sweep < N; sweep++) {
            call(&t, r, 1, "MPI_Irecv", (r + p - 1) % p, 80);
            call(&t, r, 2, "MPI_Irecv", (r + 1) % p, 80);
            call(&t, r, 3, "MPI_Isend", (r + 1) % p, 80);
            call(&t, r, 4, "MPI_Isend", (r + p - 1) % p, 80);
            call(&t, r, 5, "MPI_Waitall", NO_PARTNER, 4);
        }
    }
    return record_of_trace(&t, N);
}

/* What is derived of runs of 1 to 5 processes. */
/* Halo exchanges in a line, many sweeps, with the interior computed meanwhile, then the border. */
static isocast_record *interior_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        int right = r < p - 1 ? r + 1 : NULL_PARTNER;
        int left = r > 0 ? r - 1 : NULL_PARTNER;
        for (int sweep = 0; sweep < 5 * N; sweep++) {
            call(&t, r, 1, "MPI_Irecv", left, 8);
            call(&t, r, 2, "MPI_Irecv", right, 8);
            call(&t, r, 3, "MPI_Isend", left, 8);
            call(&t, r, 4, "MPI_Isend", right, 8);
            t.next = 3e-3;
            call(&t, r, 5, "MPI_Waitall", NO_PARTNER, 4);
            t.next = 1e-4;
        }
    }
    return record_of_trace(&t, N);
}

/* Likewise by blocking calls to the right and then to the left, as students write it: Recv stands
 * before Send, as in a pipeline, but of the sweep before. */
static isocast_record *shifts_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < 5 * N; sweep++) {
            if (r < p - 1) {
                call(&t, r, 1, "MPI_Send", r + 1, 8);
            }
            t.next = 1e-3; /* the interior */
            if (r > 0) {
                call(&t, r, 2, "MPI_Recv", r - 1, 8);
                call(&t, r, 3, "MPI_Send", r - 1, 8);
            }
            if (r < p - 1) {
                call(&t, r, 4, "MPI_Recv", r + 1, 8);
            }
            t.next = 1e-4;
        }
    }
    return record_of_trace(&t, N);
}

/* Two processes after each other, in pairs, between many exchanges of each process with its
 * neighbour; all wait at the end of a sweep. No chain goes through all. */
static isocast_record *pairs_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        bool odd = r % 2 == 1;
        int other = odd ? r - 1 : r + 1;
        for (int sweep = 0; sweep < N; sweep++) {
            for (int i = 0; i < 10 && other < p; i++) {
                call(&t, r, 1, "MPI_Sendrecv", other, 8);
                t.next = 1e-4;
            }
            if (odd) {
                call(&t, r, 2, "MPI_Recv", other, 8);
            }
            t.next = 1e-3;
            if (!odd && other < p) {
                call(&t, r, 3, "MPI_Send", other, 8);
            }
            call(&t, r, 4, "MPI_Barrier", NO_PARTNER, 0);
        }
    }
    return record_of_trace(&t, N);
}

/* A wavefront once in each sweep, beside many more exchanges that a process has by itself: the
 * chain is shorter than these, and counts all the same. */
static isocast_record *short_chain_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        int right = r < p - 1 ? r + 1 : NULL_PARTNER;
        int left = r > 0 ? r - 1 : NULL_PARTNER;
        for (int sweep = 0; sweep < N; sweep++) {
            for (int i = 0; i < 20; i++) {
                call(&t, r, 1, "MPI_Irecv", left, 8);
                call(&t, r, 2, "MPI_Isend", right, 8);
                call(&t, r, 3, "MPI_Waitall", NO_PARTNER, 2);
                t.next = 1e-4;
            }
            call(&t, r, 4, "MPI_Barrier", NO_PARTNER, 0);
            if (r > 0) {
                call(&t, r, 5, "MPI_Recv", r - 1, 8);
            }
            t.next = 1e-3;
            if (r < p - 1) {
                call(&t, r, 6, "MPI_Send", r + 1, 8);
            }
            call(&t, r, 7, "MPI_Barrier", NO_PARTNER, 0);
        }
    }
    return record_of_trace(&t, N);
}

/* A token goes around. All ask for it, each as often as it finds nothing, and who has it works. */
static isocast_record *token_run(int N, int p) {
    enum { ASKS = 200000 };
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < N; sweep++) {
            if (p > 1 && r + sweep > 0) {
                call(&t, r, 1, "MPI_Iprobe", (r + p - 1) % p, 0);
                call(&t, r, 1, "MPI_Iprobe", (r + p - 1) % p, 0);
                call(&t, r, 2, "MPI_Recv", (r + p - 1) % p, 8);
            }
            t.next += 1e-3;
            if (p > 1 && (r < p - 1 || sweep < N - 1)) {
                call(&t, r, 3, "MPI_Send", (r + 1) % p, 8);
            }
        }
        call(&t, r, 4, "MPI_Barrier", NO_PARTNER, 0);
        if (p > 1) {
            t.ways[r][1][1] += ASKS * (r + 1);
            t.times[r][1] += ASKS * (r + 1);
        }
    }
    return record_of_trace(&t, N);
}

/* In each row of a grid of processes a wave from left to right, once, beside a few exchanges: the
 * chain goes through a row, not through all. */
static isocast_record *rows_run(int N, int p) {
    trace t = {.p = p};
    int rows = p == 4 || p == 6 ? 2 : 1;
    int columns = p / rows;
    for (int r = 0; r < p; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < 2; sweep++) {
            if (r % columns > 0) {
                call(&t, r, 1, "MPI_Recv", r - 1, 8 * N);
            }
            t.next = 1e-5 * N;
            if (r % columns < columns - 1) {
                call(&t, r, 2, "MPI_Send", r + 1, 8 * N);
            }
            call(&t, r, 3, "MPI_Barrier", NO_PARTNER, 0);
        }
    }
    return record_of_trace(&t, N);
}

static void derive_text(isocast_record *(*run)(int N, int p), isocast_buffer *text) {
    static const int ps[] = {1, 2, 3, 4, 5};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(run, ps, COUNT(ps), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    write_laws(derived, "order", 1e9, text);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
}

static void assert_has(const isocast_buffer *text, const char *wanted) {
    if (strstr(text->text, wanted) == NULL) {
        fail_msg("no '%s' in\n%s", wanted, text->text);
    }
}

static void assert_has_uncertain(const isocast_buffer *text, const char *wanted) {
    const char *uncertain = strstr(text->text, "uncertain:");
    if (uncertain == NULL || strstr(uncertain, wanted) == NULL) {
        fail_msg("no %s is uncertain in\n%s", wanted, text->text);
    }
}

static void pipelines_fill_in_each_sweep(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(wavefront_run, &text);
    assert_has(&text, "a-pipeline-2-");
    assert_has(&text, ": if(p > 1, 3*((p - 2)*(T_send(8 B) + T_recv(8 B)) + (p - 1)*");
    assert_null(strstr(text.text, "uncertain:"));
    isocast_buffer_free(&text);
    derive_text(back_run, &text);
    assert_has(&text, "a-pipeline-2-");
    assert_has(&text, "c-pipeline-4-");
    assert_has(&text, ": if(p > 1, N*((p - 2)*");
    assert_null(strstr(text.text, ": if(p > 1, ((p - 2)*"));
    isocast_buffer_free(&text);
}

static void sweeps_that_overlap_fill_once(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(halo_run, &text);
    assert_has(&text, "b-pipeline-3-");
    assert_has(&text, ": if(p > 1, ((p - 2)*(T_send(8 B) + T_recv(8 B)) + (p - 1)*");
    assert_null(strstr(text.text, "N*((p - 2)"));
    isocast_buffer_free(&text);
}

static void chains_through_all_processes_have_a_term(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(ring_run, &text);
    assert_has(&text, "  chain: if(p > 1, N*(p - 1)*(T_send(8 B) + T_recv(8 B)), 0 s)\n");
    isocast_buffer_free(&text);
    derive_text(halo_run, &text);
    assert_null(strstr(text.text, "  chain:"));
    isocast_buffer_free(&text);
}

/* How often processes ask for a message is no part of the order of their calls. */
static void computing_on_the_way_of_a_chain_counts(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(token_run, &text);
    const char *chain = strstr(text.text, "  chain: if(p > 1, (N*(p - 1) - 1)*(T_send(8 B) + "
                                          "T_recv(8 B) + ");
    const char *uncertain = strstr(text.text, "uncertain:");
    if (chain == NULL || uncertain != NULL || strstr(chain, "W*t_c/p/max(1, N)), 0 s)\n") == NULL) {
        fail_msg("no chain with computing in\n%s", text.text);
    }
    isocast_buffer_free(&text);
}

static void chains_in_rows_of_a_grid_have_a_word(void **unused) {
    (void)unused;
    static const int processes[] = {1, 2, 3, 4, 6};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(rows_run, processes, COUNT(processes), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    isocast_buffer text = {0};
    write_laws(derived, "order", 1e9, &text);
    assert_has_uncertain(&text, "  chain: if(p > 1, (2*columns - 4)*(T_send(8 B * N)");
    isocast_buffer_free(&text);
    text_is_an_algorithm(derived);
    isocast_derived_free(derived);
    free_all(records, count);
}

/* No pipeline, and no chain, is written for what is none: T would be longer by a factor of p. */
static void halos_and_pairs_are_no_pipelines(void **unused) {
    (void)unused;
    isocast_record *(*const runs[])(int N, int p) = {interior_run, shifts_run, pairs_run};
    for (size_t i = 0; i < COUNT(runs); i++) {
        isocast_buffer text = {0};
        derive_text(runs[i], &text);
        if (strstr(text.text, "pipeline") != NULL || strstr(text.text, "chain") != NULL ||
            strstr(text.text, "*(p - 1)") != NULL || strstr(text.text, "(p - 2)") != NULL) {
            fail_msg("of run %zu:\n%s", i, text.text);
        }
        isocast_buffer_free(&text);
    }
}

/* A chain that is shorter than what each process waits for by itself counts, too. */
static void short_chains_are_seen(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(short_chain_run, &text);
    assert_has(&text, "e-pipeline-6-");
    assert_has(&text, ": if(p > 1, N*((p - 2)*(T_send(8 B) + T_recv(8 B)) + (p - 1)*");
    isocast_buffer_free(&text);
}

static void pipelines_without_proof_are_uncertain(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(unknown_run, &text);
    const char *uncertain = strstr(text.text, "uncertain:");
    const char *pipeline = strstr(text.text, ": if(p > 1, 3*((p - 2)*");
    assert_non_null(uncertain);
    assert_true(pipeline > uncertain);
    isocast_buffer_free(&text);
}

static void chains_whose_order_is_not_known_are_uncertain(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(master_run, &text);
    assert_has_uncertain(&text, "  chain: if(p > 1, N*(T_send(8 B) + T_recv(8 B)");
    isocast_buffer_free(&text);
    derive_text(asking_run, &text);
    assert_has_uncertain(&text, "  chain: if(p > 1, N*(p - 1)*(T_send(8 B) + T_recv(8 B)");
    isocast_buffer_free(&text);
}

static void what_has_no_term_is_uncertain(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(windows_run, &text);
    assert_has_uncertain(
        &text, "  Win_lock-2-2: if(p > 1, N*2*(p - 1)*(T_send(0 B) + T_recv(0 B)), 0 s)\n");
    assert_has_uncertain(&text, "  b-Put-3-locked: (p - 1)*N*T_sendrecv(80 B)\n");
    assert_has_uncertain(&text,
                         "  Win_unlock-4-4: if(p > 1, N*2*(T_send(0 B) + T_recv(0 B)), 0 s)\n");
    assert_has_uncertain(&text, "  Win_start-5-5: if(p > 1, N*(T_send(0 B) + T_recv(0 B)), 0 s)\n");
    assert_has_uncertain(&text, "  Win_wait-6-6: if(p > 1, N*(T_send(0 B) + T_recv(0 B)), 0 s)\n");
    assert_has_uncertain(&text, "  f-Ibcast-7: 0 s - max(0 s, under_way_");
    assert_has_uncertain(
        &text, "  f-Ibcast-7-in-turns: if(p > 1, N*(p - 1)*(T_send(80 B) + T_recv(80 B)), 0 s)\n");
    isocast_buffer_free(&text);
    derive_text(together_run, &text);
    assert_has_uncertain(&text, "  b-Irecv-3: if(p > 1, -N*max(0 s, T_recv(80 B) - T_recv(0 B)");
    isocast_buffer_free(&text);
}

static void messages_under_way_count_as_the_longer_of_both(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(under_way_run, &text);
    assert_has(&text, "  a-Irecv-2: under_way_");
    assert_has(&text, "  d-Iallreduce-5: under_way_");
    assert_has(&text, "N*T_iallreduce(8 B), 0 s)\n");
    assert_has(&text, ", 0.5*W*t_c/p), 0 s)\n");
    assert_has(&text, "  f-Win_fence-7: if(p > 1, T_win_fence(), 0 s)\n");
    const char *hidden = strstr(text.text, "  under-way: if(p > 1, -min(under_way_");
    assert_non_null(hidden);
    assert_non_null(strstr(hidden, "uncertain:"));
    assert_non_null(strstr(hidden, "  under-way: if(p > 1, min(under_way_"));
    isocast_buffer_free(&text);
}

/* How often it asks hangs on time where its count has no law. */
static void what_asks_may_find_late(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(until_run, &text);
    assert_has(&text, "  a-Irecv-2: under_way_");
    assert_has(&text, "  under-way: if(p > 1, -min(under_way_");
    assert_has_uncertain(&text, "How often MPI_Testall, made.c:4, is called hangs on time.");
    assert_has_uncertain(&text, "  found-late: if(p > 1, 0.011*W*t_c/p, 0 s)\n");
    assert_has_uncertain(&text, "  asking: if(p > 1, -0.06");
    isocast_buffer_free(&text);
    derive_text(asking_run, &text);
    assert_null(strstr(text.text, "found-late"));
    isocast_buffer_free(&text);
}

static void no_count_falls_below_zero(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(fewer_run, &text);
    assert_null(strstr(text.text, "-3*p"));
    assert_null(strstr(text.text, "- 3*p"));
    isocast_buffer_free(&text);
}

static void terms_that_are_always_zero_are_left_out(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    derive_text(empty_run, &text);
    assert_has(&text, "a-Irecv-2: ");
    assert_null(strstr(text.text, "b-Irecv-3: "));
    assert_has(&text, "MPI_Irecv, made.c:3: its messages of 0 B are under way with others");
    isocast_buffer_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipelines_fill_in_each_sweep),
        cmocka_unit_test(sweeps_that_overlap_fill_once),
        cmocka_unit_test(chains_through_all_processes_have_a_term),
        cmocka_unit_test(computing_on_the_way_of_a_chain_counts),
        cmocka_unit_test(chains_in_rows_of_a_grid_have_a_word),
        cmocka_unit_test(no_count_falls_below_zero),
        cmocka_unit_test(terms_that_are_always_zero_are_left_out),
        cmocka_unit_test(halos_and_pairs_are_no_pipelines),
        cmocka_unit_test(short_chains_are_seen),
        cmocka_unit_test(pipelines_without_proof_are_uncertain),
        cmocka_unit_test(chains_whose_order_is_not_known_are_uncertain),
        cmocka_unit_test(what_has_no_term_is_uncertain),
        cmocka_unit_test(messages_under_way_count_as_the_longer_of_both),
        cmocka_unit_test(what_asks_may_find_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
