"""Random algorithms against a search over every N: `isocast predict` by formulas written again in Python.

    every_size.py ISOCAST [--seed N] [--limited N] [--rough N] [--only limited:K] [--sizes N]

Two kinds: algorithms with a degree of concurrency, and those with jumps, poles, exponentials and plateaus. The search evaluates E at every
whole N up to --sizes, and far beyond with numbers of any size. It asks of each row
  - that a root it states is one, and that all processes can work there;
  - that no N before the N' it states has E at the target, or passes it, with all processes at work, unless the row says that some may be missing;
  - that "unreachable" and "beyond-concurrency" hold at every N, and so do the largest and the smallest E that the note states;
  - that a limit that is stated as proved is approached.
Status 1 where a row is false; each is printed with how to repeat it.
"""
import argparse
import decimal
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

D = decimal.Decimal
SPEED = 1e9
NEAR = 1e-7      # relative, of E at a root
ROUNDING = 1e-9  # of whole processes, and of a target that is met
JUMP = 0.01      # docs/reference/specifications.md: a smaller jump over the target is a root
FAR = [D(10) ** k for k in (20, 40, 80, 160, 300)]


class Plain:
    """Formulas in floating-point numbers."""
    number, floor, ceil = float, math.floor, math.ceil
    exp, log2, sqrt = math.exp, math.log2, math.sqrt


class Far:
    """The same in decimal numbers, which hold exp(10^15)."""
    number = D
    floor = staticmethod(lambda x: x.to_integral_value(rounding=decimal.ROUND_FLOOR))
    ceil = staticmethod(lambda x: x.to_integral_value(rounding=decimal.ROUND_CEILING))
    exp = staticmethod(lambda x: x.exp())
    log2 = staticmethod(lambda x: x.ln() / D(2).ln())
    sqrt = staticmethod(lambda x: x.sqrt())


def lognormal(r, low, high):
    return float(f"{math.exp(r.uniform(math.log(low), math.log(high))):.4g}")


class Formula:
    """Text for isocast, and a function of the numbers' kind m, N and p."""
    def __init__(self, text, value):
        self.text, self.value = text, value

    def __add__(self, other):
        return Formula(f"{self.text} + {other.text}", lambda m, N, p: self.value(m, N, p) + other.value(m, N, p))


def power(c, k, q=0):
    """c N^k log2(p)^q."""
    text = f"{c!r}" + (f"*N^{k!r}" if k else "") + (f"*log2(p)^{q}" if q else "")

    def value(m, N, p):
        x = m.number(c)
        if k:
            x = x * (N ** int(k) if k == int(k) and k > 0 else N ** m.number(k))
        return x * (m.log2(m.number(p)) ** q if q else 1)
    return Formula(text, value)


def exponential(c, scale, sign):
    """c exp(sign N/scale)."""
    return Formula(f"{c!r}*exp({'-' if sign < 0 else ''}N/{scale!r})", lambda m, N, p: m.number(c) * m.exp(sign * N / m.number(scale)))


def pole(c, at, kind):
    """A pole at N = at."""
    if kind == "simple":
        return Formula(f"{c!r}/(N - {at!r})", lambda m, N, p: m.number(c) / (N - m.number(at)))
    if kind == "square":
        return Formula(f"{c!r}/(N - {at!r})^2", lambda m, N, p: m.number(c) / (N - m.number(at)) ** 2)
    return Formula(f"{c!r}/abs(N - {at!r})", lambda m, N, p: m.number(c) / abs(N - m.number(at)))


def step(low, at, high):
    return Formula(f"if(N < {at!r}, {low!r}, {high!r})", lambda m, N, p: m.number(low if N < at else high))


def teeth(c, q):
    return Formula(f"{c!r}*(N - {q}*floor(N/{q}))", lambda m, N, p: m.number(c) * (N - q * m.floor(N / q)))


def stairs(c, q):
    return Formula(f"{c!r}*ceil(N/{q})", lambda m, N, p: m.number(c) * m.ceil(N / q))


def root_beyond(c, end):
    """Has a value up to N = end alone."""
    return Formula(f"{c!r}*sqrt({end!r} - N)", lambda m, N, p: m.number(c) * m.sqrt(m.number(end) - N))


