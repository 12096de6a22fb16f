"""What came out of one kernel of a case: errors, the term that is most off, and a picture."""

import glob
import os

from campaign import platforms
from campaign.row import row_of
from campaign.run import slug, write_whole


def rows_of(campaign, part):
    return part.skipped + size_rows(part) + scalability_rows(part) + time_rows(campaign, part)


def size_rows(part):
    rows = []
    for (efficiency, system), search in part.searches.items():
        if system == part.base:
            continue
        if search.failure or search.found["N"] is None:
            note = search.failure or search.found["note"] or search.found["status"]
            rows.append(row_of(part, system, "N", efficiency=efficiency, status="skipped", note=note))
            continue
        row = part.predictions[efficiency][system]
        predicted = row["N"]
        rows.append(row_of(part, system, "N", efficiency=efficiency, N=search.found["N"], predicted=predicted,
                           measured=search.found["N"], error=predicted / search.found["N"] - 1,
                           condition=row["condition"],
                           note="no whole N is nearer" if search.found["note"] else ""))
    return rows


def scalability_rows(part):
    """psi to each system from the one before it, at the efficiencies that both were searched at."""
    rows = []
    order = ([part.base] if part.base else []) + list(part.case.predict)
    for efficiency in sorted({efficiency for efficiency, _ in part.searches}):
        for before, after in zip(order, order[1:]):
            searches = [part.searches.get((efficiency, system)) for system in (before, after)]
            if any(each is None or each.failure or each.found["N"] is None for each in searches):
                continue
            measured = psi(*(each.found for each in searches))
            pair = [part.predictions[efficiency][system] for system in (before, after)]
            predicted = psi(*pair)
            conditions = [row["condition"] for row in pair]
            rows.append(row_of(part, after, "psi", efficiency=efficiency, N=searches[1].found["N"],
                               predicted=predicted, measured=measured, error=predicted / measured - 1,
                               condition=None if None in conditions else max(conditions)))
    return rows


def grid_runs(campaign, part):
    """All runs of the grids in one file; None where there are none."""
    files = [campaign.runs_file(grid, "grid") for grid in part.grids.values() if not grid.failure]
    if not files:
        return None
    runs = campaign.path("parts", part_name(part) + "-grid.csv")
    merge(files, runs)
    return runs


def time_rows(campaign, part):
    rows = [row_of(part, system, "T", status="skipped", note=grid.failure)
            for system, grid in part.grids.items() if grid.failure]
    runs = grid_runs(campaign, part)
    if runs is None:
        return rows
    validation = campaign.isocast.validate(part.kernel, part.machine, runs, runs[:-4] + ".json")
    for point in validation["rows"]:
        if point["N"] not in part.grids[point["system"]].sizes:
            continue
        for quantity in ("T", "E"):
            rows.append(row_of(part, point["system"], quantity, N=point["N"],
                               predicted=point[quantity + "_predicted"], measured=point[quantity],
                               error=point[quantity + "_error"]))
    return rows


def most_off(campaign, part):
    """The terms that are most off over the grid, as isocast explain --runs has them; None where nothing was run."""
    runs = grid_runs(campaign, part)
    if runs is None:
        return None
    comparison = campaign.isocast.compare(part.kernel, part.machine, runs)
    term = next((each for each in comparison["parts"] if each["part"] == comparison["most_off"]), None)
    return term and {"case": part.case.name, "kernel": part.kernel, "calibrated": "+".join(part.case.calibrate), **term}


def picture(campaign, part, folder):
    """Predicted against measured, of grids and searches; the path, or None where there are no runs."""
    systems = ([part.base] if part.base else []) + list(part.case.predict)
    files = [path for system in systems for path in sorted(glob.glob(campaign.path(
        "runs", platforms.fingerprint(part.case.platform), "%s-%s-*.csv" % (part.kernel, slug(system)))))]
    if not files:
        return None
    runs = campaign.path("parts", part_name(part) + "-all.csv")
    merge(files, runs)
    shared = [E for E in part.case.efficiencies if all((E, system) in part.searches for system in systems)]
    result = runs[:-4] + ".json"
    campaign.isocast.validate(part.kernel, part.machine, runs, result, shared[0] if shared else None)
    picture = os.path.join(folder, part_name(part) + ".svg")
    os.makedirs(folder, exist_ok=True)
    campaign.isocast.plot(result, picture)
    return picture


def psi(before, after):
    """C'W/(C W'), from rows of isocast."""
    return after["C"] * before["W"] / (before["C"] * after["W"])


def part_name(part):
    return slug("%s-%s" % (part.case.name, part.kernel))


def merge(files, output):
    """Runs of several files, which have the same header, in one; each run once."""
    lines = {}
    for path in files:
        with open(path) as file:
            for line in file:
                lines.setdefault(line, None)
    write_whole(output, "".join(lines))
