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
    "Graph_neighbors_count": "MPI_Comm comm, int rank, int *nneighbors",
    "Dist_graph_neighbors_count": "MPI_Comm comm, int *indegree, int *outdegree, int *weighted",
    "Type_get_envelope": "MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes, int *combiner",
    "Type_size_x": "MPI_Datatype datatype, MPI_Count *size",
}
FORTRAN_ARGUMENTS = 20
NOTE = "/* Made by record/library/generate.py. */\n"


def read_calls(path):
    """[(name, parameters, statements before, statements after)] in the order of the table."""
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
                calls.append((match.group(1), match.group(2), [], []))
            else:
                when, statement = text.split(": ", 1)
                calls[-1][2 if when == "before" else 3].append(statement)
    return calls


def names_of(parameters):
    """The parameters by their names alone, as arguments."""
    if parameters == "void":
        return ""
    return ", ".join(re.sub(r"\[\]", "", part).split()[-1].lstrip("*") for part in parameters.split(","))


def real_header(calls):
    rows = {name: parameters for name, parameters, _, _ in calls} | BY_HAND | CALLED
    text = NOTE + "#ifndef RECORD_REAL_H\n#define RECORD_REAL_H\n\n"
    text += "/* What MPI declares is what the program finds here; nothing else of the library is seen from outside. */\n"
    text += "#pragma GCC visibility push(default)\n#include <mpi.h>\n#pragma GCC visibility pop\n\n"
    text += "/* The functions of the MPI library itself. */\ntypedef struct record_functions {\n"
    for name, parameters in rows.items():
        text += f"    int (*{name})({parameters});\n"
    text += "} record_functions;\n\nextern record_functions record_real;\n\n"
    text += "#define RECORD_REAL_NAMES(ROW) \\\n" + " \\\n".join(f"    ROW({name})" for name in rows) + "\n\n#endif\n"
    return text


def wrapper(name, parameters, before, after):
    arguments = names_of(parameters)
    body = "".join(f"    {line}\n" for line in before)
    body += f"    int result = record_real.{name}({arguments});\n    record_return(&call);\n"
    body += "".join(f"    {line}\n" for line in after)
    return (f"static inline int take_{name}(const void *address, bool profiled, {parameters}) {{\n"
            "    record_call call;\n"
            "    if (!record_enter(&call, address, profiled)) {\n"
            f"        return record_real.{name}({arguments});\n    }}\n{body}"
            f"    record_leave(&call, ISOCAST_RECORD_OPERATION_{name});\n    return result;\n}}\n\n"
            f"int MPI_{name}({parameters}) {{\n"
            f"    return take_{name}(__builtin_return_address(0), false, {arguments});\n}}\n\n"
            f"int PMPI_{name}({parameters}) {{\n"
            f"    return take_{name}(__builtin_return_address(0), true, {arguments});\n}}\n\n")


def fortran(calls):
    text = NOTE + '#include "fortran.h"\n\n'
    names = [name for name, _, _, _ in calls] + list(BY_HAND)
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