class Case:
    def __init__(self):
        self.concurrency, self.most, self.least = None, None, 1


def time_of_work(case, N):
    return case.work.value(Plain, float(N), case.p) / (SPEED * case.p)


def base_overhead(r, case, N):
    """What falls against the work, is as large, or outgrows it."""
    share, k = lognormal(r, 1e-3, 3), r.choice([0, 0, 0.5, 1, case.degree, case.degree + 0.5])
    q = r.choice([0, 0, 1]) if case.p > 1 else 0
    c = share * time_of_work(case, N) / N ** k
    return power(float(f"{c:.4g}"), k, q)


def start(r):
    case = Case()
    case.p = r.choice([1, 2, 3, 4, 7, 16, 64, 100, 1000])
    case.degree = r.choice([1, 1, 1.5, 2, 3])
    case.work = power(lognormal(r, 1, 1e6), case.degree)
    case.least = r.choice([1, 1, 1, 2, 10])
    if r.random() < 0.3:
        case.most = float(r.choice([50, 300, 1000, 4000]))
    return case


def make_concurrency(r, p):
    """How many can work: rises, is bounded, falls, comes and goes."""
    kind = r.choice(["power", "power", "power", "rows", "bounded", "falls", "switch", "periodic", "blocks", "hump"])
    a = lognormal(r, 0.02, 20)
    if kind == "power":
        k = r.choice([0.5, 1, 1, 1.5, 2])
        return power(a, k)
    if kind == "rows":
        q = r.choice([2, 4, 10])
        return Formula(f"floor(N/{q})", lambda m, N, P: m.floor(N / q))
    if kind == "bounded":
        most = r.choice([p - 1, p, p + 1, 2 * p])
        return Formula(f"min({a!r}*N, {most})", lambda m, N, P: min(m.number(a) * N, m.number(most)))
    if kind == "falls":
        c = float(p * r.randint(1, 3000))
        return Formula(f"{c!r}/N", lambda m, N, P: m.number(c) / N)
    if kind == "switch":
        at, few = r.randint(2, 3000), r.randint(1, p)
        return Formula(f"if(N < {at}, {few}, N)", lambda m, N, P: m.number(few) if N < at else N)
    if kind == "periodic":
        q = r.choice([20, 50, 300])
        at = r.randint(1, q - 1)
        return Formula(f"if(N - {q}*floor(N/{q}) < {at}, 1, {p})", lambda m, N, P: m.number(1 if N - q * m.floor(N / q) < at else p))
    if kind == "blocks":
        b = r.choice([2, 5, 16])
        return Formula(f"ceil(N/{b})^2", lambda m, N, P: m.ceil(N / b) ** 2)
    top = r.randint(5, 2000)
    return Formula(f"{a!r}*N*exp(-N/{top})", lambda m, N, P: m.number(a) * N * m.exp(-N / m.number(top)))


def make_limited(r):
    case = start(r)
    N = lognormal(r, 2, 2000)
    case.concurrency = make_concurrency(r, case.p)
    case.overhead = base_overhead(r, case, N)
    if r.random() < 0.2:
        case.overhead += make_rough_term(r, case, N)
    return aimed(r, case, N)


def make_rough_term(r, case, N):
    kind = r.choice(["exp", "exp", "tiny-exp", "decay", "pole", "pole", "step", "step", "teeth", "stairs", "root", "plateau"])
    T = time_of_work(case, N) * lognormal(r, 1e-3, 10)
    c = float(f"{T:.4g}")
    if kind == "exp":
        scale = lognormal(r, N / 20, N * 5)
        return exponential(float(f"{T / math.exp(min(N / scale, 300)):.4g}"), scale, 1)
    if kind == "tiny-exp":
        return exponential(10.0 ** -r.randint(20, 300), 1.0, 1)
    if kind == "decay":
        return exponential(c, lognormal(r, N / 5, N * 5), -1)
    if kind == "pole":
        return pole(c, r.choice([float(round(N)), N, N + 0.5]), r.choice(["simple", "square", "magnitude"]))
    if kind == "step":
        return step(c, float(f"{N:.4g}"), float(f"{c * lognormal(r, 0.1, 10):.4g}"))
    if kind == "teeth":
        return teeth(c, r.choice([2, 7, 30, 100]))
    if kind == "stairs":
        return stairs(c, r.choice([3, 10, 64]))
    if kind == "root":
        return root_beyond(float(f"{c / math.sqrt(N):.4g}"), float(f"{N * lognormal(r, 0.5, 20):.4g}"))
    # A plateau: E is the same from some N on.
    x, at = r.choice([0.25, 0.5, 1.0, 4.0]), float(f"{N:.3g}")
    text = f"if(N < {at!r}, {c!r}, {x!r}*({case.work.text})/{SPEED * case.p!r})"
    case.plateau = 1 / (1 + x)
    return Formula(text, lambda m, M, p: m.number(c) if M < at else m.number(x) * case.work.value(m, M, p) / m.number(SPEED * p))


