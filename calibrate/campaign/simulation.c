#include "simulation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "simgrid.h"
#include "simulation_memory.h"

isocast_status campaign_simulation_check(const isocast_system *system,
                                         const campaign_listener *listener) {
    return system->p <= SIMGRID_PROCESSES_MAX
               ? ISOCAST_OK
               : campaign_fail(listener, ISOCAST_ARGUMENT,
                               "the system has %.0f processes; files for the simulator are written "
                               "for at most %d\n    hint: name a smaller system\n",
                               system->p, SIMGRID_PROCESSES_MAX);
}

void campaign_simulation_tell_plain(const isocast_platform *platform,
                                    const campaign_listener *listener) {
    const isocast_network *network = &platform->network;
    bool latency = network->latency_factor.count == 0;
    bool bandwidth = network->bandwidth_factor.count == 0;
    if (latency || bandwidth) {
        campaign_tell(listener, CAMPAIGN_NOTE,
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
                                           const isocast_system *system, double in_group,
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
        simgrid_write_hosts(simulation->platform, system, in_group, &text);
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
