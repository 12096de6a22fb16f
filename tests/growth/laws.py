"""Random laws of work, overheads and concurrency, and their independent solution at very large p.

A formula is a pair: its text for isocast, and a function of (N, p, W) in decimals of 60 digits, whose exponents have no
practical limit. Nothing of isocast is used.
"""
import decimal
import random
from decimal import Decimal as D

decimal.getcontext().prec = 60
decimal.getcontext().Emax = decimal.MAX_EMAX
decimal.getcontext().Emin = decimal.MIN_EMIN
for trap in (decimal.Overflow, decimal.Underflow, decimal.InvalidOperation, decimal.DivisionByZero):
    decimal.getcontext().traps[trap] = False

LN2 = D(2).ln()
FARTHEST = 20000  # N is looked for up to this power of p
TIE = D("1e-30")  # a share of the work: what differs by less is equal but for rounding


def log2(x):
    return x.ln() / LN2


def power(x, exponent):
    """x^exponent; quarters of whole numbers by roots, which are many times faster."""
    quarters = 4 * D(exponent)
    if quarters % 1 != 0:
        return x ** D(exponent)
    whole, rest = divmod(int(quarters), 4)
    root = x.sqrt() if rest else D(1)
    return x ** whole * (D(1), root.sqrt(), root, root * root.sqrt())[rest]


def log2_beside_1(x):
    """log2(1 + x), also where x is lost beside 1."""
    return (x - x * x / 2) / LN2 if x < D("1e-25") else log2(1 + x)


class Formula:
    def __init__(self, text, value, places=()):
        self.text, self.value, self.places = text, value, list(places)  # places: (c, a) where N = c p^a may be special


WORKS = [
    Formula("N", lambda N, p: N), Formula("3*N", lambda N, p: 3 * N), Formula("N^2", lambda N, p: N * N),
    Formula("2/3*N^3 - 1/2*N^2 + 5", lambda N, p: N ** 3 * 2 / 3 - N * N / 2 + 5),
    Formula("N*log2(N)", lambda N, p: N * log2(N)), Formula("N^2*log2(N) + N^2", lambda N, p: N * N * (log2(N) + 1)),
    Formula("N^1.5", lambda N, p: power(N, "1.5")), Formula("12*N^2 + N*log2(N)", lambda N, p: 12 * N * N + N * log2(N)),
]
CONCURRENCIES = [
    Formula("N", lambda N, p: N), Formula("N^2", lambda N, p: N * N), Formula("sqrt(N)", lambda N, p: N.sqrt()),
    Formula("N*log2(N)/10", lambda N, p: N * log2(N) / 10), Formula("min(N, p)", lambda N, p: min(N, p)),
    Formula("N/log2(N)", lambda N, p: N / log2(N)), Formula("5*N^0.75", lambda N, p: 5 * power(N, "0.75")),
    Formula("min(N, p^3/N)", lambda N, p: min(N, p ** 3 / N)), Formula("p/2 + log2(N)", lambda N, p: p / 2 + log2(N)),
]


def number(rng):
    """A factor: simple, so that terms may be in balance, or not."""
    return rng.choice(["1", "1", "2", "0.5", "3", "0.1", "1000", f"{10 ** rng.uniform(-3, 3):.3g}"])


def product(rng, k=None, small=False):
    """k p^a log^b p N^c log^d N, with (a, c) near what matters."""
    k = k or number(rng)
    a = rng.choice([0, 0, "0.5", 1, 1, "1.5", 2] if not small else ["-0.5", 0, "0.5", 1])
    c = rng.choice([0, 0, 0, "0.25", "0.5", "0.75", 1] if not small else [0, "0.5", 1, "1.25", "1.5", 2])
    if small and D(c) > 1:
        a = rng.choice([-4, -3, -2, -1, "-0.5", 0])
    b, d = rng.choice([0, 0, 1, 2]), rng.choice([0, 0, 0, 1, -1])
    factors = [k] + [f"{name}^({e})" for name, e in (("p", a), ("log2(p)", b), ("N", c), ("log2(N)", d)) if e != 0]

    def value(N, p, W):
        x = D(k) * power(p, a) * power(N, c)
        x = x * log2(p) ** b if b else x
        return x * log2(N) ** d if d else x
    return Formula("*".join(factors), value)