def make_rough(r):
    case = start(r)
    N = lognormal(r, 2, 2000)
    case.overhead = make_rough_term(r, case, N)
    if r.random() < 0.6 and not hasattr(case, "plateau"):
        case.overhead += base_overhead(r, case, N)
    if r.random() < 0.25 and not hasattr(case, "plateau"):
        case.overhead += make_rough_term(r, case, lognormal(r, 2, 2000))
    return aimed(r, case, N)


def aimed(r, case, N):
    """With a target that E has near N, mostly."""
    case.target = float(f"{r.uniform(0.02, 0.99):.3g}")
    E = efficiency(case, float(max(case.least, round(N * lognormal(r, 0.2, 5)))))
    if E is not None and 1e-5 < E < 10 and r.random() < 0.8:
        case.target = float(f"{E * r.choice([1, r.uniform(0.9, 1.1)]):.5g}")
    if hasattr(case, "plateau") and r.random() < 0.5:
        case.target = case.plateau
    return case


def efficiency(case, N, m=Plain):
    """E with all processes at work; None where it has no value."""
    try:
        W = case.work.value(m, N, case.p)
        ideal = W / m.number(SPEED * case.p)
        T = ideal + case.overhead.value(m, N, case.p)
        if not T > 0 or (m is Plain and not (math.isfinite(T) and math.isfinite(W))):
            return None
        return ideal / T
    except (ValueError, ZeroDivisionError, OverflowError, decimal.DecimalException, TypeError):
        return None


def works(case, N):
    if case.concurrency is None:
        return True
    try:
        return case.concurrency.value(Plain, N, case.p) >= case.p * (1 - ROUNDING)
    except OverflowError:
        return case.concurrency.text.count("exp(-") == 0


