"""Overhead functions with a known isoefficiency function, made at random from a seed, and functions outside of the class.

Each is a sum of terms k p^a log^b p W^c log^d W (the total overhead, in s, on a machine of 1 flop/s a process), written in
one of many ways. What is known of it follows from the terms by the rules of the book alone; nothing of isocast is used.
"""
import fractions
import math
import random

F = fractions.Fraction
KINDS = ("below", "below-log", "one-cap", "one-free", "one-unscalable", "above", "depends", "mixed", "bounds")


class Term:
    def __init__(self, k, a=0, b=0, c=0, d=0):
        self.k, self.a, self.b, self.c, self.d = float(k), F(a), F(b), F(c), F(d)


def power(name, exponent):
    return "1" if exponent == 0 else name if exponent == 1 else f"{name}^({exponent})"


def text_of(term, rng):
    """The term as a formula in p and w (the work), in one of several ways that are equal, or of the same order."""
    factors = [power("p", term.a), power("log2(p)", term.b), power("w", term.c), power("log2(w)", term.d)]
    if term.a == F(1, 2) and rng.random() < 0.5:
        factors[0] = "sqrt(p)"
    if term.a > 0 and term.a.denominator == 1 and rng.random() < 0.2:
        factors[0] = f"2^({term.a}*log2(p))"
    if term.c == F(3, 4) and rng.random() < 0.5:
        factors[2] = "exp(0.75*log(w))"
    # Logarithms that cancel: equal, whatever p and w are.
    if term.b == 1 and rng.random() < 0.2:
        factors[1] = rng.choice(["(log2(p*w) - log2(w))", "(log2(w) - log2(w/p))"])
    if term.d == 1 and rng.random() < 0.3:
        factors[3] = rng.choice(["(log2(w/p) + log2(p))", "(log2(w*p^2) - 2*log2(p))", "log2(w/p*p)"])
    text = "*".join([f"{term.k!r}"] + [factor for factor in factors if factor != "1"])
    # What follows keeps the order, and must not be done where a constant decides.
    exact = term.c == 1 and (term.a == 0 and term.b + term.d == 0)
    if exact or term.c >= 1:
        return text
    grows = term.a > 0 and term.a >= 1
    choice = rng.randrange(12)
    if choice == 0 and grows:
        return f"ceil({text})"
    if choice == 1 and grows:
        return f"floor({text} + 3)"
    if choice == 2:
        return f"max({text}, {text}/p, 0)"
    if choice == 3:
        return f"min({text}, 3*{text})"
    if choice == 4:
        return f"if(p > 17, {text}, 5)"
    if choice == 5 and (term.a, term.c, term.d) == (2, 0, 0):
        return text.replace(power("p", term.a), "2*sum(i, 0, p-1, i)")
    if choice == 6 and term.b == 1 and term.a >= 0:
        return text.replace("log2(p)", "ceil(log2(p))")
    if choice == 7:
        return f"interpolate(p, 2, 0, 64, 1)*({text})"
    if choice == 8:
        return f"abs(-({text}))"
    if choice == 9 and term.a > 0:
        return f"min({text}, {text}*sqrt(p), 2*{text})"
    if choice == 10:
        return f"if(w > 0 and not (p < 3), max({text}, 0.5*{text}), 7)"
    if choice == 11 and term.a >= 1:
        return f"sum(i, 1, p, {text}/p)"
    return text


def below(rng, with_logs):
    c = rng.choice([F(0), F(0), F(1, 4), F(1, 3), F(1, 2), F(2, 3), F(3, 4)])
    a = rng.choice([F(1, 2), F(3, 4), F(1), F(1), F(3, 2), F(2), F(5, 4)])
    b = rng.choice([0, 1, 2]) if with_logs else 0
    d = rng.choice([0, 0, 1]) if with_logs else 0
    return Term(rng.choice([0.5, 1, 2, 3, 10]), a, b, c, d)


def make(rng, kind):
    """Terms of a kind, and E."""
    E = rng.choice([0.3, 0.5, 0.6, 0.8, 0.9])
    K = E / (1 - E)
    if kind == "below":
        return [below(rng, False) for _ in range(rng.randint(1, 4))], E
    if kind == "below-log":
        return [below(rng, True) for _ in range(rng.randint(1, 4))], E
    if kind == "one-cap":
        over = rng.random() < 0.5
        return [Term(1 / K * (rng.uniform(1.1, 5) if over else rng.uniform(0.1, 0.9)), c=1), below(rng, True)], E
    if kind == "one-free":
        vanishing = rng.choice([Term(2, -F(1, 2), 1, 1, 0), Term(3, 0, 1, 1, -2), Term(1, 0, -1, 1, 0), Term(1, 0, 0, 1, -1)])
        return [vanishing, below(rng, True)], E
    if kind == "one-unscalable":
        growing = rng.choice([Term(0.01, F(1, 2), 0, 1, 0), Term(0.1, 0, 1, 1, 0), Term(0.1, 0, 2, 1, -1), Term(0.01, 1, 0, 1, -2)])
        return [growing, below(rng, True)], E
    if kind == "above":
        rising = rng.choice([Term(0.001, 0, 0, F(3, 2)), Term(0.01, F(1, 2), 0, F(5, 4)), Term(0.01, 0, 1, F(4, 3), 1)])
        return [rising, below(rng, True)], E
    if kind == "depends":
        b = rng.choice([1, 1, 2])
        factor = rng.uniform(0.3, 4) / K ** rng.choice([0, 1])
        terms = [Term(factor, 0, b, 1, -b)]
        if rng.random() < 0.6:
            terms.append(Term(2, rng.choice([F(1), F(3, 2), F(2)]), 1))
        return terms, E
    if kind == "mixed":
        return [below(rng, True), Term(0.5, -F(1, 4), 0, 1), below(rng, False), Term(2, 1, 1)], E
    return [Term(3, rng.choice([F(0), F(1, 2), F(3, 4)]), rng.choice([0, 1]), 0, 0)], E


