#!/usr/bin/env python3
"""Files from strangers: no name in them runs a command, steers a terminal, becomes an option or is lost.

Each way out of isocast that docs/explanation/security.md lists gets hostile names; FLAG is what they try to make.
"""

import csv
import io
import json
import os
import re
import shutil
import stat
import tempfile
import xml.dom.minidom

from common import MACHINE, SOURCE, expect, expect_run, fake_launcher, finish, run, write

# Nothing of these may reach a terminal: what steers it, and what turns the direction of text.
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

# Plain text that other languages read as more; {flag} is a file that must not come to be.
PLAIN = [
    "a b", "'; system('touch {flag}') #", '"; system("touch {flag}") #', "`touch {flag}`", "$(touch {flag})",
    "x; touch {flag}", "| touch {flag}", "<touch {flag}", "!touch {flag}", "@touch", "{{/Symbol x}} ^2_3 \\n \\042",
    "--cfg=help", "--log=x", "-x", "--help", "=1+1", "+1", "-2", "@SUM(1)", "'=1", "''-1", "../../etc/passwd", "%s%n%d", "*", "?[a-z]",
    "C2'", "<b>&amp;</b>", "a\\", "'", '"', "#x", "NaN", "\u2603\U0001f600", "x" * 3000,
]
# What a name must not hold.
CONTROLS = ["x\n!touch {flag}\n#", "\x1b]0;pwned\x07\x1b[2J", "a\tb", "a\rb", "\x7f", "\x9b2J", "\u202eevil", "\u2066x", "\u2028x"]


def yaml_text(text):
    return json.dumps(text)  # JSON's strings are YAML's


def algorithm(folder, name, **others):
    text = "algorithm: %s\nsize: {N: {min: 1}}\nwork: 2*N^3\noverhead:\n  %s: 1 us*N*log2(p)\n" % (
        yaml_text(name), yaml_text(others.pop("term", "round")))
    return write(folder, "algorithm.yaml", text + "".join("%s: %s\n" % (k, yaml_text(v)) for k, v in others.items()))


def machine(folder, name, system="S2"):
    text = MACHINE.replace("machine: test", "machine: " + yaml_text(name))
    return write(folder, "machine.yaml", text + "systems: {%s: \"node:2\"}\n" % yaml_text(system))


def check_said(said, what):
    text = said.decode("utf-8", "replace")
    expect(not STEERING.search(text), "%s: steers the terminal: %r" % (what, text))


def check_controls(folder):
    """Refused on reading with a place, and what is said of it is clean."""
    good = algorithm(folder, "good")
    shutil.copy(good, os.path.join(folder, "good.yaml"))
    good = os.path.join(folder, "good.yaml")
    for text in CONTROLS:
        name = text.format(flag="FLAG")
        for place in (lambda: algorithm(folder, name), lambda: algorithm(folder, "x", title=name),
                      lambda: algorithm(folder, "x", source=name), lambda: algorithm(folder, "x", term=name),
                      lambda: machine(folder, name), lambda: machine(folder, "m", name)):
            path = place()
            said = expect_run(3, "check", path, words=":").stderr
            expect(re.search(rb"yaml:\d+:\d+: error: .*(control character U\+|holds a (tab|line break))", said) is not None,
                   "%r is not reported with its place: %r" % (name, said))
            expect(b"hint:" in said, "no hint: %r" % said)
            check_said(said, "check of %r" % name)
        runs = write(folder, "runs.csv", 'system,N,T\n"%s",100,1\n"%s",200,2\n' % (name, name))
        for command in (["plot", runs, "-o", os.path.join(folder, "x.svg")],
                        ["scalability", runs, "--work", good, "--efficiency", "0.3"]):
            said = expect_run(3, *command).stderr
            expect(b"runs.csv:2:2" in said or b"runs.csv:2:3" in said, "%r: no place: %r" % (name, said))
            check_said(said, "runs with %r" % name)
        rows = [{"system": name, "p": 2, "N": 100, "T": 1.0, "status": "ok"}]
        result = write(folder, "r.json", json.dumps({"schema": "isocast.prediction/1", "algorithm": name, "machine": "m",
                                                    "held": "efficiency", "target": 0.3, "rows": rows}, indent=1))
        said = expect_run(3, "plot", result, "-o", os.path.join(folder, "x.svg"), words="r.json:3:").stderr
        expect(b"r.json:9:" in said, "only one of two names is reported: %r" % said)
        check_said(said, "plot of %r" % name)
        if "\n" not in name:
            said = expect_run(2, "predict", good, "sunwulf", "--at", "N=100", "--to", name).stderr
            check_said(said, "--to %r" % name)
    # The caret stands under the place, whatever was replaced before it.
    path = write(folder, "caret.yaml", "algorithm: x\nsize: {N: {min: 1}}\n# \u202e\nwork: \"\u202eab\" + nonsense(N)\n")
    lines = run("check", path).stderr.decode().split("\n")
    for i, line in enumerate(lines):
        if re.fullmatch(r" *\^~*", line):
            expect(len(line) <= len(lines[i - 1]) + 1, "the caret is beside the line: %r" % lines)


