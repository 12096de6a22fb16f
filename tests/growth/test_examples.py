"""Isoefficiency functions of the textbook and of shipped specifications, and what predict says of limits of E.

    test_examples.py ISOCAST ROOT
"""
import json
import math
import os
import subprocess
import sys
import tempfile

UNIT = "textbook-unit"
failures = []


def check(right, *what):
    if not right:
        failures.append(" ".join(str(w) for w in what))
        print(*what)


def near(a, b, tolerance):
    return a is not None and abs(a - b) <= tolerance * max(1e-300, abs(b))


class Desk:
    """Runs isocast in a scratch folder."""

    def __init__(self, isocast, folder):
        self.isocast, self.folder = os.path.abspath(isocast), folder

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def run(self, *arguments):
        run = subprocess.run([self.isocast, *arguments], cwd=self.folder, capture_output=True, text=True)
        check(run.returncode in (0, 4), *arguments, run.stderr)
        return run.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--format", "json"))

    def growth(self, algorithm, machine, E, to="64"):
        return self.json("explain", algorithm, machine, "--growth", "--efficiency", repr(E), "--to", to)


def specification(work, overhead, more="", size="min: 1, max: 1e120"):
    terms = "".join(f"  {name}: {text}\n" for name, text in overhead.items())
    return f"algorithm: own\nsource: test\nsize: {{N: {{description: size, {size}}}}}\nwork: {work}\n{more}overhead:\n{terms}"


def order_of(result):
    growth = result["growth"]
    return (growth["verdict"], growth["order"])


def textbook(desk):
    """[GGKK] Examples 5.12 to 5.17."""
    adding = desk.growth("adding-numbers-textbook", UNIT, 0.8, "4,8,16")
    check([round(row["N"], 9) for row in adding["rows"]] == [64, 192, 512], "Example 5.13", adding["rows"])
    check(order_of(adding) == ("proved", "Theta(p log p)"), "Example 5.14", adding["growth"])
    check(near(adding["K"], 4, 1e-12), "K", adding["K"])
    for row in adding["rows"]:
        p = row["p"]
        check(near(row["overhead"], 2 * p * math.log2(p), 1e-9) and near(row["cost"], row["N"] + row["overhead"], 1e-9), row)
        # W = 8 p lg p, so that d ln W/d ln p = 1 + 1/ln p.
        check(near(row["exponent"], 1 + 1 / math.log(p), 1e-9), "exponent", row)
    two = desk.write("two.yaml", specification("N", {"first": "p^(3/2)/p*(1 s)", "second": "p^(3/4)*N^(3/4)/p*(1 s)"}))
    result = desk.growth(two, UNIT, 0.8, "1000000000000")
    check(order_of(result) == ("proved", "Theta(p^3)"), "Example 5.15", result["growth"])
    check([part["order"] for part in result["parts"][:2]] == ["Theta(p^(3/2))", "Theta(p^3)"], "terms of Example 5.15")
    check(result["ruler"] == "second", "ruler of Example 5.15", result["ruler"])
    check(near(result["rows"][0]["N"], 4 ** 4 * 1e36, 1e-4), "Example 5.15 at p = 10^12", result["rows"])
    # [GGKK 5.4.5]: of the work W only W^(2/3) can be shared out, whatever the overhead.
    bound = desk.write("bound.yaml", specification("N^3", {"small": "1 s"}, more="concurrency: N^2\n"))
    result = desk.growth(bound, UNIT, 0.8)
    check(order_of(result) == ("proved", "Theta(p^(3/2))") and result["ruler"] == "bound", "Example 5.17", result["growth"])
    # Cannon: each process has N^2/p elements of each matrix, 2 sqrt(p) messages of it.
    cannon = desk.write("cannon.yaml", specification(
        "N^3", {"start": "2*sqrt(p)*(25 s)", "words": "2*N^2/sqrt(p)*(4 s)"}, more="concurrency: N^2\n"))
    result = desk.growth(cannon, "textbook", 0.8)
    check(order_of(result) == ("proved", "Theta(p^(3/2))"), "Cannon", result["growth"])


