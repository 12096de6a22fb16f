"""Stands for mpiexec and the probe: known times at once, so that a test knows what is due.

    fake_probe.py P [scale=X] [sleep=S] [spread=S] [fail=K] [nodes=K] [flops=0] [switch=M] PROBE --launch K ...

Times are those of fake_times() below, times X, off by S relative, up in two launches and down in two;
launch K writes half of its samples and ends with status 9. A launch takes S seconds
and is on K nodes of two kinds. With flops=0 no time per flop is measured.
With switch=M the sizes are those asked for, and receiving M bytes or more takes twice as long.
"""

import sys
import time

SIZES = (8, 64, 256, 1024, 2048, 4096, 8192, 16384, 65536, 262144, 524288, 1048576)
PROBLEMS = (64, 256, 1024)


def fake_times(p, flops=1, sizes=SIZES, switch=float("inf")):
    """(operation, m, seconds) of everything on p processes."""
    for m in sizes:
        yield "T_copy", m, 1e-7 + 5e-11 * m
        if p > 1:
            yield "T_send", m, 1e-6 + 2e-10 * m
            yield "T_recv", m, (1e-6 + 2e-10 * m) * (1 + (m >= switch))
            yield "T_bcast", m, 2e-6 + 3e-10 * m
    if p > 1:
        yield "T_barrier", 0, 1e-6
    for N in PROBLEMS if flops else ():
        yield "ge", 8 * N * (N + 1) / p, 2e-10
    yield "triad", 24 * 2048 ** 2 / p, 1e-9


def main():
    processes = int(sys.argv[1])
    settings, rest = {"scale": 1.0, "sleep": 0.0, "spread": 0.01, "fail": -1, "nodes": 0, "flops": 1, "switch": 0}, sys.argv[2:]
    while "=" in rest[0]:
        name, value = rest.pop(0).split("=")
        settings[name] = float(value)
    launch = int(rest[rest.index("--launch") + 1])
    factor = settings["scale"] * (1 + settings["spread"] * (-1) ** (launch // 2))
    wanted = None
    if "--weights" in rest:
        words = rest[rest.index("--weights") + 1].split(",")
        wanted = {word.split("=")[0].split(":")[0] for word in words}
    print("# mpi: none at all")
    if settings["nodes"] == 0:
        print("# node fake: a processor; 2 cores; 4000000000 B")
    for k in range(int(settings["nodes"])):  # every third one is another kind, and like ones differ a little
        kind = "old; 2 cores; 40000000" if k % 3 == 0 else "new; 8 cores; 160000000"
        print("# node cn%03d.cluster: %s%02d B; %g flop/s" % (k, kind, k, (1e9 if k % 3 == 0 else 3e9) + 1e3 * launch))
    times = fake_times(processes, settings["flops"])
    if settings["switch"] > 0:
        sizes = [int(m) for m in rest[rest.index("--sizes") + 1].split(",")]
        times = fake_times(processes, settings["flops"], sizes, settings["switch"])
    rows = ["%d,%s,%d,%.17g,%d,%.9g,interval,0,1,%d" % (launch, name, processes, m, k, seconds * factor * (1 + k * 1e-4), processes)
            for name, m, seconds in times if wanted is None or name in wanted for k in range(20)]
    failing = launch == settings["fail"]
    for row in rows[:len(rows) // 2 if failing else None]:
        print(row)
    sys.stdout.flush()
    time.sleep(settings["sleep"])
    if failing:
        sys.stderr.write("a process was killed\n")
        sys.exit(9)


if __name__ == "__main__":
    main()
