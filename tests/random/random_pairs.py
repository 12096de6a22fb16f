"""Random algorithms on random machines: `isocast predict` against a scan that knows nothing of it.

    random_pairs.py ISOCAST [--seed N] [--pairs N] [--keep FOLDER]

Each pair is written as YAML, and once more as Python. The scan evaluates the Python, piece by piece between the places where a
formula switches (which it is reported), densely, follows every peak and dip to its extreme, and closes in on sign changes by bisection.
Status, smallest N and number of solutions must agree, or the row must say that its solutions may be incomplete: at most 2 % may.
Status 1 where a pair disagrees, which is then printed with how to repeat it.
"""
import argparse
import bisect
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ROOTS_KEPT = 16
SMALL_JUMP = 0.01
SAME_SOLUTION = 1e-10   # docs/reference/specifications.md
UNCERTAIN_SHARE = 0.02
MATH = {"floor": math.floor, "ceil": math.ceil, "sqrt": math.sqrt, "log": math.log, "log2": math.log2, "exp": math.exp,
        "abs": abs, "min": min, "max": max}


def away_from_zero(x):
    return math.copysign(math.floor(abs(x) + 0.5), x)


def table(x, *points):
    xs, ys = points[::2], points[1::2]
    if x <= xs[0]:
        return ys[0]
    if x >= xs[-1]:
        return ys[-1]
    k = bisect.bisect_right(xs, x)
    return ys[k - 1] + (x - xs[k - 1]) / (xs[k] - xs[k - 1]) * (ys[k] - ys[k - 1])


class Power:
    """sum(i, 1, N, i^k), linear between whole N."""
    def __init__(self, k):
        self.k = k

    def __call__(self, N):
        n = math.floor(N)
        whole = [lambda n: n, lambda n: n * (n + 1) / 2, lambda n: n * (n + 1) * (2 * n + 1) / 6][self.k](float(n))
        return whole + (N - n) * float(n + 1) ** self.k


class Prefix:
    """sum(i, 0, N - 1, f(i + 1)), by adding up."""
    def __init__(self, term, most):
        self.term, self.sums = term, [0.0]
        for i in range(int(most) + 2):
            self.sums.append(self.sums[-1] + term(i + 1))

    def __call__(self, N):
        n = math.floor(N)
        return self.sums[n] + (N - n) * self.term(n + 1)


class Pair:
    def __init__(self):
        self.overhead, self.python = [], []
        self.compute = self.compute_python = None
        self.names = dict(MATH, rnd=away_from_zero, table=table)
        self.breaks, self.period = [], None   # places where formulas switch
        self.least, self.most = 1, None
        self.operations = []

    def add(self, text, python=None):
        self.overhead.append(text)
        self.python.append(python if python is not None else text)


def number(x):
    return repr(float(f"{x:.5g}"))


def lognormal(r, low, high):
    return float(f"{math.exp(r.uniform(math.log(low), math.log(high))):.5g}")


def make_work(r, pair):
    k = r.choice([1, 2, 2, 3, 3])
    a = lognormal(r, 0.5, 50)
    pair.degree = k
    text = f"{a}*N^{k}"
    python = f"{a}*N**{k}"
    if r.random() < 0.2:
        text, python = text + "*log2(N + 1)", python + "*log2(N + 1)"
    elif r.random() < 0.3 and k > 1:
        b = number(a * r.uniform(0.1, 0.9))
        text, python = f"{text} + {b}*N", f"{python} + {b}*N"
    pair.work, pair.work_python = text, python


def scale_at(pair, N):
    """W/C at N: what an overhead is measured against."""
    return eval(pair.work_python, pair.names, {"N": N}) / pair.C


def add_base(r, pair, N):
    share = lognormal(r, 0.01, 3)
    j = r.choice([0, 0, 1, 1, 2]) if pair.degree > 1 else 0
    j = min(j, pair.degree - 1)
    c = number(share * scale_at(pair, N) / N ** j)
    pair.add(f"{c}*N^{j}" if j else f"{c}", f"{c}*N**{j}" if j else c)


def family_powers(r, pair, N):
    add_base(r, pair, N)
    if r.random() < 0.5:
        c = number(lognormal(r, 0.01, 1) * scale_at(pair, N) / (N ** 0.5 * math.log2(N + 1)))
        pair.add(f"{c}*sqrt(N)*log2(N + 1)")


