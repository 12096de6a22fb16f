"""What if, in the browser: the script of pages against the command.

    test_what_if.py ISOCAST ROOT POINTS [--points N] [--formulas N] [--seed N]

  - the evaluator gives at random points what the evaluator of the command gives, to 1e-12: of shipped specifications, and of
    random formulas, N points in all;
  - a move gives what `isocast predict` gives with --set, with other systems, or with a changed machine file, to 1e-9;
  - in a headless Chromium, sliders of predictions and of offers that a script moves show that, and nothing comes on the
    console.

The first two need node, the last one Chromium. Exit status 77 where there is neither.
"""
import argparse
import html
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

NEAR = 1e-12
SAME = 1e-9
KEYS = ["N", "T", "E", "psi", "psi_from_base", "price", "power", "energy", "cost"]
PAGE = ["predict", "gaussian-elimination-published", "sunwulf", "--efficiency", "0.3", "--to", "C2,C4,C8,C16,C32"]
FACTOR = 2.5
OFFERS = ["offers-algorithm.yaml", "offers-slow.yaml"]


def run(program, line, folder, form="json", status=(0, 4)):
    done = subprocess.run([program, *line, "--quiet", "--format", form], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in status, (line, done.returncode, done.stderr)
    return done.stdout


def data_of(page, name="what-if-data"):
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.S)
    return json.loads(found[1]) if found else None


# Points.

def random_expression(r, depth, names):
    if depth == 0 or r.random() < 0.15:
        return r.choice([*names, *names, str(r.choice([0.5, 1, 2, 3, 7.25]))])
    a, b = (random_expression(r, depth - 1, names) for _ in range(2))
    return r.choice([f"({a} + {b})", f"({a} + {b})", f"({a}*{b})", f"({a} - {b}/3)", f"({a}/(1 + abs({b})))", f"sqrt(1 + abs({a}))",
                     f"log2(2 + abs({a}))", f"min({a}, {b})", f"max({a}, {b})", f"floor({a}/3)", f"ceil({a}/7)", f"mod({a}, 5)", f"round({a})",
                     f"if({a} < {b}, {a}, {b})", f"abs({a})^0.75", f"exp(-abs({a})/100)", f"interpolate({a}, 0, 1, 10, 5, 100, 7)",
                     f"grid_rows(p)*{a}", f"divisor(p, {b})"])


def random_algorithm(r):
    """An algorithm whose terms are random formulas, with sums and node classes."""
    terms = []
    for i in range(4):
        plain = random_expression(r, 3, ["N", "p"])
        summed = random_expression(r, 2, ["k", "k", "N", "p"])
        wrapped = r.choice([plain, f"sum(k, 1, N/{r.choice([1, 2, 3])}, {summed})", f"sum_class(p_i*{plain})",
                            f"max_class(C_i/(1 flop/s)*(1 + {plain}))"])
        terms.append(f"  term{i}: 1 ns*({wrapped}) + T_send({8 * (i + 1)} B*N) + T_bcast(8 B*N)")
    return "algorithm: random\nsize: {N: {min: 1, max: 1e9}}\nwork: 2*N^3\noverhead:\n" + "\n".join(terms) + "\n"


