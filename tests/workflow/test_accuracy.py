#!/usr/bin/env python3
"""bench/accuracy: what a command prints takes the place of its tables on the page, and nothing else changes."""

import os
import re
import subprocess
import sys
import tempfile

from common import ISOCAST, SOURCE, expect, finish, write

COMMAND = os.path.join(SOURCE, "bench", "accuracy")
PRINTS = "import sys; print('| p |\\n| ---: |\\n| %s |' % sys.argv[1] if sys.argv[1] != 'plain' else 'p  4'); sys.exit(sys.argv[1] == 'bad')\n"


def marked(*words):
    return "<!-- figures of: %s %s -->\nold\n<!-- end of figures -->\n" % (sys.executable, " ".join(words))


def accuracy(page, *arguments, status=0):
    result = subprocess.run([sys.executable, COMMAND, *arguments, "--page", page, "--isocast", ISOCAST], timeout=600,
                            capture_output=True, text=True)
    expect(result.returncode == status, "%s: status %d, not %d: %s" % (arguments, result.returncode, status, result.stderr))
    with open(page) as file:
        return result, file.read()


def check_page(folder):
    prints = write(folder, "prints.py", PRINTS)
    before = ["# Page\n\n", marked(prints, "8"), "Text.\n", marked(prints, "plain"), marked(prints, "FOLDER"), marked(prints, "bad"), "End.\n"]
    page = write(folder, "page.md", "".join(before))
    listed, text = accuracy(page)
    expect(len(listed.stdout.splitlines()) == 4 and text == "".join(before), "the list: " + listed.stdout)
    accuracy(page, "prints.py", "nowhere", status=2)

    _, text = accuracy(page, "prints.py", " 8")
    head, new, rest = text.partition("| p |\n| ---: |\n| 8 |\n")
    expect(new and rest == "\n<!-- end of figures -->\n" + "".join(before[2:]), "one table: " + text)
    expect(re.search(r"-->\n\*isocast \d+\.\d+\.\d+, \d{4}-\d\d-\d\d, .*, \d+ processors\.\*\n\n$", head), "version, date and machine: " + head)

    failed, text = accuracy(page, "prints.py", "--data", "/data", status=5)
    expect("| /data |" in text and "\n    p  4\n" in text and text.startswith(head + new), "all tables: " + text)
    expect(text.endswith(before[5] + "End.\n") and "bad: exit status 1" in failed.stderr, "a command that fails: " + text)
    expect("needs --data" in accuracy(page, "FOLDER", status=5)[0].stderr, "a folder that is not given")


def check_commands():
    """Those of docs/accuracy.md are there, and know their options."""
    commands = subprocess.run([sys.executable, COMMAND], capture_output=True, text=True).stdout.splitlines()
    expect(commands, "docs/accuracy.md has no tables that a command writes")
    for words in commands:
        program, *rest = words.split()
        known = subprocess.run([os.path.join(SOURCE, program), "--help"], capture_output=True, text=True).stdout
        expect(all(word in known for word in rest if word.startswith("--")), "%s: --help has not all of its options" % words)


with tempfile.TemporaryDirectory() as scratch:
    check_page(scratch)
    check_commands()
finish()
