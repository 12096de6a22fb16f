/* Steps of programs whose T depends on the order of calls: pipelines that fill, messages that are
 * under way while processes compute. The records are those of programs that are gone through here
 * call by call; the steps must have all that the records have. */
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
                isocast_buffer_printf(&b, "call,%d,%d,%s,%s,%s,%d,", r, s, communicator,
                                      t->calls[s], partner, t->bytes[s]);
                if (strcmp(t->calls[s], "MPI_Sendrecv") == 0) {
                    isocast_buffer_printf(&b, "%s,%d", partner, t->bytes[s]);
                } else {
                    isocast_buffer_puts(&b, ",");
                }
                isocast_buffer_printf(&b, ",%d,0\n", t->times[r][s]);
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

/* A token goes around. All ask for it until it is there, and who has it works. */
static isocast_record *token_run(int N, int p) {
    trace t = {.p = p};
    for (int r = 0; r < p; r++) {
        t.next = 0;
        for (int sweep = 0; sweep < N && p > 1; sweep++) {
            if (r == 0) {
                t.next = 1e-3;
                call(&t, r, 5, "MPI_Send", 1, 8);
            }
            for (int i = 0; i <= (7 * p * p + 3 * N + 5 * r + sweep) % 11; i++) {
                call(&t, r, 1, "MPI_Iprobe", (r + p - 1) % p, 0);
            }
            call(&t, r, 2, "MPI_Recv", (r + p - 1) % p, 8);
            if (r > 0) {
                t.next = 1e-3;
                call(&t, r, 3, "MPI_Send", (r + 1) % p, 8);
            }
        }
        call(&t, r, 4, "MPI_Barrier", NO_PARTNER, 0);
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

/* Fails where the text lacks one of `expected`, or the steps do not have all of the records. */
static void steps_are(isocast_record *(*run)(int N, int p), const char *const *expected,
                      size_t expected_count) {
    static const int few[] = {1, 2, 3, 4, 5};
    static const int grids[] = {1, 2, 3, 4, 6};
    isocast_record *records[RECORDS_MOST];
    size_t count = make_runs(run, run == rows_run ? grids : few, COUNT(few), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    text_holds(derived, expected, expected_count);
    static const char *const all[] = {"messages and bytes of 15 of 15 records\n"};
    text_holds(derived, all, 1);
    isocast_derived_free(derived);
    free_all(records, count);
}
#define STEPS_ARE(run, ...)                                                                        \
    do {                                                                                           \
        static const char *const expected[] = {__VA_ARGS__};                                       \
        steps_are(run, expected, COUNT(expected));                                                 \
    } while (0)

static void pipelines_are_passes(void **unused) {
    (void)unused;
    STEPS_ARE(wavefront_run, "- for: turn = 1..if(p > 1, 3*N, 3)", "- pass: {by: 1, bytes: 8 B}",
              "- work: 1e+06 flop", "< 3 do: - barrier: {}");
    STEPS_ARE(back_run, "- for: turn = 1..N", "- pass: {by: 1, bytes: 8 B}",
              "- pass: {by: -1, bytes: 8 B}", "- work: 1e+06 flop");
    STEPS_ARE(unknown_run, "- pass: {by: 1, bytes: 8 B}", "- scan: {bytes: 8 B}");
    STEPS_ARE(rows_run, "- pass: {by: {x: 1}, bytes: 8 B * N}");
}

/* Where sweeps overlap, the order of sends and receives shows it. */
static void sends_and_receives_keep_their_order(void **unused) {
    (void)unused;
    STEPS_ARE(
        halo_run,
        "- at: rank > 0 do: - send: {to: rank - 1, bytes: 8 B} name: a-Send-2 - pass: {by: 1, "
        "bytes: 8 B}",
        "- receive: {from: rank + 1, bytes: 8 B}");
    STEPS_ARE(shifts_run, "- for: turn = 1..5*N", "- at: rank < p - 1 do: - send: {to: rank + 1,",
              "- at: rank > 0 do: - receive: {from: rank - 1, bytes: 8 B} name: b-Recv-3 - send: "
              "{to: rank - 1, bytes: 8 B}");
    STEPS_ARE(short_chain_run, "shift: {by: 1, bytes: 8 B, ends: open}",
              "- if: mod(turn, 20) == 0 do: - receive: {from: rank - 1, bytes: 8 B}");
}

static void messages_have_the_partners_of_those_who_call(void **unused) {
    (void)unused;
    STEPS_ARE(ring_run, "- at: p > 1 and rank == 0 do: - for: turn = 1..N",
              "- receive: {from: p - 1, bytes: 8 B}", "- receive: {from: rank - 1, bytes: 8 B}",
              "- send: {to: \"mod(rank + 1, p)\", bytes: 8 B}");
    STEPS_ARE(master_run, "receive: {from: any, bytes: 8 B}",
              "send: {to: \"1 + mod(turn_2 - 1, p - 1)\", bytes: 8 B}",
              "send: {to: 0, bytes: 8 B}");
    STEPS_ARE(pairs_run, "sendrecv: {to: \"rank + 1 - 2*mod(rank, 2)\", from: \"rank + 1 - "
                         "2*mod(rank, 2)\", bytes: 8 B}");
}

/* One-sided messages wait at calls that no step has: T has no time for these, and says so. */
static void what_has_no_step_is_uncertain(void **unused) {
    (void)unused;
    STEPS_ARE(windows_run, "put: {to: 0, bytes: 80 B}",
              "- start: messages_1 do: - bcast: {root: 0, bytes: 80 B}", "\nuncertain:",
              "  a-Win_lock-2: if(p > 1, N*2*(p - 1)*(T_send(0 B) + T_recv(0 B)), 0 s)\n",
              "  c-Win_unlock-4: if(p > 1, N*2*(T_send(0 B) + T_recv(0 B)), 0 s)\n",
              "  d-Win_start-5: if(p > 1, N*(T_send(0 B) + T_recv(0 B)), 0 s)\n",
              "  e-Win_wait-6: if(p > 1, N*(T_send(0 B) + T_recv(0 B)), 0 s)\n",
              "\n# Calls without a step: MPI_Init, made.c:1; MPI_Win_lock, made.c:2;");
}

static void messages_are_under_way_while_processes_compute(void **unused) {
    (void)unused;
    STEPS_ARE(
        under_way_run,
        "- start: messages_1 do: - shift: {by: 1, bytes: 80 B, ends: open} name: b-Isend-3 - "
        "work: 3e+06 flop - finish: messages_1",
        "- start: messages_2 do: - allreduce: {bytes: 8 B} name: d-Iallreduce-5 - work: 1e+06 "
        "flop - finish: messages_2",
        "- win_fence: {}");
    STEPS_ARE(interior_run, "- work: 3e+06 flop - finish: messages_1 - if: turn < 5*N");
    STEPS_ARE(together_run, "- start: messages_1 do: - shift: {by: 1, bytes: 80 B}",
              "- shift: {by: -1, bytes: 80 B} name: d-Isend-5 - finish: messages_1");
    STEPS_ARE(empty_run, "- shift: {by: -1, bytes: 0 B}");
}

/* A loop that asks until a message has come waits for it; how often it asks depends on time. */
static void who_asks_waits(void **unused) {
    (void)unused;
    STEPS_ARE(until_run,
              "- shift: {by: 1, bytes: 80 B} name: b-Isend-3 - work: 8e+05 flop - finish: "
              "messages_1",
              "  # How often MPI_Testall, made.c:4, is called depends on time.",
              "  found-late: if(p > 1, 0.011*W*t_c/p, 0 s)\n", "  asking: if(p > 1, -0.06");
    STEPS_ARE(asking_run, "- start: messages_1", "- finish: messages_1");
    STEPS_ARE(token_run, "receive: {from: \"mod(rank + p - 1, p)\", bytes: 8 B}",
              "send: {to: \"mod(rank + 1, p)\", bytes: 8 B}", "  found-late: ");
}

static void no_count_falls_below_zero(void **unused) {
    (void)unused;
    isocast_record *records[RECORDS_MOST];
    static const int few[] = {1, 2, 3, 4, 5};
    size_t count = make_runs(fewer_run, few, COUNT(few), records);
    isocast_derived *derived = derive_all(records, count, NULL);
    isocast_buffer text = {0};
    write_laws(derived, 1e9, &text);
    assert_null(strstr(text.text, "-3*p"));
    assert_null(strstr(text.text, "- 3*p"));
    isocast_buffer_free(&text);
    isocast_derived_free(derived);
    free_all(records, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipelines_are_passes),
        cmocka_unit_test(sends_and_receives_keep_their_order),
        cmocka_unit_test(messages_have_the_partners_of_those_who_call),
        cmocka_unit_test(what_has_no_step_is_uncertain),
        cmocka_unit_test(messages_are_under_way_while_processes_compute),
        cmocka_unit_test(who_asks_waits),
        cmocka_unit_test(no_count_falls_below_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
