#include "links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a message has beside its data, B, as the simulator counts it. */
static const double header = 16;

static bool read_factors(const char *text, isocast_factors *out) {
    char *end;
    out->count = 0;
    for (const char *at = text; out->count < ISOCAST_FACTORS_MAX; at = end) {
        double size = strtod(at, &end);
        if (end == at) {
            return true;
        }
        at = end;
        double value = strtod(at, &end);
        if (end == at || !(size >= 0) || !(value >= 0)) {
            return false;
        }
        out->sizes[out->count] = size;
        out->values[out->count++] = value;
    }
    return true;
}

static bool read_entry(const char *text, quick_network *out) {
    struct quick_entry e;
    struct quick_entry *entries =
        realloc(out->entries, (out->entry_count + 1) * sizeof *out->entries);
    if (entries == NULL) {
        return false;
    }
    out->entries = entries;
    bool good = sscanf(text, "%lf %lf %lf %lf %lf %lf", &e.processes, &e.each, &e.speed,
                       &e.memory_byte, &e.cache, &e.cached) == 6 &&
                e.processes >= 1 && e.each >= 1 && e.speed > 0;
    out->entries[out->entry_count] = e;
    out->entry_count += good;
    return good;
}

/* A line: a word, and what it means. */
static bool read_line(char *line, quick_network *out) {
    char *text = line + strcspn(line, " \n");
    if (*text != '\0') {
        *text++ = '\0';
    }
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"memory", &out->memory_most},
                   {"eager_limit", &out->eager_limit},
                   {"send_alone", &out->send_alone},
                   {"send", &out->send},
                   {"send_byte", &out->send_byte},
                   {"copy", &out->copy},
                   {"copy_byte", &out->copy_byte},
                   {"gap", &out->gap},
                   {"link_latency", &out->link_latency},
                   {"link_byte", &out->link_byte},
                   {"backplane_byte", &out->backplane_byte},
                   {"near_latency", &out->near_latency},
                   {"near_byte", &out->near_byte}};
    const struct {
        const char *name;
        isocast_factors *value;
    } factors[] = {{"latency", &out->latency},
                   {"bandwidth", &out->bandwidth},
                   {"receive", &out->receive},
                   {"receive_byte", &out->receive_byte}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(line, numbers[i].name) == 0) {
            *numbers[i].value = strtod(text, NULL);
            return *numbers[i].value >= 0;
        }
    }
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        if (strcmp(line, factors[i].name) == 0) {
            return read_factors(text, factors[i].value);
        }
    }
    if (strcmp(line, "route") == 0) {
        out->routed = quick_routes_read(text, &out->routes);
        return out->routed;
    }
    if (strcmp(line, "library") == 0) {
        text[strcspn(text, "\n")] = '\0';
        out->library = isocast_collectives_find(text);
        return out->library != ISOCAST_COLLECTIVES;
    }
    return strcmp(line, "processes") == 0 && read_entry(text, out);
}

static bool place(quick_network *out) {
    double processes = 0;
    double nodes = 0;
    for (size_t i = 0; i < out->entry_count; i++) {
        processes += out->entries[i].processes;
        nodes += ceil(out->entries[i].processes / out->entries[i].each);
    }
    if (!(processes >= 1) || processes > 1e8) {
        return false;
    }
    out->processes = (int)processes;
    out->nodes = (int)nodes;
    out->node = calloc((size_t)out->processes, sizeof *out->node);
    double **of_nodes[] = {&out->speeds, &out->memory};
    out->rates = calloc((size_t)out->nodes, sizeof *out->rates);
    out->in_hand = calloc((size_t)out->processes, sizeof *out->in_hand);
    bool room = out->node != NULL && out->rates != NULL && out->in_hand != NULL;
    for (size_t i = 0; i < sizeof of_nodes / sizeof of_nodes[0]; i++) {
        *of_nodes[i] = calloc((size_t)out->nodes, sizeof(double));
        room = room && *of_nodes[i] != NULL;
    }
    int rank = 0;
    int first = 0;
    for (size_t i = 0; i < out->entry_count && room; i++) {
        const struct quick_entry *e = &out->entries[i];
        for (int k = 0; k < (int)e->processes; k++) {
            int node = first + k / (int)e->each;
            out->node[rank++] = node;
            out->speeds[node] = e->speed;
            out->memory[node] = 1 / e->memory_byte; /* 0: INFINITY */
            out->rates[node] = (isocast_memory_rate){.cache = e->cache,
                                                     .cached = e->cached,
                                                     .memory = out->memory[node],
                                                     .rate = out->memory[node]};
        }
        first += (int)ceil(e->processes / e->each);
    }
    double backplane = out->backplane_byte > 0 ? 1 / out->backplane_byte : INFINITY;
    double width = out->routed ? quick_routes_node_width(&out->routes) : 1;
    out->divided = width > 0;
    return room && quick_flows_begin(&out->flows, out->nodes, fmax(width, 1) / out->link_byte,
                                     out->memory, 1 / out->near_byte, backplane);
}

