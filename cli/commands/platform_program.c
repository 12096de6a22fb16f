#include "platform_program.h"

#include <string.h>

#include "model/spec/kernel_time.h"

/* What was set of an algorithm is a definition of it. */
static bool defines(const isocast_algorithm *algorithm, const char *name) {
    bool found = false;
    for (size_t i = 0; i < algorithm->definition_count; i++) {
        found = found || strcmp(algorithm->definitions[i].name, name) == 0;
    }
    return found;
}

void cli_platform_program_find(const cli_loaded *loaded, cli_platform_program *out) {
    const isocast_algorithm *algorithm = loaded->algorithm;
    *out = (cli_platform_program){0};
    if (algorithm->program == NULL) {
        return;
    }
    if (algorithm->time_per_flop_given) {
        isocast_buffer_puts(&out->why, "t_c was given by hand");
    } else if (isocast_kernel_time_find(algorithm, loaded->platform->hardware) != NULL) {
        isocast_buffer_puts(&out->why, "work takes the times per flop of the platform file, which "
                                       "executing it does not know");
    } else if (strcmp(loaded->algorithm_path, "-") == 0) {
        isocast_buffer_puts(&out->why, "what executes the program reads the file again, which "
                                       "standard input cannot be");
    } else if (campaign_steps_locate(loaded->algorithm_path, &out->steps, &out->why)) {
        bool good = true;
        for (size_t i = 0; i < loaded->setting_count; i++) {
            const isocast_setting *set = &loaded->settings[i];
            good = good && (!defines(algorithm, set->name) || campaign_steps_set(&out->steps, set));
        }
        out->steps.algorithm = good ? algorithm : NULL;
    }
}

void cli_platform_program_take(const cli_platform_program *program, campaign_subject *subject) {
    subject->steps = program->steps.algorithm != NULL ? &program->steps : NULL;
    subject->not_executed = subject->steps == NULL ? program->why.text : NULL;
}

void cli_platform_program_free(cli_platform_program *program) {
    campaign_steps_free(&program->steps);
    isocast_buffer_free(&program->why);
}
