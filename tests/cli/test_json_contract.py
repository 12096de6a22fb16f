"""What predict, explain, scalability, measure --find and fit-operations write, against docs/result-schema.json.

    test_json_contract.py ISOCAST ROOT

Checks the documents by the parts of JSON Schema that the schema uses, and the schema itself: every
field has a description, every number a unit at its end, and nothing that this checker would skip.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

from schema_check import problems_of

# [units]: as the field `units` of the result says.
UNIT = re.compile(r" \[(1|s|flop|flop/s|B|W|J|J/flop|EUR or USD|EUR/flop or USD/flop|flop/s/EUR or flop/s/USD|SI units|units"
                  # What tables scale, as they show it.
                  r"|year|nJ/flop|EUR/Eflop or USD/Eflop|Mflop/s/EUR or Mflop/s/USD)\]$")
KEYWORDS = {"$schema", "title", "description", "oneOf", "anyOf", "$defs", "$ref", "type", "enum",
            "const", "properties", "required", "items", "additionalProperties"}

PUBLISHED = ["gaussian-elimination-published", "sunwulf"]
TRANSFORMS = [f"fft-{way}-textbook" for way in ("binary-exchange", "2d-transpose", "3d-transpose")]
OFFERS = ("offers-algorithm.yaml", "offers-slow.yaml", "offers-fast.yaml")
LINES = [
    ["predict", *PUBLISHED, "--base", "C2", "--at", "N=310", "--to", "C4,C8,C16,C32"],
    ["predict", *PUBLISHED, "--efficiency", "0.3", "--to", "C2,C4,C8,C16,C32"],
    ["predict", *PUBLISHED, "--at", "N=2000", "--to", "C2,C4,C8"],
    ["predict", *PUBLISHED, "--efficiency", "0.9", "--to", "C2,C4"],  # out of reach
    ["predict", "convolution-2d", "sunwulf", "--base", "C2", "--at", "N=777", "--to", "C4"],  # for some sizes only
    ["predict", "two-sizes.yaml", "sunwulf", "--at", "N=100,K=7", "--to", "C2"],
    ["predict", "two-roots.yaml", "sunwulf", "--efficiency", "0.3", "--to", "C2"],
    ["predict", "ruled.yaml", "grid.yaml", "--at", "N=1000", "--set", "K=10", "--to", "4,5,16"],  # rules
    ["predict", *PUBLISHED, "--efficiency", "0.1..0.5+0.2", "--to", "C2,C4,C8"],
    ["predict", *PUBLISHED, "--base", "C2", "--at", "N=300,600", "--to", "C4,C8"],
    ["predict", *PUBLISHED, "--at", "N=500..2000*2", "--to", "C4,C8"],
    ["explain", *PUBLISHED, "--efficiency", "0.1,0.3", "--to", "C2,C8"],
    ["transfer", "transfer-runs.csv", "--from", "transfer-here.yaml", "--to", "transfer-wide.yaml"],
    ["transfer", "transfer-runs.csv", "--from", "transfer-here.yaml", "--to", "transfer-there.yaml", "--with", "matrix-multiplication"],
    ["forecast", "forecast-runs.csv", "--to", "p=16..1024*4,N=100,300", "--laws"],
    ["forecast", "forecast-weak.csv", "--budget", "1h"],
    ["compare", *TRANSFORMS, "textbook", "--at", "n=1024..65536*8", "--to", "16,64"],
    ["compare", *TRANSFORMS, "textbook", "--efficiency", "0.4", "--to", "64", "--set", "t_s=30 s"],
    ["compare", "ruled.yaml", "grid.yaml", "textbook", "--set", "K=1", "--at", "N=64", "--to", "4,7"],
    ["offers", *OFFERS, "--budget", "21kEUR", "--at", "N=5000"],
    ["offers", *OFFERS, "--budget", "7500EUR", "--efficiency", "0.8"],  # one of both serves
    ["offers", *OFFERS, "--budget", "5kEUR", "--at", "N=5000"],  # none does
    ["offers", *OFFERS, "--at", "N=5000", "--accept", "1,2"],
    ["offers", "offers-suite.yaml", "--accept", "1,4"],
    ["offers", *OFFERS, "--goal", "energy", "--at", "N=5000", "--deadline", "2s"],
    ["offers", OFFERS[0], "offers-list.yaml", "--goal", "cost", "--at", "N=5000", "--budget-for", "lifetime", "--budget", "40kEUR"],
    ["predict", *OFFERS[:2], "--at", "N=5000", "--to", "4x2,4x5"],
    ["predict", *OFFERS[:2], "--fixed", "size", "--at", "N=5000", "--base", "4x1", "--to", "4x2,4x5"],
    ["compare", OFFERS[0], "offers-slow.yaml", "offers-dollars.yaml", "--at", "N=5000", "--to", "4x2"],
    ["predict", "few-rows.yaml", "pair.yaml", "--efficiency", "0.3", "--to", "2,4"],
    ["predict", "few-rows.yaml", "pair.yaml", "--at", "N=96", "--to", "2,4"],
    ["predict", *PUBLISHED, "--fixed", "time", "--base", "C2", "--at", "N=1000", "--to", "C4,C8,C16"],
    ["predict", *PUBLISHED, "--fixed", "memory", "--to", "C4,C8"],
    ["predict", "few-rows.yaml", "pair.yaml", "--fixed", "size-per-process=16", "--to", "1,4"],
    ["predict", "few-rows.yaml", "pair.yaml", "--fixed", "time=1us", "--to", "1,4"],
    ["predict", "few-rows.yaml", "pair.yaml", "--processes", "least-time", "--at", "N=96"],
    ["predict", "few-rows.yaml", "pair.yaml", "--processes", "most", "--efficiency", "1.5", "--at", "N=96"],
    ["explain", *PUBLISHED, "--base", "C2", "--at", "N=310", "--to", "C4,C8"],
    ["explain", *PUBLISHED, "--at", "N=2000", "--to", "C8"],
    ["explain", *PUBLISHED, "--idle", "--efficiency", "0.3", "--to", "C2,C8"],
    ["explain", *PUBLISHED, "--efficiency", "0.9", "--to", "C8"],  # out of reach
    ["explain", *PUBLISHED, "--growth", "--efficiency", "0.3", "--to", "C2,C8"],
    ["explain", *PUBLISHED, "--growth", "--efficiency", "0.99", "--to", "C8"],
    ["explain", *PUBLISHED, "--growth", "--efficiency", "0.2,0.3", "--to", "C2,C8"],
    ["explain", "fft-binary-exchange-textbook", "textbook", "--growth", "--efficiency", "0.6", "--to", "4..64*4"],
    ["explain", "gaussian-elimination", "phases-machine.yaml", "--runs", "phases-runs.csv"],
    ["scalability", "ge-runs.csv", "--work", "gaussian-elimination", "--efficiency", "0.3"],
    ["scalability", "ge-runs.csv", "--work", "gaussian-elimination", "--efficiency", "0.3",
     "--monotone", "--machine", "sunwulf"],
    ["scalability", "runs-edges.csv", "--work", "matrix-multiplication", "--efficiency", "0.5"],
    ["scalability", "ge-sizes.csv", "--work", "gaussian-elimination"],
    *[["predict", *PUBLISHED, "--base", "C2", "--at", "N=310", "--to", "C4,C8", "--metric", metric]
      for metric in ("isospeed", "isoefficiency", "latency", "time-scale")],
    ["predict", *PUBLISHED, "--at", "N=2000", "--to", "C2,C4,C8", "--metric", "latency"],
    ["predict", *PUBLISHED, "--efficiency", "0.3", "--to", "C2,C4", "--matrix"],
    ["predict", *PUBLISHED, "--metric", "isospeed", "--speed", "5Mflop/s", "--to", "C2,C4", "--matrix"],
    ["explain", *PUBLISHED, "--metric", "time-scale", "--efficiency", "0.3", "--to", "C4,C8"],
    ["scalability", "ge-sizes.csv", "--work", "gaussian-elimination", "--matrix"],
    ["scalability", "sets-times.csv", "--metric", "isospeed", "--reference", "sets-reference.csv", "--matrix"],
    ["scalability", "sets-work.csv", "--metric", "isospeed", "--reference", "sets-reference.csv"],
    ["scalability", "sets-reference.csv"],
    ["predict", "matrix-multiplication", "sets.yaml", "--base", "1x2", "--at", "N=100", "--to", "2x1,1x2+2x1,1x4",
     "--size", "reference"],
    ["explain", "matrix-multiplication", "sets.yaml", "--efficiency", "0.5", "--to", "2x1,1x4", "--size", "reference"],
    ["scalability", "set-sizes.csv", "--work", "matrix-multiplication", "--machine", "sets.yaml", "--size", "reference"],
    ["scalability", "sets-runs.csv", "--work", "matrix-multiplication", "--metric", "time-scale", "--efficiency", "0.6",
     "--reference", "sets-reference.csv", "--matrix"],
    ["scalability", "sets-runs.csv", "--work", "matrix-multiplication", "--metric", "isospeed", "--speed", "0.6Gflop/s"],
    ["fit-operations", "timings/own.csv"],
    ["fit-operations", "timings/imb.txt", "timings/skampi.txt"],
    ["fit-operations", "--processes", "4,8,16", "timings/osu-4.txt", "timings/osu-8.txt", "timings/osu-16.txt"],
]

# Runs of known times, far above the machine's marked speed.
FOUND = ["measure", "ge", "--machine", "sunwulf", "--systems", "C2,C4", "--oversubscribe", "--repetitions",
         "1", "--launcher", sys.executable + " -S ../../workflow/fake_launcher.py {p} 100000"]


def schema_problems(schema, place="$"):
    """Fields without description or unit, and keywords that problems_of does not know."""
    problems = [f"{place}: keyword {k} is not checked" for k in schema if k not in KEYWORDS]
    names = schema.get("type", [])
    if "number" in ([names] if isinstance(names, str) else names) and not UNIT.search(
            schema.get("description", "")):
        problems.append(f"{place}: a number without a unit")
    for name, inner in schema.get("properties", {}).items():
        if "description" not in inner and "$ref" not in inner:
            problems.append(f"{place}.{name}: no description")
        problems += schema_problems(inner, f"{place}.{name}")
    for name, inner in schema.get("$defs", {}).items():
        problems += schema_problems(inner, f"{place}/{name}")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            problems += schema_problems(schema[key], f"{place}.{key}")
    return problems


def strict_json(text):
    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def run(program, line, form):
    done = subprocess.run([program, *line, "--format", form], stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode not in (0, 4):
        return None
    return done.stdout


def csv_problems(text, rows):
    """CSV rows hold the same values under the same names; what is null there is empty."""
    problems = []
    table = list(csv.DictReader(io.StringIO(text)))
    if len(table) != len(rows):
        return [f"CSV has {len(table)} rows, JSON {len(rows)}"]
    for line, row in zip(table, rows):
        for name, cell in line.items():
            value = row.get(name)
            same = cell == "" if value is None else (
                cell == value if isinstance(value, str) else cell != "" and float(cell) == value)
            if name not in row or not same:
                problems.append(f"CSV: {name} is {cell!r}, in JSON {value!r}")
    return problems


HELD = {"isospeed-e": "E", "isospeed": "average_speed", "isoefficiency": "efficiency", "latency": "efficiency",
        "time-scale": "efficiency"}


def size_of(row):
    """C, or R_f C_1 where --size reference says so."""
    return row.get("system_size", row["C"])


PSI = {"isospeed-e": lambda a, b: size_of(b) * a["W"] / (size_of(a) * b["W"]),
       "isospeed": lambda a, b: b["R_f"] * a["W"] / (a["R_f"] * b["W"]),
       "latency": lambda a, b: a["L_e"] / b["L_e"],
       "time-scale": lambda a, b: a["T"] / b["T"]}


def held_by(metric, row):
    """What the metric holds, from the row's other numbers."""
    if metric == "isospeed-e":
        return row["W"] / row["T"] / size_of(row)
    return (row["W"] if metric == "isospeed" else row["T_alone"]) / row["T"] / row["R_f"]