def family_hump(r, pair, N):
    add_base(r, pair, N)
    j = pair.degree + r.choice([1, 2, 0.5])
    c = number(lognormal(r, 1e-4, 1) * scale_at(pair, N) / N ** j)
    pair.add(f"{c}*N^{j}", f"{c}*N**{j}")


def family_sawtooth(r, pair, N):
    q = r.choice([2, 3, 5, 8, 18, 64, 7.5])
    pair.period = q
    pair.most = float(q * r.choice([20, 60, 300, 1000]))
    N = math.exp(r.uniform(math.log(q), math.log(pair.most)))
    c = number(lognormal(r, 0.02, 3) * scale_at(pair, N))
    add_base(r, pair, N)
    kind = r.choice(["floor", "ceil", "round"])
    if kind == "floor":
        pair.add(f"{c}*(N - {q}*floor(N/{q}))/{q}")
    elif kind == "ceil":
        pair.add(f"{c}*({q}*ceil(N/{q}) - N)/{q}")
    else:
        pair.period = q / 2   # a jump in the middle between two kinks
        pair.add(f"{c}*abs(N - {q}*round(N/{q}))/{q}", f"{c}*abs(N - {q}*rnd(N/{q}))/{q}")


def family_blocks(r, pair, N):
    b = r.choice([1, 2, 4, 8, 16])
    pair.period = b * pair.p if pair.p <= 64 else b
    q = pair.period
    pair.most = float(q * r.choice([10, 50, 400]))
    N = math.exp(r.uniform(math.log(q), math.log(pair.most)))
    pair.compute = f"({pair.work})/{pair.C!r} * ceil(N/{q})*{q}/N"
    pair.compute_python = f"({pair.work_python})/{pair.C!r} * ceil(N/{q})*{q}/N"
    add_base(r, pair, N)


def family_switch(r, pair, N):
    add_base(r, pair, N)
    n0 = number(N * lognormal(r, 0.1, 10))
    a = lognormal(r, 0.01, 1) * scale_at(pair, N)
    b = a * r.choice([lognormal(r, 0.97, 1.03), lognormal(r, 0.2, 5)])
    pair.breaks.append(float(n0))
    sign = r.choice(["<", "<=", ">", ">="])
    pair.add(f"if(N {sign} {n0}, {number(a)}, {number(b)})", f"({number(a)} if N {sign} {n0} else {number(b)})")


def family_step(r, pair, N):
    """A step of E with the target inside, or near to it; elsewhere E rises with N."""
    add_base(r, pair, N)
    factor = 1 + r.choice([-1, 1]) * lognormal(r, 0.001, 0.5)
    sign = r.choice(["<", "<=", ">", ">="])
    n0 = number(N)
    a = lognormal(r, 0.1, 2) * scale_at(pair, N)
    pair.breaks.append(float(n0))
    pair.add(f"if(N {sign} {n0}, {number(a)}, {number(a * factor)})",
             f"({number(a)} if N {sign} {n0} else {number(a * factor)})")
    pair.step = float(n0)


def family_extremes(r, pair, N):
    add_base(r, pair, N)
    n0 = float(number(N * lognormal(r, 0.1, 10)))
    c = number(lognormal(r, 0.01, 1) * scale_at(pair, N) / n0)
    pair.breaks.append(n0)
    pair.add(f"{c}*{r.choice(['min', 'max'])}(N, {n0})")
    if r.random() < 0.5:
        n1 = float(number(N * lognormal(r, 0.1, 10)))
        pair.breaks.append(n1)
        pair.add(f"{c}*abs(N - {n1})")


def make_table(r, N, height):
    xs = sorted({float(number(N * lognormal(r, 0.02, 50))) for _ in range(r.randint(2, 7))})
    while len(xs) < 2:
        xs.append(xs[-1] * 2)
    return [(x, float(number(height * lognormal(r, 0.2, 5)))) for x in xs]


def family_table(r, pair, N):
    add_base(r, pair, N)
    points = make_table(r, N, lognormal(r, 0.01, 1) * scale_at(pair, N))
    pair.breaks += [x for x, _ in points]
    flat = ", ".join(f"{x!r}, {y!r}" for x, y in points)
    if r.random() < 0.5:
        pair.add(f"interpolate(N, {flat})", f"table(N, {flat})")
    else:
        # An operation of the machine, in bytes.
        bytes_flat = ", ".join(f"{8 * x!r} B, {y!r} s" for x, y in points)
        name = f"T_table{len(pair.operations)}"
        pair.operations.append(f"  {name}: interpolate(m, {bytes_flat})")
        pair.add(f"{name}(8 B * N)", f"table(N, {flat})")