def log_of_sum(rng):
    k, a, c = number(rng), rng.choice([0, "0.5", 1, "1.5", 2, 2]), rng.choice([1, 1, 2, "1.5", "0.5"])
    kind = rng.randrange(6)
    scale = lambda p: power(p, c)
    if kind == 0:
        return Formula(f"{k}*p^({a})*log2(1 + N/p^({c}))", lambda N, p, W: D(k) * power(p, a) * log2_beside_1(N / scale(p)), [(1, c)])
    if kind == 1:
        return Formula(f"{k}*p^({a})*log2(2 + N/p^({c}))", lambda N, p, W: D(k) * power(p, a) * log2(2 + N / scale(p)), [(1, c)])
    if kind == 2:
        return Formula(f"{k}*p^({a})*log2(N + p^({c}))", lambda N, p, W: D(k) * power(p, a) * log2(N + scale(p)), [(1, c)])
    if kind == 3:
        return Formula(f"{k}*p*max(log2(N/p), 1)", lambda N, p, W: D(k) * p * max(log2(N / p), D(1)), [(1, 1), (2, 1)])
    if kind == 4:
        return Formula(f"{k}*p^({a})*log2(N/p)", lambda N, p, W: D(k) * power(p, a) * log2(N / p), [(1, 1)])
    return Formula(f"{k}*p^({a})*log2(1 + p^({c})/N)", lambda N, p, W: D(k) * power(p, a) * log2_beside_1(scale(p) / N), [(1, c)])


def share_of_logs(rng):
    k, c, e = number(rng), rng.choice(["1", "5", "0.5"]), rng.choice([1, 1, 2])
    kind = rng.randrange(5)
    if kind == 0:
        return Formula(f"{k}*w*log2(p)/log2(N)", lambda N, p, W: D(k) * W * p.ln() / N.ln())
    if kind == 1:
        return Formula(f"{k}*w*log2(p)/(log2(N) + {c}*log2(p))", lambda N, p, W: D(k) * W * p.ln() / (N.ln() + D(c) * p.ln()))
    if kind == 2:
        return Formula(f"{k}*w*log2(N)/(log2(N) + {c}*log2(p))", lambda N, p, W: D(k) * W * N.ln() / (N.ln() + D(c) * p.ln()))
    if kind == 3:
        return Formula(f"{k}*w*log2(p)^{e}/log2(w)^{e}", lambda N, p, W: D(k) * W * (p.ln() / W.ln()) ** e)
    return Formula(f"{k}*w*log2(N)/log2(p)", lambda N, p, W: D(k) * W * N.ln() / p.ln())


def share_of_work(rng):
    k, a = number(rng), rng.choice(["0.5", 1, "0.25"])
    kind = rng.randrange(6)
    if kind == 0:
        return Formula(f"{k}*w", lambda N, p, W: D(k) * W)
    if kind == 1:
        return Formula(f"{k}*w/p^({a})", lambda N, p, W: D(k) * W / power(p, a))
    if kind == 2:
        return Formula(f"{k}*w/log2(p)", lambda N, p, W: D(k) * W / log2(p))
    if kind == 3:
        return Formula(f"{k}*w*log2(p)", lambda N, p, W: D(k) * W * log2(p))
    if kind == 4:
        return Formula(f"{k}*w/log2(N)", lambda N, p, W: D(k) * W / log2(N))
    return Formula(f"{k}*w*(1 + log2(p)/log2(N))/10", lambda N, p, W: D(k) * W * (1 + p.ln() / N.ln()) / 10)


def exponential(rng):
    k = number(rng)
    kind = rng.randrange(5)
    if kind == 0:
        return Formula(f"{k}*exp(0.5*log(N))*p", lambda N, p, W: D(k) * N.sqrt() * p)
    if kind == 1:
        return Formula(f"{k}*2^(1.5*log2(p))", lambda N, p, W: D(k) * power(p, "1.5"))
    if kind == 2:
        return Formula(f"{k}*w*exp(-N/p^2)", lambda N, p, W: D(k) * W * (-N / p ** 2).exp(), [(1, 2)])
    if kind == 3:
        return Formula(f"{k}*p^2*exp(-1/log2(p))", lambda N, p, W: D(k) * p ** 2 * (-1 / log2(p)).exp())
    return Formula(f"{k}*p*exp(p/N)", lambda N, p, W: D(k) * p * (p / N).exp(), [(1, 1)])


