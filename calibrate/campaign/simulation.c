#include "simulation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/dimension.h"
#include "model/base/quantity.h"
#include "simgrid.h"

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

/* How many simulations of so many processes there is memory for; 1 where the limit is no amount. */
static double count_fitting(double processes) {
    const campaign_listener silent = {0};
    double limit = INFINITY;
    isocast_status status = campaign_memory_limit(&silent, &limit);
    return status == ISOCAST_OK ? floor(limit / campaign_simulation_memory(processes)) : 1;
}

bool campaign_memory_has_room(double processes) {
    return count_fitting(processes) >= 1;
}

size_t campaign_memory_at_once(double processes, size_t most) {
    return (size_t)fmin(fmax(count_fitting(processes), 1), (double)most);
}

isocast_status campaign_simulation_check(const isocast_system *system,
                                         const campaign_listener *listener) {
    return system->p <= SIMGRID_PROCESSES_MAX
               ? ISOCAST_OK
               : campaign_fail(listener, ISOCAST_ARGUMENT,
                               "the system has %.0f processes; files for the simulator are written "
                               "for at most %d\n    hint: name a smaller system\n",
                               system->p, SIMGRID_PROCESSES_MAX);
}

void campaign_simulation_report_plain(const isocast_platform *platform,
                                      const campaign_listener *listener) {
    const isocast_network *network = &platform->network;
    bool latency = network->latency_factor.count == 0;
    bool bandwidth = network->bandwidth_factor.count == 0;
    if (latency || bandwidth) {
        campaign_report(listener, CAMPAIGN_NOTE,
                        "platform %s has no %s%s%s: messages take the %s%s%s of the links as the "
                        "file gives them, and real ones often take longer",
                        platform->hardware->name, latency ? "latency_factor" : "",
                        latency && bandwidth ? " and no " : "", bandwidth ? "bandwidth_factor" : "",
                        latency ? "latency" : "", latency && bandwidth ? " and " : "",
                        bandwidth ? "bandwidth" : "");
    }
}

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";

static isocast_status make_folder(campaign_simulation *simulation,
                                  const campaign_listener *listener) {
    if (simulation->folder[0] != '\0') {
        return ISOCAST_OK;
    }
    const char *temporary = getenv("TMPDIR");
    /* smpirun, a shell script, parts its options at blanks and expands patterns in them. */
    bool fits = temporary != NULL && temporary[0] == '/' && strlen(temporary) < 32 &&
                strspn(temporary, plain) == strlen(temporary);
    snprintf(simulation->folder, sizeof simulation->folder, "%s/isocast-platform-XXXXXX",
             fits ? temporary : "/tmp");
    if (mkdtemp(simulation->folder) == NULL) {
        simulation->folder[0] = '\0';
        return campaign_fail(listener, ISOCAST_IO, "cannot make a temporary folder: %s",
                             strerror(errno));
    }
    return ISOCAST_OK;
}

/* Frees the text. */
static isocast_status write_file(const char *path, isocast_buffer *text,
                                 const campaign_listener *listener) {
    isocast_status status = text->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        FILE *file = fopen(path, "we");
        bool written = file != NULL && fwrite(text->text, 1, text->length, file) == text->length;
        int cause = errno;
        if (file != NULL && fclose(file) != 0 && written) {
            written = false;
            cause = errno;
        }
        status = written ? ISOCAST_OK
                         : campaign_fail(listener, ISOCAST_IO, "cannot write '%s': %s", path,
                                         strerror(cause));
    }
    isocast_buffer_free(text);
    return status;
}

/* The program ends where it takes more than a third of this, or of what simulations may take: two
 * may run at once. It may take a little where these are left out. */
static const double quick_memory = 4e9;
static const double quick_least = 4e8;

static isocast_status prepare_quick(campaign_simulation *simulation, const isocast_system *system,
                                    const campaign_listener *listener) {
    double limit = INFINITY;
    isocast_buffer text = {0};
    isocast_status status = campaign_memory_limit(listener, &limit);
    status = status == ISOCAST_OK ? make_folder(simulation, listener) : status;
    if (status != ISOCAST_OK) {
        return status;
    }
    snprintf(simulation->network, sizeof simulation->network, "%s/network", simulation->folder);
    isocast_buffer_printf(&text, "memory %.0f\n", fmax(fmin(limit, quick_memory) / 3, quick_least));
    simgrid_write_quick(simulation->platform, system, &text);
    return write_file(simulation->network, &text, listener);
}

isocast_status campaign_simulation_prepare(campaign_simulation *simulation,
                                           const isocast_system *system,
                                           const campaign_listener *listener) {
    if (simulation->quick) {
        return prepare_quick(simulation, system, listener);
    }
    isocast_status status = campaign_simulation_check(system, listener);
    if (status == ISOCAST_OK) {
        status = campaign_memory_check(system->p, listener);
    }
    if (status == ISOCAST_OK) {
        status = make_folder(simulation, listener);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    char platform_path[128];
    char hosts_path[128];
    snprintf(platform_path, sizeof platform_path, "%s/platform.xml", simulation->folder);
    snprintf(hosts_path, sizeof hosts_path, "%s/hosts", simulation->folder);
    isocast_buffer text = {0};
    simgrid_write_platform(simulation->platform, system, &text);
    status = write_file(platform_path, &text, listener);
    if (status == ISOCAST_OK) {
        simgrid_write_hosts(simulation->platform, system, &text);
        status = write_file(hosts_path, &text, listener);
    }
    if (status == ISOCAST_OK) {
        simgrid_write_command(system, platform_path, hosts_path, simulation->own_speed, &text);
        free(simulation->launcher);
        simulation->launcher = isocast_buffer_take(&text);
        status = simulation->launcher != NULL ? status : ISOCAST_NO_MEMORY;
    }
    return status;
}

launcher_request campaign_simulation_request(const campaign_simulation *simulation,
                                             const char *launcher, const isocast_system *system,
                                             char *const *command) {
    bool real = simulation == NULL;
    return (launcher_request){.alone = !real && simulation->quick,
                              .launcher = real ? launcher : simulation->launcher,
                              .processes = (long)system->p,
                              .nodes = (long)system->nodes,
                              .command = (const char *const *)command,
                              .temporary = real ? NULL : simulation->folder};
}

/* A simulated run that crashed leaves copies of the program there. */
void campaign_simulation_free(campaign_simulation *simulation) {
    /* A program that ran in it may have put a link in its place. */
    int folder = simulation->folder[0] != '\0'
                     ? open(simulation->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                     : -1;
    DIR *entries = folder >= 0 ? fdopendir(folder) : NULL;
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries != NULL) {
        closedir(entries);
    } else if (folder >= 0) {
        close(folder);
    }
    if (simulation->folder[0] != '\0') {
        rmdir(simulation->folder);
    }
    free(simulation->launcher);
    *simulation = (campaign_simulation){0};
}
