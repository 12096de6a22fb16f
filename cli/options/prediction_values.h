/* Several questions in one command: ranges and lists of --efficiency and of the first size in --at,
 * told apart into questions of one value each. Predicts nothing. */
#ifndef CLI_PREDICTION_VALUES_H
#define CLI_PREDICTION_VALUES_H

#include "prediction_options.h"

/* Reads a list such as "512..65536*2,100" of the option `label`, and tells on stderr what is wrong.
 * *values gets an array, shape [*count], which is the caller's to free. Gives an exit status. */
int cli_numbers_read(const char *label, const char *text, double **values, size_t *count);

/* Start from {0}. */
typedef struct cli_prediction_values {
    cli_prediction_texts *texts; /* [count], each a question as if it stood alone */
    size_t count;                /* at least 1 */
    char **kept;                 /* [kept_count], what the texts point to */
    size_t kept_count;
    const char **items; /* arguments of the options --at of all questions */
} cli_prediction_values;

/* Reads "--efficiency 0.1..0.9+0.1" and "--at N=512..65536*2,K=3" or "--at N=100,200". Tells on
 * stderr what is wrong; gives an exit status. `texts` must outlive the values. Free in either case.
 */
int cli_prediction_values_read(const cli_usage *usage, const cli_prediction_texts *texts,
                               const isocast_algorithm *algorithm, cli_prediction_values *out);
void cli_prediction_values_free(cli_prediction_values *values);

#endif
