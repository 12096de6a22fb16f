/* The best mix of offers against an enumeration that is written once more here: prices added up
 * from the numbers of the offers, and each mix predicted by itself. Offers and budgets are random.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/offers/decision.h"
#include "model/solve/prediction.h"
#include "tests/model/solve/model_fixture.h"

enum { OFFERS = 3, CLASSES = 2, COUNT_MOST = 5, TRIALS = 25, MIXES_MOST = 256 };

static const char algorithm_text[] = "algorithm: a\n"
                                     "size: {N: {min: 2, max: 1e7}}\n"
                                     "work: 2*N^3\n"
                                     "overhead:\n"
                                     "  exchange: (p-1)*T_send(8 B * N)\n"
                                     "  wait: N*0.2 us*p\n"
                                     "memory: 24 B * N^2/p\n"
                                     "concurrency: N\n";

/* The numbers of an offer, all whole so that sums are exact. */
typedef struct numbers {
    double count[CLASSES], processors[CLASSES], speed[CLASSES]; /* flop/s */
    double price[CLASSES], power[CLASSES];                      /* EUR, W */
    double base, step_nodes, step_price, step_power;
    double latency; /* s */
    bool one_class;
} numbers;

/* EUR/(W s), s, of all offers. */
static const double energy_price = 0.25 / 3.6e6;
static const double lifetime = 4 * 31557600.0;

static uint64_t state = 20260914;

static double draw(double low, double high) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return low + floor((double)(state >> 33) / 2147483648.0 * (high - low + 1));
}

static numbers draw_offer(void) {
    numbers n = {.one_class = draw(0, 2) == 0};
    for (size_t i = 0; i < CLASSES; i++) {
        n.count[i] = draw(1, COUNT_MOST);
        n.processors[i] = draw(1, 4);
        n.speed[i] = draw(1, 6) * 1e9;
        n.price[i] = draw(2, 9) * 1000;
        n.power[i] = draw(200, 600);
    }
    n.base = draw(0, 3) * 1000;
    n.step_nodes = draw(1, 4);
    n.step_price = draw(0, 3) * 500;
    n.step_power = draw(0, 100);
    n.latency = draw(1, 60) * 1e-6;
    return n;
}

static fixture create(const numbers *n) {
    char text[2048];
    int length = snprintf(text, sizeof text, "machine: m\nnodes:\n");
    for (size_t i = 0; i < (n->one_class ? 1 : CLASSES); i++) {
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "  c%zu: {count: %g, processors: %g, marked_speed: %.17g flop/s, "
                           "memory: 1 GB, price: %.17g EUR, power: %.17g W}\n",
                           i, n->count[i], n->processors[i], n->speed[i], n->price[i], n->power[i]);
    }
    snprintf(text + length, sizeof text - (size_t)length,
             "operations: {T_send: {start: %.17g s, byte: 0.3 ns/B}}\n"
             "purchase:\n  base_price: %g EUR\n"
             "  steps: [{nodes: %g, price: %g EUR, power: %g W}]\n"
             "  energy_price: 0.25 EUR/kWh\n  lifetime: 4 year\n",
             n->latency, n->base, n->step_nodes, n->step_price, n->step_power);
    return fixture_create(algorithm_text, text, n->one_class ? "1" : "c0:1");
}

/* One mix, as the test computes it. */
typedef struct computed {
    double price, p, T, N, E, cost, energy, value;
    size_t offer;
} computed;

static bool is_allowed(const isocast_offers_request *r, const computed *m, double spent,
                       isocast_row_status status) {
    bool solved = status == ISOCAST_ROW_OK || status == ISOCAST_ROW_SEVERAL;
    bool held = r->goal == ISOCAST_OFFER_PROBLEM || isnan(r->efficiency) || m->E >= r->efficiency;
    return solved && held && spent <= r->budget && (isnan(r->deadline) || m->T <= r->deadline);
}

