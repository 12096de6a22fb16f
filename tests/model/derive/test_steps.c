/* Programs of steps that are derived. The records are those of programs that are gone through here
 * call by call, so that the steps must have all of their calls, messages and bytes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "made_records.h"

enum { ROWS_MOST = 800, NOBODY = -1, NONE = -2, ANYBODY = -3 };

typedef struct row {
    int process, site, to, from, bytes, calls;
    const char *name;
} row;

typedef struct way {
    int process, from, to, times;
    double time, squares, least, most;
} way;

/* A run on its way. Site 0 is MPI_Init. */
typedef struct trace {
    int p, N, M;
    int at;      /* the site that the process was at last */
    double next; /* s, computing before the next call */
    row rows[ROWS_MOST];
    way ways[ROWS_MOST];
    int row_count, way_count;
} trace;

static void note_way(trace *t, int process, int to) {
    int i = 0;
    while (i < t->way_count &&
           (t->ways[i].process != process || t->ways[i].from != t->at || t->ways[i].to != to)) {
        i++;
    }
    assert_true(i < ROWS_MOST);
    if (i == t->way_count) {
        t->ways[t->way_count++] = (way){.process = process, .from = t->at, .to = to, .least = 1e9};
    }
    way *w = &t->ways[i];
    w->times++;
    w->time += t->next;
    w->squares += t->next * t->next;
    w->least = fmin(w->least, t->next);
    w->most = fmax(w->most, t->next);
    t->next = 0;
    t->at = to;
}

static void call(trace *t, int process, int site, const char *name, int to, int from, int bytes) {
    int i = 0;
    for (; i < t->row_count; i++) {
        const row *r = &t->rows[i];
        if (r->process == process && r->site == site && r->to == to && r->from == from &&
            r->bytes == bytes) {
            break;
        }
    }
    assert_true(i < ROWS_MOST);
    if (i == t->row_count) {
        t->rows[t->row_count++] = (row){process, site, to, from, bytes, 0, name};
    }
    t->rows[i].calls++;
    if (site > 0) {
        note_way(t, process, site);
    }
    t->at = site;
}

static void put_partner(int partner, isocast_buffer *b) {
    isocast_buffer_puts(b, ",");
    if (partner >= 0) {
        isocast_buffer_printf(b, "%d", partner);
    }
    isocast_buffer_puts(b, partner == NOBODY ? "null" : partner == ANYBODY ? "any" : "");
}

/* go: what each process does. */
static isocast_record *run(void (*go)(trace *t, int process), int N, int M, int p) {
    static trace t;
    t = (trace){.p = p, .N = N, .M = M};
    isocast_buffer b = begin_record(p, "start a b c d e f g end", "%d %d", N, M);
    for (int r = 0; r < p; r++) {
        call(&t, r, 0, "MPI_Init", NONE, NONE, 0);
        go(&t, r);
        call(&t, r, 8, "MPI_Finalize", NONE, NONE, 0);
    }
    for (int i = 0; i < t.row_count; i++) {
        const row *r = &t.rows[i];
        bool waits = strncmp(r->name, "MPI_Wa", 6) == 0;
        bool exchanges = strcmp(r->name, "MPI_Sendrecv") == 0;
        isocast_buffer_printf(&b, "call,%d,%d,%s,%s", r->process, r->site, waits ? "" : "0",
                              r->name);
        put_partner(strstr(r->name, "ecv") != NULL && !exchanges ? r->from : r->to, &b);
        isocast_buffer_printf(&b, ",%d", exchanges && r->to == NOBODY ? 0 : r->bytes);
        put_partner(exchanges ? r->from : NONE, &b);
        if (exchanges) {
            isocast_buffer_printf(&b, ",%d,%d,0\n", r->from == NOBODY ? 0 : r->bytes, r->calls);
        } else {
            isocast_buffer_printf(&b, ",,%d,0\n", r->calls);
        }
    }
    for (int i = 0; i < t.way_count; i++) {
        const way *w = &t.ways[i];
        isocast_buffer_printf(&b, "compute,%d,%d,%d,%d,%.9g,%.9g,%.9g,%.9g\n", w->process, w->from,
                              w->to, w->times, w->time, w->squares, w->least, w->most);
    }
    return record_of(&b);
}

