"""Formulas of forecasts in Python give the numbers of the command, and runs written for Extra-P forecast the same.

    test_forecast_formulas.py ISOCAST ROOT
"""
import csv
import io
import os
import re
import subprocess
import sys
import tempfile

SAME = 1e-9


def forecast(program, *words):
    done = subprocess.run([program, "forecast", *words, "--format", "csv"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def near(a, b, most):
    return abs(a / b - 1) <= most


def check_formulas(rows, text):
    space = {}
    exec(compile(text, "model.py", "exec"), space)  # written a moment ago by the command that is tested
    within = {name: float(share) / 100 for name, share in
              re.findall(r'^    "([^"]*)": \{\n        "T": .*within ([0-9.e-]+) % of the forecast', text, re.M)}
    assert within, "no formula of a forecast"
    compared = 0
    for row in rows:
        name = f"{row['series']}, N = {row['N']}"
        p = float(row["p"])
        for column in ("T_ideal", "T_power", "T_five", "T_amdahl"):
            assert near(space["MODELS"][name][column](p), float(row[column]), SAME), (row, column)
        if row["T"]:
            assert near(space["MODELS"][name]["T"](p), float(row["T"]), within[name] * 1.5 + 0.001), row
            compared += 1
    assert compared >= 8, compared


def check_joined(program, root, folder):
    files = os.path.join(root, "tests", "cli", "files")
    words = [os.path.join(files, "joined-runs.csv"), "--with", os.path.join(files, "joined-stencil.yaml"),
             os.path.join(files, "joined-machine.yaml"), "--to", "p=1024..8192*2,N=1024,2048"]
    paths = [os.path.join(folder, "joined" + end) for end in (".py", ".tex", ".txt")]
    rows = [forecast(program, *words, "--formulas", path) for path in paths][0]
    texts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    space = {}
    exec(compile(texts[0], "joined.py", "exec"), space)  # written a moment ago by the command that is tested
    assert list(space["MODELS"]) == ["N = 1024", "N = 2048"] and len(rows) == 8, (list(space["MODELS"]), rows)
    within = [float(share) / 100 for share in re.findall(r"within ([0-9.e-]+) % of the forecast", texts[0])]
    assert len(within) == 2 and max(within) < 0.01, within
    for row in rows:
        share = within[row["N"] != "1024"]
        model = space["MODELS"]["N = " + row["N"]]["T"]
        assert near(model(float(row["p"])), float(row["T"]), share * 1.01), (row, share)
    for text, of in ((texts[1], "\\paragraph{N = 2048}"), (texts[2], "N = 2048\nT(p) = ")):
        assert of in text and "p = 1024 to 8192" in text, text


def main():
    program, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    runs = os.path.join(root, "tests", "cli", "files", "forecast-runs.csv")
    with tempfile.TemporaryDirectory() as folder:
        model, latex = os.path.join(folder, "model.py"), os.path.join(folder, "model.tex")
        lines, text = os.path.join(folder, "runs.jsonl"), os.path.join(folder, "runs.txt")
        rows = forecast(program, runs, "--formulas", model, "--extra-p", lines)
        with open(model, encoding="utf-8") as file:
            check_formulas(rows, file.read())
        again = forecast(program, lines)
        assert [(row["series"], row["N"], row["p"], row["T"]) for row in rows] == \
               [(row["series"], row["N"], row["p"], row["T"]) for row in again]
        check_joined(program, root, folder)
        # A name from a file stays a name: in LaTeX, and in Python.
        bad = os.path.join(folder, "bad.csv")
        with open(bad, "w", encoding="utf-8") as file:
            file.write("region,p,T\n")
            for region in ('"\\input{x}""]=exit(1)#"', "b"):
                for p in (1, 2, 4):
                    file.write(f"{region},{p},{8 / p + 1}\n")
        forecast(program, bad, "--formulas", latex, "--extra-p", text)
        with open(latex, encoding="utf-8") as file:
            assert "\\paragraph{\\textbackslash{}input\\{x\\}\"]=exit(1)\\#}" in file.read()
        assert len(forecast(program, text)) == 8
        forecast(program, bad, "--formulas", model)
        with open(model, encoding="utf-8") as file:
            space = {}
            exec(compile(file.read(), "model.py", "exec"), space)
            assert list(space["MODELS"]) == ['\\input{x}"]=exit(1)#', "b"]
        # The text format has the same points in all regions.
        with open(bad, "a", encoding="utf-8") as file:
            file.write("b,8,2\n")
        refused = subprocess.run([program, "forecast", bad, "--extra-p", text], capture_output=True, text=True,
                                 check=False)
        assert refused.returncode == 2 and ".jsonl" in refused.stderr, refused.stderr
    return 0


if __name__ == "__main__":
    sys.exit(main())