/* Whether a system runs N, whatever its E, by one prediction. */
static bool runs(const isocast_offers_request *r, const fixture *f, const isocast_system *system,
                 double N) {
    const isocast_prediction_request request = {
        .N = N, .efficiency = NAN, .systems = &system, .system_count = 1, .numbers_only = true};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    const isocast_prediction_row *row = &prediction->rows[0];
    bool good = row->status == ISOCAST_ROW_OK && !(row->T > r->deadline);
    isocast_prediction_free(prediction);
    return good;
}

/* The largest N that a system runs: of two hundred sizes the last one, closed in on by halving.
 * With this algorithm E rises with N, so that it is the largest with any E, too, or none is. */
static double largest_run(const isocast_offers_request *r, const fixture *f,
                          const isocast_system *system) {
    enum { SIZES = 200 };
    double step = log(1e7 / 2) / SIZES;
    int last = SIZES;
    while (last > 0 && !runs(r, f, system, fmin(1e7, 2 * exp(step * last)))) {
        last--;
    }
    double low = fmin(1e7, 2 * exp(step * last));
    double high = fmin(1e7, 2 * exp(step * (last + 1)));
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        bool good = runs(r, f, system, middle);
        low = good ? middle : low;
        high = good ? high : middle;
    }
    return low;
}

static computed compute(const isocast_offers_request *r, const numbers *n, const fixture *f,
                        double first, double second) {
    char name[64];
    const double nodes[CLASSES] = {first, second};
    double total = first + second;
    computed m = {.price = n->base + ceil(total / n->step_nodes) * n->step_price};
    double power = ceil(total / n->step_nodes) * n->step_power;
    int length = 0;
    for (size_t i = 0; i < CLASSES; i++) {
        m.price += nodes[i] * n->price[i];
        power += nodes[i] * n->power[i];
        m.p += nodes[i] * n->processors[i];
        if (nodes[i] > 0) {
            length += snprintf(name + length, sizeof name - (size_t)length, "%sc%zu:%gx%g",
                               length > 0 ? "+" : "", i, n->processors[i], nodes[i]);
        }
    }
    isocast_diagnostics diagnostics = {0};
    isocast_system **systems = NULL;
    size_t count = 0;
    assert_int_equal(
        isocast_systems_parse(f->machine, NULL, "mix", name, &diagnostics, &systems, &count),
        ISOCAST_OK);
    bool problem = r->goal == ISOCAST_OFFER_PROBLEM;
    double N = r->goal == ISOCAST_OFFER_RUN ? largest_run(r, f, systems[0]) : r->N;
    const isocast_prediction_request request = {.N = problem ? NAN : N,
                                                .efficiency = problem ? r->efficiency : NAN,
                                                .systems = (const isocast_system *const *)systems,
                                                .system_count = 1};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    const isocast_prediction_row *row = &prediction->rows[0];
    m.T = row->T;
    m.N = row->N;
    m.E = row->E;
    m.energy = power * m.T;
    m.cost = m.T * (m.price / lifetime + power * energy_price);
    double spent = r->whole_life ? m.price + lifetime * power * energy_price : m.price;
    const double values[] = {[ISOCAST_OFFER_PROBLEM] = -m.N,
                             [ISOCAST_OFFER_RUN] = -m.N,
                             [ISOCAST_OFFER_TIME] = m.T,
                             [ISOCAST_OFFER_COST] = m.cost,
                             [ISOCAST_OFFER_ENERGY] = m.energy,
                             [ISOCAST_OFFER_PROCESSES] = isnan(r->efficiency) ? spent * m.T : -m.p};
    bool works = problem || row->p_working == row->p;
    m.value = works && is_allowed(r, &m, spent, row->status) ? values[r->goal] : NAN;
    /* The row of the prediction says the same of the bill. */
    if (!isnan(row->T)) {
        assert_true(fabs(row->price / m.price - 1) < 1e-12);
        assert_true(fabs(row->energy / m.energy - 1) < 1e-12);
        assert_true(fabs(row->cost / m.cost - 1) < 1e-12);
        assert_true(row->nodes == total);
    }
    m.price = spent;
    isocast_prediction_free(prediction);
    isocast_systems_free(systems, count);
    return m;
}

