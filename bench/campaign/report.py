"""What came out of a campaign: the table of errors, the criteria one by one, what was left out; as text, CSV and JSON."""

import csv
import dataclasses
import io
import json

from campaign.row import ILL_CONDITIONED, Row, is_scored
from campaign.run import write_whole

QUANTITIES = (("T", "T"), ("E", "E"), ("N", "N'"), ("psi", "psi'"))


@dataclasses.dataclass
class Summary:
    """Of absolute relative errors."""
    n: int
    mean: float = None
    most: float = None


def summary(rows):
    """Of those that are scored."""
    errors = [abs(row.error) for row in rows if row.error is not None and is_scored(row)]
    return Summary(len(errors), sum(errors) / len(errors), max(errors)) if errors else Summary(0)


def of(rows, **wanted):
    return [row for row in rows if all(getattr(row, key) == value for key, value in wanted.items())]


def percent(value):
    return "-" if value is None else "%.1f" % (100 * value)


def groups(rows):
    """(case, kernel, calibrated) in the order of the rows."""
    return list(dict.fromkeys((row.case, row.kernel, row.calibrated) for row in rows))


def table_lines(rows):
    """The cells of the table, header first."""
    lines = [["platform", "kernel", "calibrated on", "predicted"] +
             [text for _, name in QUANTITIES for text in (name + " mean", "max", "n")]]
    for case, kernel, calibrated in groups(rows):
        part = of(rows, case=case, kernel=kernel, calibrated=calibrated)
        systems = list(dict.fromkeys(row.system for row in part))
        line = [case, kernel, calibrated.replace("+", ",") if ":" not in calibrated else "mixes", shown(systems)]
        for quantity, _ in QUANTITIES:
            each = summary(of(part, quantity=quantity))
            line += [percent(each.mean), percent(each.most), str(each.n)]
        lines.append(line)
    return lines


def shown(systems):
    """Mixes are too long for a table: they are reported by their number of processes."""
    return ",".join(str(processes_of(name)) + " processes" if ":" in name else name for name in systems)


def processes_of(mix):
    return sum(int(part.rsplit(":", 1)[1]) for part in mix.split("+"))


def aligned(lines, words=4):
    """Columns side by side; the first ones are words, the others numbers."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) if k < words else cell.rjust(width)
                               for k, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)


def markdown(lines, words=4):
    rule = ["---" if k < words else "---:" for k in range(len(lines[0]))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [lines[0], rule] + lines[1:])


def asked(case, rows):
    """Those at the efficiencies that the case names; where none could be simulated, those that stand in for them."""
    named = [row for row in rows if row.efficiency in case.efficiencies and row.error is not None and is_scored(row)]
    return named or rows


def criteria_lines(cases, rows):
    """Each limit of each case with what came out: met, missed or open (nothing measured). Header first."""
    lines = [["platform", "kernels", "criterion", "verdict", "mean", "max", "n"]]
    for case in cases:
        for limit in case.limits:
            kernels = [kernel for kernel in case.kernels if kernel in limit.kernels]
            if not kernels:
                continue
            part = [row for kernel in kernels for row in asked(case, of(
                rows, case=case.name, quantity=limit.quantity, calibrated="+".join(case.calibrate), kernel=kernel))]
            found = summary(part)
            said = "%s mean <= %g %%" % (dict(QUANTITIES)[limit.quantity], 100 * limit.mean)
            said += ", max <= %g %%" % (100 * limit.most) if limit.most is not None else ""
            lines.append([case.name, ",".join(kernels), said, verdict(limit, found), percent(found.mean),
                          percent(found.most), str(found.n)])
    return lines


def verdict(limit, found):
    if found.n == 0:
        return "open"
    met = found.mean <= limit.mean and (limit.most is None or found.most <= limit.most)
    return "met" if met else "missed"


def size_lines(rows):
    """Every N', predicted and measured. Header first."""
    lines = [["platform", "kernel", "calibrated on", "system", "E", "N' predicted", "N' measured", "error %",
              "condition", "note"]]
    for row in of(rows, quantity="N", status="ok"):
        calibrated = row.calibrated.replace("+", ",") if ":" not in row.calibrated else "mixes"
        lines.append([row.case, row.kernel, calibrated, shown([row.system]), "%g" % row.efficiency,
                      "%.6g" % row.predicted, "%.0f" % row.measured, "%+.1f" % (100 * row.error),
                      "-" if row.condition is None else "%.2g" % row.condition, row.note])
    return lines


def skipped_lines(rows):
    lines = []
    for row in of(rows, status="skipped"):
        at = " at E = %g" % row.efficiency if row.efficiency is not None else ""
        lines.append("%s, %s on %s: no %s%s: %s" % (row.case, row.kernel, row.system, dict(QUANTITIES)[row.quantity], at,
                                                    row.note))
    return lines


def term_lines(terms):
    """The terms that are most off. Header first."""
    lines = [["platform", "kernel", "calibrated on", "term most off", "phase", "off, % of T", "with its sign"]]
    for term in terms:
        calibrated = term["calibrated"].replace("+", ",") if ":" not in term["calibrated"] else "mixes"
        lines.append([term["case"], term["kernel"], calibrated, term["part"], term["phase"] or "rest of T",
                      percent(term["mean_off"]), "%+.1f" % (100 * term["bias_off"])])
    return lines


def sections(cases, rows, terms):
    """(heading, table, number of columns with words), or (heading, lines, None)."""
    scored = "Errors, %%; n: how many are compared, of N' and psi' where the condition is below %d" % ILL_CONDITIONED
    found = [(scored, table_lines(rows), 4),
             ("Criteria, %", criteria_lines(cases, rows), 4),
             ("N' predicted, and found by search in simulation", size_lines(rows), 4),
             ("Terms that are most off over the grid of N, mean difference as part of T", term_lines(terms), 5)]
    skipped = skipped_lines(rows)
    return found + ([("Left out", skipped, None)] if skipped else [])


def text(cases, rows, terms):
    parts = ["All runs are simulated (SimGrid); errors are relative, predicted over measured, less 1"]
    for heading, lines, words in sections(cases, rows, terms):
        parts += ["", heading, "", aligned(lines, words) if words else "\n".join(lines)]
    return "\n".join(parts) + "\n"


def write_files(rows, cases, terms, path):
    """campaign.csv and campaign.json with all rows, campaign.txt with the tables."""
    names = [field.name for field in dataclasses.fields(Row)]
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: "" if value is None else value for name, value in dataclasses.asdict(row).items()})
    write_whole(path("campaign.csv"), out.getvalue())
    verdicts = criteria_lines(cases, rows)
    write_whole(path("campaign.json"), json.dumps(
        {"schema": "isocast.campaign/1", "simulated": True, "rows": [dataclasses.asdict(row) for row in rows],
         "criteria": [dict(zip(verdicts[0], line)) for line in verdicts[1:]], "terms": terms}, indent=1) + "\n")
    write_whole(path("campaign.txt"), text(cases, rows, terms))
