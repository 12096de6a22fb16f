"""Checks that the sources keep the one-way flow of CONTRIBUTING.md.

    check_flow.py ROOT [BUILD]  checks a source tree, and the object files of a build for circles; prints each violation
                                as file:line; status 1 if any
    check_flow.py --self-test   checks the checker on made-up trees

The sources stand in rooms: folders with one purpose each. A file includes headers of its own room and of the rooms
before it. It names them by their path from the root, and those of its own room by their name alone. No two source files
need each other, neither by their includes nor by the functions that they call. No file compares with the name of an
operation or a kernel: there are tables of these.
"""
import functools
import os
import re
import subprocess
import sys
import tempfile

# The rooms in the order of the flow. A room includes only rooms before it.
ROOMS = [
    "include/isocast",
    "model/base",
    "model/collective",
    "model/formula",
    "model/yaml",
    "model/schedule",
    "model/spec",
    "model/growth",
    "model/solve",
    "model/sweep",
    "model/offers",
    "model/runs",
    "model/forecast",
    "model/record",
    "model/derive",
    "model/api",
    "record/part",
    "record/library",
    "record/join",
    "record/simulated",
    "kernels",
    "calibrate/samples",
    "calibrate/fit",
    "calibrate/campaign",
    "calibrate/quick/smpi",
    "calibrate/quick",
    "calibrate/probe",
    "cli/ranks",
    "cli/options",
    "cli/output",
    "cli/report",
    "cli/commands",
]

MPI_MODULE = ROOMS.index("cli/ranks")

# Folders that hold rooms or sources, and which others a folder's files may include from.
FOLDERS = {
    "include": [],
    "model": ["include"],
    "record": ["include", "model"],
    "kernels": ["include", "model", "record"],
    "calibrate": ["include", "model", "record", "kernels"],
    "cli": ["include", "model", "record", "kernels", "calibrate"],
}

# Libraries give results and statuses back; they neither speak nor end nor start anything. A campaign starts programs,
# in the one file that is there for it, whose child process speaks and ends.
SPEAKING_CALL = r"v?f?printf|v?dprintf|f?puts|f?putc|putchar|perror|_?exit|_Exit|quick_exit|abort"
STARTING_CALL = r"v?fork|exec[lv]p?e?|system|popen|posix_spawnp?|MPI_\w+"
FORBIDDEN_CALL = re.compile(rf"\b({SPEAKING_CALL}|{STARTING_CALL})\s*\(")
FORBIDDEN_NAME = re.compile(r"\b(stdout|stderr|STDOUT_FILENO|STDERR_FILENO)\b")
SILENT_ROOMS = ("model/", "record/join/", "calibrate/campaign/")
STARTS_PROGRAMS = ("calibrate/campaign/keeper.c",)
# Operations and kernels are distinguished by their tables (model/base/known_operation.h, kernels/kernel_table.h).
KERNEL_TABLE = "kernels/kernel_table.h"
KERNEL_ROW = re.compile(r"^ *ROW\((\w+), \w+\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')


@functools.lru_cache(maxsize=None)  # a header is read for each file that includes it
def without_comments_and_texts(text):
    """The code with comments and literals blanked, line breaks kept; includes are kept whole."""

    def blank(match):
        found = match.group(0)
        if found.startswith("#"):
            return found
        return re.sub(r"[^\n]", " ", found)

    pattern = r'^[ \t]*#[ \t]*include[^\n]*|/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(pattern, lambda m: m.group(0) if "include" in m.group(0)[:12] else blank(m), text,
                  flags=re.DOTALL | re.MULTILINE)


def room_of(path, root):
    """The room that a file stands in, as an index of ROOMS; None for a file outside of all rooms."""
    folder = os.path.relpath(os.path.dirname(path), root).replace(os.sep, "/")
    return ROOMS.index(folder) if folder in ROOMS else None


