/* The subcommands: one entry point each, one file each (cli/cmd_<name>.c). */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

/* Each gets argv with argv[0] = its name and gives an exit status of exit.h. */
int cmd_check(int argc, char **argv);
int cmd_predict(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_measure(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_scalability(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_fit_operations(int argc, char **argv);

#endif
