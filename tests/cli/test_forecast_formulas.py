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
