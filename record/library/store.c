#include "store.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The file grows by chunks before they are touched: on a full disk a touch would end the program.
 */
enum { CHUNK = 64 * 1024 };

record_part *record_store;

static int file = -1;
static bool chunks[sizeof(record_part) / CHUNK + 2]; /* that are on the disk */
static uint32_t rows_most = RECORD_PART_ROWS_USUAL;  /* of a site */
static uint32_t site_rows[RECORD_PART_SITES];
/* Return addresses in this process, and what called their functions. */
typedef struct placed {
    const void *address;
    uint32_t caller;
} placed;
static placed placed_sites[RECORD_PART_SITES], placed_frames[RECORD_PART_FRAMES];

/* The row that a site had last: most calls are like the one before at their site. */
static record_part_call *last_call[RECORD_PART_SITES];
static record_part_compute *last_compute[RECORD_PART_SITES];

/* Open addressing over rows: 0 is empty, n + 1 stands for row n. */
typedef struct table {
    uint32_t *slots; /* [mask + 1] */
    uint32_t mask;
} table;

static table calls, computes, sites, frames;

static int reserve_error; /* why there was no room, as of errno */

/* Makes room on the disk for an item of an array of the part. */
static bool reserve(const void *items, size_t index, size_t size) {
    size_t begin = (size_t)((const char *)items - (const char *)record_store) + index * size;
    for (size_t chunk = begin / CHUNK; chunk <= (begin + size - 1) / CHUNK; chunk++) {
        int failed = chunks[chunk] ? 0 : posix_fallocate(file, (off_t)(chunk * CHUNK), CHUNK);
        if (failed != 0) {
            reserve_error = failed;
            return false;
        }
        chunks[chunk] = true;
    }
    return true;
}

/* Makes room for the first rows of each table, and touches it: what the file system takes for that,
 * up to some ms, is not in the times of the program then. */
static void warm_up(void) {
    const void *const tables[] = {record_store->modules, record_store->frames,
                                  record_store->sites,   record_store->communicators,
                                  record_store->members, record_store->calls,
                                  record_store->computes};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        size_t begin = (size_t)((const char *)tables[i] - (const char *)record_store);
        /* Where there is no room, the first row says so. */
        if (reserve(tables[i], 0, CHUNK)) {
            for (size_t at = begin; at < begin + CHUNK; at += page) {
                ((volatile char *)record_store)[at] = 0;
            }
        }
    }
}

static bool open_file(const char *folder, int rank) {
    char path[4096];
    snprintf(path, sizeof path, "%s/" RECORD_PART_NAME "%06d", folder, rank);
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return file >= 0 && ftruncate(file, (off_t)sizeof(record_part)) == 0;
}

/* The words that this process was started with. */
static void read_command(record_part_head *head) {
    int words = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (words >= 0) {
        ssize_t length = read(words, head->command, sizeof head->command - 2);
        head->command[length > 0 ? length : 0] = '\0';
        close(words);
    }
}

bool record_store_open(const char *folder, int rank, int size) {
    if (!open_file(folder, rank)) {
        return false;
    }
    void *place = mmap(NULL, sizeof(record_part), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (place == MAP_FAILED) {
        return false;
    }
    record_store = place;
    if (!reserve(&record_store->head, 0, sizeof record_store->head)) {
        munmap(place, sizeof(record_part));
        record_store = NULL;
        errno = reserve_error;
        return false;
    }
    record_part_head *head = &record_store->head;
    memcpy(head->magic, RECORD_PART_MAGIC, sizeof RECORD_PART_MAGIC);
    head->rank = (uint32_t)rank;
    head->size = (uint32_t)size;
    head->process_id = getpid();
    gethostname(head->node, sizeof head->node - 1);
    read_command(head);
    const char *rows = getenv(RECORD_PART_ROWS);
    long wanted = rows != NULL ? atol(rows) : 0;
    rows_most = wanted > 0 && wanted < RECORD_PART_CALLS ? (uint32_t)wanted : rows_most;
    warm_up();
    return true;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32);
}

