#!/usr/bin/env python3
"""Makes the sources of the recording library from the table of calls.

    generate.py CALLS REAL.h WRAPPERS.c FORTRAN.c

REAL.h declares a pointer to each function of MPI that the library calls. WRAPPERS.c has MPI_NAME and PMPI_NAME of each
call of the table. FORTRAN.c has the names that Fortran programs call, of these and of those written by hand.
"""
import re
import sys

# Functions that the library calls beside those of the table; those written by hand in start.c and persistent.c first.
BY_HAND = {
    "Init": "int *argc, char ***argv",
    "Init_thread": "int *argc, char ***argv, int required, int *provided",
    "Finalize": "void",
    "Abort": "MPI_Comm comm, int errorcode",
    "Start": "MPI_Request *request",
    "Startall": "int count, MPI_Request array_of_requests[]",
}
CALLED = {
    "Comm_rank": "MPI_Comm comm, int *rank",
    "Comm_size": "MPI_Comm comm, int *size",
    "Comm_remote_size": "MPI_Comm comm, int *size",
    "Comm_test_inter": "MPI_Comm comm, int *flag",
    "Comm_group": "MPI_Comm comm, MPI_Group *group",
    "Group_translate_ranks": "MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]",
    "Group_free": "MPI_Group *group",
    "Topo_test": "MPI_Comm comm, int *status",
    "Cartdim_get": "MPI_Comm comm, int *ndims",
    "Cart_get": "MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]",
    "Cart_shift": "MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest",
    "Graph_neighbors_count": "MPI_Comm comm, int rank, int *nneighbors",
    "Dist_graph_neighbors_count": "MPI_Comm comm, int *indegree, int *outdegree, int *weighted",
    "Type_free": "MPI_Datatype *datatype",
    "Type_size_x": "MPI_Datatype datatype, MPI_Count *size",
}
FORTRAN_ARGUMENTS = 20
NOTE = "/* Made by record/library/generate.py. */\n"


def read_calls(path):
    """[(name, parameters, statements before, statements after, what is the same, what is brought)] in the order of the table.

    What is the same is None, or the expressions of which the row of a call hangs. What is brought is None, or says whether
    what a call like that of the slot `quick` brought is what the slot's row says."""
    calls = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if not line.startswith(" "):
                match = re.fullmatch(r"(\w+)\((.*)\)", text)
                if not match:
                    sys.exit(f"{path}:{number}: this is no call")
                calls.append([match.group(1), match.group(2), [], [], None, None])
                continue
            when, statement = re.fullmatch(r"(before|after|same|brings):\s*(.*)", text).groups()
            if when == "same":
                calls[-1][4] = [part.strip() for part in statement.split(",") if part.strip()]
            elif when == "brings":
                calls[-1][5] = statement
            else:
                calls[-1][2 if when == "before" else 3].append(statement)
    return calls


def names_of(parameters):
    """The parameters by their names alone, as arguments."""
    if parameters == "void":
        return ""
    return ", ".join(re.sub(r"\[\]", "", part).split()[-1].lstrip("*") for part in parameters.split(","))


def real_header(calls):
    rows = {call[0]: call[1] for call in calls} | BY_HAND | CALLED
    text = NOTE + "#ifndef RECORD_REAL_H\n#define RECORD_REAL_H\n\n"
    text += "/* What MPI declares is what the program finds here; nothing else of the library is seen from outside. */\n"
    text += "#pragma GCC visibility push(default)\n#include <mpi.h>\n#pragma GCC visibility pop\n\n"
    text += "/* The functions of the MPI library itself. */\ntypedef struct record_functions {\n"
    for name, parameters in rows.items():
        text += f"    int (*{name})({parameters});\n"
    text += "} record_functions;\n\nextern record_functions record_real;\n\n"
    text += "#define RECORD_REAL_NAMES(ROW) \\\n" + " \\\n".join(f"    ROW({name})" for name in rows) + "\n\n#endif\n"
    return text


def reported_apart(name, same):
    """What distinguishes calls of one place: the parts of a record_like."""
    if len(same) > 5:
        sys.exit(f"{name}: only five arguments may distinguish calls")
    return [f"(uint32_t)({part})" for part in same] + ["0"] * (5 - len(same)) + [f"ISOCAST_RECORD_OPERATION_{name}"]