static size_t compute_all(const isocast_offers_request *r, const numbers n[OFFERS],
                          const fixture f[OFFERS], computed mixes[MIXES_MOST]) {
    size_t count = 0;
    for (size_t i = 0; i < OFFERS; i++) {
        for (double a = 0; a <= n[i].count[0]; a++) {
            for (double b = 0; b <= (n[i].one_class ? 0 : n[i].count[1]); b++) {
                if (a + b > 0) {
                    mixes[count] = compute(r, &n[i], &f[i], a, b);
                    mixes[count++].offer = i;
                }
            }
        }
    }
    return count;
}

static double best_of(const computed *mixes, size_t count, size_t offer) {
    double best = NAN;
    for (size_t i = 0; i < count; i++) {
        if (offer == OFFERS || mixes[i].offer == offer) {
            best = fmin(best, mixes[i].value);
        }
    }
    return best;
}

static bool is_near(double a, double b) {
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

static isocast_offers_request draw_request(void) {
    static const double deadlines[] = {NAN, NAN, 20, 200};
    isocast_offers_request r = {.goal = (isocast_offer_goal)draw(0, ISOCAST_OFFER_PROCESSES),
                                .N = draw(500, 6000),
                                .efficiency = draw(1, 8) / 10,
                                .deadline = deadlines[(size_t)draw(0, 3)],
                                .budget = draw(2, 60) * 1000,
                                .whole_life = draw(0, 3) == 0};
    if (r.goal != ISOCAST_OFFER_PROBLEM && draw(0, 1) == 0) {
        r.efficiency = NAN;
    }
    return r;
}

static void offer_fixtures(const numbers n[OFFERS], fixture f[OFFERS],
                           isocast_offer offers[OFFERS]) {
    static const char *const names[OFFERS] = {"a", "b", "c"};
    for (size_t i = 0; i < OFFERS; i++) {
        f[i] = create(&n[i]);
        offers[i] = (isocast_offer){names[i], f[i].model, f[i].machine};
    }
}

static void check_front(const isocast_offers *o, const computed *mixes, size_t count) {
    bool of_N = isocast_offer_goal_is_size(o->request.goal);
    for (size_t i = 0; i < o->front.count; i++) {
        const isocast_front_point *point = &o->front.points[i];
        const isocast_mix *mix = &o->searches[point->offer].mixes.items[point->mix];
        double objective = of_N ? -mix->N : mix->T;
        for (size_t k = 0; k < count; k++) {
            double other = of_N ? -mixes[k].N : mixes[k].T;
            bool dominates = !isnan(mixes[k].value) && mixes[k].price <= mix->spent &&
                             other < objective - 1e-9 * fabs(objective);
            assert_false(dominates);
        }
    }
    /* Each mix is met by a point that is not dearer and not worse. */
    for (size_t k = 0; k < count; k++) {
        double other = of_N ? -mixes[k].N : mixes[k].T;
        bool met = isnan(mixes[k].value);
        for (size_t i = 0; i < o->front.count && !met; i++) {
            const isocast_front_point *point = &o->front.points[i];
            const isocast_mix *mix = &o->searches[point->offer].mixes.items[point->mix];
            met = mix->spent <= mixes[k].price * (1 + 1e-12) &&
                  (of_N ? -mix->N : mix->T) <= other + 1e-9 * fabs(other);
        }
        assert_true(met);
    }
}

/* The optimum of each offer and of all is that of the enumeration; so are front and budgets. */
static void test_brute_force(void **unused) {
    (void)unused;
    static computed mixes[MIXES_MOST];
    size_t answered = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        numbers n[OFFERS];
        fixture f[OFFERS];
        isocast_offer offers[OFFERS];
        for (size_t i = 0; i < OFFERS; i++) {
            n[i] = draw_offer();
        }
        offer_fixtures(n, f, offers);
        isocast_offers_request r = draw_request();
        isocast_offers o = {0};
        assert_int_equal(isocast_offers_choose(&r, offers, OFFERS, &o), ISOCAST_OK);
        size_t count = compute_all(&r, n, f, mixes);
        for (size_t i = 0; i < OFFERS; i++) {
            const isocast_mix *best = isocast_offers_best(&o, i);
            assert_true(o.searches[i].all);
            assert_true(is_near(best != NULL ? best->value : NAN, best_of(mixes, count, i)));
        }
        double best = best_of(mixes, count, OFFERS);
        assert_true(isnan(best) == (o.best == OFFERS));
        answered += o.best < OFFERS;
        if (o.best < OFFERS) {
            assert_true(is_near(isocast_offers_best(&o, o.best)->value, best));
        }
        check_front(&o, mixes, count);
        /* With a smaller budget the offer of its range is the best. */
        for (size_t i = 0; i < o.range_count; i++) {
            isocast_offers_request smaller = r;
            isocast_offers again = {0};
            smaller.budget = o.ranges[i].from;
            assert_int_equal(isocast_offers_choose(&smaller, offers, OFFERS, &again), ISOCAST_OK);
            assert_int_equal(again.best, o.ranges[i].offer);
            isocast_offers_free(&again);
        }
        isocast_offers_free(&o);
        for (size_t i = 0; i < OFFERS; i++) {
            fixture_free(&f[i]);
        }
    }
    assert_true(answered > TRIALS / 2);
}