def combined(rng):
    """Two terms by min, max, a switch, a quotient, a difference."""
    A, B = product(rng, small=rng.random() < 0.5), product(rng, small=rng.random() < 0.5)
    kind = rng.randrange(8)
    c = rng.choice([1, "1.5", 2, 3])
    places = A.places + B.places + [(1, c)]
    if kind <= 1:
        return Formula(f"min({A.text}, {B.text})", lambda N, p, W: min(A.value(N, p, W), B.value(N, p, W)), places)
    if kind == 2:
        return Formula(f"max({A.text}, {B.text})", lambda N, p, W: max(A.value(N, p, W), B.value(N, p, W)), places)
    if kind == 3:
        return Formula(f"if(N > p^({c}), {A.text}, {B.text})",
                       lambda N, p, W: A.value(N, p, W) if N > power(p, c) else B.value(N, p, W), places)
    if kind == 4:
        k = number(rng)
        return Formula(f"{k}*p^2*abs(N/p^({c}) - 1)", lambda N, p, W: D(k) * p * p * abs(N / power(p, c) - 1), places)
    if kind == 5:
        return Formula(f"({A.text})/(1 + N/p^({c}))", lambda N, p, W: A.value(N, p, W) / (1 + N / power(p, c)), places)
    if kind == 6:
        return Formula(f"{A.text}*(1 + p^({c})/(N + p))", lambda N, p, W: A.value(N, p, W) * (1 + power(p, c) / (N + p)), places)
    return Formula(f"p*ceil({A.text})", lambda N, p, W: p * A.value(N, p, W).to_integral_value(decimal.ROUND_CEILING)
                   if A.value(N, p, W) < D(10) ** 40 else p * A.value(N, p, W), places)


def constant(rng):
    k = number(rng)
    return Formula(f"{k}*p", lambda N, p, W: D(k) * p)


def at_the_bound(rng):
    """In proportion to p where N is: constants decide there."""
    k, c = number(rng), rng.choice([2, "1.5", 3])
    return Formula(f"{k}*N^({c})/p^({D(c) - 1})", lambda N, p, W: D(k) * power(N, c) / power(p, D(c) - 1))


def crossing_shares(rng):
    """Shares of the work that change where N is a power of p."""
    k, c, kind = number(rng), rng.choice([1, "1.5", 2, 3]), rng.randrange(5)
    if kind == 0:
        return Formula(f"{k}*w*N/(N + p^({c}))", lambda N, p, W: D(k) * W * N / (N + power(p, c)), [(1, c)])
    if kind == 1:
        return Formula(f"{k}*w*p^({c})/(N + p^({c}))", lambda N, p, W: D(k) * W * power(p, c) / (N + power(p, c)), [(1, c)])
    if kind == 2:
        return Formula(f"{k}*w*log2(p)/log2(2 + N/p)", lambda N, p, W: D(k) * W * p.ln() / (2 + N / p).ln(), [(1, 1)])
    if kind == 3:
        return Formula(f"if(N > p^({c}) and N < 4*p^({c}), {k}*w*p, 0)",
                       lambda N, p, W: D(k) * W * p if power(p, c) < N < 4 * power(p, c) else D(0), [(1, c), (2, c)])
    return Formula(f"{k}*p^2/abs(N/p^({c}) - 1)", lambda N, p, W: D(k) * p * p / abs(N / power(p, c) - 1) if N != power(p, c) else D(1),
                   [(1, c)])


KINDS = [product, product, log_of_sum, share_of_logs, share_of_work, exponential, combined, combined, constant, at_the_bound,
         crossing_shares]


class Law:
    def __init__(self, rng):
        self.E = rng.choice([0.1, 0.3, 0.45, 0.55, 0.6, 0.8, 0.9, round(rng.uniform(0.05, 0.97), 3)])
        self.work = rng.choice(WORKS)
        self.concurrency = rng.choice(CONCURRENCIES) if rng.random() < 0.25 else None
        self.terms = [rng.choice(KINDS)(rng) for _ in range(rng.choice([1, 1, 2, 2, 3]))]

    def specification(self):
        limit = f"concurrency: {self.concurrency.text}\n" if self.concurrency else ""
        terms = "".join(f"  t{k}: ({term.text})/p*(1 s)\n" for k, term in enumerate(self.terms))
        return ("algorithm: law\nsource: drawn at random\nsize: {N: {description: size, min: 4, max: 1e300}}\n"
                f"work: {self.work.text}\n{limit}define: {{w: W/(1 flop)}}\noverhead:\n{terms}")

    def __str__(self):
        limit = f", concurrency {self.concurrency.text}" if self.concurrency else ""
        return f"E = {self.E}, W = {self.work.text}{limit}: {' ;  '.join(t.text for t in self.terms)}"


def laws(seed, count):
    rng = random.Random(seed)
    return [Law(rng) for _ in range(count)]