static uint64_t hash_of_key(const record_part_key *key) {
    uint64_t hash = mix(key->site, ((uint64_t)key->communicator << 32) | key->operation);
    hash = mix(hash, ((uint64_t)(uint32_t)key->partner << 32) | (uint32_t)key->source);
    return mix(mix(hash, key->bytes), key->received ^ key->merged);
}

static uint64_t hash_of_way(uint32_t from, uint32_t to) {
    return mix(from, to);
}

static uint64_t hash_of_place(const placed *place) {
    return mix(place->caller, (uint64_t)(uintptr_t)place->address);
}

static void put(table *t, uint64_t hash, uint32_t number) {
    uint32_t at = (uint32_t)hash & t->mask;
    while (t->slots[at] != 0) {
        at = (at + 1) & t->mask;
    }
    t->slots[at] = number;
}

/* Makes the table twice as large where `count` rows and one more fill more than half of it.
 * hash_of gives the hash of a row. */
static bool grow(table *t, uint32_t count, uint64_t (*hash_of)(uint32_t row)) {
    if (t->slots != NULL && 2 * ((uint64_t)count + 1) <= (uint64_t)t->mask + 1) {
        return true;
    }
    uint32_t size = t->slots == NULL ? 256 : 2 * (t->mask + 1);
    uint32_t *slots = calloc(size, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    free(t->slots);
    *t = (table){slots, size - 1};
    for (uint32_t row = 0; row < count; row++) {
        put(t, hash_of(row), row + 1);
    }
    return true;
}

static uint64_t hash_of_site_row(uint32_t row) {
    return hash_of_place(&placed_sites[row]);
}

static uint64_t hash_of_frame_row(uint32_t row) {
    return hash_of_place(&placed_frames[row]);
}

static uint64_t hash_of_call_row(uint32_t row) {
    return hash_of_key(&record_store->calls[row].key);
}

static uint64_t hash_of_compute_row(uint32_t row) {
    return hash_of_way(record_store->computes[row].from, record_store->computes[row].to);
}

/* The number of a module; RECORD_PART_NONE where there is no room for another one. */
static uint32_t module_of(const char *path) {
    record_part_head *head = &record_store->head;
    for (uint32_t i = 0; i < head->module_count; i++) {
        if (strcmp(record_store->modules[i].path, path) == 0) {
            return i;
        }
    }
    if (head->module_count == RECORD_PART_MODULES ||
        !reserve(record_store->modules, head->module_count, sizeof record_store->modules[0])) {
        return RECORD_PART_NONE;
    }
    char *out = record_store->modules[head->module_count].path;
    snprintf(out, sizeof record_store->modules[0].path, "%s", path);
    return head->module_count++;
}

/* The path of a module. The loader knows the program itself by no name. */
static const char *path_of(const struct link_map *map, char *own, size_t size) {
    if (map->l_name[0] != '\0') {
        return map->l_name;
    }
    ssize_t length = readlink("/proc/self/exe", own, size - 1);
    own[length > 0 ? length : 0] = '\0';
    return own;
}

/* Where an address is in its file. False where there is no room for its module. */
static bool find_frame(const placed *place, record_part_frame *out) {
    Dl_info info;
    struct link_map *map = NULL;
    char own[1024];
    bool known = dladdr1(place->address, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 && map != NULL;
    /* Programs that stand at a fixed place have a base of 0, and addresses as their file has them.
     */
    uintptr_t base = known ? (uintptr_t)map->l_addr : 0;
    *out = (record_part_frame){.module = module_of(known ? path_of(map, own, sizeof own) : ""),
                               .caller = place->caller,
                               .offset = (uintptr_t)place->address - base};
    return out->module != RECORD_PART_NONE;
}

/* The row of a place; RECORD_PART_NONE: there is none. */
static uint32_t find_placed(const table *t, const placed *rows, const placed *place) {
    uint32_t at = (uint32_t)hash_of_place(place) & t->mask;
    while (t->slots != NULL && t->slots[at] != 0) {
        const placed *row = &rows[t->slots[at] - 1];
        if (row->address == place->address && row->caller == place->caller) {
            return t->slots[at] - 1;
        }
        at = (at + 1) & t->mask;
    }
    return RECORD_PART_NONE;
}

static uint32_t frame_of(const placed *place) {
    record_part_head *head = &record_store->head;
    uint32_t number = find_placed(&frames, placed_frames, place);
    if (number != RECORD_PART_NONE) {
        return number;
    }
    number = head->frame_count;
    record_part_frame new;
    if (number == RECORD_PART_FRAMES ||
        !reserve(record_store->frames, number, sizeof record_store->frames[0]) ||
        !find_frame(place, &new) || !grow(&frames, number, hash_of_frame_row)) {
        return RECORD_PART_NONE;
    }
    record_store->frames[number] = new;
    placed_frames[number] = *place;
    put(&frames, hash_of_place(place), number + 1);
    head->frame_count++;
    return number;
}

static uint32_t add_site(const placed *place) {
    record_part_head *head = &record_store->head;
    uint32_t number = head->site_count;
    record_part_frame new;
    if (number == RECORD_PART_SITES ||
        !reserve(record_store->sites, number, sizeof record_store->sites[0]) ||
        !find_frame(place, &new) || !grow(&sites, number, hash_of_site_row)) {
        return RECORD_PART_NONE;
    }
    record_store->sites[number] = (record_part_site){.frame = new};
    placed_sites[number] = *place;
    put(&sites, hash_of_place(place), number + 1);
    head->site_count++;
    return number;
}

uint32_t record_store_site(const void *address, const void *const *callers, uint32_t count) {
    placed place = {address, RECORD_PART_NONE};
    for (uint32_t i = count; i-- > 0;) {
        const placed caller = {callers[i], place.caller};
        uint32_t number = frame_of(&caller);
        if (number == RECORD_PART_NONE) {
            break;
        }
        place.caller = number;
    }
    uint32_t found = find_placed(&sites, placed_sites, &place);
    return found != RECORD_PART_NONE ? found : add_site(&place);
}

static record_part_call *find_call(const record_part_key *key, uint64_t hash) {
    uint32_t at = (uint32_t)hash & calls.mask;
    while (calls.slots != NULL && calls.slots[at] != 0) {
        record_part_call *row = &record_store->calls[calls.slots[at] - 1];
        if (memcmp(&row->key, key, sizeof *key) == 0) {
            return row;
        }
        at = (at + 1) & calls.mask;
    }
    return NULL;
}

static record_part_call *add_call(const record_part_key *key, uint64_t hash) {
    record_part_head *head = &record_store->head;
    uint32_t number = head->call_count;
    if (number == RECORD_PART_CALLS || !grow(&calls, number, hash_of_call_row) ||
        !reserve(record_store->calls, number, sizeof record_store->calls[0])) {
        return NULL;
    }
    record_part_call *row = &record_store->calls[number];
    *row = (record_part_call){.key = *key, .least = UINT64_MAX};
    put(&calls, hash, number + 1);
    head->call_count++;
    return row;
}

/* The row of a key that is not the last one of its site. */
static __attribute__((noinline)) record_part_call *choose_call(const record_part_key *key) {
    uint64_t hash = hash_of_key(key);
    record_part_call *row = find_call(key, hash);
    /* A sixteenth of the rows is kept for merged calls. */
    bool room = site_rows[key->site] < rows_most &&
                record_store->head.call_count < RECORD_PART_CALLS - RECORD_PART_CALLS / 16;
    if (row == NULL && room) {
        row = add_call(key, hash);
        site_rows[key->site] += row != NULL ? 1 : 0;
    }
    if (row == NULL) {
        record_part_key merged = {.site = key->site,
                                  .communicator = key->communicator,
                                  .operation = key->operation,
                                  .merged = 1};
        hash = hash_of_key(&merged);
        row = find_call(&merged, hash);
        row = row != NULL ? row : add_call(&merged, hash);
    }
    last_call[key->site] = row;
    return row;
}

/* Without a jump for each number: keys are mostly the same. */
static inline bool is_same_key(const record_part_key *a, const record_part_key *b) {
    uint64_t differ = (a->site ^ b->site) | (a->communicator ^ b->communicator) |
                      (a->operation ^ b->operation) | (a->merged ^ b->merged) |
                      (uint32_t)(a->partner ^ b->partner) | (uint32_t)(a->source ^ b->source) |
                      (a->bytes ^ b->bytes) | (a->received ^ b->received);
    return differ == 0;
}

record_part_call *record_store_call(const record_part_key *key) {
    record_part_call *last = last_call[key->site];
    return last != NULL && is_same_key(&last->key, key) ? last : choose_call(key);
}

static record_part_compute *add_compute(uint32_t from, uint32_t to, uint64_t hash) {
    record_part_head *head = &record_store->head;
    uint32_t number = head->compute_count;
    if (number == RECORD_PART_COMPUTES || !grow(&computes, number, hash_of_compute_row) ||
        !reserve(record_store->computes, number, sizeof record_store->computes[0])) {
        return NULL;
    }
    record_part_compute *row = &record_store->computes[number];
    *row = (record_part_compute){.from = from, .to = to, .least = 1e300};
    put(&computes, hash, number + 1);
    head->compute_count++;
    return row;
}

static record_part_compute *find_compute(uint32_t from, uint32_t to) {
    uint64_t hash = hash_of_way(from, to);
    uint32_t at = (uint32_t)hash & computes.mask;
    while (computes.slots != NULL && computes.slots[at] != 0) {
        record_part_compute *row = &record_store->computes[computes.slots[at] - 1];
        if (row->from == from && row->to == to) {
            return row;
        }
        at = (at + 1) & computes.mask;
    }
    return add_compute(from, to, hash);
}

record_part_compute *record_store_compute(uint32_t from, uint32_t to) {
    record_part_compute *last = last_compute[to];
    if (last == NULL || last->from != from) {
        last = find_compute(from, to);
        last_compute[to] = last;
    }
    return last;
}

/* Whether a communicator of the part is as described. */
static bool is_alike(const record_part_communicator *a, const record_part_communicator *b,
                     const uint32_t *members) {
    record_part_communicator same = *b;
    same.members = a->members;
    return memcmp(a, &same, sizeof same) == 0 &&
           memcmp(record_store->members + a->members, members, a->size * sizeof *members) == 0;
}

uint32_t record_store_communicator(const record_part_communicator *like, const uint32_t *members) {
    record_part_head *head = &record_store->head;
    for (uint32_t i = 0; i < head->communicator_count; i++) {
        if (is_alike(&record_store->communicators[i], like, members)) {
            return i;
        }
    }
    uint32_t number = head->communicator_count;
    bool room = number < RECORD_PART_COMMUNICATORS &&
                like->size <= RECORD_PART_MEMBERS - head->member_count && like->size > 0;
    if (!room ||
        !reserve(record_store->communicators, number, sizeof record_store->communicators[0]) ||
        !reserve(record_store->members + head->member_count, 0, like->size * sizeof *members)) {
        return RECORD_PART_NONE;
    }
    record_store->communicators[number] = *like;
    record_store->communicators[number].members = head->member_count;
    memcpy(record_store->members + head->member_count, members, like->size * sizeof *members);
    head->member_count += like->size;
    head->communicator_count++;
    return number;
}
