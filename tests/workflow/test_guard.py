#!/usr/bin/env python3
"""bench/guard: what is noted of errors, notes side by side, and which of them grew.

    test_guard.py ISOCAST SOURCE
"""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile

from common import SOURCE, expect, finish

COMMAND = os.path.join(SOURCE, "bench", "guard")


def load():
    sys.argv = [COMMAND]
    loader = importlib.machinery.SourceFileLoader("guard", COMMAND)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("guard", loader))
    loader.exec_module(module)
    return module


def check_notes(guard, folder):
    before = [("ge", "T", 0.02), ("ge", "T", -0.04), ("mm", "T", 0.01), ("sum", "T", 0.0001)]
    after = [("ge", "T", 0.05), ("ge", "T", -0.03), ("mm", "T", 0.0105), ("sum", "T", 0.0009), ("new", "T", 0.5)]
    for time, (name, errors) in enumerate((("before", before), ("after", after))):
        path = os.path.join(folder, name + ".csv")
        guard.write_note(path, errors)
        os.utime(path, (time, time))
    notes = guard.read_notes(folder)
    expect(list(notes) == ["before", "after"], "the order of notes: %s" % list(notes))
    expect(notes["before"]["ge", "T"] == (2, 0.03, 0.04), "means and largest errors: %s" % notes)
    expect(guard.worse(notes) == [("ge", "T")], "what grew: %s" % guard.worse(notes))
    text = guard.table(notes)
    expect("before: points" in text and "after: points" in text and "50.0" in text, text)


with tempfile.TemporaryDirectory() as scratch:
    check_notes(load(), scratch)
    wrong = subprocess.run([sys.executable, COMMAND, "--seed", "1", "--note", "a b"], capture_output=True, text=True)
    expect(wrong.returncode == 2 and "letters and digits" in wrong.stderr, "a note's name: " + wrong.stderr)
finish()