def family_pole(r, pair, N):
    add_base(r, pair, N)
    n0 = float(number(N * lognormal(r, 0.1, 10)))
    c = lognormal(r, 1e-3, 1) * scale_at(pair, N)
    pair.breaks.append(n0)
    kind = r.choice(["side", "square", "magnitude", "root"])
    if kind == "side":
        pair.add(f"{number(c * n0)}/(N - {n0})")
    elif kind == "square":
        pair.add(f"{number(c * n0 * n0)}/(N - {n0})^2", f"{number(c * n0 * n0)}/(N - {n0})**2")
    elif kind == "magnitude":
        pair.add(f"{number(c * n0)}/abs(N - {n0})")
    else:
        pair.add(f"{number(c / math.sqrt(n0))}*sqrt(N - {n0})")


def family_asymptote(r, pair, N):
    add_base(r, pair, N)
    limit = 1.0
    if r.random() < 0.5:
        x = lognormal(r, 0.01, 1)
        c = x / pair.C
        pair.add(f"{c!r}*({pair.work})", f"{c!r}*({pair.work_python})")
        limit = 1 / (1 + c * pair.C)
    pair.target = limit * (1 - 10 ** -r.uniform(3, 9) * r.choice([1, 1, 1, -1]))


def family_unreachable(r, pair, N):
    x = lognormal(r, 0.01, 10)
    c = x / pair.C
    add_base(r, pair, N)
    pair.add(f"{c!r}*({pair.work})", f"{c!r}*({pair.work_python})")
    pair.target = min(0.999999, 1 / (1 + c * pair.C) * r.uniform(1.0001, 2))


def family_every_N(r, pair, N):
    pair.work = pair.work_python = "N"
    pair.C = 2.0 ** 30
    pair.p = r.choice([2, 8, 64])
    x = 2.0 ** r.randint(-3, 2)
    pair.add(f"{x / pair.C!r}*N")
    pair.target = 1 / (1 + x)


def family_sum(r, pair, N):
    add_base(r, pair, N)
    kind = r.choice(["power", "power", "table"])
    if kind == "power":
        k = r.choice([0, 1, 2])
        pair.names["S"] = Power(k)
        c = number(lognormal(r, 0.01, 1) * scale_at(pair, N) / Power(k)(N))
        pair.add(f"sum(i, 1, N, {c}*i^{k})", f"{c}*S(N)")
    else:
        pair.most = 3000.0
        N = r.uniform(20, 1000)
        points = make_table(r, N, lognormal(r, 0.01, 1) * scale_at(pair, N) / N)
        flat = ", ".join(f"{x!r}, {y!r}" for x, y in points)
        pair.names["S"] = Prefix(lambda i: table(i, *[v for point in points for v in point]), pair.most)
        pair.add(f"sum(i, 0, N - 1, interpolate(N - i, {flat}))", None)
        pair.python[-1] = "S(N)"
        # With N - i the terms move with N; between whole numbers they are those of N - i itself.
        pair.overhead[-1] = f"sum(i, 1, N, interpolate(i, {flat}))"


FAMILIES = [family_powers, family_hump, family_step, family_sawtooth, family_sawtooth, family_blocks, family_switch, family_switch,
            family_extremes, family_table, family_table, family_pole, family_asymptote, family_asymptote, family_unreachable,
            family_every_N, family_sum]


def make_pair(seed):
    r = random.Random(seed)
    pair = Pair()
    pair.p = r.choice([2, 3, 4, 7, 16, 64, 100, 1024])
    pair.speed = lognormal(r, 1e7, 1e11)
    pair.C = pair.p * pair.speed
    pair.target = None
    pair.shift = 0
    make_work(r, pair)
    N = lognormal(r, 20, 1e5)
    pair.family = r.choice(FAMILIES)
    pair.family(r, pair, N)
    pair.speed = pair.C / pair.p
    if pair.family not in (family_every_N, family_asymptote, family_sum) and r.random() < 0.15:
        extra = r.choice([family_switch, family_extremes, family_table])
        extra(r, pair, N)
    if pair.most is None and r.random() < 0.4:
        pair.most = float(number(N * lognormal(r, 1, 1e4)))
    compute = pair.compute_python or f"({pair.work_python})/{pair.C!r}"
    pair.W = eval("lambda N: " + pair.work_python, pair.names)
    pair.T_c = eval("lambda N: " + compute, pair.names)
    pair.T_o = eval("lambda N: " + " + ".join(pair.python), pair.names)
    if pair.target is None and pair.family is family_step and (pair.most is None or pair.most > pair.step):
        sides = [efficiency(pair, x) for x in (math.nextafter(pair.step, 0), pair.step, math.nextafter(pair.step, 1e99))]
        pair.target = min(sides) + (max(sides) - min(sides)) * r.uniform(-0.1, 1.1)
    if pair.target is None:
        pair.target = aim(r, pair, N)
    return pair


