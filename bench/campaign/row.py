"""One error of a campaign, or why there is none."""

import dataclasses

from campaign import platforms


@dataclasses.dataclass
class Row:
    """Relative errors are signed: predicted over measured, less 1."""
    case: str
    platform: str
    kernel: str
    calibrated: str
    system: str
    p: int
    quantity: str  # "T" (s), "E", "N", "psi"
    efficiency: float = None  # what N and psi are about
    N: float = None
    predicted: float = None
    measured: float = None
    error: float = None
    condition: float = None  # of N and psi: |d ln N/d ln E| as predicted, the larger one of both systems for psi
    status: str = "ok"   # or "skipped"
    note: str = ""


ILL_CONDITIONED = 10  # as isocast remarks it


def is_scored(row):
    """T and E are scored everywhere, N and psi where a small error of E is none of many times its size in N."""
    return row.quantity in ("T", "E") or (row.condition is not None and row.condition < ILL_CONDITIONED)


def row_of(part, system, quantity, **others):
    return Row(part.case.name, platforms.name_of(part.case.platform), part.kernel, "+".join(part.case.calibrate), system,
               part.processes[system], quantity, **others)