def laws_of(document):
    """What the numbers of a prediction owe each other; a relative 1e-12 for rounding."""
    problems = []
    before = document["base"]
    metric = document["metric"]
    held = HELD[metric]
    for row in document["rows"]:
        if row["T"] is not None:
            terms = sum(row["terms"].values())
            pairs = [("T", row["T_c"] + row["T_o"]), ("T_o", terms), ("S", row["W"] / row["T"]),
                     ("E", row["W"] / row["T"] / size_of(row)), (held, held_by(metric, row))]
            if metric == "latency":
                pairs.append(("L_e", row["T"] - row["T_alone"] / row["R_f"]))
            if row["psi"] is not None:
                pairs.append(("psi", PSI[metric](before, row)))
            for name, due in pairs:
                if abs(row[name] - due) > 1e-12 * abs(due):
                    problems.append(f"{row['system']}: {name} is {row[name]}, due is {due}")
            if document["target"] is not None and row["ruled_by"] == "efficiency" and row["status"] in ("ok", "several"):
                if abs(row[held] / document["target"] - 1) > 1e-10:
                    problems.append(f"{row['system']}: {held} is {row[held]}, not {document['target']}")
        before = row
    return problems


def problems_of_curves(document, axis):
    """Times of the curves of a ranking pass each other where the crossings say so, in their order."""
    place = {"N": "system", "p": "N"}[axis]
    curves = {(curve[place], curve["contender"]): curve for curve in document["curves_over_" + axis]}
    problems = []
    seen = 0
    for pair in document["crossings_over_" + axis]:
        first, second = (curves[pair[place], pair[side]] for side in ("first", "second"))
        if first[axis] != second[axis] or first[axis] != sorted(set(first[axis])):
            problems.append(f"the curves over {axis} have other places")
            continue
        at = [point["at"] for point in pair["points"]]
        for point in pair["points"]:
            k = sum(x <= point["at"] for x in first[axis])
            if not 0 < k < len(first[axis]):
                problems.append(f"the crossing at {axis} = {point['at']} is beyond the curves")
                continue
            times = [curve["T"][k + side] for side in (-1, 0) for curve in (first, second)]
            if None not in times and sum(first[axis][k - 1] <= x < first[axis][k] for x in at) == 1:
                before, beyond = times[0] - times[1], times[2] - times[3]
                second_is_faster = point["faster_beyond"] == pair["second"]
                seen += 1
                if before * beyond > 0 or (beyond > 0) != second_is_faster:
                    problems.append(f"no crossing of the curves at {axis} = {point['at']}")
    return problems, seen