def check_printed(folder):
    """File names are the system's: they are shown clean."""
    odd = os.path.join(folder, "odd \x1b]0;pwned\x07 \u202e.yaml")
    with open(odd, "w") as file:
        file.write("algorithm: [\n")
    check_said(expect_run(3, "check", odd).stderr, "check of an odd file")
    odd_raw = os.path.join(folder.encode(), b"odd\x9b2J\xff.yaml")
    with open(odd_raw, "wb") as file:
        file.write(b"algorithm: x\x1b\n")
    result = run("check", os.fsdecode(odd_raw))
    expect(b"\x9b" not in result.stderr and b"\x1b" not in result.stderr, "raw bytes: %r" % result.stderr)
    for command in (["\x1b[2J"], ["predict", "\x1b[2J", "sunwulf"], ["predict", "x", "--\x1b[2J"],
                    ["plot", "\x1b[2J", "-o", "x.png"], ["predict", "gaussian-elimination", "sunwulf", "-o", "/none/\x1b[2J",
                                                         "--at", "N=100", "--to", "C2"]):
        check_said(run(*command).stderr, command)
    runs = os.path.join(folder, "runs \x1b[2J\u202e.csv")
    shutil.copy(os.path.join(SOURCE, "specs/runs/sunwulf-gaussian-elimination.csv"), runs)
    for format_name in ("table", "markdown", "json"):
        result = expect_run(0, "scalability", runs, "--work", "gaussian-elimination", "--efficiency", "0.3", "--format", format_name)
        check_said(result.stdout, "scalability as " + format_name)
        if format_name == "json":
            expect(json.loads(result.stdout)["runs"] == runs, "JSON lost the file name")
    # What another program says is shown clean too.
    script = write(folder, "loud.sh", "printf '\\033]0;pwned\\007\\033[2J' >&2; exit 3\n")
    said = expect_run(5, "measure", "ge", "--machine", machine(folder, "m"), "--systems", "1", "--sizes", "64", "--launcher",
                      "sh " + script, "-o", os.path.join(folder, "loud.csv")).stderr
    expect(b"pwned" in said, "what the program said is lost: %r" % said)
    check_said(said, "what a program said")


