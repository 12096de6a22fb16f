/* The subcommands: one row and one file each (cli/commands/cmd_NAME.c). */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

/* The groups of the help by what a person wants: GROUP(name in C, heading). */
#define CLI_COMMAND_GROUPS(GROUP)                                                                  \
    GROUP(BEGIN, "Begin")                                                                          \
    GROUP(PREDICT, "Predict")                                                                      \
    GROUP(MEASURE, "Measure")                                                                      \
    GROUP(OWN, "Programs of your own")                                                             \
    GROUP(RESULTS, "Results")

/* The rows in the order of the help, group by group: ROW(name in C, name, group, what it does). */
#define CLI_COMMAND_ROWS(ROW)                                                                      \
    ROW(doctor, "doctor", BEGIN, "show what commands need on this machine, and what is missing")   \
    ROW(list, "list", BEGIN, "list the algorithms, machines and platforms that are found")         \
    ROW(check, "check", BEGIN, "report every problem of algorithm and machine files")              \
    ROW(predict, "predict", PREDICT, "predict size, time and efficiency on each system")           \
    ROW(explain, "explain", PREDICT, "show where time is lost, and what would change it most")     \
    ROW(compare, "compare", PREDICT, "show which algorithm or machine is fastest where")           \
    ROW(forecast, "forecast", PREDICT, "forecast times on more processes from measured runs")      \
    ROW(sweep, "sweep", PREDICT, "predict while parameters vary, over millions of rows")           \
    ROW(transfer, "transfer", PREDICT, "predict on another machine what was measured on this one") \
    ROW(offers, "offers", PREDICT, "show which offer to buy inside a budget, and how many nodes")  \
    ROW(calibrate, "calibrate", MEASURE, "measure a machine and write its machine file")           \
    ROW(measure, "measure", MEASURE, "run a program on systems and sizes, and keep its times")     \
    ROW(run, "run", MEASURE, "execute the steps of an algorithm file on this machine")             \
    ROW(validate, "validate", MEASURE, "compare predictions with measured runs")                   \
    ROW(scalability, "scalability", MEASURE, "compute scalability from measured runs")             \
    ROW(fit_operations, "fit-operations", MEASURE, "fit formulas to timings of any benchmark")     \
    ROW(study, "study", OWN, "predict a program and check it by runs, in one command")             \
    ROW(record, "record", OWN, "write what an MPI program sends and computes")                     \
    ROW(derive, "derive", OWN, "derive an algorithm file from such records")                       \
    ROW(cc, "cc", OWN, "compile an MPI program for simulated platforms")                           \
    ROW(plot, "plot", RESULTS, "draw results and measured runs")                                   \
    ROW(export, "export", RESULTS, "write a platform as files of SimGrid")

/* cmd_NAME of each: gets argv with argv[0] = its name and gives an exit status of exit.h. */
#define CLI_COMMAND_DECLARE(name, text, group, summary) int cmd_##name(int argc, char **argv);
CLI_COMMAND_ROWS(CLI_COMMAND_DECLARE)
#undef CLI_COMMAND_DECLARE

#endif
