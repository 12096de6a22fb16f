"""Manual pages and completion against the tables of options that they are made of.

    test_pages.py SHARE ROOT PROGRAM...

Pages are looked at by groff, man and mandoc; completions are asked as the shells ask. What is not installed is skipped.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

SHARE, ROOT, PROGRAM = sys.argv[1], sys.argv[2], sys.argv[3:]
sys.path.insert(0, os.path.join(ROOT, "packaging"))
import pages  # noqa: E402

HOSTILE = "machine: m\nnodes: {node: {count: 2, marked_speed: 1 Gflop/s}}\nsystems: {'A$(touch owned)`id`': 'node:2', B: 'node:1'}\n"
BASH = """. "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_isocast isocast "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
"""
# What stands in for the functions of zsh that show candidates; the rest of the completion is run as it is.
ZSH = """_describe() { print -l -- ${(P)2%%:*}; }
compadd() { local -a all; while [[ $1 == -[aS] ]]; do [[ $1 == -a ]] && all=(${(P)2}); shift 2; done
    [[ $1 == -- ]] && shift && all=("$@"); ((${#all})) && print -l -- $all; }
compset() { : }
_files() { print -l -- FILES; }
_arguments() { shift; print -l -- "$@"; }
words=("${@[2,-1]}") CURRENT=$(($# - 1))
completion=$1; set --
. $completion
"""


def output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=600, **options).stdout


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.interface = pages.Interface(PROGRAM)
        cls.folder = tempfile.TemporaryDirectory()
        wrapper = os.path.join(cls.folder.name, "isocast")
        with open(wrapper, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {shlex.join(PROGRAM)} \"$@\"\n")
        os.chmod(wrapper, 0o755)
        cls.environment = {**os.environ, "PATH": cls.folder.name + ":" + os.environ["PATH"], "LC_ALL": "C.UTF-8",
                           "XDG_CONFIG_HOME": cls.folder.name, "XDG_DATA_HOME": cls.folder.name}
        cls.environment.pop("ISOCAST_SPECS", None)
        with open(os.path.join(cls.folder.name, "a b.yaml"), "w", encoding="utf-8") as file:
            file.write(HOSTILE)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def names(self, kind):
        rows = output(*PROGRAM, "list", kind, "--format", "csv", env=self.environment).splitlines()[1:]
        return [row.split(",")[1] for row in rows]

    def bash(self, *words):
        return output("bash", "-c", BASH, "bash", os.path.join(SHARE, "bash-completion/completions/isocast"), "isocast", *words,
                      env=self.environment, cwd=self.folder.name).split("\n")[:-1]

    def zsh(self, *words):
        return output("zsh", "-f", "-c", ZSH, "zsh", os.path.join(SHARE, "zsh/_isocast"), "isocast", *words,
                      env=self.environment, cwd=self.folder.name).splitlines()

    def fish(self, line):
        script = f"source {shlex.quote(os.path.join(SHARE, 'fish/vendor_completions.d/isocast.fish'))}; complete -C {shlex.quote(line)}"
        found = output("fish", "--no-config", "-c", script, env=self.environment, cwd=self.folder.name)
        return [each.split("\t")[0] for each in found.splitlines()]

    def options(self, name):
        return [text for option in self.interface.tables[name]["options"] for text in pages.names_of(option)]

    def test_every_command_and_file_has_a_page(self):
        made = sorted(os.listdir(os.path.join(SHARE, "man/man1")) + os.listdir(os.path.join(SHARE, "man/man5")))
        due = ["isocast.1"] + [f"isocast-{name}.1" for name in self.interface.tables] + [f"isocast-{name}.5" for name in pages.FILES]
        self.assertEqual(made, sorted(due))

    def test_pages_are_clean_and_name_every_option(self):
        for folder, _, files in os.walk(os.path.join(SHARE, "man")):
            for name in files:
                path = os.path.join(folder, name)
                for tool in (["groff", "-ww", "-man", "-Kutf8", "-Tutf8"], ["man", "--warnings", "-l"], ["mandoc", "-Tlint", "-Werror"]):
                    if shutil.which(tool[0]):
                        done = subprocess.run([*tool, path], capture_output=True, text=True, check=False, timeout=600,
                                              env={**self.environment, "MANWIDTH": "80"})
                        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{tool} {path} {done.stdout if tool[0] == 'mandoc' else ''}")
                with open(path, encoding="utf-8") as file:
                    text = file.read().replace("\\-", "-")
                if name.endswith(".1") and name != "isocast.1":
                    for option in self.options(name[len("isocast-"):-2]):
                        self.assertIn(f"\\fB{option}\\fR", text, path)

    def test_pages_are_found_by_man(self):
        if not shutil.which("man"):
            self.skipTest("man is not installed")
        shown = output("man", "isocast-machine", env={**self.environment, "MANPATH": os.path.join(SHARE, "man"), "MANWIDTH": "80"})
        self.assertIn("T_bcast", shown)
        self.assertNotIn("](", shown)

    def test_bash(self):
        self.assertEqual(sorted(self.bash("")), sorted([*self.interface.tables, "help"]))
        self.assertEqual(self.bash("pred"), ["predict"])
        for name in self.interface.tables:
            self.assertEqual(self.bash(name, "-"), self.options(name))
        self.assertEqual(self.bash("predict", "gauss"), [name for name in self.names("algorithms") if name.startswith("gauss")])
        self.assertEqual(self.bash("predict", "--at", "N=100", "gauss", "sun"), ["sunwulf"])
        self.assertEqual(self.bash("predict", "--platform", "smp"), ["smp-16"])
        self.assertEqual(self.bash("predict", "--platform", "=", "smp"), ["smp-16"])
        self.assertEqual(self.bash("predict", "a", "sunwulf", "--to", "C4,C8,C3"), ["C4,C8,C32", r"C4,C8,C32\'"])
        self.assertEqual(self.bash("predict", "a", "sunwulf", "--to", "v"), ["v210:"])
        self.assertEqual(self.bash("predict", "a", "sunwulf", "--to", "server", ":", "2+v"), ["2+v210:"])
        self.assertEqual(self.bash("predict", "--format", "c"), ["csv"])
        self.assertEqual(self.bash("list", "s"), ["systems", "schema"])
        self.assertEqual(self.bash("validate", "a", "b", "a"), ["a b.yaml"])
        self.assertEqual(self.bash("no-such-command", "-"), [])

    def test_kinds_of_list(self):
        for kind in pages.KINDS.replace("@", "").split("|"):
            output(*PROGRAM, "list", kind, *(["sunwulf"] if kind == "systems" else []), env=self.environment)

    def test_names_of_strangers_are_quoted(self):
        found = self.bash("predict", "x", r"a\ b.yaml", "--to", "")
        self.assertEqual(found, [r"A\$\(touch\ owned\)\`id\`", "B", "node:"])
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "owned")))

    def test_zsh(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        self.assertEqual(self.zsh(""), list(self.interface.tables))
        for name in self.interface.tables:
            offered = [word[1:].split("[")[0] for word in self.zsh(name, "-") if word.startswith("*-")]
            self.assertEqual(offered, self.options(name))
        specs = self.zsh("predict", "-")
        self.assertIn("1:word: _isocast_of algorithms", specs)
        self.assertIn("*--to[the systems to predict]:SYSTEMS: _isocast_of systems", specs)

    def test_zsh_values(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        script = ZSH.replace(". $completion", "CURRENT=2 . $completion >/dev/null; CURRENT=6; _isocast_of systems platforms @csv")
        found = output("zsh", "-f", "-c", script, "zsh", os.path.join(SHARE, "zsh/_isocast"), "isocast", "predict", "a",
                       "a\\ b.yaml", "--to", "", env=self.environment, cwd=self.folder.name).splitlines()
        self.assertEqual(found, ["A$(touch owned)`id`", "B", "node:", *self.names("platforms"), "FILES", "csv"])

    def test_fish(self):
        if not shutil.which("fish"):
            self.skipTest("fish is not installed")
        self.assertEqual(sorted(self.fish("isocast ")), sorted(self.interface.tables))
        for name in self.interface.tables:
            offered = self.fish(f"isocast {name} --")
            self.assertEqual(sorted(offered), sorted(option["name"] for option in self.interface.tables[name]["options"]))
        self.assertIn("gaussian-elimination", self.fish("isocast predict gauss"))
        self.assertEqual(self.fish("isocast predict a sunwulf --to C4,C3"), ["C4,C32", "C4,C32'"])
        self.assertEqual(self.fish("isocast predict --format c"), ["csv"])


unittest.main(argv=sys.argv[:1])