/* Fails where the text lacks one of `expected`, or does not have all that the records have. */
static void steps_are(void (*go)(trace *t, int process), const int *ps, size_t p_count,
                      const char *const *expected, size_t count) {
    static const int runs[][2] = {{24, 3}, {40, 3}, {70, 3}, {40, 5}, {40, 8}};
    isocast_record *records[RECORDS_MOST];
    size_t made = 0;
    for (size_t i = 0; i < p_count; i++) {
        for (size_t k = 0; k < COUNT(runs); k++) {
            records[made++] = run(go, runs[k][0], runs[k][1], ps[i]);
        }
    }
    isocast_derived *derived = derive_all(records, made, NULL);
    isocast_buffer text = {0};
    isocast_buffer said = {0};
    assert_int_equal(isocast_derived_write(derived, "made", 1e9, &text), ISOCAST_OK);
    isocast_derived_write_rehearsed(derived, "", &said);
    char all[100];
    snprintf(all, sizeof all, "messages and bytes of %zu of %zu records\n", made, made);
    if (strstr(said.text, all) == NULL) {
        fail_msg("%s\n%s", said.text, strstr(text.text, "program:"));
    }
    for (size_t i = 0; i < count; i++) {
        if (strstr(text.text, expected[i]) == NULL) {
            fail_msg("no %s in\n%s", expected[i], text.text);
        }
    }
    isocast_buffer_free(&said);
    isocast_buffer_free(&text);
    isocast_derived_free(derived);
    free_all(records, made);
}
#define STEPS_ARE(go, ...)                                                                         \
    do {                                                                                           \
        static const char *const expected[] = {__VA_ARGS__};                                       \
        steps_are(go, ps, COUNT(ps), expected, COUNT(expected));                                   \
    } while (0)

static int share(int items, int parts) {
    return (items + parts - 1) / parts;
}

/* Blocks go round while all compute; another one is computed at the end of each round. */
static void ring(trace *t, int r) {
    double mine = 1e-6 * t->N * t->N / t->p / t->p;
    for (int i = 0; i < t->M; i++) {
        for (int k = 1; k < t->p; k++) {
            call(t, r, 1, "MPI_Irecv", NONE, (r + t->p - 1) % t->p, 8 * share(t->N, t->p));
            call(t, r, 2, "MPI_Isend", (r + 1) % t->p, NONE, 8 * share(t->N, t->p));
            t->next = mine;
            call(t, r, 3, "MPI_Waitall", NONE, NONE, 2);
        }
        t->next = mine;
    }
    call(t, r, 4, "MPI_Barrier", NONE, NONE, 0);
}

static void test_ring(void **state) {
    (void)state;
    static const int ps[] = {1, 2, 3, 4, 6};
    STEPS_ARE(ring, "- for: turn = 1..M\n", "- for: turn_2 = 1..(p - 1)\n",
              "shift: {by: 1, bytes: 8 B * ceil(N/p)}\n", "- work: 1000 flop * N^2/p/p\n",
              "- finish: messages_1\n", "- barrier: {}\n");
}

/* Whoever asks gets a task, in an order that nobody knows before. */
static void farm(trace *t, int r) {
    int tasks = t->N;
    for (int i = 0; r == 0 && i < tasks + t->p - 1; i++) {
        int worker = 1 + (i < tasks ? i * i / 3 : i) % (t->p - 1);
        call(t, r, 1, "MPI_Recv", NONE, worker, 64);
        call(t, r, 2, "MPI_Send", worker, NONE, 4);
    }
    for (int i = 0; r > 0 && i < tasks + t->p - 1; i++) {
        if (1 + (i < tasks ? i * i / 3 : i) % (t->p - 1) == r) {
            call(t, r, 3, "MPI_Send", 0, NONE, 64);
            call(t, r, 4, "MPI_Recv", NONE, 0, 4);
            t->next = 1e-4 * t->M;
        }
    }
    t->next = 0;
}

static void test_farm(void **state) {
    (void)state;
    static const int ps[] = {2, 3, 4, 5};
    STEPS_ARE(farm, "valid: {that: p >= 2", "- at: rank == 0\n", "for: turn = 1..p - 1 + N\n",
              "receive: {from: any, bytes: 64 B}\n", "send: {to: sender, bytes: 4 B}\n", "else:\n",
              "ceil((p - 1 + N - (rank - 1))/max(1, p - 1))\n", "- work: 1e+05 flop * M\n");
}

