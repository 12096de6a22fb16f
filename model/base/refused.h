/* Whether memory was refused to this process, wherever that was. A text that memory was too short
 * for may be looked at far from where it is written; so that nothing is silently left out, whoever
 * writes a result asks here at last. One flag for all threads; it is never taken back. */
#ifndef ISOCAST_REFUSED_H
#define ISOCAST_REFUSED_H

#include <stdbool.h>

/* Notes a refusal; buffers, arrays and lists do. */
void isocast_refused_note(void);
bool isocast_was_refused(void);

#endif
