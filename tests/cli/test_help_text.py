"""The help of every command against docs/reference/commands.md, which shows it.

    test_help_text.py ISOCAST ROOT            compares
    test_help_text.py ISOCAST ROOT --update   writes docs/reference/commands.md again

Also: every command of the overview has a help, lines fit 80 columns, and every example of a help
names a command that exists.
"""
import os
import re
import subprocess
import sys

HEAD = """# The command

What `isocast help` and `isocast help COMMAND` print, as it stands; a test compares. After a change of
an option: `python3 tests/cli/test_help_text.py build/checked/bin/isocast . --update`.
"""
WIDTH_MAX = 80


os.environ.pop("COLUMNS", None)  # the help is as wide as it is shown in the docs


def output(program, *arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def commands_of(overview):
    """The groups of the overview stand before the line that says how to show one command."""
    groups = overview.split("\n'isocast help COMMAND'", 1)[0]
    return re.findall(r"^  ([a-z][a-z-]*)  +\S", groups, re.MULTILINE)


def document(helps):
    parts = [HEAD]
    for title, text in helps:
        parts.append(f"\n## {title}\n\n```text\n{text}```\n")
    return "".join(parts)


def main():
    program, root = sys.argv[1], sys.argv[2]
    problems = []
    _, overview, _ = output(program, "--help")
    commands = commands_of(overview)
    helps = [("isocast", overview)]
    for command in commands:
        status, text, errors = output(program, command, "--help")
        if status != 0 or errors or output(program, "help", command)[1] != text:
            problems.append(f"{command} --help and help {command} do not both work")
        helps.append((f"isocast {command}", text))
    for title, text in helps:
        problems += [f"{title}: wider than {WIDTH_MAX}: {line}" for line in text.splitlines()
                     if len(line) > WIDTH_MAX]
        problems += [f"{title}: the example of '{name}', which does not exist"
                     for name in re.findall(r"^  isocast ([\w-]+)", text, re.MULTILINE)
                     if name not in commands + ["help"]]
    path = os.path.join(root, "docs", "reference", "commands.md")
    if len(sys.argv) > 3:
        with open(path, "w", encoding="utf-8") as file:
            file.write(document(helps))
    else:
        with open(path, encoding="utf-8") as file:
            if file.read() != document(helps):
                problems.append("docs/reference/commands.md differs from the help; run this with --update")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