def sources(root, folder):
    top = os.path.join(root, folder)
    for directory, _, files in os.walk(top):
        for name in sorted(files):
            if name.endswith((".c", ".h")):
                yield os.path.join(directory, name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


@functools.lru_cache(maxsize=None)
def includes_in(text):
    """(line, name) of each include."""
    matches = ((number, INCLUDE.match(line)) for number, line in enumerate(without_comments_and_texts(text).split("\n"), 1))
    return [(number, match.group(1) or match.group(2)) for number, match in matches if match]


def includes_of(path):
    return includes_in(read(path))


def header_of(name, path, root):
    """The project's header that an include means; None for those of others."""
    for candidate in (os.path.join(os.path.dirname(path), name), os.path.join(root, name),
                      os.path.join(root, "include", name)):
        if os.path.isfile(candidate):
            return os.path.normpath(candidate)
    return None


def uses_mpi(path, root, seen):
    """Whether a header includes mpi.h, by itself or through others of the project."""
    if path in seen:
        return False
    seen.add(path)
    for _, name in includes_of(path):
        if name == "mpi.h":
            return True
        header = header_of(name, path, root)
        if header is not None and uses_mpi(header, root, seen):
            return True
    return False


def check_include(path, folder, name, root):
    if name == "mpi.h":
        # The module of cli/ranks is loaded under mpiexec alone; the command does not link it.
        return "includes mpi.h" if folder in ("model", "cli") and room_of(path, root) != MPI_MODULE else None
    header = header_of(name, path, root)
    if header is None:
        return None
    other = os.path.relpath(header, root).split(os.sep)[0]
    if other not in FOLDERS:
        return None
    if other != folder and other not in FOLDERS[folder]:
        return f"includes {name} of {other}/"
    if folder == "cli" and uses_mpi(header, root, set()):
        return f"includes {name}, which needs mpi.h"
    own_room, other_room = room_of(path, root), room_of(header, root)
    for room, what in ((own_room, path), (other_room, header)):
        if room is None:
            return f"{os.path.relpath(what, root)} stands in no room: give it one of ROOMS"
    if other_room > own_room:
        return f"includes {name}, which comes later in the flow"
    return None


def check_calls(path):
    for number, line in enumerate(without_comments_and_texts(read(path)).split("\n"), 1):
        match = FORBIDDEN_CALL.search(line)
        if match:
            yield number, f"calls {match.group(1)}(): the library does not print, exit or fork"
        match = FORBIDDEN_NAME.search(line)
        if match:
            yield number, f"uses {match.group(1)}: the library does not print"


def kernel_names(root):
    path = os.path.join(root, KERNEL_TABLE)
    return KERNEL_ROW.findall(read(path)) if os.path.isfile(path) else []


def check_names(path, kernels):
    text = read(path)
    names = "|".join([r"T_\w*"] + kernels)
    for match in re.finditer(r'\b(?:strn?cmp|memcmp)\s*\([^;{]*"(' + names + ')"', text):
        yield text.count("\n", 0, match.start()) + 1, f"compares with the name {match.group(1)}: ask the table of such names"


def unit_of(path, root):
    """A source file together with its header: their path without the ending."""
    return os.path.splitext(os.path.relpath(path, root))[0].replace(os.sep, "/")


def include_graph(root):
    """Unit -> units whose headers it includes."""
    graph = {}
    for folder in FOLDERS:
        for path in sources(root, folder):
            needs = graph.setdefault(unit_of(path, root), set())
            for _, name in includes_of(path):
                header = header_of(name, path, root)
                if header is not None and unit_of(header, root) != unit_of(path, root):
                    needs.add(unit_of(header, root))
    return graph


def objects(build, root):
    """Object file -> unit. Those whose source is gone are left over from an older build and do not count."""
    found = {}
    for folder in FOLDERS:
        for directory, _, files in os.walk(os.path.join(build, folder)):
            for name in sorted(files):
                # The simulated programs are the same sources once more.
                if not name.endswith(".c.o") or "-simulated.dir" in directory:
                    continue
                path = os.path.join(directory, name)
                inside = path.split(".dir" + os.sep, 1)[1][:-len(".c.o")].replace(os.sep, "/")
                if os.path.isfile(os.path.join(root, f"{folder}/{inside}.c")):
                    found[path] = f"{folder}/{inside}"
    return found


def symbols_of(units):
    """(unit, line of nm) of each global symbol."""
    if not units:
        return
    listing = subprocess.run(["nm", "-g", "-A", *units], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        path, line = line.split(".c.o:", 1)
        yield units[path + ".c.o"], line


def call_graph(build, root):
    """Unit -> units that define the functions and data that its object file needs, as nm states."""
    defined, needed = {}, {}
    for unit, line in symbols_of(objects(build, root)):
        needed.setdefault(unit, set())
        kind, symbol = line.split()[-2:]
        if kind == "U":
            needed[unit].add(symbol)
        elif kind in "TDBRVWC":
            defined.setdefault(symbol, unit)
    return {unit: {defined[s] for s in symbols if s in defined} - {unit} for unit, symbols in needed.items()}


def circles(graph):
    """The strongly connected components of more than one unit (Tarjan), each sorted."""
    index, low, stack, found = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in sorted(graph.get(unit, ())):
            if other not in index:
                visit(other)
                low[unit] = min(low[unit], low[other])
            elif other in stack:
                low[unit] = min(low[unit], index[other])
        if low[unit] == index[unit]:
            circle = []
            while not circle or circle[-1] != unit:
                circle.append(stack.pop())
            if len(circle) > 1:
                found.append(sorted(circle))

    for unit in sorted(graph):
        if unit not in index:
            visit(unit)
    return found


def check_circles(graph, how):
    for circle in circles(graph):
        yield f"{circle[0]}: {how} each other in a circle: {', '.join(circle)}"


def check_tree(root):
    problems = []
    kernels = kernel_names(root)
    for folder in FOLDERS:
        for path in sources(root, folder):
            place = os.path.relpath(path, root)
            for number, name in includes_of(path):
                problem = check_include(path, folder, name, root)
                if problem:
                    problems.append(f"{place}:{number}: {problem}")
            problems += [f"{place}:{number}: {what}" for number, what in check_names(path, kernels)]
            if place.replace(os.sep, "/").startswith(SILENT_ROOMS) and place not in STARTS_PROGRAMS:
                problems += [f"{place}:{number}: {what}" for number, what in check_calls(path)]
    return problems + list(check_circles(include_graph(root), "these include"))


# Made-up trees: the files, and a part of each problem that is due.
SELF_TESTS = [
    ({"model/base/buffer.h": "", "model/spec/tree.h": '#include "model/base/buffer.h"\n'}, []),
    ({"model/base/buffer.h": '#include "model/spec/tree.h"\n', "model/spec/tree.h": ""},
     ["model/base/buffer.h:1: includes model/spec/tree.h, which comes later"]),
    ({"model/formula/lexer.h": "", "model/formula/parse.c": '#include "lexer.h"\n'}, []),
    ({"model/novelty/a.h": "", "model/runs/b.c": '#include "model/novelty/a.h"\n'}, ["model/novelty/a.h stands in no room"]),
    ({"model/solve/model.c": '#include "cli/options/exit.h"\n', "cli/options/exit.h": ""}, ["includes cli/options/exit.h of cli/"]),
    ({"model/solve/model.c": "\n#include <mpi.h>\n"}, ["model/solve/model.c:2: includes mpi.h"]),
    ({"model/solve/model.c": 'int f(void) {\n    printf("x");\n}\n'}, ["model/solve/model.c:2: calls printf()"]),
    ({"model/solve/model.c": "int f(void) {\n    exit(1);\n}\n"}, ["calls exit()"]),
    ({"model/solve/model.c": "int f(void) {\n    return fork();\n}\n"}, ["calls fork()"]),
    ({"model/solve/model.c": "FILE *f = stderr;\n"}, ["uses stderr"]),
    ({"model/solve/model.c": '/* printf("no") exit(1) */ const char t[] = "exit(1)"; snprintf(a, 1, "");\n'
                             "isocast_buffer_printf(b, c); isocast_system_parse(); // fork()\n"}, []),
    ({"calibrate/campaign/rounds.c": "void f(void) {\n    fputs(t, stderr);\n}\n"},
     ["calibrate/campaign/rounds.c:2: calls fputs()", "calibrate/campaign/rounds.c:2: uses stderr"]),
    ({"calibrate/campaign/rounds.c": "int f(void) {\n    exit(5);\n}\n"}, ["calibrate/campaign/rounds.c:2: calls exit()"]),
    ({"calibrate/campaign/rounds.c": "void f(void) {\n    dprintf(STDERR_FILENO, t);\n}\n"},
     ["calls dprintf()", "uses STDERR_FILENO"]),
    ({"calibrate/campaign/rounds.c": "int f(void) {\n    return system(t);\n}\n"}, ["calls system()"]),
    ({"calibrate/campaign/keeper.c": "int f(void) {\n    execvp(a, b);\n    _exit(1);\n}\n"}, []),
    ({"calibrate/campaign/rounds.c": '#include "cli/options/options.h"\n', "cli/options/options.h": ""},
     ["includes cli/options/options.h of cli/"]),
    ({"cli/commands/main.c": '#include "kernels/ge.h"\n', "kernels/ge.h": ""}, []),
    ({"cli/commands/main.c": '#include "kernels/ge.h"\n', "kernels/ge.h": '#include "deep.h"\n',
      "kernels/deep.h": "#include <mpi.h>\n"}, ["cli/commands/main.c:1: includes kernels/ge.h, which needs mpi.h"]),
    ({"kernels/ge.c": '#include "cli/options/exit.h"\n#include <mpi.h>\n', "cli/options/exit.h": ""},
     ["kernels/ge.c:1: includes cli/options/exit.h of cli/"]),
    ({"calibrate/fit/fit.c": '#include "model/spec/machine.h"\n', "model/spec/machine.h": ""}, []),
    ({"calibrate/samples/a.c": '#include "calibrate/fit/b.h"\n', "calibrate/fit/b.h": ""},
     ["calibrate/samples/a.c:1: includes calibrate/fit/b.h, which comes later"]),
    ({"include/isocast/a.h": "", "model/base/b.h": "#include <isocast/a.h>\n"}, []),
    ({"include/isocast/a.h": '#include "model/base/b.h"\n', "model/base/b.h": ""},
     ["include/isocast/a.h:1: includes model/base/b.h of model/"]),
    ({"calibrate/fit/a.c": 'bool f(const char *n) {\n    return strcmp(n, "T_bcast") == 0;\n}\n'},
     ["calibrate/fit/a.c:2: compares with the name T_bcast"]),
    ({"calibrate/fit/a.c": 'bool f(const char *n) {\n    return strncmp(n,\n        "T_", 2) == 0;\n}\n'},
     ["calibrate/fit/a.c:2: compares with the name T_"]),
    ({"kernels/kernel_table.h": "    ROW(heat, PROGRAM)\n", "cli/output/a.c": 'int a = strcmp(n, "heat");\n'},
     ["cli/output/a.c:1: compares with the name heat"]),
    ({"calibrate/fit/a.c": 'puts("T_bcast"); f(strcmp(a, b) == 0 ? 1 : 2);\ng("ge");\n'}, []),
    ({"model/base/a.h": "", "model/base/a.c": '#include "a.h"\n#include "b.h"\n', "model/base/b.h": "",
      "model/base/b.c": '#include "b.h"\n#include "a.h"\n'}, ["these include each other in a circle: model/base/a, model/base/b"]),
]

# Made-up graphs of units that need each other, and the circles in them.
CIRCLE_TESTS = [
    ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
    ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [["a", "b", "c"]]),
    ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c"}}, [["a", "b"], ["c", "d"]]),
]


def self_test():
    failures = 0
    for files, due in SELF_TESTS:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            problems = check_tree(root)
        fits = len(problems) == len(due) and all(
            any(part in problem for problem in problems) for part in due)
        if not fits:
            failures += 1
            print(f"of {files}\n    due: {due}\n    got: {problems}")
    for graph, due in CIRCLE_TESTS:
        if sorted(circles(graph)) != due:
            failures += 1
            print(f"of {graph}\n    due: {due}\n    got: {circles(graph)}")
    tests = len(SELF_TESTS) + len(CIRCLE_TESTS)
    print(f"{tests - failures} of {tests} made-up trees and graphs as expected")
    return 1 if failures else 0


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        sys.exit(self_test())
    problems = check_tree(sys.argv[1])
    if len(sys.argv) == 3:
        problems += check_circles(call_graph(sys.argv[2], sys.argv[1]), "these call")
    if not any(sources(sys.argv[1], "model")):
        problems.append(f"{sys.argv[1]} has no model/: this is not the project's root")
    for problem in problems:
        print(problem)
    print(f"{len(problems)} violations of the flow")
    sys.exit(1 if problems else 0)


main()
