/* What the machine file speaks of this node (processors, memory, model), how busy it is, and how
 * the system runs its processors, as far as its files say: what disturbs measurements. */
#ifndef NODE_H
#define NODE_H

typedef struct node_description {
    long processors;   /* cores that this process may use, by binding and control group */
    double memory;     /* B, no more than the control group allows; 0 where not known */
    char model[128];   /* of the processor; empty where not known */
    char kernel[128];  /* operating system and its release */
    char governor[32]; /* frequency governor; empty where it cannot be read */
} node_description;

void node_describe(node_description *out);

/* The seconds that the processors which this process may use have worked since the node was
 * started, for any program; NAN where the system does not say. */
double node_busy_seconds(void);

/* What a file may say, or not. */
typedef enum node_switch { NODE_UNKNOWN, NODE_OFF, NODE_ON } node_switch;

typedef struct node_settings {
    char governors[128];   /* of frequency, each one once, parted by ", "; empty where not known */
    char clock_source[64]; /* of the kernel; likewise */
    node_switch turbo;     /* a processor is faster while others rest */
    node_switch threads;   /* cores run several threads at once (SMT) */
    node_switch virtual;   /* the processors are those of a virtual machine */
} node_settings;

/* root: where /proc and /sys are, "" for the system's own. */
void node_settings_read(const char *root, node_settings *out);

/* The smallest step of the clock that times are measured with, and what reading it takes (the least
 * of several means), in s; NAN where the system does not say. */
void node_clock_read(double *resolution, double *cost);

/* What others made of the processors that this process may use. */
typedef struct node_load {
    double others; /* share that was used; this process rests meanwhile. NAN where not known */
    double stolen; /* share of it that a virtual machine's host gave to others; likewise */
} node_load;

/* Watches for so many seconds. */
void node_load_watch(double seconds, node_load *out);

#endif