def check_round_trip(folder):
    """Texts of CSV: none is a formula of a spreadsheet, and each is read as it was written."""
    runs = os.path.join(folder, "names.csv")
    names = [name.format(flag="FLAG") for name in PLAIN if len(name) < 100 and "," not in name]
    with open(runs, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(["system", "C", "N"])
        for i, name in enumerate(names):
            writer.writerow(["'" + name if re.match(r"'*[=+\-@].", name) else name, 1e9 * (i + 1), 100 * (i + 1)])
    work = ["--work", "gaussian-elimination"]
    as_json = json.loads(expect_run(0, "scalability", runs, *work, "--format", "json").stdout)
    read = [row["system"] for row in as_json["rows"]]
    expect(read == names, "read as %r" % [pair for pair in zip(read, names) if pair[0] != pair[1]])
    text = expect_run(0, "scalability", runs, *work, "--format", "csv").stdout.decode()
    for row in list(csv.reader(io.StringIO(text)))[1:]:
        expect(not re.match(r"[=+\-@\t\r].", row[0]), "a spreadsheet runs %r" % row[0])
        expect(all(cell == "" or not cell.startswith("'") for cell in row[1:5]), "a number is guarded: %r" % row)
    written = [{"system": row["system"], "C": row["C"], "N": row["N"]} for row in csv.DictReader(io.StringIO(text))]
    again = os.path.join(folder, "again.csv")
    with open(again, "w", newline="") as file:
        writer = csv.DictWriter(file, ["system", "C", "N"], lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(written)
    read = [row["system"] for row in json.loads(expect_run(0, "scalability", again, *work, "--format", "json").stdout)["rows"]]
    expect(read == names, "the second reading gives %r" % read)


def check_plots(folder, flag):
    """gnuplot draws names as they stand."""
    for i, text in enumerate(PLAIN):
        name = text.format(flag=flag)
        rows = [{"system": name, "p": p, "C": 1e9 * p, "N": 100 * p, "psi": 0.5, "psi_from_base": 0.5, "T": 1.0, "E": 0.3,
                 "status": "ok"} for p in (2, 4)]
        points = [dict(row, T_min=0.9, T_max=1.1) for row in rows]
        head = {"algorithm": name, "machine": name}
        results = [
            dict(head, schema="isocast.prediction/1", held="efficiency", target=0.3, rows=rows),
            dict(head, schema="isocast.validation/1", rows=points, systems=[{"system": name, "psi": 0.5}] * 3,
                 curves=[{"system": name, "N": [100, 200], "T": [1, 2], "E": [0.3, 0.4]}]),
            dict(head, schema="isocast.explanation/1", held="size", systems=rows,
                 parts=[{"part": name, "T": [1, 1], "share": [0.5, 1]}],
                 sensitivity={"of": "T", "system": name, "drivers": [{"driver": name, "kind": "term", "elasticity": 0.5}]})]
        result = write(folder, "plain.json", json.dumps(results[i % 3]))
        picture = os.path.join(folder, "plain.svg")
        said = expect_run(0, "plot", result, "-o", picture).stderr
        expect(said == b"", "plot of %r says %r" % (name[:40], said))
        document = xml.dom.minidom.parse(picture)
        drawn = "".join(node.data for element in document.getElementsByTagName("text") for child in element.childNodes
                        for node in ([child] if child.nodeType == 3 else child.childNodes) if node.nodeType == 3)
        wanted = name[:20].replace(" ", "")
        expect(wanted in re.sub(r"\s|\xa0", "", drawn), "%r is not drawn in %r" % (name[:40], drawn[:200]))
        expect(not os.path.exists(flag), "plot ran %r" % name)
    for text in PLAIN + CONTROLS:
        name = text.format(flag="FLAG")[:100].replace("/", "_")
        path = os.path.join(folder, name + ".csv")
        with open(path, "w") as file:
            file.write("system,N,T\nA,100,1\nA,200,2\n")
        expect_run(0, "plot", name + ".csv" if name[0] != "-" else path, "-o", path[:-4] + ".svg", cwd=folder)
        expect(not os.path.exists(os.path.join(folder, "FLAG")), "plot ran the file name %r" % name)
    old = os.environ.get("HOME")
    home = tempfile.mkdtemp(dir=folder)
    write(home, ".gnuplot", "system('touch %s')\n" % flag)
    expect_run(0, "plot", os.path.join(folder, "plain.json"), "-o", os.path.join(folder, "p.txt"), env=dict(os.environ, HOME=home))
    expect(not os.path.exists(flag) and os.environ.get("HOME") == old, "the user's settings changed the picture")


def check_kernels(folder, flag):
    """Names come back whole in the rows, and no launcher gets them."""
    probe = os.path.join(folder, "words.txt")
    spy = write(folder, "spy.sh", "printf '%%s\\n' \"$@\" >> %s\nexec %s\n" % (probe, "%s \"$@\"" % fake_launcher().replace(" {p}", " 1")))
    os.chmod(spy, os.stat(spy).st_mode | stat.S_IXUSR)
    for text in PLAIN:
        name = text.format(flag=flag)
        if "," in name or "\\" in name:
            continue
        runs = os.path.join(folder, "measured.csv")
        command = ["measure", "ge", "--machine", machine(folder, name, name), "--systems", name, "--sizes", "64,128", "--repetitions",
                   "1", "--launcher", "sh %s" % spy, "-o", runs]
        if run("predict", "gaussian-elimination", machine(folder, name, name), "--at", "N=100", "--to", name).returncode != 0:
            continue  # no name of a system
        open(probe, "w").close()
        expect_run(0, *command, words="2 runs added")
        with open(runs) as file:
            for row in csv.DictReader(file):
                for cell in (row["machine"], row["system"]):
                    due = "'" + name if re.match(r"'*[=+\-@].", name) else name
                    expect(cell == due, "%r came back as %r" % (name[:40], cell[:40]))
        expect_run(0, *command, words="2 were there already")
        words = open(probe).read().split("\n")
        expect("--header" in words and name not in words, "%r: %r" % (name[:40], words))
        os.remove(runs)
    expect(not os.path.exists(flag), "a launcher ran a name")


def check_simulator(folder, flag):
    """smpirun is a shell script that parts words again."""
    if shutil.which("smpirun") is None:
        return
    text = """platform: %s
nodes: {node: {count: 4, processors: 1, speed: 1 Gflop/s, memory: 4 GB}}
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 10 us}
systems: {%s: "node:2"}
"""
    name = "* $(touch %s) `touch %s` ; --cfg=smpi/np:1 --help 'q' \"d\" <x> -- -->" % (flag, flag)
    platform = write(folder, "platform.yaml", text % (yaml_text(name), yaml_text(name)))
    if run("measure", "ge", "--platform", platform, "--systems", "2", "--sizes", "32", "-o",
           os.path.join(folder, "able.csv")).returncode == 5:
        return  # built without the simulator
    runs = os.path.join(folder, "simulated.csv")
    odd = tempfile.mkdtemp(dir="/tmp", prefix="a b")
    for temporary in (None, odd):
        env = dict(os.environ, TMPDIR=temporary) if temporary else None
        expect_run(0, "measure", "ge", "--platform", platform, "--systems", name, "--sizes", "64", "-o", runs, words="1 runs added",
                   env=env)
        with open(runs) as file:
            row = next(csv.DictReader(file))
        expect(row["machine"] == name and row["system"] == name and row["p"] == "2", "the row is %r" % row)
        os.remove(runs)
    xml_text = expect_run(0, "export", "simgrid", platform, "--system", name).stdout
    xml.dom.minidom.parseString(xml_text)
    calibrated = os.path.join(folder, "calibrated.yaml")
    expect_run(0, "calibrate", "--platform", platform, "--systems", name, "-o", calibrated)
    expect_run(0, "check", calibrated)
    expect(not os.path.exists(flag), "smpirun ran a name")
    expect(os.listdir(odd) == [], "left in the temporary folder: %s" % os.listdir(odd))
    os.rmdir(odd)


with tempfile.TemporaryDirectory(dir="/tmp") as scratch:
    check_controls(scratch)
    check_printed(scratch)
    check_round_trip(scratch)
    check_plots(scratch, os.path.join(scratch, "FLAG"))
    check_kernels(scratch, os.path.join(scratch, "FLAG"))
    check_simulator(scratch, os.path.join(scratch, "FLAG"))
finish()
