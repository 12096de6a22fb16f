"""Solutions that were reported wrong once, each as a row that is known from its formula.

    test_solutions.py ISOCAST
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
failures = []


def check(name, holds, row):
    if not holds:
        failures.append(name)
        print(f"{name}: {row}")


def predict(algorithm, machine, *options):
    done = subprocess.run([PROGRAM, "predict", algorithm, machine, *options, "--format", "json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=3600)
    if done.returncode not in (0, 4):
        raise SystemExit(f"isocast ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["rows"]


def row_of(work, overhead, speed, p, *options, size="min: 1", more=""):
    with tempfile.TemporaryDirectory() as folder:
        algorithm, machine = (os.path.join(folder, name) for name in ("algorithm.yaml", "machine.yaml"))
        with open(algorithm, "w", encoding="utf-8") as file:
            file.write(f"algorithm: a\nsize: {{N: {{description: size, {size}}}}}\nwork: {work}\noverhead: {{all: '{overhead}'}}\n{more}")
        with open(machine, "w", encoding="utf-8") as file:
            file.write(f"machine: m\nnodes: {{node: {{count: 10000000, processors: 1, marked_speed: {speed!r} flop/s}}}}\n")
        return predict(algorithm, machine, *options, "--to", str(p))[0]


def near(a, b, tolerance=1e-6):
    return a is not None and math.isclose(a, b, rel_tol=tolerance)


# The search ended at N = 10^15, and what E was there passed for a limit.
# E = 1/(1 + 5/(2 lg N)), so that lg N = 60 at E = 0.96.
row = row_of("2*N^2*log2(N)", "5/16*N^2*1 s", 1.0, 16, "--efficiency", "0.96")
check("beyond 1e15", near(math.log2(row["N"]), 60) and near(row["E"], 0.96) and row["complete"], row)
# FFT by binary exchange [GGKK 13.2]: E = 1/(1 + (t_s lg p + t_w n/p lg p)/(t_c n/p lg n)), t_c = 2, t_w = 4, t_s = 25, so that
# without start-ups lg n = 8 lg p at E = 0.8.
row = row_of("2*N*log2(N)", "(25*log2(p) + 4*N/p*log2(p))*1 s", 1.0, 256, "--efficiency", "0.8")
check("FFT", row["status"] == "ok" and near(math.log2(row["N"]), 64, 1e-4), row)
row = row_of("2*N^3", "1 us*N*log2(p)", 1e9, 16, "--efficiency", "0.99", size="min: 1, max: 2")
check("end at max", row["status"] == "unreachable" and row["N_end"] == 2 and "up to N = 2" in row["note"], row)
row = row_of("N", "1 s*p^0.75", 1.0, 200000, "--efficiency", "0.9999999", size="min: 1, max: 1e40")
check("max above 1e15", row["status"] == "ok" and near(row["N"], 200000 ** 1.75 * 0.9999999 / 1e-7, 1e-6), row)
# What is divided by 0 has a value nowhere, which is certain.
row = row_of("N^2", "1 us*N/(N - N)", 1e6, 4, "--efficiency", "0.3")
check("divided by 0", row["status"] == "not-converged" and row["complete"], row)
# exp(-inf) and 1/inf are numbers.
row = row_of("N^2", "exp(log(N - N)) * 1 s + 1 s + 1 s/(1/(N - N))", 1e6, 4, "--efficiency", "0.3")
check("1/inf", row["status"] == "ok" and near(row["N"], math.sqrt(4e6 * 0.3 / 0.7)), row)
# T_o = p^(3/2) + p^(3/4) W^(3/4) [GGKK 5.15], as time on the critical path.
row = row_of("N", "(p^1.5 + p^0.75*N^0.75)/p*1 s", 1.0, 200000, "--efficiency", "0.9")
p, K = 200000, 9
N = p ** 3 * K ** 4
for _ in range(100):
    N = K * (p ** 1.5 + p ** 0.75 * N ** 0.75)
check("example 5.15", row["status"] == "ok" and row["complete"] and near(row["N"], N), (row, N))

# Rounding where E only approaches the target, or comes near to it.
row = row_of("2*N^3", "1 us*N*log2(p)", 1e9, 64, "--efficiency", "1")
check("asymptote", row["status"] == "unreachable" and row["complete"], row)
for exponent in range(3, 11):
    E = 1 - 10.0 ** -exponent
    row = row_of("2*N^3", "1 us*N*log2(p)", 1e9, 64, "--efficiency", repr(E))
    N = math.sqrt(E / (1 - E) * 6e-6 * 64e9 / 2)
    check(f"1e-{exponent} below the asymptote", row["status"] == "ok" and row["complete"] and near(row["N"], N), (row, N))

# A sawtooth: at the start of each tooth E is W/C over 0 and falls, so teeth meet the target from the one at 18 to that at 162.
def tooth(k):
    """N - 18 k in closed form to first order, then by iteration: 44.02 N^3/(C E) = 10 ms (N - 18 k)/18 + 44.02 N^3/C."""
    C, E, x = 4096 * 7.2e11, 1e-5, 0.0
    for _ in range(200):
        x = 44.02 * (18 * k + x) ** 3 / C * (1 / E - 1) * 18 / 0.010
    return 18 * k + x


teeth = [tooth(k) for k in range(1, 10)]
for least, expected in ((1, teeth), (20, teeth[1:])):
    row = row_of("44.02*N^3", "10 ms*(N - 18*floor(N/18))/18", 7.2e11, 4096, "--efficiency", "1e-5",
                 size=f"min: {least}, max: 1000")
    same = len(row["roots"]) == len(expected) and all(near(a, b) for a, b in zip(row["roots"], expected))
    check("sawtooth", row["status"] == "several" and same and row["complete"], (row, expected))
check("the smallest of eight", near(teeth[1], 36.1267, 1e-5), teeth)
# Here E starts at 1 and falls to (k + 1)/(k + 2) on the k-th tooth: it meets the target there, and jumps over it to the next.
row = row_of("N", "1 s*(N - 10*floor(N/10))", 1.0, 1, "--efficiency", "0.88", size="min: 15, max: 60")
expected = [10 * k / (2 - 1 / 0.88) for k in range(2, 6)]
same = len(row["roots"]) == len(expected) and all(near(a, b) for a, b in zip(row["roots"], expected))
check("teeth that jump and teeth that meet", same and row["complete"] and "also jumps" in row["note"], (row, expected))

# Sums with steps, and one that cannot be known.
row = row_of("N", "1 us*sum(i,1,N,i-64*floor(i/64))", 1e9, 4, "--at", "N=1e9")
check("periodic sum", row["status"] == "ok" and near(row["T_o"], 31500.0, 1e-12), row)
row = row_of("N", "1 us*sum(i,1,N,sum(j,1,i,j-64*floor(j/64)))", 1e9, 4, "--at", "N=1e6")
check("nested periodic sum", row["status"] == "ok" and near(row["T_o"], 15749706.0, 1e-9), row)
row = row_of("N", "1 us*sum(i,1,N,i*sqrt(2)-floor(i*sqrt(2)))", 1e9, 4, "--at", "N=1e9")
check("unknown sum", row["status"] == "not-converged" and "sum is not known" in row["note"], row)
row = row_of("N", "1 us*sum(i,1,N,if(i == 54321, 1e9, 1))", 1e9, 4, "--at", "N=1e6")
check("single term", row["status"] == "ok" and near(row["T_o"], 1e-6 * (999999 + 1e9), 1e-12), row)

# Fewer processes can work than there are: at a given N those work that can, and an N' is raised until all can.
for options, most in ((("--at", "N=4"), "1e5"), (("--efficiency", "0.5"), "1000")):
    row = row_of("2*N^3", "8 us", 1e9, 32, *options, size="min: 1, max: " + most, more="concurrency: N/50\n")
    reported = [row[key] for key in ("T", "T_o", "E", "S", "speedup", "psi")]
    check("beyond concurrency", row["status"] == "beyond-concurrency" and reported == [None] * 6 and row["N"] is not None, row)
row = row_of("2*N^3", "8 us", 1e9, 32, "--at", "N=175", more="concurrency: N/50\n")
check("those that can work", row["status"] == "ok" and row["p_working"] == 3 and "computed with 3 of 32" in row["note"] and
      near(row["T"], 2 * 175 ** 3 / 3e9 + 8e-6) and near(row["E"], 2 * 175 ** 3 / row["T"] / 32e9), row)
CONCURRENCIES = (("N/50", 1600), ("N^(2/3)", 32 ** 1.5), ("floor(N/32)", 1024), ("4*floor(sqrt(N))", 64), ("2^floor(log2(N))/8", 256),
                 ("if(N < 300, 1, N)", 300), ("min(N/50, 40)", 1600), ("sum(i, 1, N, 1)", 32))
for formula, least in CONCURRENCIES:
    row = row_of("2*N^3", "8 ns", 1e9, 32, "--efficiency", "0.5", more="concurrency: %s\n" % formula)
    check("raised by " + formula, row["status"] == "ok" and row["ruled_by"] == "concurrency" and near(row["N"], least, 1e-9) and
          near(row["N_efficiency"], (8e-9 * 32e9 / 2) ** (1 / 3)) and row["E"] > 0.5, row)
    printed = float(re.search(r"can work from N = (\S+) on", row["note"])[1])
    check("printed for " + formula, least <= printed <= least * (1 + 1e-5), row)
# E is above the target from the smallest N on, by formulas that take all to work: the concurrency alone rules [GGKK 5.17].
row = row_of("1e9*N", "20 us*log2(p)", 1e9, 64, "--efficiency", "0.9", more="concurrency: N\n")
check("above from the start", row["status"] == "ok" and row["ruled_by"] == "concurrency" and near(row["N"], 64, 1e-12) and
      near(row["E"], 1 / (1 + 120e-6)) and "E would be above the target from N = 1 on" in row["note"], row)
row = row_of("N^3", "0 s", 1e9, 64, "--efficiency", "0.9", more="concurrency: N^2\n")
check("no overhead", row["status"] == "ok" and near(row["N"], 8, 1e-12) and row["E"] == 1, row)
# The same where E falls to the target later, and where all can work nowhere.
row = row_of("1e9*N", "1 us*N^2", 1e9, 64, "--efficiency", "0.9", more="concurrency: N\n")
check("above where all can work", row["status"] == "ok" and near(row["N"], 64, 1e-12) and row["E"] > 0.9, row)
row = row_of("1e9*N", "20 us*log2(p)", 1e9, 64, "--efficiency", "0.9", more="concurrency: min(N, 40)\n")
check("never all", row["status"] == "beyond-concurrency" and row["N"] is None and
      "all 64 processes can work at no N up to" in row["note"], row)
# Where all can work E is 1/(1 + 6.4), and larger at smaller N only by the formula of all.
row = row_of("1e9*N", "0.1 s*N/(1 + N/1e9)", 1e9, 64, "--efficiency", "0.9", size="min: 1, max: 1e6", more="concurrency: N\n")
check("unreachable with all", row["status"] == "unreachable" and "with all 64 processes at work the target is not reached" in row["note"] and
      row["best"]["N"] >= 64, row)
# Numbers end at N = 709.78, and the root is in the decade before that.
row = row_of("N", "1 s*exp(N)*1e-300", 1.0, 4, "--efficiency", "0.5", size="min: 1, max: 1000")
check("last decade", row["status"] == "ok" and near(row["N"], 695.934, 1e-6) and near(row["N_end"], 709.7827, 1e-6), row)
row = row_of("N", "1 s*sqrt(2500 - N)", 1.0, 1, "--efficiency", "0.99")
check("numbers end at 2500", row["status"] == "ok" and near(row["N_end"], 2500, 1e-12), row)
# E is the target from 10 to 20: one range, and not sixteen numbers.
row = row_of("N^2", "1 s*if(N < 10, 1, if(N < 20, 0.25*N^2/4e9, 1e-6*N^2.5))", 1e9, 4, "--efficiency", "0.8")
check("plateau", row["status"] == "ok" and near(row["N"], 10, 1e-12) and "from N = 10 to N = 20" in row["note"], row)
# Concurrency that falls again: E is the target at 5.04, and 32 can work from 32 to 40 only, and so on in every 50.
row = row_of("2*N^3", "8 ns", 1e9, 32, "--efficiency", "0.5", more="concurrency: if(N - 50*floor(N/50) < 32, 1, 32)\n")
check("periodic concurrency", row["status"] == "ok" and near(row["N"], 32, 1e-9), row)
row = row_of("N", "1 us", 1e9, 100, "--at", "N=1e6", more="concurrency: N^(1/3)\n")
check("concurrency up to rounding", row["status"] == "ok" and row["E"] is not None, row)

sys.exit(1 if failures else 0)
