/* The network of a platform as files have it (docs/how-to/platforms.md states the form). */
#ifndef PLATFORM_TEXT_H
#define PLATFORM_TEXT_H

#include "model/base/buffer.h"
#include "model/spec/platform.h"

/* Appends "KEY: VALUE" of all that a network has, with `separator` between them. What the file that
 * it came from does not say is left out. */
void platform_text_put_network(const isocast_network *network, const char *separator,
                               isocast_buffer *out);

/* Appends the lines of a section of the platform's file as they stand there, such as `compute`;
 * nothing where it has none. */
void platform_text_put_section(const isocast_platform *platform, const char *key,
                               isocast_buffer *out);

#endif
