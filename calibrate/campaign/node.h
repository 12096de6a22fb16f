/* What the machine file tells of this node (processors, memory, model), and how busy the node is.
 */
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
 * started, for any program; NAN where the system does not tell. */
double node_busy_seconds(void);

/* The seconds of these in which a virtual machine's host gave the processors to others; likewise.
 */
double node_stolen_seconds(void);

#endif
