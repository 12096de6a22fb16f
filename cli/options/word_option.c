#include "word_option.h"

#include "exit.h"
#include "model/base/nearest.h"

int cli_word_refuse(const cli_usage *usage, const char *what, const char *word,
                    const char *const *names, size_t count) {
    isocast_buffer text = {0};
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_printf(&text, "%s%s",
                              i == 0           ? ""
                              : i + 1 == count ? " or "
                                               : ", ",
                              names[i]);
    }
    isocast_buffer_printf(&text, ", not '%s'", word);
    const char *nearest = isocast_nearest_name(word, names, count);
    if (nearest != NULL) {
        isocast_buffer_printf(&text, "; did you mean '%s'?", nearest);
    }
    int status = text.failed ? cli_exit_of(ISOCAST_NO_MEMORY)
                             : cli_usage_error(usage, "%s takes %s", what, text.text);
    isocast_buffer_free(&text);
    return status;
}