/* Blocks pass along a line of processes, and back. */
static void wavefront(trace *t, int r) {
    int left = r > 0 ? r - 1 : NOBODY;
    int right = r + 1 < t->p ? r + 1 : NOBODY;
    for (int i = 0; i < t->M; i++) {
        for (int k = 0; k < 4; k++) {
            call(t, r, 1, "MPI_Recv", NONE, left, left >= 0 ? 8 * t->N : 0);
            t->next = 1e-6 * t->N * t->N / t->p;
            call(t, r, 2, "MPI_Send", right, NONE, right >= 0 ? 8 * t->N : 0);
        }
        for (int k = 0; k < 4; k++) {
            call(t, r, 3, "MPI_Recv", NONE, right, right >= 0 ? 8 * t->N : 0);
            t->next = 1e-6 * t->N * t->N / t->p;
            call(t, r, 4, "MPI_Send", left, NONE, left >= 0 ? 8 * t->N : 0);
        }
    }
}

static void test_wavefront(void **state) {
    (void)state;
    static const int ps[] = {1, 2, 3, 4, 6};
    STEPS_ARE(wavefront, "- for: turn = 1..M\n", "- for: turn_2 = 1..4\n",
              "- pass: {by: 1, bytes: 8 B * N}\n", "- pass: {by: -1, bytes: 8 B * N}\n",
              "- work: 1000 flop * N^2/p\n");
}

/* Pairs of neighbours on a line, in turns; and a sum behind each round. */
static void sort(trace *t, int r) {
    for (int i = 0; i < t->M; i++) {
        t->next = 9e-6 * t->N / t->p;
        for (int k = 0; k < t->p; k++) {
            int other = (r + k) % 2 == 0 ? r + 1 : r - 1;
            if (other >= 0 && other < t->p) {
                call(t, r, 1, "MPI_Sendrecv", other, other, 8 * share(t->N, t->p));
                t->next += 1e-6 * t->N / t->p;
            }
        }
    }
}

static void test_sort(void **state) {
    (void)state;
    static const int ps[] = {1, 3, 4, 5, 6, 8};
    STEPS_ARE(sort, "- for: turn = 1..M\n", "- for: turn_2 = 1..p\n",
              "to: \"rank + 1 - 2*mod(rank + turn_2 + 1, 2)\"", "- work: 1000 flop * N/p\n");
}

/* A halo to both sides by calls that go over the partners, and a look at the error now and then. */
static void halo(trace *t, int r) {
    for (int i = 1; i <= 4 * t->M; i++) {
        for (int k = 0; k < 2; k++) {
            int other = k == 0 ? r - 1 : r + 1;
            if (other >= 0 && other < t->p) {
                call(t, r, 1, "MPI_Irecv", NONE, other, 8 * t->N);
                call(t, r, 2, "MPI_Isend", other, NONE, 8 * t->N);
            }
        }
        call(t, r, 3, "MPI_Waitall", NONE, NONE, 4);
        t->next = 1e-6 * t->N * t->N / t->p;
        call(t, r, 4, "MPI_Reduce", 0, NONE, 8);
        if (i % 4 == 0) {
            call(t, r, 5, "MPI_Bcast", 0, NONE, 4);
        }
    }
}

static void test_halo(void **state) {
    (void)state;
    static const int ps[] = {1, 2, 3, 4, 6};
    STEPS_ARE(halo, "- for: turn = 1..4*M\n", "shift: {by: 1, bytes: 8 B * N, ends: open}\n",
              "shift: {by: -1, bytes: 8 B * N, ends: open}\n", "- reduce: {root: 0, bytes: 8 B}\n",
              "- if: mod(turn, 4) == 0\n", "- bcast: {root: 0, bytes: 4 B}\n");
}

/* Three fields to both neighbours on a line, of which the ends have one: processes end the turns
 * over the fields, and come to them, at different calls. */