/* Where not all mixes can be looked at, the answer does not say so, and the bound on what it may
 * have missed holds. */
static void test_too_many(void **unused) {
    (void)unused;
    static computed mixes[MIXES_MOST];
    for (int trial = 0; trial < TRIALS; trial++) {
        numbers n[OFFERS];
        fixture f[OFFERS];
        isocast_offer offers[OFFERS];
        for (size_t i = 0; i < OFFERS; i++) {
            n[i] = draw_offer();
            n[i].one_class = false;
            n[i].count[0] = n[i].count[1] = COUNT_MOST;
        }
        offer_fixtures(n, f, offers);
        isocast_offers_request r = draw_request();
        r.mixes_most = (size_t)OFFERS * 20;
        isocast_offers o = {0};
        assert_int_equal(isocast_offers_choose(&r, offers, OFFERS, &o), ISOCAST_OK);
        size_t count = compute_all(&r, n, f, mixes);
        for (size_t i = 0; i < OFFERS; i++) {
            const isocast_mix *found = isocast_offers_best(&o, i);
            double best = best_of(mixes, count, i);
            double highest = 0;
            for (size_t k = 0; k < count; k++) {
                bool counts = mixes[k].offer == i && !isnan(mixes[k].value);
                highest = counts ? fmax(highest, mixes[k].E) : highest;
            }
            assert_true(o.searches[i].mixes.count <= 20);
            if (found != NULL && !o.searches[i].all && !isnan(o.searches[i].gap) &&
                highest <= o.searches[i].highest_E) {
                assert_true(fabs(found->value - best) <=
                            (o.searches[i].gap + 1e-9) * fabs(found->value));
            }
            assert_true(found == NULL || found->value >= best - 1e-9 * fabs(best));
        }
        isocast_offers_free(&o);
        for (size_t i = 0; i < OFFERS; i++) {
            fixture_free(&f[i]);
        }
    }
}

static size_t choose_with_price(const isocast_offers_request *r, const isocast_offer *offers,
                                size_t offer, const char *class, double price) {
    isocast_offer changed[OFFERS];
    isocast_offers o = {0};
    memcpy(changed, offers, sizeof changed);
    isocast_machine machine = *offers[offer].priced;
    isocast_node_class classes[CLASSES];
    memcpy(classes, machine.classes, machine.class_count * sizeof *classes);
    for (size_t i = 0; i < machine.class_count; i++) {
        classes[i].price = strcmp(classes[i].name, class) == 0 ? price : classes[i].price;
    }
    machine.classes = classes;
    changed[offer].priced = &machine;
    assert_int_equal(isocast_offers_choose(r, changed, OFFERS, &o), ISOCAST_OK);
    size_t best = o.best;
    isocast_offers_free(&o);
    return best;
}