def aim(r, pair, N):
    """A target that the algorithm has somewhere near N, most of the time."""
    most = pair.most or N * 10
    for _ in range(50):
        E = efficiency(pair, min(most, max(1, N * lognormal(r, 0.1, 10))))
        if E is not None and 1e-6 < E < 1e3:
            return float(f"{E * r.choice([1, 1, 1, r.uniform(0.9, 1.1)]):.6g}")
    return 0.5


def efficiency(pair, N):
    try:
        W, T = pair.W(N), pair.T_c(N) + pair.T_o(N)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return W / (T * pair.C) if T > 0 and math.isfinite(T) and W >= 0 else None


def balance(pair, N):
    """Of the sign of E - target where both exist, and continuous where T goes through 0; None where nothing has a value."""
    try:
        W, T_c, T_o = pair.W(N), pair.T_c(N), pair.T_o(N)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    due = W * (1 - pair.target) / (pair.target * pair.C)
    value = due + (W / pair.C - T_c) - T_o
    scale = abs(due) + W / pair.C + abs(T_c + T_o)
    return value / scale if math.isfinite(value) and math.isfinite(scale) and scale > 0 else None


def pieces_of(pair, end):
    """Closed ranges on which no formula switches, in rising N."""
    cuts = {x for x in pair.breaks if pair.least < x <= end}
    if pair.period:
        k = 0
        while True:
            x = pair.shift + k * pair.period
            if x > end:
                break
            if x > pair.least:
                cuts.add(x)
            k += 1
    pieces, low = [], float(pair.least)
    for cut in sorted(cuts):
        pieces.append((low, math.nextafter(cut, 0)))
        pieces.append((cut, cut))
        low = math.nextafter(cut, math.inf)
    if low <= end:
        pieces.append((low, end))
    return pieces


def follow(pair, a, b, sign):
    """The largest sign*balance between a and b, by golden section."""
    ratio = (math.sqrt(5) - 1) / 2
    low, high = math.log(a), math.log(b)
    for _ in range(80):
        x, y = high - ratio * (high - low), low + ratio * (high - low)
        f, g = balance(pair, math.exp(x)), balance(pair, math.exp(y))
        if f is None or g is None:
            return None
        if sign * f > sign * g:
            high = y
        else:
            low = x
    return math.exp((low + high) / 2)


def close_in(pair, a, b, at_a):
    while True:
        middle = math.sqrt(a) * math.sqrt(b) if b > 2 * a else a + (b - a) / 2
        if middle <= a or middle >= b:
            return a
        at = balance(pair, middle)
        if at is None:
            return None
        if (at > 0) == (at_a > 0):
            a = middle
        else:
            b = middle


def scan(pair):
    """Solutions in rising N, and the places where E jumps over the target."""
    end = pair.most if pair.most is not None else 1e60
    solutions, jumps = [], []
    before = None
    for low, high in pieces_of(pair, end):
        # Dense in ln N: a piece of many decades has its features within a few of them.
        count = 2 if low == high else max(6, min(1500, int(200 * math.log(high / low))))
        xs = [low * (high / low) ** (k / (count - 1)) for k in range(count)] if low < high else [low]
        xs[-1] = high
        points = [(x, balance(pair, x)) for x in xs]
        extra = []
        for (a, f), (m, g), (b, h) in zip(points, points[1:], points[2:]):
            if None not in (f, g, h) and g and abs(g) < 0.3 and ((g < f and g < h and g > 0) or (g > f and g > h and g < 0)):
                x = follow(pair, a, b, 1 if g < 0 else -1)
                if x is not None and a < x < b:
                    extra.append((x, balance(pair, x)))
        points = sorted(points + extra)
        if before is not None and before[1] and points[0][1] and (before[1] > 0) != (points[0][1] > 0):
            here = [efficiency(pair, before[0]), efficiency(pair, points[0][0])]
            if None not in here:
                off = max(abs(E / pair.target - 1) for E in here)
                if off > 1e-9:
                    jumps.append(points[0][0])
                if off <= SMALL_JUMP:
                    solutions.append(points[0][0])
        for (a, f), (b, g) in zip(points, points[1:]):
            if f is not None and g is not None and (f > 0) != (g > 0):
                x = close_in(pair, a, b, f)
                if x is not None and efficiency(pair, x) is not None:
                    solutions.append(x)
        before = points[-1]
    return solutions, jumps