static void fields(trace *t, int r) {
    bool last = r == t->p - 1;
    for (int i = 0; i < t->M; i++) {
        t->next = 1e-6 * t->N * t->N / t->p;
        for (int k = 0; k < 6; k++) {
            bool sends = k < 3;
            for (int side = 0; side < 2; side++) {
                int other = (side == 0) == sends ? r - 1 : r + 1;
                if (other < r ? r > 0 : !last) {
                    call(t, r, 1 + side + (sends ? 0 : 2), sends ? "MPI_Isend" : "MPI_Recv",
                         sends ? other : NONE, sends ? NONE : other, 8 * t->N);
                }
            }
        }
    }
}

static void test_fields(void **state) {
    (void)state;
    static const int ps[] = {1, 2, 3, 4, 6};
    STEPS_ARE(fields, "- for: turn = 1..M\n", "- for: turn_2 = 1..3\n",
              "- send: {to: rank - 1, bytes: 8 B * N}\n",
              "- send: {to: rank + 1, bytes: 8 B * N}\n", "- for: turn_2 = 1..3\n",
              "- receive: {from: rank + 1, bytes: 8 B * N}\n",
              "- receive: {from: rank - 1, bytes: 8 B * N}\n");
}

/* Distances that double, in each round. */
static void butterfly(trace *t, int r) {
    for (int i = 0; i < t->M; i++) {
        for (int by = 1; by < t->p; by *= 2) {
            call(t, r, 1, "MPI_Sendrecv", r ^ by, r ^ by, 8 * t->N);
            t->next = 1e-6 * t->N;
        }
    }
}

static void test_butterfly(void **state) {
    (void)state;
    static const int ps[] = {1, 2, 4, 8};
    STEPS_ARE(butterfly, "valid: {that: log2(p) == floor(log2(p))", "1..M*log2(p)\n",
              "2^mod(turn - 1, max(1, round(log2(p))))", "- work: 1000 flop * N\n");
}

/* The last process asks for a message of each of the others before all of them meet. */
static void incast(trace *t, int r) {
    bool last = r == t->p - 1;
    for (int i = 0; i < t->M; i++) {
        for (int from = 0; from < r && last; from++) {
            call(t, r, 1, "MPI_Irecv", NONE, from, 8 * t->N);
        }
        call(t, r, 2, "MPI_Barrier", NONE, NONE, 0);
        if (last) {
            call(t, r, 3, "MPI_Waitall", NONE, NONE, t->p - 1);
        } else {
            call(t, r, 4, "MPI_Send", t->p - 1, NONE, 8 * t->N);
        }
    }
}

static void test_incast(void **state) {
    (void)state;
    static const int ps[] = {2, 3, 4, 6};
    STEPS_ARE(incast, "- for: turn = 1..M\n", "- receive: {from: any, bytes: 8 B * N}\n",
              "- send: {to: p - 1, bytes: 8 B * N}\n", "- barrier: {}\n");
}

/* Both neighbours on a line, which send, and receive of whoever sends, twice. */
static void anybody(trace *t, int r) {
    for (int i = 0; i < 2; i++) {
        int neighbours = (r > 0) + (r < t->p - 1);
        for (int k = 0; k < neighbours; k++) {
            call(t, r, 1 + 3 * i, "MPI_Irecv", NONE, ANYBODY, 8 * (t->N + i));
        }
        for (int side = -1; side <= 1; side += 2) {
            if (r + side >= 0 && r + side < t->p) {
                call(t, r, 2 + 3 * i, "MPI_Send", r + side, NONE, 8 * (t->N + i));
            }
        }
        if (neighbours > 0) {
            call(t, r, 3 + 3 * i, "MPI_Waitall", NONE, NONE, neighbours);
        }
    }
}

static void test_anybody(void **state) {
    (void)state;
    static const int ps[] = {2, 3, 4, 6};
    STEPS_ARE(anybody, "- receive: {from: rank - 1, bytes: 8 B * N}\n",
              "- receive: {from: rank + 1, bytes: 8 B * N}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),      cmocka_unit_test(test_farm),
        cmocka_unit_test(test_wavefront), cmocka_unit_test(test_sort),
        cmocka_unit_test(test_halo),      cmocka_unit_test(test_fields),
        cmocka_unit_test(test_butterfly), cmocka_unit_test(test_incast),
        cmocka_unit_test(test_anybody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