/* Random offers, the answer to a random question, and what would change it. */
typedef struct decided {
    numbers n[OFFERS];
    fixture f[OFFERS];
    isocast_offer offers[OFFERS];
    isocast_offers_request r;
    isocast_offers o;
    isocast_decision decision;
} decided;

static void decide(decided *c) {
    *c = (decided){0};
    for (size_t i = 0; i < OFFERS; i++) {
        c->n[i] = draw_offer();
    }
    offer_fixtures(c->n, c->f, c->offers);
    c->r = draw_request();
    assert_int_equal(isocast_offers_choose(&c->r, c->offers, OFFERS, &c->o), ISOCAST_OK);
    assert_int_equal(isocast_decision_find(&c->o, &c->decision), ISOCAST_OK);
}

static void decided_free(decided *c) {
    isocast_decision_free(&c->decision);
    isocast_offers_free(&c->o);
    for (size_t i = 0; i < OFFERS; i++) {
        fixture_free(&c->f[i]);
    }
}

/* A price at which the answer is given to change is one at which it does, and not before. */
static void test_prices_that_decide(void **unused) {
    (void)unused;
    size_t looked = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        decided c;
        decide(&c);
        for (size_t i = 0; i < c.decision.count; i++) {
            const isocast_decider *d = &c.decision.items[i];
            if (d->kind != ISOCAST_DECIDER_PRICE || isnan(d->threshold)) {
                continue;
            }
            bool up = d->to > d->now;
            double before = d->threshold * (up ? 1 - 1e-9 : 1 + 1e-9);
            double beyond = d->threshold * (up ? 1 + 1e-9 : 1 - 1e-9);
            /* A third offer may come first before the rival does, or instead of it. */
            size_t held = choose_with_price(&c.r, c.offers, d->offer, d->name, before);
            size_t then = choose_with_price(&c.r, c.offers, d->offer, d->name, beyond);
            assert_int_equal(held, c.o.best);
            assert_true(then != c.o.best);
            looked++;
        }
        decided_free(&c);
    }
    assert_true(looked > TRIALS / 2);
}

/* The value of the best mix of an offer where a number of the question, or of an offer, is another
 * one; infinite where it is not allowed. The mix keeps its nodes. */
static double value_with(const isocast_offers *o, const numbers n[OFFERS], const isocast_decider *d,
                         double value, size_t offer) {
    isocast_offers_request r = o->request;
    numbers own = n[offer];
    const isocast_offer_search *search = &o->searches[offer];
    const double *nodes = isocast_mixes_nodes(&search->mixes, search->best);
    r.N = d->kind == ISOCAST_DECIDER_SIZE ? value : r.N;
    r.efficiency = d->kind == ISOCAST_DECIDER_EFFICIENCY ? value : r.efficiency;
    if (d->offer == offer && d->kind == ISOCAST_DECIDER_MARKED_SPEED) {
        own.speed[strcmp(d->name, "c0") == 0 ? 0 : 1] = value;
    } else if (d->offer == offer && d->kind == ISOCAST_DECIDER_PARAMETER) {
        own.latency = value;
    }
    fixture f = create(&own);
    computed m = compute(&r, &own, &f, nodes[0], own.one_class ? 0 : nodes[1]);
    fixture_free(&f);
    return isnan(m.value) ? INFINITY : m.value;
}

/* A size, efficiency, marked speed or latency at which the second offer is given to be as good is
 * one at which it is, and not before. */
