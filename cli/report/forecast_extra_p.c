#include "forecast_results.h"

#include <math.h>
#include <string.h>

#include "cli/options/number.h"
#include "cli/output/json_text.h"
#include "model/base/text.h"

static void put_lines(const isocast_series_list *list, isocast_buffer *out) {
    for (size_t i = 0; i < list->run_count; i++) {
        const isocast_series_run *run = &list->runs[i];
        isocast_buffer name = {0};
        cli_forecast_put_keys(list, list->keys[run->group], &name);
        json_t *params = json_object();
        cli_json_set(&params, "p", cli_json_number(run->p));
        if (list->has_N) {
            cli_json_set(&params, "N", cli_json_number(run->N));
        }
        json_t *line = json_object();
        cli_json_set(&line, "params", params);
        if (name.text != NULL) {
            cli_json_set(&line, "callpath", cli_json_string(name.text));
        }
        cli_json_set(&line, "metric", json_string("time"));
        cli_json_set(&line, "value", cli_json_number(run->T));
        out->failed = out->failed || name.failed;
        cli_json_put(line, out);
        isocast_buffer_puts(out, "\n");
        isocast_buffer_free(&name);
    }
}

/* Where the runs at the point of run i end. */
static size_t end_of_point(const isocast_series_list *list, size_t i) {
    const isocast_series_run *runs = list->runs;
    size_t end = i + 1;
    while (end < list->run_count && runs[end].group == runs[i].group && runs[end].p == runs[i].p &&
           (runs[end].N == runs[i].N || isnan(runs[i].N))) {
        end++;
    }
    return end;
}

/* The points of the group that begins at run i, as a line; *end is behind its runs. */
static void put_points(const isocast_series_list *list, size_t i, size_t *end,
                       isocast_buffer *out) {
    size_t group = list->runs[i].group;
    isocast_buffer_puts(out, "POINTS");
    for (; i < list->run_count && list->runs[i].group == group; i = end_of_point(list, i)) {
        isocast_buffer_printf(out, list->has_N ? " ( %.17g %.17g )" : " ( %.17g )", list->runs[i].p,
                              list->runs[i].N);
    }
    isocast_buffer_puts(out, "\n");
    *end = i;
}

static bool put_text(const isocast_series_list *list, isocast_buffer *out) {
    isocast_buffer all = {0};
    size_t end = 0;
    bool good = true;
    isocast_buffer_puts(out, list->has_N ? "PARAMETER p\nPARAMETER N\n" : "PARAMETER p\n");
    put_points(list, 0, &end, &all);
    isocast_buffer_printf(out, "%s\n", all.text != NULL ? all.text : "");
    for (size_t begin = 0; begin < list->run_count && good; begin = end) {
        isocast_buffer own = {0};
        isocast_buffer name = {0};
        put_points(list, begin, &end, &own);
        cli_forecast_put_keys(list, list->keys[list->runs[begin].group], &name);
        out->failed = out->failed || own.failed || all.failed || name.failed;
        good =
            out->failed || own.text == NULL || all.text == NULL || strcmp(own.text, all.text) == 0;
        CLI_PUT_IF(name.length > 0 && !name.failed, out, "REGION %s\n", name.text);
        isocast_buffer_puts(out, "METRIC time\n");
        for (size_t i = begin; i < end;) {
            size_t after = end_of_point(list, i);
            isocast_buffer_puts(out, "DATA");
            for (; i < after; i++) {
                isocast_buffer_puts(out, " ");
                cli_number_format(list->runs[i].T, out);
            }
            isocast_buffer_puts(out, "\n");
        }
        isocast_buffer_free(&own);
        isocast_buffer_free(&name);
    }
    isocast_buffer_free(&all);
    return good;
}

bool cli_forecast_extra_p(const cli_forecast_view *view, const char *path, isocast_buffer *out) {
    const isocast_series_list *list = view->forecasts->list;
    if (isocast_text_ends(path, ".jsonl")) {
        put_lines(list, out);
        return true;
    }
    return put_text(list, out);
}