def problems_of_ranking(document):
    """The curves against the crossings and the rows."""
    problems = []
    for axis in ("N", "p"):
        found, seen = problems_of_curves(document, axis)
        problems += found
        if not seen and any(pair["points"] for pair in document["crossings_over_" + axis]):
            problems.append(f"no crossing over {axis} lies on a curve")
    for row in document["rows"]:
        for curve in document["curves_over_N"]:
            own = (curve["system"], curve["contender"]) == (row["system"], row["contender"])
            if own and row["N"] is not None and curve["N"] and not curve["N"][0] * (1 - 1e-9) <= row["N"] <= curve["N"][-1]:
                problems.append(f"the row at N = {row['N']} is beyond the curve")
    return problems


def check_line(program, line, schema):
    text = run(program, line, "json")
    if text is None:
        return ["failed"]
    document = strict_json(text)
    problems = problems_of(document, schema, schema)
    several = document.get("predictions", [document])
    if not problems and several[0]["schema"] == "isocast.prediction/1":
        problems = [problem for one in several for problem in laws_of(one)]
    if not problems and line[0] == "compare":
        problems = problems_of_ranking(document)
    if not problems and line[0] in ("predict", "scalability", "transfer", "forecast", "measure", "compare", "offers"):
        rows = [{"target": one.get("target"), **row} for one in several
                for row in one.get("pairs", one.get("acceptance") or one["rows"])]
        problems = csv_problems(run(program, line, "csv"), rows)
    return problems