class Point:
    """A law at one p: where W, and the processes that can work, are enough, and where E is held."""

    def __init__(self, law, p, E=None, which=None):
        self.law, self.p, self.firsts = law, p, {}
        self.K = D(repr(E or law.E)) / (1 - D(repr(E or law.E)))
        self.terms = law.terms if which is None else [law.terms[k] for k in which]
        places = [place for term in self.terms for place in term.places]
        bounds = [self.first(lambda N: law.work.value(N, p) - p)]
        if law.concurrency and which is None:
            bounds.append(self.first(lambda N: law.concurrency.value(N, p) - p))
        self.bound = None if None in bounds else max(bounds)
        self.spots = sorted(c * power(p, a) * factor for c, a in places
                            for factor in map(D, ("0.5", "0.999", "0.999999", "1", "1.000001", "1.001", "2")))

    def first(self, f):
        """The smallest N from which on f is not below 0, where it is monotone; None where there is none."""
        low, high = D(1) / 100, self.p ** FARTHEST
        if f(high) < 0:
            return None
        u, v = low.ln(), high.ln()
        for _ in range(150):
            middle = (u + v) / 2
            u, v = (middle, v) if f(middle.exp()) < 0 else (u, middle)
        return v.exp()

    def work(self, N):
        return self.law.work.value(N, self.p)

    def overhead(self, N):
        W = self.work(N)
        return sum((term.value(N, self.p, W) for term in self.terms), D(0))

    def held(self, N):
        """Whether E is at least the wanted one at N; None where it is the wanted one but for rounding."""
        need, have = self.overhead(N), self.work(N) / self.K
        return None if abs(have - need) <= abs(have) * TIE else have > need

    def efficiency(self, N):
        W = self.work(N)
        return W / (W + self.overhead(N))

    def grid(self, begin, end):
        """Sizes from begin to end: constants times begin, powers of p, and special places."""
        Ns = [begin * D(f) for f in ("1", "1.000001", "1.001", "1.1", "1.5", "2", "3", "5", "10", "30", "100", "1e3", "1e4", "1e6", "1e9")]
        log_p = self.p.ln()
        u = begin.ln() / log_p
        top = end.ln() / log_p
        while u < top:
            u += D("0.03") * max(D("0.7"), abs(u))
            Ns.append((u * log_p).exp())
        for power_of_log in ("0.5", 1, 2, 3):
            Ns.append(begin * power(log_p, power_of_log))
        Ns += self.spots
        return sorted(N for N in set(Ns) if begin <= N <= end)

    def first_where(self, held, begin):
        """The smallest N from begin on where E is held, or is not, found by bisection; None where there is none. Between sizes of
        the grid it is looked for where the overhead over the work has an extremum."""
        past = []  # the last two sizes, as (excess, N)
        for N in self.grid(begin, self.p ** FARTHEST) + [None]:
            here = None if N is None else self.excess(N, held)
            if len(past) == 2 and (here is None or here < past[1][0]) and past[0][0] < past[1][0]:
                peak = self.near_peak(held, past[0][1], N or past[1][1])
                if peak is not None:
                    return self.edge(held, past[0][1], peak)
            if N is None:
                return None
            if self.wanted(here, held):
                return self.edge(held, past[-1][1], N) if past else N
            past = past[-1:] + [(here, N)]
        return None

    def excess(self, N, held):
        """The larger, the nearer E is to being held (or to being lost, by held); wanted() where it is. A quotient: a difference
        from 1 would lose the digits of what is small."""
        ratio = self.overhead(N) * self.K / self.work(N)
        return -ratio if held else ratio

    @staticmethod
    def wanted(excess, held):
        return excess > (TIE - 1 if held else TIE + 1)

    def near_peak(self, held, low, high):
        """Some N between both where held is as wanted, on the way to the one peak there; None where there is none."""
        share = (D(5).sqrt() - 1) / 2
        u, v = low.ln(), high.ln()
        a, b = v - share * (v - u), u + share * (v - u)
        at_a, at_b = (self.excess(x.exp(), held) for x in (a, b))
        while v - u > D("0.001") and not self.wanted(max(at_a, at_b), held):
            if at_a > at_b:
                v, b, at_b = b, a, at_a
                a = v - share * (v - u)
                at_a = self.excess(a.exp(), held)
            else:
                u, a, at_a = a, b, at_b
                b = u + share * (v - u)
                at_b = self.excess(b.exp(), held)
        found = [x.exp() for x, at in ((a, at_a), (b, at_b)) if self.wanted(at, held)]
        return found[0] if found else None

    def edge(self, held, low, high):
        """Where what is held becomes the wanted, between a size where it is not and one where it is."""
        for _ in range(90):
            middle = (low * high).sqrt()
            low, high = (low, middle) if self.wanted(self.excess(middle, held), held) else (middle, high)
        return high