def transforms(desk):
    """[GGKK] 13.2 and 13.3: the exponent of binary exchange depends on E."""
    for E in (0.3, 0.6, 0.8, 0.9):
        K = E / (1 - E)
        growth = desk.growth("fft-binary-exchange-textbook", "textbook", E)["growth"]
        exponent = max(1, K * 4 / 2)
        check(growth["verdict"] == "proved" and near(growth["W"]["p"], exponent, 1e-9) and
              near(growth["W"]["log_p"], 1, 1e-9), "binary exchange at", E, growth)
        check(growth["law"] == ("Theta(p^(2 K) log p)" if exponent > 1 else None), "law at", E, growth)
    # Exactly at K t_w/t_c = 1 what is left of two terms balances a third: n ln(n/p) = c p ln p.
    growth = desk.growth("fft-binary-exchange-textbook", "textbook", 1 / 3)["growth"]
    check((growth["verdict"], growth["order"], growth["law"]) == ("proved", "Theta(p log^2 p / log log p)", None) and
          growth["W"] == {"p": 1, "log_p": 2, "log_log_p": -1} and growth["depends_on_E"], "the edge", growth)
    growth = desk.growth("fft-2d-transpose-textbook", "textbook", 0.6)["growth"]
    check(growth["order"] == "Theta(p^2 log p)", "2D transpose", growth)
    growth = desk.growth("fft-3d-transpose-textbook", "textbook", 0.6)["growth"]
    check(growth["order"] == "Theta(p^(3/2) log p)", "3D transpose", growth)


