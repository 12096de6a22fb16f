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
    """[(name, parameters, statements before, statements after, what is the same)] in the order of the table.

    The last is None, or the expressions of which the row of a call hangs."""
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
                calls.append([match.group(1), match.group(2), [], [], None])
                continue
            when, statement = re.fullmatch(r"(before|after|same):\s*(.*)", text).groups()
            if when == "same":
                calls[-1][4] = [part.strip() for part in statement.split(",") if part.strip()]
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


def like(name, same):
    """What tells calls of one place apart."""
    parts = [f"(uint32_t)({part})" for part in same] + [f"ISOCAST_RECORD_OPERATION_{name}"]
    if len(parts) > 6:
        sys.exit(f"{name}: only five arguments may tell calls apart")
    parts += ["0"] * (6 - len(parts))
    words = ", ".join(f"record_pair({parts[i]}, {parts[i + 1]})" for i in (0, 2, 4))
    return f"    const record_like like = {{{{{words}}}}};\n"


def quick(name, arguments, before, after):
    """A call that is like one before it. Where what it brings is part of its facts, they are looked at."""
    call = f"record_real.{name}({arguments})"
    if not any("result" in line for line in after):
        return f"    if (quick != NULL) {{\n        record_quick_count(quick);\n        return {call};\n    }}\n"
    return ("    if (quick != NULL) {\n        record_quick_count(quick);\n"
            + "".join(f"        {line}\n" for line in before)
            + f"        int result = {call};\n        record_call call;\n        record_call_begin(&call);\n"
            + "".join(f"        {line}\n" for line in after)
            + "        if (!record_quick_holds(quick, &call.key)) {\n"
            f"            record_mend(&call, quick, ISOCAST_RECORD_OPERATION_{name});\n        }}\n"
            "        return result;\n    }\n")


def wrapper(name, parameters, before, after, same):
    arguments = names_of(parameters)
    body = "".join(f"    {line}\n" for line in before)
    body += f"    int result = record_real.{name}({arguments});\n    record_return(&call);\n"
    body += "".join(f"    {line}\n" for line in after)
    told = like(name, same) if same is not None else ""
    keep = "    call.like = &like;\n" if same is not None else ""
    text = (f"static __attribute__((noinline)) int take_{name}(const void *address, bool profiled, {parameters}) {{\n"
            "    record_call call;\n"
            "    if (!record_enter(&call, address, profiled)) {\n"
            f"        return record_real.{name}({arguments});\n    }}\n{told}{keep}{body}"
            f"    record_leave(&call, ISOCAST_RECORD_OPERATION_{name});\n    return result;\n}}\n\n")
    for prefix, profiled in (("MPI", "false"), ("PMPI", "true")):
        text += f"int {prefix}_{name}({parameters}) {{\n"
        if same is not None:
            text += told
            text += f"    record_quick *quick = record_quick_find(__builtin_return_address(0), {profiled}, &like);\n"
            text += quick(name, arguments, before, after)
        text += f"    return take_{name}(__builtin_return_address(0), {profiled}, {arguments});\n}}\n\n"
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
