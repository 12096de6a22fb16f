#include "step_kind.h"

#include <string.h>

#define BIT(formula) (1U << ISOCAST_FORMULA_##formula)
#define ISOCAST_STEP_ROOTED (BIT(ROOT) | BIT(BYTES))
#define ISOCAST_STEP_SIZED BIT(BYTES)

/* Steps that are no collective operations: word, role, needed formulas, operation, short form (its
 * value alone is that formula; BY: it has none) and example. */
#define STEPS(X)                                                                                   \
    X(grid, GRID, 0, NULL, BY, "grid: {y: grid_rows(p), x: p/grid_rows(p)}")                       \
    X(share, SHARE, 0, NULL, BY, "share: {rows: N}")                                               \
    X(let, LET, 0, NULL, BY, "let: {left: N - i}")                                                 \
    X(for, FOR, BIT(FIRST) | BIT(LAST), NULL, BY, "for: i = 0..N-1")                               \
    X(if, IF, BIT(CONDITION), NULL, CONDITION, "if: N > 100")                                      \
    X(at, AT, BIT(CONDITION), NULL, CONDITION, "at: rank == 0")                                    \
    X(start, START, 0, NULL, BY, "start: edges")                                                   \
    X(finish, FINISH, 0, NULL, BY, "finish: edges")                                                \
    X(work, WORK, BIT(FLOP), NULL, FLOP, "work: 2 flop * N^2/p")                                   \
    X(copy, COPY, BIT(BYTES), "T_copy", BYTES, "copy: 8 B * N")                                    \
    X(send, SEND, BIT(TO) | BIT(BYTES), "T_send", BY, "send: {to: rank + 1, bytes: 8 B * N}")      \
    X(receive, RECEIVE, BIT(FROM) | BIT(BYTES), "T_recv", BY,                                      \
      "receive: {from: rank - 1, bytes: 8 B * N}")                                                 \
    X(sendrecv, SENDRECV, BIT(TO) | BIT(FROM) | BIT(BYTES), "T_sendrecv", BY,                      \
      "sendrecv: {to: rank + 1, from: rank - 1, bytes: 8 B * N}")                                  \
    X(shift, SHIFT, BIT(BY) | BIT(BYTES), "T_sendrecv", BY, "shift: {by: {x: 1}, bytes: 8 B * N}") \
    X(pass, PASS, BIT(BY) | BIT(BYTES), NULL, BY, "pass: {by: {x: 1}, bytes: 8 B * N}")

#define ROW(word, role, needed, operation, short_form, example)                                    \
    {#word,     ISOCAST_STEP_##role,      needed,                                                  \
     operation, ISOCAST_COLLECTIVE_COUNT, ISOCAST_FORMULA_##short_form,                            \
     example},
#define COLLECTIVE_ROW(word, needed, operation)                                                    \
    {#word,     ISOCAST_STEP_COLLECTIVE,   needed,                                                 \
     operation, ISOCAST_COLLECTIVE_##word, ISOCAST_FORMULA_BY,                                     \
     NULL},

static const isocast_step_kind kinds[] = {STEPS(ROW) ISOCAST_COLLECTIVES(COLLECTIVE_ROW)};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

bool isocast_step_has_pairs(const isocast_step_kind *kind) {
    return kind->role == ISOCAST_STEP_COLLECTIVE &&
           kind->collective == ISOCAST_COLLECTIVE_alltoallv;
}

const isocast_step_kind *isocast_step_kind_find(const char *word) {
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].word, word) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

const char *const *isocast_step_words(size_t *count) {
#define WORD(word, ...) #word,
    static const char *const words[KINDS] = {STEPS(WORD) ISOCAST_COLLECTIVES(WORD)};
#undef WORD
    *count = KINDS;
    return words;
}

const char *isocast_step_formula_key(isocast_step_formula formula) {
    static const char *const keys[ISOCAST_STEP_FORMULAS] = {
        "from", "to", "by", "condition", "flop", "bytes", "root", "to", "from", "by"};
    return keys[formula];
}