def write(case, folder):
    most = "" if case.most is None else f", max: {case.most!r}"
    lines = ["algorithm: a", f"size: {{N: {{description: size, min: {case.least}{most}}}}}", f"work: {case.work.text}",
             f"overhead: {{all: '({case.overhead.text})*1 s'}}"]
    if case.concurrency is not None:
        lines.append(f"concurrency: {case.concurrency.text}")
    with open(os.path.join(folder, "a.yaml"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    with open(os.path.join(folder, "m.yaml"), "w", encoding="utf-8") as file:
        file.write("machine: m\nnodes: {node: {count: 1000, marked_speed: 1 Gflop/s}}\n")


def predict(program, case, folder):
    write(case, folder)
    done = subprocess.run([program, "predict", os.path.join(folder, "a.yaml"), os.path.join(folder, "m.yaml"), "--efficiency",
                           repr(case.target), "--to", str(case.p), "--format", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=3600)
    if done.returncode not in (0, 4):
        raise SystemExit(f"isocast ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["rows"][0]


class Search:
    """E at every whole N from the least to the most."""
    def __init__(self, case, sizes):
        self.case = case
        self.least = case.least
        self.most = int(min(sizes, case.most or sizes))
        self.E = {n: efficiency(case, float(n)) for n in range(self.least, self.most + 1)}
        self.works = {n: works(case, float(n)) for n in range(self.least, self.most + 1)}

    def side(self, n):
        """1: above the target; -1: below; 0: at it; None: no value, or too near to the target to be sure."""
        E = self.E[n]
        if E is None:
            return None
        off = E / self.case.target - 1
        return None if abs(off) <= ROUNDING else 1 if off > 0 else -1

    def passes(self, a, b):
        """Whether E passes the target between two neighbours, continuously or by a small jump."""
        left, right = self.side(a), self.side(b)
        if left is None or right is None or left == right:
            return False
        low, high = float(a), float(b)
        while math.nextafter(low, high) < high:
            middle = low + (high - low) / 2
            if middle in (low, high):
                break
            E = efficiency(self.case, middle)
            if E is None:
                return False
            if (E > self.case.target) == (left > 0):
                low = middle
            else:
                high = middle
        off = max(abs((efficiency(self.case, x) or math.inf) / self.case.target - 1) for x in (low, high))
        return off <= JUMP * 0.999

    def solutions(self):
        """Pairs of neighbours between which E passes the target."""
        return [(n, n + 1) for n in range(self.least, self.most) if self.passes(n, n + 1)]


def check_root(case, N, allowed):
    E = efficiency(case, N)
    if E is not None and abs(E / case.target - 1) <= NEAR:
        return []
    sides = [efficiency(case, x) for x in (N * (1 - 1e-9), N, N * (1 + 1e-9))]
    sides = [x for x in sides if x is not None]
    if sides and min(sides) <= case.target * (1 + NEAR) and max(sides) >= case.target * (1 - NEAR):
        if max(abs(x / case.target - 1) for x in sides) <= JUMP * 1.01:
            return []
    # Next to a pole a share of 1e-9 of N is much.
    sides = [efficiency(case, x) for x in (math.nextafter(N, 0), N, math.nextafter(N, math.inf))]
    sides = [x for x in sides if x is not None]
    if sides and min(sides) <= case.target <= max(sides):
        return []
    return [f"{allowed} at N = {N}: E is {E}"]


def check_ok(case, row, search):
    N, problems = row["N"], []
    if not works(case, N):
        problems.append(f"not all can work at N = {N}")
    if row["ruled_by"] == "concurrency":
        E = efficiency(case, N)
        if E is None or E < case.target * (1 - NEAR):
            problems.append(f"raised to N = {N}, where E = {E}")
        if not any(not works(case, N * (1 - x)) for x in (1e-9, 1e-12, 1e-6)) and N > case.least:
            problems.append(f"raised to N = {N}, but all can work before it")
    else:
        problems += check_root(case, N, "root")
        for other in row.get("roots") or []:
            problems += check_root(case, other, "root")
    known_to = row["complete_to"] if row["complete_to"] is not None else 0
    # Nothing before N' would do: no root with all at work, and no first N at which all can work and E is above the target.
    began = search.works[search.least]
    for n in range(search.least, min(search.most, math.ceil(N) - 1)):
        if n + 1 >= N * (1 - 1e-9) or n + 1 > known_to:
            break
        if search.works[n] and search.works[n + 1] and search.passes(n, n + 1):
            problems.append(f"N' = {N}, but the target is met between {n} and {n + 1}")
            break
        began = began or search.E[n] is None  # T is not above 0 there: where E begins is no matter of processes
        if n > search.least and not began and search.works[n] and not search.works[n - 1] and search.side(n) == 1:
            problems.append(f"N' = {N}, but from {n} on all can work and E is above the target")
            break
    if row["complete"] and not row.get("more_roots") and case.concurrency is None:
        due = search.solutions()
        reported = row.get("roots") or [N]
        for a, b in due:
            if not any(a * (1 - 1e-9) <= x <= b * (1 + 1e-9) for x in reported):
                problems.append(f"a solution between {a} and {b} is not among {reported}")
                break
    printed = [f"{x:.12g}" for x in row.get("roots") or []]
    if len(set(printed)) < len(printed):
        problems.append(f"one N several times: {printed}")
    return problems


def check_unreachable(case, row, search):
    problems = []
    end = min(row["N_end"], search.most)
    known = min(end, row["complete_to"] if row["complete_to"] is not None else 0)
    has = [n for n in range(search.least, int(known) + 1) if search.E[n] is not None and search.works[n]]
    sides = [search.side(n) for n in has]
    note = row["note"]
    for a, b in zip(has, has[1:]):
        if b == a + 1 and search.passes(a, b):
            problems.append(f"unreachable, but the target is met between {a} and {b}")
            break
    if not search.works[search.least] and 1 in sides:
        problems.append(f"unreachable, but at {has[sides.index(1)]} all can work and E is above the target")
    if "stays above" in note and -1 in sides:
        problems.append(f"stays above, but is below at {has[sides.index(-1)]}")
    if "not reached up to" in note and 1 in sides:
        problems.append(f"not reached, but is above at {has[sides.index(1)]}")
    if has and case.most is None and search.most > 1000 and row["N_end"] < search.most * 0.999 and \
            efficiency(case, row["N_end"] * 1.01 + 1) is not None:
        problems.append(f"the search ended at {row['N_end']}, and E has values beyond")
    return problems


def check_limit(case, row):
    stated = re.search(r"as N grows without end E tends to ([-+.e0-9]+)[, ]", row["note"] or "")
    if stated is None:
        return []
    limit = float(stated.group(1))
    values = [efficiency(case, N, Far) for N in FAR]
    values = [float(v) for v in values if v is not None]
    if not values:
        return []
    if abs(values[-1] - limit) > 1e-4 * max(limit, 1e-3):
        return [f"states the limit {limit}, and E is {values} at N = 1e20 to 1e300"]
    return []


def check(case, row, search):
    problems = check_limit(case, row)
    status = row["status"]
    if status in ("ok", "several"):
        return problems + check_ok(case, row, search)
    if status == "unreachable":
        return problems + check_unreachable(case, row, search)
    known = row["complete_to"] if row["complete_to"] is not None else 0
    ends = range(search.least, int(min(search.most, known)) + 1)
    if status == "beyond-concurrency" and row["complete"]:
        began = search.works[search.least]
        if "at no N" in row["note"] and any(search.works[n] for n in ends):
            problems.append("all can work at some N")
        for n in ends:
            if search.works[n] and (search.side(n) == 0 or (search.side(n) == 1 and not began)):
                problems.append(f"beyond concurrency, but at {n} all can work and E is {search.E[n]}")
                break
    if status == "not-converged":
        for n in ends:
            if n > search.least and search.works[n] and search.works[n - 1] and search.side(n) in (1, -1) and \
                    search.side(n - 1) in (1, -1) and search.passes(n - 1, n) and row["complete"]:
                problems.append(f"not converged, but the target is met between {n - 1} and {n}")
                break
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limited", type=int, default=60)
    parser.add_argument("--rough", type=int, default=60)
    parser.add_argument("--sizes", type=int, default=5000)
    parser.add_argument("--only")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    decimal.getcontext().prec = 40
    decimal.getcontext().Emax, decimal.getcontext().Emin = decimal.MAX_EMAX, decimal.MIN_EMIN
    makers = {"limited": make_limited, "rough": make_rough}
    chosen = [("limited", k) for k in range(arguments.limited)] + [("rough", k) for k in range(arguments.rough)]
    if arguments.only:
        kind, k = arguments.only.split(":")
        chosen = [(kind, int(k))]
    wrong, statuses, uncertain = 0, {}, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for kind, k in chosen:
            case = makers[kind](random.Random(f"{kind} {arguments.seed} {k}"))
            row = predict(os.path.abspath(arguments.program), case, folder)
            problems = check(case, row, Search(case, arguments.sizes))
            word = row["status"] + (" by concurrency" if row["ruled_by"] == "concurrency" else "")
            statuses[kind, word] = statuses.get((kind, word), 0) + 1
            uncertain += not row["complete"]
            if problems or arguments.only:
                wrong += bool(problems)
                print(f"--seed {arguments.seed} --only {kind}:{k} (p = {case.p}, E = {case.target}, N from {case.least} to {case.most}): "
                      f"work {case.work.text}; overhead {case.overhead.text}; concurrency {case.concurrency and case.concurrency.text}")
                print(f"    {row['status']}, N = {row['N']}, roots {row.get('roots')}: {row['note']}")
                for problem in problems:
                    print("    false:", problem)
    for (kind, word), count in sorted(statuses.items()):
        print(f"{kind}: {count} {word}")
    print(f"{len(chosen)} algorithms, {wrong} with a false row, {uncertain} whose row says that solutions may be missing")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
