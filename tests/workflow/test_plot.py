#!/usr/bin/env python3
"""plot: every format of every result is a picture of its kind with the labels in it; what cannot be drawn is reported."""

import json
import os
import re
import tempfile

from common import MACHINE, SOURCE, expect, expect_run, fake_launcher, finish, write

STARTS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "txt": b""}

with tempfile.TemporaryDirectory() as folder:
    machine = write(folder, "machine.yaml", MACHINE)
    runs = write(folder, "runs.csv", "system,N,T\n" + "".join(
        "%d,%d,%g\n" % (p, size, size ** 3 * 0.5e-9 / p) for p in (1, 2) for size in (100, 200, 400)))
    validation = os.path.join(folder, "validation.json")
    prediction = os.path.join(folder, "prediction.json")
    scaling = os.path.join(folder, "scaling.json")
    expect_run(0, "validate", "gaussian-elimination", machine, runs, "--format", "json", "-o", validation)
    expect_run(0, "predict", "gaussian-elimination-published", "sunwulf", "--base", "C2", "--at",
               "N=310", "--to", "C4,C8", "--format", "json", "-o", prediction)
    expect_run(0, "predict", "gaussian-elimination", machine, "--at", "N=500", "--to", "1,2",
               "--format", "json", "-o", scaling)
    line = os.path.join(folder, "line.json")
    expect_run(4, "predict", "gaussian-elimination-published", "sunwulf", "--fixed", "time", "--base", "C2", "--at", "N=20",
               "--to", "C2,C32", "--format", "json", "-o", line)
    choice = os.path.join(folder, "choice.json")
    expect_run(0, "predict", "gaussian-elimination-published", "sunwulf", "--processes", "least-time", "--at", "N=100",
               "--to", "C2,C32", "--format", "json", "-o", choice)
    residuals = os.path.join(folder, "residuals.csv")
    timings = write(folder, "timings.csv", "operation,p,m,seconds\n" + "".join(
        "bcast,%d,%d,%g\n" % (p, m, 1e-6 * p + 1e-9 * m) for p in (2, 4, 8) for m in (8, 64, 512)))
    expect_run(0, "fit-operations", timings, "--residuals", residuals)
    predicted = os.path.join(folder, "predicted.csv")
    explanation = os.path.join(folder, "explanation.json")
    scalability = os.path.join(folder, "scalability.json")
    listed = os.path.join(folder, "listed.json")
    found = os.path.join(folder, "found.json")
    expect_run(0, "predict", "gaussian-elimination-published", "sunwulf", "--base", "C2", "--at",
               "N=310", "--to", "C4,C8", "--format", "csv", "-o", predicted)
    expect_run(0, "explain", "gaussian-elimination", "sunwulf", "--at", "N=1000", "--to", "C2,C8,C32", "--format", "json",
               "-o", explanation)
    shipped = os.path.join(SOURCE, "specs", "runs", "sunwulf-gaussian-elimination")
    expect_run(0, "scalability", shipped + ".csv", "--work", "gaussian-elimination", "--efficiency", "0.3", "--format", "json",
               "-o", scalability)
    expect_run(0, "scalability", shipped + "-sizes.csv", "--work", "gaussian-elimination", "--format", "json", "-o", listed)
    with open(found, "wb") as file:
        file.write(expect_run(0, "measure", "ge", "--machine", machine, "--systems", "1,2", "--sizes", "32..256*2", "--find", "E=0.5",
                              "--repetitions", "1", "--launcher", fake_launcher(), "--format", "json", "-o",
                              os.path.join(folder, "found.csv")).stdout)
    labels = {residuals: b"measured / fitted", validation: b"execution time T (s)", prediction: b"N predicted",
              line: b"N on the line", choice: b"T predicted", scaling: b"speedup", runs: b"every run", predicted: b"N predicted", explanation: b"share of the execution time",
              scalability: b"N by the trend", listed: b"N as listed", found: b"N found by measuring"}
    for result, label in labels.items():
        for ending, start in STARTS.items():
            picture = os.path.join(folder, "picture." + ending)
            said = expect_run(0, "plot", result, "-o", picture).stderr
            expect(said == b"", "plot says %r" % said)
            content = open(picture, "rb").read()
            expect(content.startswith(start) and len(content) > 1000, "%s: no %s" % (result, ending))
            if ending in ("svg",):
                expect(label in content, "%s: the label %s is missing" % (result, label))
    expect_run(0, "plot", scalability, "-o", os.path.join(folder, "readings.svg"))
    with open(os.path.join(folder, "readings.svg"), "rb") as file:
        readings = file.read()
    expect(b"trend line" in readings and b"E = 0.3" in readings, "the trend lines of E(N) are not drawn")
    expect(b">sunwulf-gaussian-elimination.csv<" in readings, "a long title is cut")
    expect(b">3<" in readings and b">5<" in readings, "p is not reported where it is no power of two")
    published = os.path.join(SOURCE, "tests", "published")
    times = [os.path.join(published, "he-table3.csv"), "--metric", "isospeed", "--reference", os.path.join(published, "he-table2.csv")]
    matrix = os.path.join(folder, "matrix.json")
    expect_run(0, "scalability", *times, "--matrix", "--format", "json", "-o", matrix)
    expect(b"from 1x1" in expect_run(0, "plot", matrix, "-o", "-").stdout, "psi from 1x1 to all other sets is not drawn")
    sets = os.path.join(folder, "sets.json")
    expect_run(0, "scalability", *times, "--format", "json", "-o", sets)
    expect(b"performance reference factor" in expect_run(0, "plot", sets, "-o", "-").stdout, "R_f is not drawn")
    transforms = ["fft-binary-exchange-textbook", "fft-2d-transpose-textbook", "textbook"]
    several = {
        "sizes": (0, ["predict", "adding-numbers-textbook", "textbook", "--at", "n=64,192,512", "--to", "1..64*4"],
                  ["n = 192", "p=64", "speed-efficiency E = W/(T C)", "the speed-efficiency over p and over N"]),
        "targets": (4, ["predict", "gaussian-elimination-published", "sunwulf", "--efficiency", "0.3,0.6,2", "--to", "C2,C8"],
                    ["problem size N", "E = 0.6", "no solution: unreachable", "psi from the system before"]),
        "explained": (0, ["explain", "gaussian-elimination-published", "sunwulf", "--at", "N=300,1000", "--to", "C2,C8"],
                      ["execution time T (s)", "share of all overhead in T (%)", "N = 1000"]),
        "growths": (4, ["explain", "fft-binary-exchange-textbook", "textbook", "--growth", "--efficiency", "0.3,0.99",
                        "--to", "4..64*4"],
                    ["work W (flop)", "E = 0.3: Theta(p log p)", "too large or small to draw", "no solution: unreachable"]),
        "ranking": (0, ["compare", *transforms, "--at", "n=1024..65536*4", "--to", "16,64"],
                    ["2 algorithms on textbook, side by side, 3 of 4 sizes", "crossing", "on 64", "at n = 65536",
                     "number of processes p"]),
        "held": (4, ["compare", "gaussian-elimination-published", "matrix-multiplication", "sunwulf", "--efficiency", "0.3,2",
                     "--to", "C2,C8"], ["crossing", "on C8", "at E = 2", "work W (flop)", "no solution: unreachable"]),
        "forecast": (4, ["forecast", os.path.join(SOURCE, "tests", "cli", "files", "forecast-runs.csv"), "--to", "p=128,1024,4096,N=100,200"],
                     ["execution time T (s)", "solve, N = 200", "90 % band", "forecast from the runs before", "efficiency against"]),
        "weak": (0, ["forecast", os.path.join(SOURCE, "tests", "cli", "files", "forecast-weak.csv")],
                 ["Forecast from forecast-weak.csv", "ideal from the last run", "measured"]),
        "regions": (0, ["compare", *transforms, "--at", "n=1024..65536*2", "--to", "16,64"],
                    ["fft-binary-exchange-textbook is the fastest", "number of processes p", "execution time T (s)"]),
        "joined": (0, ["forecast", os.path.join(SOURCE, "tests", "cli", "files", "joined-runs.csv"), "--with",
                       os.path.join(SOURCE, "tests", "cli", "files", "joined-stencil.yaml"),
                       os.path.join(SOURCE, "tests", "cli", "files", "joined-machine.yaml"), "--to", "p=1024,4096,N=1024,2048"],
                   ["my-stencil on my-cluster, fitted to", "90 % band", "N = 2048", "as measured", "T of the formulas over T"]),
        "suite": (0, ["offers", os.path.join(SOURCE, "docs", "examples", "offers", "suite.yaml"), "--budget", "500kEUR"],
                  ["the best offer is alpha", "scalable system improvement SSI (1)", "chosen", "beta", "hero-run", "price (EUR)"]),
        "mixed": (0, ["compare", "gaussian-elimination-published", "matrix-multiplication", "sunwulf", "--at", "N=500",
                      "--to", "C2"], ["crossing", "T over T of the fastest"]),
    }
    for name, (status, command, labels) in several.items():
        result = os.path.join(folder, name + ".json")
        expect_run(status, *command, "--format", "json", "-o", result)
        for ending, start in STARTS.items():
            picture = os.path.join(folder, name + "." + ending)
            said = expect_run(0, "plot", result, "-o", picture).stderr
            content = open(picture, "rb").read()
            expect(said == b"" and content.startswith(start) and len(content) > 1000, "%s: plot says %r" % (picture, said))
        with open(os.path.join(folder, name + ".svg"), encoding="utf-8") as file:
            content = file.read()
        for label in labels:
            expect(label in content, "%s: the label %s is missing" % (name, label))
        expect("no solution: ok" not in content, "%s: a solution is marked as none" % name)
    with open(os.path.join(SOURCE, "docs", "result-schema.json"), encoding="utf-8") as file:
        names = [shape["properties"]["schema"]["const"] for shape in json.load(file)["$defs"].values()
                 if "schema" in shape.get("properties", {})]
    expect("isocast.ranking/1" in names and len(names) > 10, "the schema names %r" % names)
    for name in sorted(set(names) - {"isocast.fit/1", "isocast.transfer/1"}):
        expect_run(3, "plot", write(folder, "empty.json", json.dumps({"schema": name})), "-o", os.path.join(folder, "x.png"),
                   words="has no rows to draw")
    text = expect_run(0, "plot", validation, "-o", "-").stdout
    expect(b"\f" not in text, "a text that clears the terminal")
    expect(b"predicted" in text, "no text plot")

    def drawn(name, result):
        """The picture of a result given as a dictionary."""
        path = write(folder, name + ".json", json.dumps(result))
        picture = os.path.join(folder, name + ".svg")
        expect_run(0, "plot", path, "-o", picture)
        with open(picture, encoding="utf-8") as file:
            return file.read()

    def drawn_csv(name, text):
        """The picture of a table."""
        picture = os.path.join(folder, name + ".svg")
        expect_run(0, "plot", write(folder, name + ".csv", text), "-o", picture)
        with open(picture, encoding="utf-8") as file:
            return file.read()

    def prediction_of(rows):
        return {"schema": "isocast.prediction/1", "algorithm": "a", "machine": "m", "held": "efficiency", "target": 0.3, "rows": rows}

    solved = [{"system": str(p), "p": p, "C": 1e9 * p, "N": 10 * p, "psi": 0.9, "psi_from_base": 0.9, "status": "ok"}
              for p in (2, 4, 8)]
    unsolved = [{"system": "16", "p": 16, "C": 16e9, "N": None, "psi": None, "status": "unreachable"},
                {"system": "32", "p": 32, "C": 32e9, "N": None, "psi": None, "status": "beyond-memory"}]
    text = drawn("mixed", prediction_of(solved + unsolved))
    expect("no solution: unreachable" in text and "no solution: beyond-memory" in text, "rows without a solution are not marked")
    expect("no solution" not in drawn("solved", prediction_of(solved)), "solved rows are marked")
    expect("no system has a solution" in drawn("unsolved", prediction_of(unsolved)), "the picture does not say that nothing is solved")
    wide = drawn("wide", prediction_of([dict(solved[0], p=2 ** k, system=str(2 ** k)) for k in range(1, 31)]))
    expect("2^28" in wide, "no powers as labels")
    expect("1.07374e+09" not in wide and "e+06" not in wide, "labels beyond 65536 in figures")

    def validation_of(count, E):
        rows = [{"system": "S%d" % i, "p": i + 1, "N": N, "T": 1.0 + i, "T_min": 0.9 + i, "T_max": 1.1 + i, "E": E}
                for i in range(count) for N in (100, 200, 400)]
        return {"schema": "isocast.validation/1", "algorithm": "a", "machine": "m", "rows": rows,
                "systems": [{"system": "S%d" % i, "psi": 0.5, "psi_direct": 0.4, "psi_predicted": 0.6} for i in range(count)],
                "curves": [{"system": "S%d" % i, "N": [100, 200, 400], "T": [1, 2, 3], "E": [E, E, E]} for i in range(count)]}

    expect("E = 1" in drawn("above", validation_of(2, 1.6)), "no line at E = 1")
    expect("E = 1" not in drawn("below", validation_of(2, 0.6)), "a line at E = 1 where nothing is near it")
    many = drawn("many", validation_of(2000, 0.6))
    expect("10 of 2000 systems" in many, "not reported how many systems are drawn")
    expect(many.count("gnuplot_plot_") < 120, "%d elements" % many.count("gnuplot_plot_"))
    expect("S0" in many and "S1999" in many, "the first and the last system are not drawn")
    far = {"schema": "isocast.explanation/1", "algorithm": "a", "machine": "m", "held": "efficiency",
           "systems": [{"system": "A", "status": "unreachable"}], "parts": [{"part": "computation", "share": [None]}],
           "sensitivity": {"of": "N", "system": None, "drivers": []}}
    expect("no system has a solution" in drawn("far", far), "explain without a solution is not reported")
    off = drawn("off", dict(far, systems=[{"system": "A", "status": "ok"}], parts=[
        {"part": "computation", "share": [2.2]}, {"part": "spared", "share": [-1.2]}]))
    expect("> 200<" in off and ">-100<" in off, "terms that take time off are not drawn, or cut the others")
    named = drawn("named", dict(prediction_of(solved), size="keys"))
    expect("problem size keys" in named and "keys predicted" in named, "the size has not its own name")
    compared = {"schema": "isocast.comparison/1", "algorithm": "a", "machine": "m",
                "rows": [{"system": "A", "N": N, "parts": [{"part": "q", "predicted": 1, "measured": 2}]} for N in (100, 200)]}
    expect("measured / predicted" in drawn("compared", compared), "explain --runs is not drawn")
    eight = drawn_csv("eight", "system,p,N,T\n" + "".join("%d,%d,%d,1.5\n" % (p, p, N) for N in (100, 200) for p in (8, 2, 4)))
    expect(-1 < eight.find(">p=2<") < eight.find(">p=4<") < eight.find(">p=8<"), "systems stand in the order of the rows")
    expect("measured" not in eight, "runs of which nothing is known are called measured")
    named_so = drawn_csv("two", "operation,p,m,launch,measured,fitted,ratio\n" + "".join(
        "%s,2,%d,0,1,1,1\n" % (name, m) for name in ("T_bcast", "T_send") for m in (8, 64)))
    expect("two.csv: measured over fitted" in named_so and folder not in named_so, "a title is a path")
    simulated = dict(validation_of(2, 0.6), runs_simulated=True)
    for picture in (drawn("simulated", simulated), drawn("compared", dict(compared, runs_simulated=True)),
                    drawn("targets", dict(simulated, targets=[{"efficiency": E, "systems": []} for E in (0.3, 0.4)]))):
        expect("simulated" in picture and "measured" not in picture, "simulated runs are called measured")
    unsure = {"system": "S0", "N": 150, "N_predicted": 200, "N_predicted_low": 1e-30, "N_predicted_high": 1e30}
    text = drawn("unsure", dict(validation_of(1, 0.6), targets=[{"efficiency": E, "systems": [unsure]} for E in (0.3, 0.4)]))
    expect("1e+10" not in text and "N measured" in text, "an interval without bounds leaves no room for N")
    search = dict(prediction_of(solved), schema="isocast.measurement/1", simulated=True)
    expect("N found by simulating" in drawn("search", search), "a simulated search is called measured")
    expect("simulated at several targets" in drawn("searches", {"schema": "isocast.measurements/1", "measurements": [search, search]}),
           "simulated searches are called measured")

    def colours(*parts):
        """The colour of each part in the picture of an explanation."""
        drivers = [{"driver": "allreduce_p16_nodes16_1_level", "elasticity": 0.4}, {"driver": "x" * 60, "elasticity": 0.1}]
        text = drawn("shares", dict(far, systems=[{"system": "A", "status": "ok"}], parts=[
            {"part": part, "share": [1 / len(parts)]} for part in parts], sensitivity={"of": "T", "system": "A", "drivers": drivers}))
        expect(">allreduce_p16_nodes16_1_level<" in text and ">" + "x" * 42 + "..<" in text, "a name is cut that has room")
        return {part: re.search("<text>%s</text>.*?(rgb[^)]*[)])" % part, text, re.DOTALL)[1] for part in parts}

    first, other = colours("computation", "pivot-rounds", "distribute"), colours("distribute", "pivot-rounds", "collect", "computation")
    expect(len(set(other.values())) == 4 and all(first[part] == other[part] for part in first), "colours change: %r" % [first, other])
    grown = drawn("grown", {"schema": "isocast.growth/1", "algorithm": "a", "machine": "m", "target": 0.3, "rows": [
        {"p": p, "W": 1.0 * p, "overhead": 3.0 * p, "terms": {"pivot-rounds": 1.0 * p, "distribute": 2.0 * p}} for p in (2, 4)]})
    expect(re.search("<text>distribute</text>.*?(rgb[^)]*[)])", grown, re.DOTALL)[1] == first["distribute"], "growth has another colour")
    fast = {"p": 2, "W": 2.0, "overhead": 1.0, "idle": -5.0, "terms": {"distribute": 6.0}}
    expect("all (a part is below 0)" in drawn("below", {"schema": "isocast.growth/1", "algorithm": "a", "machine": "m", "target": 0.3, "rows": [
        fast, dict(fast, p=4)]}) and "below 0" not in grown, "what all is less by is not reported")
    bare = drawn("bare", prediction_of(solved))
    bands = drawn("bands", prediction_of([dict(row, psi_from_base_low=0.5, psi_from_base_high=1.4) for row in solved]))
    expect("fill-opacity = '0.200000'" in bands and "fill-opacity = '0.200000'" not in bare, "psi from the base has no interval")
    change = {"of": "size", "now": 100, "threshold": None, "searched_from": 100, "searched_to": 400}
    mix = {"spent": 1000, "p": 8, "N": 100, "T": 7, "cost": 0.03, "energy": 3e5}
    offers = {"schema": "isocast.offers/1", "algorithm": "a", "size": "N", "currency": "EUR", "best": "x",
              "rows": [dict(mix, offer="x", status="best")],
              "fronts_of_offers": [{"offer": "x", "points": [mix, dict(mix, spent=2000, T=3, cost=0.06, energy=6e5)]}],
              "changes": [change, dict(change, threshold=50)]}
    for goal, words in (("time", "execution time T (s)"), ("cost", "cost of a run (EUR)"), ("energy", "energy of a run (J)"),
                        ("largest-run", "largest problem N"), ("processes", "spent times T (EUR s)")):
        picture = drawn("offers", dict(offers, question={"goal": goal}))
        expect(words in picture and "no change" in picture and picture.count("> N<") + picture.count(">N<") == 1, "%s: %s is not drawn, or N twice" % (goal, words))
    expect("number of processes p" in drawn("offers", dict(offers, question={"goal": "processes", "efficiency": 0.5})), "processes are not drawn")
    suite = {"schema": "isocast.suite/1", "currency": "USD", "ranked_by": "SSP-per-price", "best": None,
             "rows": [{"offer": "x", "spent": None, "SSP": None, "status": "none"}], "runs": [{"application": "a", "offer": "x", "rate": None}]}
    picture = drawn("suites", suite)
    expect("no offer serves" in picture and "no application has a time" in picture, "a suite that no offer serves is not reported")
    picture = drawn("suites", dict(suite, best="x", rows=[{"offer": "x", "spent": 1000, "SSP": 2e9, "status": "best"}],
                                   runs=[{"application": name, "offer": "x", "rate": 3e9} for name in ("climate", "particles")]))
    expect("sustained system performance SSP (flop/s)" in picture and "particles" in picture, "SSP is not drawn")
    # Names are data: nothing in them is run, and odd shapes are drawn or refused.
    hostile = "`touch %s`\\\"'; system(\"touch %s\") %%d" % ((os.path.join(folder, "touched"),) * 2)
    contender = {"name": hostile, "algorithm": hostile, "machine": hostile}
    curve = {"system": hostile, "contender": hostile, "N": [10, "x", 30, 40], "T": [1, 2, None]}
    drawn("hostile", {"schema": "isocast.ranking/1", "size": hostile, "held": "size", "contenders": [contender] * 3,
                      "rows": [{"system": hostile, "contender": hostile, "p": 2, "N": 20, "T": 2, "status": hostile}],
                      "curves_over_N": [curve] * 200, "curves_over_p": 7,
                      "crossings_over_N": [{"system": hostile, "points": [{"at": 20, "T": 2}, {"at": -1, "T": None}, 5]}]})
    answer = prediction_of([dict(solved[0], system=hostile, status=hostile), 5, {"p": -1}])
    drawn("hostile", {"schema": "isocast.predictions/1", "predictions": [dict(answer, algorithm=hostile, metric=hostile), None, 3]})
    drawn("hostile", {"schema": "isocast.predictions/1", "predictions": [dict(answer, held="size", size=hostile)] * 30})
    drawn("hostile", {"schema": "isocast.growths/1", "growths": [dict(answer, growth={"order": hostile})]})
    drawn("hostile", {"schema": "isocast.explanations/1", "explanations": [
        dict(answer, systems=answer["rows"], parts=[{"part": "computation", "share": [2]}, 1])]})
    expect(not os.path.exists(os.path.join(folder, "touched")), "a name was run as a command")
    expect_run(3, "plot", write(folder, "bell.json", json.dumps(
        {"schema": "isocast.ranking/1", "curves_over_N": [{"contender": "a\u0007"}]})), "-o", os.path.join(folder, "x.png"),
               words="control character U+0007")
    huge = os.path.join(folder, "huge.json")
    with open(huge, "wb") as file:
        file.write(b'{"schema": "isocast.prediction/1"}')
        file.truncate(20 * 1024 * 1024)
    expect_run(3, "plot", huge, "-o", os.path.join(folder, "x.png"), words="at most 16 MB")

    broken = write(folder, "broken.csv", open(residuals).read() + "T_bcast,2,8,0,nan,1,1\n")
    expect_run(3, "plot", broken, "-o", os.path.join(folder, "x.png"), words="'nan' is not such a number")
    expect_run(2, "plot", validation, "-o", os.path.join(folder, "x.gif"), words="must end in")
    expect_run(3, "plot", machine, "-o", os.path.join(folder, "x.png"), words="machine.yaml is no result but a specification")
    expect_run(3, "plot", write(folder, "o.json", "{}"), "-o", os.path.join(folder, "x.png"),
               words="no schema that is known")
    expect_run(3, "plot", write(folder, "o.json", '{"a": 1,\n "b": ]'), "-o", os.path.join(folder, "x.png"),
               words="o.json:2:")
    expect_run(5, "plot", validation, "-o", os.path.join(folder, "none", "x.png"))
    only = dict(os.environ, PATH=folder)
    expect_run(5, "plot", validation, "-o", os.path.join(folder, "x.png"), env=only,
               words="gnuplot-nox")
finish()