def self_check(schema, document):
    """The checker must see what is wrong: each change of a good document gives a problem."""
    row = document["rows"][0]
    broken = [
        {**document, "schema": "isocast.prediction/2"},
        {**document, "surprise": 1},
        {k: v for k, v in document.items() if k != "target"},
        {**document, "rows": [{**row, "T": "1 s"}]},
        {**document, "rows": [{**row, "status": "fine"}]},
        {**document, "rows": [{**row, "p": None}]},
        {**document, "rows": {}},
    ]
    return [f"broken document {i} passes" for i, b in enumerate(broken)
            if not problems_of(b, schema, schema)]


def main():
    program, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(os.path.join(root, "docs", "result-schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    problems = schema_problems(schema)
    os.chdir(os.path.join(root, "tests", "cli", "files"))
    for line in LINES:
        problems += [f"{' '.join(line)}: {problem}" for problem in check_line(program, line, schema)]
    with tempfile.TemporaryDirectory() as folder:
        for E in ("20", "0.3"):  # found, and below the smallest N
            line = [*FOUND, "-o", os.path.join(folder, "runs.csv"), "--find", "E=" + E]
            problems += [f"{' '.join(line)}: {problem}" for problem in check_line(program, line, schema)]
        for metric, wanted in (("isospeed", "speed=300Mflop/s"), ("latency", "E=0.3"), ("isoefficiency", "E=2")):
            line = [*FOUND, "-o", os.path.join(folder, "metric.csv"), "--metric", metric, "--find", wanted]
            problems += [f"{' '.join(line)}: {problem}" for problem in check_line(program, line, schema)]
    problems += self_check(schema, strict_json(run(program, LINES[0], "json")))
    for problem in problems:
        print(problem)
    print(f"{len(LINES) + 2} results, {len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