def cases(desk):
    """Formulas in all forms: work, overheads (s), E, verdict and order."""
    table = [
        ("N", ["0.2*N/p*(1 s)"], 0.8, "proved", "Theta(p)"),
        ("N", ["0.2*N/p*(1 s)"], 0.85, "unreachable", None),
        ("N", ["N/p*log2(p)*(1 ms)"], 0.1, "unscalable", None),
        ("N", ["N^1.1/p*(1 us)"], 0.1, "finite-range", None),
        ("N", ["N*log2(N)/p*(1 us)"], 0.1, "finite-range", None),
        ("N", ["N*log2(N)*(1 us)"], 0.1, "unscalable", None),
        ("N", ["p*(1 s)", "N^1.5/p^4*(1 s)"], 0.5, "proved", "Theta(p^2)"),
        # Terms that cancel do not rule.
        ("N", ["(p^3 - p^2*(p - 1))*(1 s)"], 0.5, "proved", "Theta(p^3)"),
        ("N", ["(p^3 - p^3 + sqrt(p))*(1 s)"], 0.5, "proved", "Theta(p^(3/2))"),
        ("N", ["(N/(p-1) - N/p)*(1 s) + log2(p)*(1 s)"], 0.5, "proved", "Theta(p log p)"),
        ("N", ["((p+1)^(1/2) - p^(1/2) + 1)*(1 s)"], 0.5, "proved", "Theta(p)"),
        # sums
        ("N", ["sum(i, 1, p, i)/p*(1 s)"], 0.5, "proved", "Theta(p^2)"),
        ("N", ["sum(i, 0, p-1, (p-i)^2*sqrt(i))*(1 ns)"], 0.5, "proved", "Theta(p^(9/2))"),
        ("N", ["sum(i, 1, p, 1/i)*(1 s)"], 0.5, "proved", "Theta(p log p)"),
        ("N", ["sum(i, 1, p, sum(j, i, p, 1))*(1 s)"], 0.5, "proved", "Theta(p^3)"),
        ("N^3", ["sum(i, 0, N-2, log2(p)*(N+1-i))/p*(1 s)"], 0.5, "proved", "Theta(p)"),
        ("N^3", ["sum(i, 0, N-2, if(N - i > 100, 2*(N-i), 5))/p*log2(p)*p*(1 s)"], 0.5, "proved", "Theta(p^3 log^3 p)"),
        ("N", ["sum(i, 1, p, min(i, 100))*log2(p)*(1 s)"], 0.5, "proved", "Theta(p^2 log p)"),
        # steps and switches
        ("N", ["ceil(log2(p))*(1 s)"], 0.5, "proved", "Theta(p log p)"),
        ("N", ["ceil(N/p)/N*p*(1 s)"], 0.5, "proved", "Theta(p)"),
        ("N", ["mod(p, 7)*(1 s) + p*(1 s)"], 0.5, "proved", "Theta(p^2)"),
        ("N", ["if(p > 8 and not (p < 4), p, p^5)*(1 s)"], 0.5, "proved", "Theta(p^2)"),
        ("N", ["if(N > p^3, 1, p^2)*(1 s)"], 0.5, "proved", "Theta(p^3)"),
        ("N", ["min(p^2, N)*(1 s)/p"], 0.6, "proved", "Theta(p^2)"),
        ("N", ["cbrt(p)*(1 s) + interpolate(p, 1, 5, 8, 7)*(1 s)"], 0.5, "proved", "Theta(p^(4/3))"),
        ("N", ["binomial_volume(p)*(1 s)"], 0.5, "proved", "Theta(p log^2 p)"),
        ("N", ["2^(ceil(log2(p)))*(1 s)"], 0.5, "proved", "Theta(p^2)"),
        ("N", ["exp(1.5*log(p))*log(p*log(p))*(1 s)"], 0.5, "proved", "Theta(p^(5/2) log p)"),
        # logarithms that cancel: with n = N/p, n = K log n has constant solutions, n = K log n log p grows
        ("N", ["log2(N/p)*(1 s)"], 0.5, "proved", "Theta(p)"),
        ("N", ["log2(N/p)*log2(p)*(1 s)"], 0.5, "proved", "Theta(p log p log log p)"),
        ("N", ["log2(N/p)^2*log2(p)*(1 s)"], 0.5, "proved", "Theta(p log p (log log p)^2)"),
        ("N", ["log2(p)/log2(N/p)*(1 s)"], 0.5, "proved", "Theta(p log p / log log p)"),
        ("N", ["p*sqrt(log2(N/p))*(1 s)"], 0.8, "proved", "Theta(p^2 log^(1/2) p)"),
        ("N", ["N/log2(N/p)/p*(1 s)"], 0.8, "proved", "Theta(p)"),
        ("N", ["max(log2(N/p), 1)*p*(1 s)"], 0.5, "proved", "Theta(p^2 log p)"),
        ("N*log2(N)", ["N*log2(N/p)/p*(1 s)", "log2(p)*(1 s)"], 0.8, "proved", "Theta(p log p)"),
        ("N*log2(N)", ["N*log2(p)/p*(1 s)", "25*(1 s)"], 0.5, "proved", "Theta(p log p)"),
        ("N*log2(N)", ["min(3*N^0.75*log2(N)^0.75, 9*exp(0.75*log(N*log2(N))))*p^0.5*(1 s)"], 0.6, "proved", "Theta(p^6)"),
        # the rows of a grid of processes: for p that are squares
        ("N^3", ["N^2*grid_rows(p)/p*(1 s)"], 0.5, "proved", "Theta(p^(3/2))"),
        ("N^3", ["N^2/grid_layers(p)^2*(1 s)"], 0.5, "proved", "Theta(p)"),
        # what is not proved
        ("N", ["if(mod(p, 2) == 0, p, p^2)*(1 s)"], 0.5, "undecided", None),
        ("N", ["log2(log2(p))*(1 s)"], 0.5, "undecided", None),
        ("N", ["2^sqrt(log2(p))*(1 s)"], 0.5, "undecided", None),
    ]
    for work, terms, E, verdict, order in table:
        name = desk.write("case.yaml", specification(work, {f"t{k}": text for k, text in enumerate(terms)}))
        result = desk.growth(name, UNIT, E)
        check(order_of(result) == (verdict, order), work, terms, E, "is", result["growth"], "not", verdict, order)