def corrected(parameters, after):
    """Those parameters that the facts come from."""
    return ",".join(part for part in parameters.split(",") if re.search(rf"\b{names_of(part)}\b", " ".join(after)))


def call_quickly(name, parameters, before, after, brings):
    """A call that was counted by the slot `quick`. What it brings may be part of its facts: then it is looked at."""
    call = f"record_real.{name}({names_of(parameters)})"
    if brings is None:
        return f"        return {call};\n"
    return ("".join(f"        {line}\n" for line in before)
            + f"        int result = {call};\n        if (!{brings}) {{\n"
            f"            correct_{name}(quick, result, {names_of(corrected(parameters, after))});\n        }}\n        return result;\n")


def correct(name, parameters, after):
    return (f"static __attribute__((noinline)) void correct_{name}(record_quick *quick, int result, {corrected(parameters, after)}) {{\n"
            "    record_call call;\n    record_call_begin(&call);\n" + "".join(f"    {line}\n" for line in after)
            + "    if (!record_quick_holds(quick, &call.key)) {\n"
            f"        record_correct(&call, quick, ISOCAST_RECORD_OPERATION_{name});\n    }}\n}}\n\n")


def wrapper(name, parameters, before, after, same, brings):
    arguments = names_of(parameters)
    body = "".join(f"    {line}\n" for line in before)
    body += f"    int result = record_real.{name}({arguments});\n    record_return(&call);\n"
    body += "".join(f"    {line}\n" for line in after)
    parts = reported_apart(name, same) if same is not None else []
    like = f"    const record_like like = {{{{{', '.join(parts)}}}}};\n" if same is not None else ""
    keep = "    call.like = &like;\n" if same is not None else ""
    quickly = call_quickly(name, parameters, before, after, brings)
    text = correct(name, parameters, after) if brings is not None else ""
    text += f"static __attribute__((noinline)) int take_{name}({parameters}) {{\n"
    text += "    const void *address = record_mine.address;\n    const void *stack = record_mine.stack;\n    bool profiled = record_mine.profiled;\n"
    if same is not None:
        text += (like + "    record_quick *quick = record_quick_take(address, stack, profiled, &like);\n"
                 f"    if (quick != NULL) {{\n{quickly}    }}\n")
    text += ("    record_call call;\n"
             "    if (!record_enter(&call, address, stack, profiled)) {\n"
             f"        return record_real.{name}({arguments});\n    }}\n{keep}{body}"
             f"    record_leave(&call, ISOCAST_RECORD_OPERATION_{name});\n    return result;\n}}\n\n")
    for prefix, profiled in (("MPI", "false"), ("PMPI", "true")):
        text += f"int {prefix}_{name}({parameters}) {{\n"
        if same is not None and prefix == "MPI":
            # Parts that are 0 for all calls are not looked at.
            alike = "".join(f"quick->like.parts[{i}] == {part} && " for i, part in enumerate(parts) if part != "0")
            text += ("    const void *from = __builtin_return_address(0);\n"
                     "    record_quick *quick = record_quick_next(from);\n"
                     f"    if (record_quick_is_at(quick, from) && {alike}record_quick_leads(quick, from, __builtin_dwarf_cfa()) &&\n"
                     f"        record_quick_count(quick)) {{\n{quickly}    }}\n")
        # They stand apart, so that the arguments stay where they are.
        text += (f"    record_mine.address = __builtin_return_address(0);\n    record_mine.stack = __builtin_dwarf_cfa();\n    record_mine.profiled = {profiled};\n"
                 f"    return take_{name}({arguments});\n}}\n\n")
    return text


def fortran(calls):
    text = NOTE + '#include "fortran.h"\n\n'
    names = [call[0] for call in calls] + list(BY_HAND)
    for name in names:
        for ending in ("_", "__", "_f08_", "_f08ts_"):
            text += f"RECORD_FORTRAN(mpi_{name.lower()}{ending})\n"
    return text


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    calls = read_calls(sys.argv[1])
    wrappers = NOTE + '#include "call.h"\n\n' + "".join(wrapper(*call) for call in calls)
    for path, text in zip(sys.argv[2:], (real_header(calls), wrappers, fortran(calls))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


main()
