"""Checks that the sources keep the one-way flow of CONTRIBUTING.md.

    check_flow.py ROOT         checks a source tree; prints each violation as file:line; status 1 if any
    check_flow.py --self-test  checks the checker on made-up trees

model/ is a sequence of stages; a file includes only headers of its own stage and of earlier ones.
"""
import os
import re
import sys
import tempfile

# The stages of model/. A file belongs to the stage that names it, else to the one that names the
# longest part of it up to an underscore: formula_lexer.c belongs to "formula".
STAGES = [
    ["api"],
    ["status"],
    ["numerics", "least_squares"],
    ["buffer"],
    ["text"],
    ["quantity", "binomial", "valid"],
    ["source"],
    ["diagnostic"],
    ["dimension", "describe"],
    ["tree", "source_read"],
    ["formula"],
    ["scope", "function"],
    ["uses"],
    ["check"],
    ["program", "opcode", "block", "emit", "calls", "compile", "evaluate", "sum"],
    ["range", "block_range", "form", "enclosure"],
    ["schema"],
    ["machine", "machine_nodes", "system", "list"],  # loading a machine checks its named systems
    ["platform"],
    ["algorithm", "names", "operation_calls"],
    ["work"],
    ["model"],
    ["search"],
    ["condition", "solver", "extremes"],
    ["interval"],
    ["prediction", "remarks"],
    ["runs", "csv"],
    ["trend"],
    ["runs_sizes"],
    ["scalability"],
    ["validation"],
    ["comparison"],
]

# Which folders a folder's files may include from, besides their own.
FOLDERS = {
    "model": [],
    "kernels": ["model"],
    "calibrate": ["model", "kernels"],
    "cli": ["model", "kernels", "calibrate"],
}