def check_points(points, root, script, folder, count, formulas, seed):
    specs = os.path.join(root, "specs")
    r = random.Random(seed)
    lines = [[os.path.join(specs, "algorithms", name), os.path.join(specs, "machines", machine + ".yaml"), system]
             for name in sorted(os.listdir(os.path.join(specs, "algorithms")))
             for machine, system in (("sunwulf", "C8"), ("textbook", "16"), ("textbook-unit", "64"))]
    for i in range(formulas):
        path = os.path.join(folder, f"random-{i}.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(random_algorithm(r))
        lines.append([path, os.path.join(specs, "machines", "sunwulf.yaml"), r.choice(["C2", "C8", "C16'", "C32"])])
    totals, worst, taken, refused = {"points": 0, "values": 0, "estimated": 0, "given_up": 0}, 0.0, 0, []
    each = max(1, count // (len(lines) // 2))
    for k, line in enumerate(lines):
        made = subprocess.run([points, *line, str(each), str(seed + k)], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            assert made.returncode == 3, (line, made)
            refused.append((line, made.stderr))
            continue
        taken += 1
        done = subprocess.run(["node", os.path.join(root, "tests/cli/what_if_points.js"), script], input=made.stdout, capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, (line, done.stderr)
        found = json.loads(done.stdout)
        for key in totals:
            totals[key] += found[key]
        off = float(found["worst"].replace("Infinity", "inf"))
        worst = max(worst, off)
        assert off <= NEAR, (line, found)
    written = sum("random-" in line[0] for line, _ in refused)
    assert written == 0, refused[-1]
    assert taken > 20 and totals["given_up"] <= 0.02 * totals["values"], (taken, totals)
    print(f"{totals['values']} values at {totals['points']} points of {taken} models: at most {worst:.2g} off; "
          f"{totals['estimated']} points are estimates, {totals['given_up']} values are given up")


# Moves.

def same(found, due):
    if found is None or due is None:
        return found is None and due is None
    return abs(found - due) <= SAME * abs(due)


def check_rows(said, found, due):
    rows = json.loads(due)["rows"]
    assert len(found) == len(rows), said
    for mine, row in zip(found, rows):
        for key in KEYS:
            assert same(mine.get(key), row.get(key)), (said, row["system"], key, mine.get(key), row.get(key))


def moved(script, root, folder, data, moves):
    path = os.path.join(folder, "data.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file)
    done = subprocess.run(["node", os.path.join(root, "tests/cli/what_if_moves.js"), script, path], input=json.dumps(moves), capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def changed(folder, source, name, *pairs):
    with open(source, encoding="utf-8") as file:
        text = file.read()
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
    return name


def with_machine(line, machine):
    return [line[0], line[1], machine, *line[3:]]


def cases_of_sunwulf(folder, root):
    """(what moves, the line of the command)"""
    source = os.path.join(root, "specs/machines/sunwulf.yaml")
    f = FACTOR
    slow = changed(folder, source, "latency.yaml", ("0.08 ms + 0.00003", f"{0.08 * f} ms + 0.00003"), ("0.12 ms + 0.23 ms", f"{0.12 * f} ms + {0.23 * f} ms"),
                   ("0.39 ms", f"{0.39 * f} ms"))
    wide = changed(folder, source, "bandwidth.yaml", ("0.00003 ms *", f"{0.00003 / f} ms *"))
    def cases(line):
        yield {}, line
        yield {"parameter:t_c": f}, [*line, "--set", f"t_c={3.1e-5 * f} ms/flop"]
        yield {"factor:latency": f}, with_machine(line, slow)
        yield {"factor:bandwidth": f}, with_machine(line, wide)
        yield {"speed:server": f}, [*line, "--set", f"server.marked_speed={20.88 * f} Mflop/s"]
        yield {"speed:sunblade": 1 / f, "parameter:t_c": 2}, [*line, "--set", f"sunblade.marked_speed={20.29 / f} Mflop/s", "--set", f"t_c={3.1e-5 * 2} ms/flop"]
    return cases


def check_moves(program, root, script, folder):
    count = 0
    cases = cases_of_sunwulf(folder, root)
    start = PAGE[:3]
    lines = [PAGE, [*start, "--base", "C2", "--at", "N=310", "--to", "C4,C8,C16"], [*start, "--at", "N=1000", "--to", "C2,C8"],
             [*start, "--metric", "isospeed", "--speed", "5Mflop/s", "--to", "C2,C4,C8"],
             [*start, "--metric", "latency", "--efficiency", "0.4", "--to", "C2,C4,C8"],
             [*start, "--metric", "isoefficiency", "--efficiency", "0.4", "--to", "C2,C4,C8"],
             [*start, "--metric", "time-scale", "--efficiency", "0.4", "--to", "C2,C4,C8"]]
    for line in lines:
        data = data_of(run(program, line, folder, "html"))
        still = next(i for i, s in enumerate(data["scales"]) if s["scale"] == 1)
        wanted = list(cases(line))
        found = moved(script, root, folder, data, [{"scale": still, "of": of} for of, _ in wanted])
        for (of, command), rows in zip(wanted, found):
            check_rows((line, of), rows, run(program, command, folder))
            count += 1
        for k, scale in enumerate(data["scales"]):
            systems = ",".join(row["name"] for row in scale["rows"])
            rows = moved(script, root, folder, data, [{"scale": k, "of": {}}])[0]
            check_rows((line, scale["scale"]), rows, run(program, [*line[:-1], systems], folder))
            count += 1
    return count


def check_prices(program, root, script, folder):
    """Prices in a prediction."""
    line = ["predict", *OFFERS, "--efficiency", "0.8", "--to", "4x2,4x5"]
    data = data_of(run(program, line, folder, "html"))
    still = next(i for i, s in enumerate(data["scales"]) if s["scale"] == 1)
    found = moved(script, root, folder, data, [{"scale": still, "of": {}}])
    check_rows((line, {}), found[0], run(program, line, folder))
    return 1


def cases_of_tender(folder):
    """(what all share, what moves of alpha or of all, how much is changed in which file, options that replace others)"""
    alpha = ["ethernet.yaml"]
    every = [*alpha, "infiniband.yaml", "mixed.yaml"]
    yield {}, {}, alpha, [], []
    yield {"budget": 0.8}, {}, alpha, [], ["--budget", "400kEUR"]
    yield {"N": 0.5}, {}, alpha, [], ["--at", "N=10000"]
    yield {"energy price": 4}, {}, ["tender.yaml"], [("0.27 EUR/kWh", "1.08 EUR/kWh")], []
    yield {}, {"price": 0.9}, alpha, [("7.9 kEUR", "7.11 kEUR")], []
    yield {}, {"power": 3}, alpha, [("520 W", "1560 W")], []
    yield {}, {"factor:latency": 4}, alpha, [("14 us", "56 us"), ("start: 4 us, step: 13 us", "start: 16 us, step: 52 us")], []
    yield {}, {"factor:bandwidth": 4}, alpha, [("0.36 ns/B", "0.09 ns/B")], []
    yield {}, {"factor:bandwidth": 0.25}, every, [("0.36 ns/B", "1.44 ns/B"), ("0.09 ns/B", "0.36 ns/B")], []
    yield {}, {"speed": 1.5}, alpha, [("2.4 Gflop/s", "3.6 Gflop/s")], []


def cases_of_offers(program, root, folder):
    """(page, [(what moves, what all offers share, what moves of one, of the first one alone, what the command gives then)], what is compared)"""
    examples = os.path.join(root, "docs/examples/offers")
    count = 0
    for question in (["--at", "N=20000"], ["--goal", "cost", "--at", "N=20000"], ["--goal", "energy", "--at", "N=20000", "--deadline", "3s"],
                     ["--efficiency", "0.9"], ["--at", "N=20000", "--efficiency", "0.9", "--budget-for", "lifetime"]):
        line = ["offers", "heat.yaml", "tender.yaml", "--budget", "500kEUR", *question]
        cases = []
        for k, (common, of, files, pairs, options) in enumerate(cases_of_tender(folder)):
            if options[:1] == ["--at"] and "--at" not in line:
                continue
            changed_folder = os.path.join(folder, f"offers-{count}")
            shutil.copytree(examples, changed_folder)
            for name in files:
                path = os.path.join(changed_folder, name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                assert not pairs or any(old in text for old, _ in pairs), (name, pairs)
                for old, new in pairs:
                    text = text.replace(old, f"@{new}")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.replace("@", ""))
            command = list(line)
            if options:
                command[command.index(options[0]) + 1] = options[1]
            cases.append(((line, k), common, of, len(files) == 1, json.loads(run(program, command, changed_folder))))
            count += 1
        yield run(program, line, examples, "html"), cases, ("N", "T", "E", "price", "power", "energy", "cost")


def cases_of_suite(program, root, folder):
    """The same of offers that a suite judges."""
    examples = os.path.join(root, "docs/examples/offers")
    count = 0
    for options in (["--budget", "2MEUR"], []):
        line = ["offers", "suite.yaml", *options]
        cases = []
        # Runs that take twice as long stand to the reference machine as if that took half as long.
        for common, of, old, new in (({}, {}, "weight: 2", "weight: 2"), ({"weight:climate": 4}, {}, "weight: 2", "weight: 8"),
                                     ({"weight:climate": 0.1}, {}, "weight: 2", "weight: 0.2"), ({}, {"time:climate": 2}, "time: 9.5 s", "time: 4.75 s")):
            changed_folder = os.path.join(folder, f"suite-{count}")
            shutil.copytree(examples, changed_folder)
            changed(changed_folder, os.path.join(examples, "suite.yaml"), "suite.yaml", (old, new))
            due = json.loads(run(program, line, changed_folder))
            cases.append(((line, common, of), common, of, False, due))
            count += 1
        yield run(program, line, examples, "html"), cases, ("SSI", "SSP", "SSP_per_price", "work_energy", "mixes_per_day")


def compared(of, values):
    """Of a suite whose runs are longer, the command gives no other number than SSI that a page gives, too."""
    return ("SSI",) if any(key.startswith("time:") for key in of) else values


def check_offers(script, root, folder, tenders):
    """The best mix of each offer, or what a suite makes of them, and the best of all."""
    for page, cases, values in tenders:
        data = {**data_of(page), "result": data_of(page, "result")}
        for said, common, of, first, due in cases:
            each = [{"of": of if not first or i == 0 else {}} for i in range(len(due["rows"]))]
            found = moved(script, root, folder, data, [{"common": common, "offers": each}])[0]
            assert found["best"] == due["best"], (said, found["best"], due["best"])
            for mine, row in zip(found["rows"], due["rows"]):
                assert data.get("suite") or mine.get("system") == row["system"], (said, mine, row)
                for key in compared(of, values):
                    assert same(mine.get(key), row[key]), (said, row["offer"], key, mine.get(key), row[key])
    return sum(len(cases) for _, cases, _ in tenders)


# The browser.

DRIVER = """<script>
window.addEventListener("load", () => setTimeout(() => {
  const done = [];
  const head = () => document.querySelector("#what-if-rows thead th").textContent;
  const read = () => [...document.querySelectorAll("#what-if-rows tbody tr")].map(row => ({ [head()]: row.querySelector("th").textContent, ...Object.fromEntries(
    [...row.querySelectorAll("td")].map(cell => [cell.dataset.key, cell.dataset.v !== undefined ? Number(cell.dataset.v) : cell.matches(".n") ? null : cell.firstChild.data])) }));
  const steps = %s;
  const step = k => {
    if (k === steps.length) {
      const out = document.createElement("pre");
      out.id = "driven";
      out.textContent = JSON.stringify({ done, labels: [...document.querySelectorAll("#what-if-board input")].every(i => i.labels.length === 1 && i.getAttribute("aria-valuetext")),
        sliders: document.querySelectorAll("#what-if-board input").length, text: document.getElementById("what-if-board").textContent });
      document.body.append(out);
      return;
    }
    document.getElementById("what-if-reset").click();
    for (const [of, moves] of steps[k]) {
      const select = document.getElementById("what-if-of");
      if (select) {
        select.value = of;
        select.dispatchEvent(new Event("change"));
      }
      for (const [key, value] of Object.entries(moves)) {
        const input = document.querySelector(`#what-if-board input[data-key="${key}"]`);
        input.value = value;
        input.dispatchEvent(new Event("input"));
      }
    }
    setTimeout(() => { done.push({ rows: read(), said: document.querySelector("#what-if-board [role=status]").textContent }); step(k + 1); }, 100);
  };
  step(0);
}, 50));
</script>"""


def drive(page, steps, folder):
    """What the board of a page shows after each step: lists of (place of an offer or -1, {slider: where it is put})."""
    path = os.path.join(folder, "page.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page.replace("</body>", DRIVER % json.dumps(steps) + "</body>"))
    done = subprocess.run([browser(), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/chromium", "--enable-logging=stderr",
                           "--virtual-time-budget=20000", "--dump-dom", "file://" + path], capture_output=True, text=True, timeout=600, check=False)
    assert "CONSOLE" not in done.stderr, done.stderr
    driven = re.search(r'<pre id="driven">(.*?)</pre>', done.stdout, re.S)
    assert driven, re.search(r'<div id="what-if-board">(.*?)</div>', done.stdout, re.S)
    driven = json.loads(html.unescape(driven[1]))
    assert driven["labels"] and driven["sliders"] >= 6, driven
    # Energy is in joules, as in the tables, and of money there are no thousandths.
    assert not re.search(r"W s|\bmEUR", driven["text"]), driven["text"]
    assert len(driven["done"]) == len(steps)
    return driven["done"]


def put(of):
    return {key: math.log10(f) for key, f in of.items()}


def check_browser(program, root, folder):
    page = run(program, PAGE, folder, "html")
    cases = cases_of_sunwulf(folder, root)
    wanted = [(put(of), command) for of, command in cases(PAGE)]
    for k, scale in enumerate(data_of(page)["scales"]):
        wanted.append(({"p": k}, [*PAGE[:-1], ",".join(row["name"] for row in scale["rows"])]))
    for (move, command), shown in zip(wanted, drive(page, [[(-1, move)] for move, _ in wanted], folder)):
        due = json.loads(run(program, command, folder))["rows"]
        for mine, row in zip(shown["rows"], due):
            for key, value in mine.items():
                assert (value == row[key]) if key == "system" else same(value, row[key]), (move, row["system"], key, value, row[key])
    return len(wanted)


def check_tenders(folder, tenders):
    """The ranking of offers, and their numbers, as sliders of all and of the first one are moved."""
    for page, cases, values in tenders:
        steps = [[(-1, put(common)), (0, put(of))] if first else [(-1, put({**common, **of}))] for _, common, of, first, _ in cases]
        for (said, _, of, _, due), shown in zip(cases, drive(page, steps, folder)):
            named = re.search(r"^(\S+) is the best", shown["said"])
            assert (named and named[1]) == due["best"], (said, shown["said"], due["best"])
            assert [row["offer"] for row in shown["rows"] if row["place"] == "1"] == [due["best"]][:due["best"] is not None], (said, shown)
            for mine, row in zip(shown["rows"], due["rows"], strict=True):
                assert mine["offer"] == row["offer"] and mine.get("system", "-") == (row.get("system") or "-"), (said, mine, row)
                for key in compared(of, values):
                    assert key not in mine or same(mine[key], row[key]), (said, row["offer"], key, mine[key], row[key])
    return sum(len(cases) for _, cases, _ in tenders)


def browser():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("program")
    parser.add_argument("root")
    parser.add_argument("points")
    parser.add_argument("--points", dest="count", type=int, default=20000)
    parser.add_argument("--formulas", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    program, root, points = (os.path.abspath(x) for x in (given.program, given.root, given.points))
    script = os.path.join(root, "cli/output/what_if.js")
    if not shutil.which("node") and not browser():
        print("neither node nor Chromium is installed: nothing is checked")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "work")
        shutil.copytree(os.path.join(root, "tests/cli/files"), work)
        tenders = [*cases_of_offers(program, root, work), *cases_of_suite(program, root, work)]
        if shutil.which("node"):
            if given.count:
                check_points(points, root, script, work, given.count, given.formulas, given.seed)
            moves = [check(program, root, script, work) for check in (check_moves, check_prices)]
            print(f"{sum(moves) + check_offers(script, root, work, tenders)} moves give what the command gives")
        if browser():
            print(f"{check_browser(program, root, work) + check_tenders(work, tenders[::3])} moves in a browser do, too")
    return 0


sys.exit(main())