def order_of_term(t):
    """(exponent of p, of log p) of W' of a term with c < 1."""
    return float(t.a / (1 - t.c)), float((t.b + t.d) / (1 - t.c))


def known(terms, E):
    """(verdict, exponent of p, exponent of log p) of W'."""
    K = E / (1 - E)
    if any(t.c > 1 for t in terms):
        return "finite-range", None, None
    ones = [t for t in terms if t.c == 1]
    if any(t.a > 0 or (t.a == 0 and t.b + t.d > 0) for t in ones):
        return "unscalable", None, None
    share = sum(t.k for t in ones if (t.a, t.b, t.d) == (0, 0, 0))
    if K * share > 1:
        return "unreachable", None, None
    orders = [(1.0, 0.0)]  # each process has work
    for t in terms:
        if t.c < 1:
            orders.append(order_of_term(t))
        elif t.a == 0 and t.b > 0 and t.b + t.d == 0:
            # W/K = k W (log p/log W)^b
            orders.append(((K * t.k) ** (1 / float(t.b)), 0.0))
    best = max(orders)
    return "proved", best[0], best[1]


def is_clear(terms, E):
    """Whether no two orders are so near that the largest is a matter of digits, as by chance only."""
    verdict, x, y = known(terms, E)
    if verdict != "proved":
        return True
    K = E / (1 - E)
    for t in terms:
        if t.c == 1 and t.a == 0 and t.b > 0 and t.b + t.d == 0:
            own = (K * t.k) ** (1 / float(t.b))
            others = [1.0] + [float(u.a / (1 - u.c)) for u in terms if u.c < 1]
            if any(abs(own - other) < 0.05 for other in others):
                return False
    return True


WORKS = ["N", "N", "3*N", "2*N^3", "N*log2(N)", "2/3*N^3 - 1/2*N^2 + 5",
         "66*N^2*log2(N) + 21*N^2 + 84*N*log2(N)", "N^2*log2(N) + N^2"]


def functions(seed, count):
    rng = random.Random(seed)
    made = []
    while len(made) < count:
        kind = KINDS[len(made) % len(KINDS)]
        terms, E = make(rng, kind)
        if is_clear(terms, E):
            texts = [text_of(t, rng) for t in terms]
            made.append({"kind": kind, "terms": terms, "E": E, "texts": texts, "work": rng.choice(WORKS),
                         "known": known(terms, E)})
    return made


# Factors that no term of the class has: the order of what they stand in is not of the class either.
STRANGE = ["log2(log2(p))", "2^p", "2^sqrt(log2(p))", "p^log2(p)", "exp(p/100)", "log(log(log(p + 100)))", "log2(w)^log2(p)",
           "2^(log2(p)^2)", "w^(1/log2(log2(p)))", "log2(log2(w))", "sqrt(log2(log2(p)))", "p^sqrt(log2(p))",
           "exp(sqrt(log(w)))", "2^(w/p)"]


def strange(seed, count):
    rng = random.Random(seed)
    made = []
    for k in range(count):
        term = below(rng, True)
        term.c = min(term.c, F(1, 2))
        text = f"{text_of(term, rng)}*{STRANGE[k % len(STRANGE)]}"
        texts = [text] + ([text_of(below(rng, False), rng)] if rng.random() < 0.3 else [])
        made.append({"kind": "strange", "E": rng.choice([0.3, 0.5, 0.8]), "texts": texts, "work": rng.choice(WORKS[:4])})
    return made


def log_work(terms, E, log_p):
    """ln W of the smallest W >= p that holds E, by bisection in ln W; None where there is none up to far."""
    log_K = math.log(E / (1 - E))

    def excess(log_W):
        logs = [math.log(t.k) + float(t.a) * log_p + float(t.b) * math.log(log_p / math.log(2)) + float(t.c) * log_W
                + (float(t.d) * math.log(log_W / math.log(2)) if t.d else 0) for t in terms]
        most = max(logs)
        return log_K + most + math.log(sum(math.exp(x - most) for x in logs)) - log_W

    low, high = log_p, None
    step = log_p
    while step < 1e3 * log_p:
        if excess(step) <= 0:
            high = step
            break
        low, step = step, step * 1.05 + 0.1
    if high is None:
        return None
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high