def works_of_several_terms(desk):
    """Where E moves the exponent, and the logarithm of the work is itself a series: K k log p = log W."""
    for work, E, exponent in (("N^2*log2(N) + N^2", 0.6, 1.5), ("66*N^2*log2(N) + 21*N^2 + 84*N*log2(N)", 0.8, 4)):
        own = desk.write("several.yaml", specification(work, {"words": "w*log2(p)/log2(w)/p*(1 s)"},
                                                       more="define: {w: W/(1 flop)}\n", size="min: 2"))
        growth = desk.growth(own, UNIT, E)["growth"]
        check(growth["verdict"] == "proved" and near(growth["W"]["p"], exponent, 1e-9) and growth["W"]["log_p"] == 0 and
              near(growth["N"]["log_p"], -0.5, 1e-9) and growth["falls_later"] is False, work, growth)
    # Products of series with many terms are shortened to what is larger than their rest.
    own = desk.write("product.yaml", specification(
        "12*N^2 + N", {"t": "log2(sqrt(p) + 2)*7.5*w*log2(w)^2/(1 + p^0.75/log(p)*w^0.25)*(1 s)", "s": "sqrt(p)*log2(p)*(1 s)"},
        more="define: {w: W/(1 flop)}\n", size="min: 2"))
    check(order_of(desk.growth(own, UNIT, 0.6)) == ("proved", "Theta(p^(3/2) log p)"), "a long product")


def places_where_terms_cancel(desk):
    """At N = p, or near it, these hold E with a smaller W than where they hold it for good: no order is proved."""
    for overhead in ("abs(p-N)", "max(p-N, N-p)", "(p-N)^2/p", "sqrt((p-N)^2)", "p*min(abs(p-N), 1)+1", "p^0.75*abs(sqrt(N/p)-1)"):
        own = desk.write("cancel.yaml", specification("N^1.5", {"t": f"({overhead})*(1 s)"}))
        check(order_of(desk.growth(own, UNIT, 0.8)) == ("undecided", None), overhead)
    # What only looks like them never vanishes there.
    for work, overhead, order in (("N^1.5", "p^2*max(p, N)", "Theta(p^9)"), ("N^1.5", "p^2*min(p, N)+ceil(N/p)", "Theta(p^4)"),
                                  ("N^3", "p^5*log(1+N/p)", "Theta(p^6 log p)"), ("N^3", "p^5*log(N/p+2)", "Theta(p^6 log p)"),
                                  ("N^1.5", "p*if(N > p, p, N)", "Theta(p^3)")):
        own = desk.write("cancel.yaml", specification(work, {"t": f"({overhead})*(1 s)"}))
        check(order_of(desk.growth(own, UNIT, 0.8)) == ("proved", order), overhead, order_of(desk.growth(own, UNIT, 0.8)))