def expected(pair):
    if pair.family is family_every_N:
        return "ok", [1.0]
    solutions, jumps = scan(pair)
    merged = []
    for x in solutions:
        if not merged or x > merged[-1] * (1 + SAME_SOLUTION):
            merged.append(x)
    if merged:
        return ("ok" if len(merged) == 1 else "several"), merged
    end = pair.most if pair.most is not None else 1e60
    exists = any(efficiency(pair, pair.least * (end / pair.least) ** (k / 400)) is not None for k in range(401))
    return ("not-converged" if jumps or not exists else "unreachable"), jumps[:1]


def write_pair(pair, folder):
    most = "" if pair.most is None else f", max: {pair.most!r}"
    lines = ["algorithm: random", f"size: {{N: {{description: size, min: {pair.least}{most}}}}}", f"work: {pair.work}"]
    if pair.compute:
        lines.append(f"compute: {pair.compute}")
    lines.append("overhead:")
    lines += [f"  term{k}: {text}" for k, text in enumerate(pair.overhead)]
    machine = ["machine: random", f"nodes: {{node: {{count: 100000, processors: 1, marked_speed: {pair.speed!r} flop/s}}}}",
               "operations:", "  T_one: 1 us"] + pair.operations
    for name, text in (("algorithm.yaml", lines), ("machine.yaml", machine)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")


def predict(program, pair, folder):
    write_pair(pair, folder)
    done = subprocess.run([program, "predict", os.path.join(folder, "algorithm.yaml"), os.path.join(folder, "machine.yaml"),
                           "--efficiency", repr(pair.target), "--to", str(pair.p), "--format", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=3600)
    if done.returncode not in (0, 4):
        raise SystemExit(f"isocast ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["rows"][0]


def disagreement(row, status, solutions):
    """None where both agree."""
    if row["status"] != status:
        return f"status {row['status']}, not {status}"
    if not solutions:
        return None if row["N"] is None else f"N = {row['N']}, not none"
    if not math.isclose(row["N"], solutions[0], rel_tol=1e-6):
        return f"N = {row['N']}, not {solutions[0]}"
    if status == "several":
        count = len(row["roots"])
        if row["more_roots"] != (len(solutions) > ROOTS_KEPT) or count != min(len(solutions), ROOTS_KEPT):
            return f"{count} solutions, not {len(solutions)}"
        for a, b in zip(row["roots"], solutions):
            if not math.isclose(a, b, rel_tol=1e-6):
                return f"a solution at {a}, not {b}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    wrong, uncertain, statuses = [], [], {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or temporary
        os.makedirs(folder, exist_ok=True)
        chosen = range(arguments.pairs) if arguments.only is None else [arguments.only]
        for k in chosen:
            pair = make_pair(1000003 * arguments.seed + k)
            row = predict(arguments.program, pair, folder)
            status, solutions = expected(pair)
            statuses[status] = statuses.get(status, 0) + 1
            reported = disagreement(row, status, solutions)
            if arguments.only is not None:
                print(row["status"], row["N"], row.get("roots"), row["note"], "| scan:", status, solutions[:20])
            if not row["complete"]:
                uncertain.append((k, pair.family.__name__, reported))
            elif reported:
                wrong.append(k)
                print(f"pair {k} ({pair.family.__name__}): {reported}; repeat with --seed {arguments.seed} --only {k} --keep FOLDER")
    print(f"{len(chosen)} pairs, {', '.join(f'{v} {k}' for k, v in sorted(statuses.items()))}: {len(wrong)} disagree, "
          f"{len(uncertain)} are given to be uncertain")
    for entry in uncertain:
        print("  uncertain:", *entry)
    return 1 if wrong or len(uncertain) > UNCERTAIN_SHARE * len(chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
