#include "simulation_memory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/dimension.h"
#include "model/base/quantity.h"

/* B, of SimGrid 3.32 with the probe on 16 to 512 processes (anonymous memory, the same for a
 * broadcast, a barrier and another library's choice). Each process has a stack, and data of its own
 * of the program that is simulated. The simulator counts the messages of each pair of processes,
 * and finds out which share a node by messages of all to all. What processes have of files makes
 * room where memory is short: it is not counted. */
static const double bytes_of_pair = 240;
static const double bytes_each = 75000;
static const double bytes_always = 4e7;

enum { TEXT_MAX = 4096 };

double campaign_simulation_memory(double processes) {
    return bytes_always + bytes_each * processes + bytes_of_pair * processes * processes;
}

/* The text of a file of the system; false where it cannot be read. */
static bool read_text(const char *path, char text[TEXT_MAX]) {
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    size_t length = fread(text, 1, TEXT_MAX - 1, file);
    text[length] = '\0';
    fclose(file);
    return length > 0;
}

/* A group without a limit has the word max. */
static double bytes_of(const char *text) {
    char *end;
    double bytes = strtod(text, &end);
    return end != text && bytes >= 0 ? bytes : INFINITY;
}

double campaign_memory_free(const char *meminfo, const char *limit) {
    static const char key[] = "MemAvailable:";
    const char *found = strstr(meminfo, key);
    double bytes = found != NULL ? 1024 * bytes_of(found + sizeof key - 1) : INFINITY;
    return fmin(bytes, limit != NULL ? bytes_of(limit) : INFINITY);
}

static double find_free(void) {
    char meminfo[TEXT_MAX] = "";
    char limit[TEXT_MAX];
    (void)read_text("/proc/meminfo", meminfo);
    bool grouped = read_text("/sys/fs/cgroup/memory.max", limit);
    return campaign_memory_free(meminfo, grouped ? limit : NULL);
}

/* "20GB", "8 GiB", a plain number of bytes. */
static bool parse_memory(const char *text, double *out) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || errno != 0 || !(value > 0) || !isfinite(value)) {
        return false;
    }
    end += strspn(end, " ");
    double factor = 1;
    isocast_dimension dimension;
    isocast_dimension bytes;
    if (*end != '\0' &&
        (!isocast_unit_parse(end, strlen(end), &factor, &dimension, NULL) ||
         !isocast_unit_dimension("B", &bytes) || !isocast_dimension_equal(dimension, bytes))) {
        return false;
    }
    *out = value * factor;
    return true;
}

isocast_status campaign_memory_limit(const campaign_listener *listener, double *out) {
    const char *text = getenv(CAMPAIGN_MEMORY_VARIABLE);
    if (text == NULL || text[0] == '\0') {
        *out = find_free();
        return ISOCAST_OK;
    }
    if (!parse_memory(text, out)) {
        return campaign_fail(listener, ISOCAST_ARGUMENT,
                             "%s is '%s', which is no amount of memory\n    hint: write it as "
                             "20GB",
                             CAMPAIGN_MEMORY_VARIABLE, text);
    }
    return ISOCAST_OK;
}

isocast_status campaign_memory_check(double processes, const campaign_listener *listener) {
    double limit = INFINITY;
    isocast_status status = campaign_memory_limit(listener, &limit);
    double due = campaign_simulation_memory(processes);
    if (status != ISOCAST_OK || due <= limit) {
        return status;
    }
    int digits = isocast_quantity_digits_apart(limit, due, 3);
    isocast_buffer needed = {0};
    isocast_buffer left = {0};
    isocast_quantity_format(due, "B", digits, &needed);
    isocast_quantity_format(limit, "B", digits, &left);
    bool room = !needed.failed && !left.failed;
    status = room ? campaign_fail(listener, ISOCAST_ARGUMENT,
                                  "a simulation of %.0f processes takes about %s of memory, and %s "
                                  "may be used\n    hint: name a smaller system, or set the "
                                  "variable %s to the memory that simulations may use",
                                  processes, needed.text, left.text, CAMPAIGN_MEMORY_VARIABLE)
                  : ISOCAST_NO_MEMORY;
    isocast_buffer_free(&needed);
    isocast_buffer_free(&left);
    return status;
}

bool campaign_memory_has_room(double processes) {
    const campaign_listener silent = {0};
    double limit = INFINITY;
    return campaign_memory_limit(&silent, &limit) != ISOCAST_OK ||
           campaign_simulation_memory(processes) <= limit;
}

size_t campaign_memory_at_once(double processes, size_t most) {
    const campaign_listener silent = {0};
    double limit = INFINITY;
    if (campaign_memory_limit(&silent, &limit) != ISOCAST_OK) {
        return 1;
    }
    double fit = floor(limit / campaign_simulation_memory(processes));
    return fit < (double)most ? (size_t)fmax(fit, 1) : most;
}