def what_is_not_certain(desk):
    """What becomes of E at larger work, what rules, and what constants decide at the bounds: proved, or said to be not certain."""
    table = [
        # E = 0.1 is held everywhere: no bound of the logarithm beside N is known there.
        ("N", ["p*log2(1 + N/p^2)*(1 s)"], "", 0.1, "Theta(p)", ["Whether E falls below 0.1 again at larger work is not certain.",
         "A bound rules the order, and no overhead"]),
        ("N*log2(N)", ["3.7*w*log2(p)/(log2(N) + 5*log2(p))/p*(1 s)"], "", 0.3, "Theta(p)",
         ["Whether E falls below 0.3 again at larger work is not certain."]),
        ("N", ["N^1.5/p^4*(1 s)", "1 s"], "", 0.5, "Theta(p)",
         ["E falls below 0.5 again at larger work of the order Theta(p^6). Between the two orders p T = O(W)", "What rules is the overhead t1",
          "The same order is needed for the bound W = Omega(p)."]),
        # A constant asks for the order of the bound, however large it is.
        ("N", ["1000 s"], "", 0.5, "Theta(p)", ["What rules is the overhead t0", "E stays at least 0.5 and p T = O(W)"]),
        # At N = 10 p E is held, and at no larger order; at N = p E is held, and then from p^2 log p on.
        ("N", ["0.1*N^2/p^2*(1 s)"], "", 0.5, None, ["Where the work grows faster than the bounds, E = 0.5 is held on a finite range of p at most",
                                                     "Whether E = 0.5 is held where the work grows as the bounds is not certain."]),
        ("N", ["p*log2(N/p)*(1 s)"], "", 0.5, "Theta(p^2 log p)", ["Where the work grows faster than the bounds, the isoefficiency function is"]),
        # Processes can work from N = p to N = p^2.
        # p processes can work from N = p on, though no more ever can.
        ("N", ["log2(p)*(1 s)"], "concurrency: min(N, p)\n", 0.5, "Theta(p log p)", ["What rules is the overhead t0"]),
        ("N^3", ["1 s"], "concurrency: min(N^2, p)\n", 0.5, "Theta(p^(3/2))", ["A bound rules the order, and no overhead"]),
        ("N", ["log2(p)*(1 s)"], "concurrency: min(N, p^3/N)\n", 0.5, None, ["The order of growth is undecided: it falls below p again as N grows."]),
        # t0 decides alone, though t1 is what grows fastest with N.
        ("N", ["w*log2(p)/p*(1 s)", "N^2/p^3*(1 s)"], "", 0.5, None, ["What decides that is the overhead t0."]),
        # The law by K is that of E near this one.
        ("N*log2(N)", ["2*N*log2(p)/p*(1 s)"], "", 0.6, "Theta(p^3 log p)", ["near this E the function is Theta(p^(2 K) log p)"]),
        # The premise is said also where the grid stands in a part of a formula that only some N have.
        ("N^3", ["if(N > p^3, N^2/p, N^2*grid_rows(p)/p)*(1 s)"], "", 0.5, "Theta(p^(3/2))", ["All of this holds for p that are squares"]),
        ("N^3", ["N^2*divisor(p, sqrt(p))/p*(1 s)"], "", 0.5, "Theta(p^(3/2))", ["for p that x divides in each divisor(p, x)"]),
    ]
    for work, terms, more, E, order, sentences in table:
        own = desk.write("certain.yaml", specification(work, {f"t{k}": text for k, text in enumerate(terms)},
                                                       more=more + "define: {w: W/(1 flop)}\n", size="min: 2"))
        growth = desk.growth(own, UNIT, E)["growth"]
        check(growth["order"] == order, work, terms, "is", growth, "not", order)
        text = desk.run("explain", own, UNIT, "--growth", "--efficiency", repr(E), "--to", "64")
        for due in sentences:
            check(due in text, due, "is missing in", text)
    # Of systems in any order the part rules from the smallest p on from which it is the largest.
    own = desk.write("certain.yaml", specification("N", {"t0": "p^1.5/100*(1 s)", "t1": "p*(1 s)"}))
    check(desk.growth(own, UNIT, 0.5, "1000000,4")["rules_from_p"] == 1000000, "rules_from_p of systems that are not in order")


def local_exponents(desk):
    """The exact exponent against the slope of W' between neighbouring p."""
    formulas = ["log2(p)*(1 s) + N^0.5/p*(1 s)", "sum(i, 0, N-1, if(i > p, 2, 1))/p*(10 ms) + p*(1 s)",
                "p^0.25*log2(N)*(1 s) + 0.1*N/p*(1 s)"]
    for text in formulas:
        name = desk.write("local.yaml", specification("2*N*log2(N)", {"t": text}))
        rows = desk.growth(name, UNIT, 0.5, "1000000,1001000,999000")["rows"]
        slope = (math.log(rows[1]["W"]) - math.log(rows[2]["W"])) / math.log(1001000 / 999000)
        check(near(rows[0]["exponent"], slope, 1e-5), text, rows[0]["exponent"], slope)
    # Between its jumps T_o is 6 p at these p, and it is 7 p beyond p = 64: no slope of W over p has the jump, and the output says so.
    name = desk.write("local.yaml", specification("N", {"t": "ceil(log2(p))*(1 s)"}))
    exponents = [row["exponent"] for row in desk.growth(name, UNIT, 0.5, "60,64,65")["rows"]]
    check(all(near(g, 1, 1e-12) for g in exponents), "exponents between jumps", exponents)
    text = desk.run("explain", name, UNIT, "--growth", "--efficiency", "0.5", "--to", "64")
    check("Jumps of the formulas do not count in it, and at a kink it is that of one side." in text, "jumps", text)
    published = desk.growth("gaussian-elimination-published", "sunwulf", 0.3, "C2,C32")
    check(order_of(published) == ("proved", "Theta(p^3)"), published["growth"])
    check(published["ruler"] == "pivot-rounds", published["ruler"])


