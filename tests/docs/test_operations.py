#!/usr/bin/env python3
"""Compares the list of operations in docs/reference/specifications.md with the table that isocast knows them by.

    test_operations.py FOLDER             compares; FOLDER is the root of the sources
    test_operations.py FOLDER --update    writes the list

The list stands between two comments, and is made of model/base/known_operation.h alone.
"""

import os
import re
import sys

BEGIN = "<!-- operations: written by tests/docs/test_operations.py --update -->\n"
END = "<!-- end of operations -->\n"

# In the order of the list. A kind that is not here fails the test.
KINDS = {
    "MESSAGE": "one process with another one",
    "SHIFT": "each process with its neighbour",
    "BROADCAST": "one process to all",
    "COLLECTIVE": "all processes",
    "WORK": "each process alone, without a message",
}
ARGUMENTS = {
    "BYTES": "B of the message, or of the data",
    "BYTES_EACH": "B to or from each other process",
    "NONE": "none",
}


def read_rows(folder):
    """(name, kind, argument, measurement, usual, the rest) of each row of the table, in its order."""
    with open(os.path.join(folder, "model", "base", "known_operation.h"), encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    table = text[text.index("#define ISOCAST_KNOWN_OPERATION_ROWS(ROW)"):text.index("#define ISOCAST_KNOWN_OPERATION_ID")]
    rows = re.findall(r"\bROW\(\s*(\w+),\s*(\w+),\s*(\w+),\s*(\w+)([^\n]*?)(?=\bROW\(|\n|$)", table[table.index("ROW)") + 4:])
    return [(name, kind, argument, measurement, ".is_usual = true" in rest) for name, kind, argument, measurement, rest in rows]


def write_list(rows):
    groups = {}
    for name, kind, argument, measurement, usual in rows:
        call = "`T_%s()`" % name if argument == "NONE" else "`T_%s(m)`" % name
        mark = "**%s**" % call if usual else call
        mark += " (not measured)" if measurement == "UNMEASURED" else ""
        groups.setdefault((kind, argument), []).append(mark)
    lines = ["| who takes part | m | operations |\n", "|---|---|---|\n"]
    for kind, words in KINDS.items():
        for argument, counts in ARGUMENTS.items():
            calls = groups.pop((kind, argument), None)
            if calls:
                lines.append("| %s | %s | %s |\n" % (words, counts, ", ".join(calls)))
    if groups:
        sys.exit("no words for these kinds: %s" % sorted(groups))
    return "".join(lines)


def main():
    folder = sys.argv[1]
    path = os.path.join(folder, "docs", "reference", "specifications.md")
    rows = read_rows(folder)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if len(rows) < 20 or text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit("%d rows found; the comments around the list stand %d and %d times in the page" % (len(rows), text.count(BEGIN), text.count(END)))
    begin = text.index(BEGIN) + len(BEGIN)
    end = text.index(END)
    due = write_list(rows)
    if sys.argv[2:] == ["--update"]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:begin] + due + text[end:])
    elif text[begin:end] != due:
        sys.exit("the list of operations is not that of the table; write it again with --update")


if __name__ == "__main__":
    main()