# The library gives results and statuses back; it neither speaks nor ends nor starts anything.
FORBIDDEN_CALL = re.compile(
    r"\b(v?f?printf|f?puts|f?putc|putchar|perror|_?exit|_Exit|quick_exit|abort|v?fork|"
    r"exec[lv]p?e?|system|popen|posix_spawnp?|MPI_\w+)\s*\("
)
FORBIDDEN_NAME = re.compile(r"\b(stdout|stderr)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')


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


def stage_of(stem):
    parts = stem.split("_")
    for length in range(len(parts), 0, -1):
        name = "_".join(parts[:length])
        for index, names in enumerate(STAGES):
            if name in names:
                return index
    return None


def sources(root, folder):
    top = os.path.join(root, folder)
    for directory, _, files in os.walk(top):
        for name in sorted(files):
            if name.endswith((".c", ".h")):
                yield os.path.join(directory, name)


def headers_by_name(root):
    """Base name of each header -> the folders that have one of that name."""
    found = {}
    for folder in FOLDERS:
        for path in sources(root, folder):
            if path.endswith(".h"):
                found.setdefault(os.path.basename(path), []).append((folder, path))
    return found


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def includes_of(path):
    for number, line in enumerate(without_comments_and_texts(read(path)).split("\n"), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) or match.group(2)


def uses_mpi(path, headers, seen):
    """Whether a header includes mpi.h, by itself or through others of the project."""
    if path in seen:
        return False
    seen.add(path)
    for _, name in includes_of(path):
        if name == "mpi.h":
            return True
        for _, header in headers.get(os.path.basename(name), []):
            if uses_mpi(header, headers, seen):
                return True
    return False


def owner(name, folder, headers):
    """The folder and path of the project's header that an include means; None for others."""
    candidates = headers.get(os.path.basename(name), [])
    for candidate in candidates:
        if candidate[0] == folder:
            return candidate
    return candidates[0] if candidates else None


def check_stage(path, name):
    own = stage_of(os.path.splitext(os.path.basename(path))[0])
    other = stage_of(os.path.splitext(os.path.basename(name))[0])
    for stage, what in ((own, path), (other, name)):
        if stage is None:
            return f"{os.path.basename(what)} has no stage yet: give it one in STAGES"
    if other > own:
        return f"includes {name}, which comes later in the flow"
    return None


def check_include(path, folder, name, headers):
    if name == "mpi.h":
        return "includes mpi.h" if folder in ("model", "cli") else None
    found = owner(name, folder, headers)
    if found is None:
        return None
    other, header = found
    if other != folder and other not in FOLDERS[folder]:
        return f"includes {name} of {other}/"
    if folder == "cli" and uses_mpi(header, headers, set()):
        return f"includes {name}, which needs mpi.h"
    if folder == "model":
        return check_stage(path, name)
    return None


def check_calls(path):
    for number, line in enumerate(without_comments_and_texts(read(path)).split("\n"), 1):
        match = FORBIDDEN_CALL.search(line)
        if match:
            yield number, f"calls {match.group(1)}(): the library does not print, exit or fork"
        match = FORBIDDEN_NAME.search(line)
        if match:
            yield number, f"uses {match.group(1)}: the library does not print"


def check_tree(root):
    headers = headers_by_name(root)
    problems = []
    for folder in FOLDERS:
        for path in sources(root, folder):
            place = os.path.relpath(path, root)
            for number, name in includes_of(path):
                problem = check_include(path, folder, name, headers)
                if problem:
                    problems.append(f"{place}:{number}: {problem}")
            if folder == "model":
                problems += [f"{place}:{number}: {what}" for number, what in check_calls(path)]
    return problems


# Made-up trees: the files, and a part of each problem that is due.
SELF_TESTS = [
    ({"model/buffer.h": "", "model/tree.h": '#include "buffer.h"\n'}, []),
    ({"model/buffer.h": '#include "tree.h"\n', "model/tree.h": ""},
     ["model/buffer.h:1: includes tree.h, which comes later"]),
    ({"model/formula_lexer.h": "", "model/formula.c": '#include "formula_lexer.h"\n'}, []),
    ({"model/formula_lexer.h": '#include "scope.h"\n', "model/scope.h": ""},
     ["model/formula_lexer.h:1: includes scope.h, which comes later"]),
    ({"model/novelty.h": "", "model/model.c": '#include "novelty.h"\n'}, ["novelty.h has no stage"]),
    ({"model/model.c": '#include "exit.h"\n', "cli/exit.h": ""}, ["includes exit.h of cli/"]),
    ({"model/model.c": "\n#include <mpi.h>\n"}, ["model/model.c:2: includes mpi.h"]),
    ({"model/model.c": 'int f(void) {\n    printf("x");\n}\n'}, ["model/model.c:2: calls printf()"]),
    ({"model/model.c": "int f(void) {\n    exit(1);\n}\n"}, ["calls exit()"]),
    ({"model/model.c": "int f(void) {\n    return fork();\n}\n"}, ["calls fork()"]),
    ({"model/model.c": "FILE *f = stderr;\n"}, ["uses stderr"]),
    ({"model/model.c": '/* printf("no") exit(1) */ const char t[] = "exit(1)"; snprintf(a, 1, "");\n'
                       "isocast_buffer_printf(b, c); isocast_system_parse(); // fork()\n"}, []),
    ({"cli/main.c": '#include "ge.h"\n', "kernels/ge.h": ""}, []),
    ({"cli/main.c": '#include "ge.h"\n', "kernels/ge.h": '#include "deep.h"\n',
      "kernels/deep.h": "#include <mpi.h>\n"}, ["cli/main.c:1: includes ge.h, which needs mpi.h"]),
    ({"kernels/ge.c": '#include "exit.h"\n#include <mpi.h>\n', "cli/exit.h": ""},
     ["kernels/ge.c:1: includes exit.h of cli/"]),
    ({"calibrate/fit.c": '#include "machine.h"\n', "model/machine.h": ""}, []),
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
    print(f"{len(SELF_TESTS) - failures} of {len(SELF_TESTS)} made-up trees as expected")
    return 1 if failures else 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        sys.exit(self_test())
    problems = check_tree(sys.argv[1])
    if not any(sources(sys.argv[1], "model")):
        problems.append(f"{sys.argv[1]} has no model/: this is not the project's root")
    for problem in problems:
        print(problem)
    print(f"{len(problems)} violations of the flow")
    sys.exit(1 if problems else 0)


main()