def limits(desk):
    """predict says what E tends to where that is proved, and nothing of it elsewhere."""
    table = [("N", "0.25*N/p*(1 s) + 1 s", 0.9, "as N grows without end E tends to 0.8 from below, which is proved"),
             ("N", "N^1.5/p*(1 s)", 0.9, "as N grows without end E tends to 0, which is proved"),
             ("N*log2(N)", "1e30*N/p*(1 s)", 0.99, "as N grows without end E tends to 1 from below, which is proved")]
    for work, text, E, due in table:
        name = desk.write("limit.yaml", specification(work, {"t": text}, size="min: 2, max: 1e40"))
        row = desk.json("predict", name, UNIT, "--efficiency", repr(E), "--to", "8")["rows"][0]
        check(row["status"] == "unreachable" and row["note"].endswith(due), name, text, row["note"])
        check(row["N_end"] == 1e40, "max: 1e40", row["N_end"])
    name = desk.write("limit.yaml", specification("N", {"t": "if(mod(N, 2) == 0, 0.25, 0.5)*N/p*(1 s)"}))
    note = desk.json("predict", name, UNIT, "--efficiency", "0.9", "--to", "8")["rows"][0]["note"]
    check("proved" not in note, "a limit that is not there", note)
    # E rises to 1 at N = 1000, beyond the range searched, before it falls: the limit is no word on the way there.
    name = desk.write("limit.yaml", specification("N", {"t": "abs(N - 1000)*0.25/p*(1 s)"}, size="min: 2, max: 100"))
    note = desk.json("predict", name, UNIT, "--efficiency", "0.9", "--to", "8")["rows"][0]["note"]
    check(note.endswith("as N grows without end E tends to 0.8 from above, which is proved"), "a limit from above", note)
    # The limit is that of all processes at work, which must last: nothing is known where the concurrency falls below p again.
    for limit, known in (("min(N, p^3/N)", False), ("20 - log2(N)", False), ("min(N, p)", True), ("N^0.25", True), ("9 - 1/N", True)):
        name = desk.write("limit.yaml", specification("N", {"t": "0.25*N/p*(1 s) + 1 s"}, more=f"concurrency: {limit}\n", size="min: 2, max: 60"))
        note = desk.json("predict", name, UNIT, "--efficiency", "0.9", "--to", "8" if limit != "N^0.25" else "2")["rows"][0]["note"]
        check(("proved" in note) is known, "concurrency", limit, note)
    # The search goes on where a sum has the same terms at every N.
    name = desk.write("far.yaml", specification("N", {"t": "abs(p^(1/2)*N^(3/4) - sum(i, 1, p, min(i, 100)))*(1 s)"}))
    row = desk.json("predict", name, UNIT, "--efficiency", "0.8", "--to", "1000000")["rows"][0]
    check(near(row["roots"][-1], 2.56e38, 1e-4), "a far root", row)
    row = desk.json("predict", "convolution-2d", "sunwulf", "--efficiency", "1.105", "--to", "C16'")["rows"][0]
    check(near(row["E"] if row["E"] else 1.105, 1.105, 1e-6) and row["N"] is not None and row["N"] > 1e18, "convolution-2d", row)


def words(desk):
    """The sentences that a student reads."""
    text = desk.run("explain", "adding-numbers-textbook", UNIT, "--growth", "--efficiency", "0.8", "--to", "4,8,16")
    for due in ("The isoefficiency function is Theta(p log p), which is proved.", "K = E/(1-E) = 4",
                "W = Omega(p)", "cost-optimal"):
        check(due in text, due, "is missing in", text)
    run = subprocess.run([desk.isocast, "explain", "adding-numbers-textbook", UNIT, "--growth", "--at", "n=10", "--to", "4"],
                         capture_output=True, text=True)
    check(run.returncode == 2 and "--growth takes a speed-efficiency that is held" in run.stderr, run)


def main():
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(sys.argv[1], folder)
        for part in (textbook, transforms, cases, works_of_several_terms, places_where_terms_cancel, what_is_not_certain, local_exponents, limits, words):
            part(desk)
    print(f"{len(failures)} problems")
    sys.exit(1 if failures else 0)


main()
