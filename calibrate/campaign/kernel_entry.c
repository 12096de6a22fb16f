#include "kernel_entry.h"

#include <string.h>

static const char head[] =
    "compute:       # time per flop in p and the working set m of one process\n";

/* Where the line of a byte begins. */
static size_t line_of(const isocast_source *source, size_t at) {
    return isocast_source_line(source, at).begin;
}

/* Where the line after that of a byte begins; the end where there is none. */
static size_t line_after(const isocast_source *source, size_t at) {
    size_t end = isocast_source_line(source, at).end;
    return end < source->length ? end + 1 : end;
}

/* The lines with as many blanks before them as the section has, where it has not two. */
static void put_indented(const char *entry, size_t blanks, isocast_buffer *out) {
    static const size_t written = 2;
    for (const char *at = entry; *at != '\0';) {
        size_t length = strcspn(at, "\n") + 1;
        isocast_buffer_printf(out, "%*s", (int)blanks, "");
        isocast_buffer_append(out, at + written, length - written);
        at += length;
    }
}

/* The lines that the entry of the kernel has, as a range of bytes; false where there is none. */
static bool find_lines(const isocast_tree *file, const isocast_tree_node *section,
                       const char *kernel, isocast_span *lines) {
    for (size_t i = 0; i < section->count; i++) {
        if (strcmp(section->entries[i].key.text, kernel) != 0) {
            continue;
        }
        size_t last = section->entries[i].value.span.end;
        last -= last > 0 ? 1 : 0;
        *lines = (isocast_span){line_of(file->source, section->entries[i].key.span.begin),
                                i + 1 < section->count
                                    ? line_of(file->source, section->entries[i + 1].key.span.begin)
                                    : line_after(file->source, last)};
        return true;
    }
    return false;
}

isocast_status campaign_kernel_entry_put(const isocast_tree *file, const char *kernel,
                                         const char *entry, isocast_diagnostics *diagnostics,
                                         isocast_buffer *out) {
    const isocast_source *source = file->source;
    const isocast_tree_entry *section = isocast_tree_find(&file->root, "compute");
    if (section == NULL || section->value.kind != ISOCAST_TREE_MAPPING ||
        section->value.count == 0) {
        isocast_buffer_append(out, source->text, source->length);
        bool ends = source->length > 0 && source->text[source->length - 1] == '\n';
        isocast_buffer_printf(out, "%s%s%s", ends ? "" : "\n", head, entry);
        return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    size_t first = section->value.entries[0].key.span.begin;
    size_t begin = line_of(source, first);
    if (begin <= section->key.span.begin) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, section->key.span,
                                "write 'compute:' and under it a line for each kernel",
                                "a kernel cannot be added to a section in braces");
        return ISOCAST_INVALID;
    }
    isocast_span lines = {begin, begin};
    find_lines(file, &section->value, kernel, &lines);
    isocast_buffer_append(out, source->text, lines.begin);
    /* A key in quotes has its place behind them. */
    put_indented(entry, strspn(source->text + begin, " "), out);
    isocast_buffer_append(out, source->text + lines.end, source->length - lines.end);
    return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}