bool quick_network_read(const char *path, quick_network *out) {
    *out = (quick_network){.link_byte = NAN};
    FILE *file = fopen(path, "re");
    bool good = file != NULL;
    char line[4 * QUICK_LINE_MAX];
    while (good && fgets(line, sizeof line, file) != NULL) {
        good = read_line(line, out);
    }
    if (file != NULL) {
        fclose(file);
    }
    return good && out->link_byte >= 0 && place(out);
}

void quick_network_free(quick_network *n) {
    void *owned[] = {n->entries, n->node,    n->speeds, n->memory,
                     n->rates,   n->in_hand, n->keys,   n->free};
    quick_flows_free(&n->flows);
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) {
        free(owned[i]);
    }
    *n = (quick_network){0};
}

/* When the bytes have left a link that they reach at `at`. */
static double serve(double *link, double at, double seconds) {
    double begin = fmax(*link, at);
    *link = begin + seconds;
    return begin;
}

static double *find_link(quick_network *n, uint64_t key) {
    if (2 * (n->links + 1) > n->capacity) {
        size_t capacity = n->capacity > 0 ? 2 * n->capacity : 1024;
        uint64_t *keys = calloc(capacity, sizeof *keys);
        double *free_at = calloc(capacity, sizeof *free_at);
        if (keys == NULL || free_at == NULL) {
            free(keys);
            free(free_at);
            return NULL;
        }
        quick_network old = *n;
        n->keys = keys;
        n->free = free_at;
        n->capacity = capacity;
        n->links = 0;
        for (size_t i = 0; i < old.capacity; i++) {
            if (old.keys[i] != 0) {
                *find_link(n, old.keys[i]) = old.free[i];
            }
        }
        free(old.keys);
        free(old.free);
    }
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15U) & (n->capacity - 1);
    while (n->keys[at] != 0 && n->keys[at] != key) {
        at = (at + 1) & (n->capacity - 1);
    }
    n->links += n->keys[at] == 0;
    n->keys[at] = key;
    return &n->free[at];
}

/* When bytes have passed those links of a way that serve messages one after the other. */
static double pass_in_turn(quick_network *n, const quick_hop *links, size_t count, double bytes,
                           double now) {
    double at = now;
    double end = now;
    for (size_t i = 0; i < count; i++) {
        double *link = find_link(n, links[i].key);
        if (link == NULL) {
            return INFINITY;
        }
        at = serve(link, at, bytes * n->link_byte / links[i].width);
        end = fmax(end, at + bytes * n->link_byte);
    }
    return end;
}

void quick_network_take(quick_network *n, int process, double bytes) {
    int node = n->node[process];
    double more = bytes - n->in_hand[process];
    n->in_hand[process] = bytes;
    if (n->rates[node].cache > 0 && more != 0 && isocast_memory_rate_take(&n->rates[node], more)) {
        quick_flows_set_memory(&n->flows, node, n->rates[node].rate);
    }
}

double quick_network_reach(quick_network *n, int from, int to, double bytes, double start) {
    int a = n->node[from];
    int b = n->node[to];
    quick_hop route[QUICK_ROUTE_MAX];
    double links = a != b && n->routed ? (double)quick_route(&n->routes, a, b, route) : 2;
    double latency = a == b ? n->near_latency : links * n->link_latency;
    return start + latency * isocast_factors_over(&n->latency, bytes + header, 1);
}

bool quick_network_pass(quick_network *n, int from, int to, double bytes, double now, void *message,
                        double *end) {
    int a = n->node[from];
    int b = n->node[to];
    double size = bytes + header;
    double counted = (size + n->gap) / isocast_factors_over(&n->bandwidth, size, 1);
    *end = now;
    if (a != b && n->routed) {
        quick_hop route[QUICK_ROUTE_MAX];
        size_t count = quick_route(&n->routes, a, b, route);
        size_t shared = n->divided ? 1 : 0; /* at each end of the way */
        *end = pass_in_turn(n, route + shared, count - 2 * shared, counted, now);
        if (!n->divided) {
            return false;
        }
    }
    if (!quick_flows_add(&n->flows, a, b, counted, message, now)) {
        *end = INFINITY;
        return false;
    }
    return true;
}