static void test_numbers_that_decide(void **unused) {
    (void)unused;
    size_t looked[ISOCAST_DECIDER_KINDS] = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        decided c;
        decide(&c);
        for (size_t i = 0; i < c.decision.count; i++) {
            const isocast_decider *d = &c.decision.items[i];
            bool is_latency =
                d->kind == ISOCAST_DECIDER_PARAMETER && d->now == c.n[d->offer].latency;
            bool is_looked_at = is_latency || d->kind == ISOCAST_DECIDER_SIZE ||
                                d->kind == ISOCAST_DECIDER_EFFICIENCY ||
                                d->kind == ISOCAST_DECIDER_MARKED_SPEED;
            if (isnan(d->threshold) || !is_looked_at) {
                continue;
            }
            double beside = d->to > d->now ? 1e-6 : -1e-6;
            double before = d->threshold * (1 - beside);
            double beyond = d->threshold * (1 + beside);
            assert_true(value_with(&c.o, c.n, d, before, c.o.best) <=
                        value_with(&c.o, c.n, d, before, c.decision.rival));
            assert_true(value_with(&c.o, c.n, d, beyond, c.o.best) >=
                        value_with(&c.o, c.n, d, beyond, c.decision.rival));
            looked[d->kind]++;
        }
        decided_free(&c);
    }
    assert_true(looked[ISOCAST_DECIDER_SIZE] > 0 && looked[ISOCAST_DECIDER_EFFICIENCY] > 0 &&
                looked[ISOCAST_DECIDER_MARKED_SPEED] > 0);
}

/* A million million nodes of each class are no more to look at than a thousand. */
static void test_huge_counts(void **unused) {
    (void)unused;
    numbers n[OFFERS];
    fixture f[OFFERS];
    isocast_offer offers[OFFERS];
    for (size_t i = 0; i < OFFERS; i++) {
        n[i] = draw_offer();
        n[i].one_class = false;
        n[i].count[0] = n[i].count[1] = 1e12;
    }
    offer_fixtures(n, f, offers);
    isocast_offers_request r = {.goal = ISOCAST_OFFER_TIME,
                                .N = 1e6,
                                .efficiency = NAN,
                                .deadline = NAN,
                                .budget = 1e14,
                                .mixes_most = 600};
    isocast_offers o = {0};
    assert_int_equal(isocast_offers_choose(&r, offers, OFFERS, &o), ISOCAST_OK);
    assert_true(o.best < OFFERS);
    for (size_t i = 0; i < OFFERS; i++) {
        assert_false(o.searches[i].all);
        assert_true(o.searches[i].mixes.count <= 200);
    }
    isocast_offers_free(&o);
    for (size_t i = 0; i < OFFERS; i++) {
        fixture_free(&f[i]);
    }
}

static void test_arguments(void **unused) {
    (void)unused;
    numbers n[OFFERS] = {draw_offer(), draw_offer(), draw_offer()};
    fixture f[OFFERS];
    isocast_offer offers[OFFERS];
    offer_fixtures(n, f, offers);
    const isocast_offers_request good = {.goal = ISOCAST_OFFER_TIME,
                                         .N = 1000,
                                         .efficiency = NAN,
                                         .deadline = NAN,
                                         .budget = INFINITY};
    isocast_offers_request bad[4] = {good, good, good, good};
    bad[0].budget = 0;
    bad[1].N = 1;
    bad[2].goal = ISOCAST_OFFER_PROBLEM;
    bad[3].deadline = -1;
    isocast_offers o = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(isocast_offers_choose(&bad[i], offers, OFFERS, &o), ISOCAST_ARGUMENT);
    }
    assert_int_equal(isocast_offers_choose(&good, offers, 0, &o), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_offers_choose(&good, offers, OFFERS, &o), ISOCAST_OK);
    isocast_offers_free(&o);
    for (size_t i = 0; i < OFFERS; i++) {
        fixture_free(&f[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute_force),        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_prices_that_decide), cmocka_unit_test(test_numbers_that_decide),
        cmocka_unit_test(test_huge_counts),        cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
