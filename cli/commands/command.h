/* The subcommands: one row and one file each (cli/commands/cmd_NAME.c). */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

/* The rows in the order of the help: ROW(name in C, name, what it does). */
#define CLI_COMMAND_ROWS(ROW)                                                                      \
    ROW(check, "check", "report every problem of algorithm and machine files")                     \
    ROW(predict, "predict", "predict N', W', T, E and psi of each system")                         \
    ROW(explain, "explain", "show where the overhead comes from and which parameter moves N'")     \
    ROW(compare, "compare", "tell which algorithm or machine is fastest where")                    \
    ROW(sweep, "sweep", "predict while parameters vary, over millions of rows")                    \
    ROW(offers, "offers", "tell which offer to buy inside a budget, and how many nodes")           \
    ROW(calibrate, "calibrate", "measure a machine and write its machine file")                    \
    ROW(fit_operations, "fit-operations", "fit formulas to timings that any benchmark took")       \
    ROW(measure, "measure", "run a kernel on systems and sizes")                                   \
    ROW(record, "record", "write what an MPI program sends and computes")                          \
    ROW(derive, "derive", "derive a specification from records of a program")                      \
    ROW(cc, "cc", "compile an MPI program for simulated platforms")                                \
    ROW(validate, "validate", "compare predictions with runs: errors of T, E, N' and psi'")        \
    ROW(scalability, "scalability", "compute psi from measured runs, or from a list of N")         \
    ROW(plot, "plot", "draw a prediction, a validation or measured runs")                          \
    ROW(export, "export", "write a platform as files of SimGrid")

/* cmd_NAME of each: gets argv with argv[0] = its name and gives an exit status of exit.h. */
#define CLI_COMMAND_DECLARE(name, text, summary) int cmd_##name(int argc, char **argv);
CLI_COMMAND_ROWS(CLI_COMMAND_DECLARE)
#undef CLI_COMMAND_DECLARE

#endif
