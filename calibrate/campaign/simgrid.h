/* A platform and a system on it as SimGrid's files, and how smpirun is to be called. Writes no
 * file, starts nothing. */
#ifndef SIMGRID_H
#define SIMGRID_H

#include "model/spec/platform.h"
#include "model/spec/system.h"

/* Processes of a system that files are written for; lists of nodes and processes grow as these. */
enum { SIMGRID_PROCESSES_MAX = 200000 };

/* The platform as XML (SimGrid 3.32, platform version 4.1), with the eager limit, the factors, what
 * receiving takes and the choice of algorithms as settings. On a switched network only the nodes
 * that the system uses are in it. */
void simgrid_write_platform(const isocast_platform *platform, const isocast_system *system,
                            isocast_buffer *out);

/* The host of each process, a line each, in the order of ranks. */
void simgrid_write_hosts(const isocast_platform *platform, const isocast_system *system,
                         isocast_buffer *out);

/* The network and the processes of a system for the probe that counts messages on links one after
 * the other (calibrate/quick/links.h): lines of a word and numbers. */
void simgrid_write_quick(const isocast_platform *platform, const isocast_system *system,
                         isocast_buffer *out);

/* How the simulator runs what isocast brings along: computation modelled, memory folded. Ends in a
 * blank. */
extern const char simgrid_options[];

/* The command that starts a program on it. own_speed 0: computation modelled, memory folded; else
 * computation takes the time that it takes on this machine of so many flop/s, by the ratio of
 * speeds. Paths must be free of blanks. */
void simgrid_write_command(const isocast_system *system, const char *platform_path,
                           const char *hosts_path, double own_speed, isocast_buffer *out);

#endif
