"""Stands for mpiexec and a kernel: known times at once, so that a test knows what is due.

    fake_launcher.py P FITS PROGRAM KERNEL -n N ...

Writes the row of a Gaussian elimination with E = N/(N + 100 P) at 2 Gflop/s a process; sizes over FITS
are refused as the kernel does where memory is short. FITS may be FITS/K/SLOW: every Kth repetition takes three times as long, and sizes up
to SLOW take ten times as long.
"""

import sys

processes, options = int(sys.argv[1]), sys.argv[5:]
fits, slow_every, slow_to = (list(map(int, sys.argv[2].split("/"))) + [0, 0])[:3]


def value(name):
    return options[options.index(name) + 1]


N = int(value("-n"))
if N > fits:
    sys.stderr.write("isocast-kernel: N = %d needs 9 GB on one node, of which 1 GB are free; take a "
                     "smaller N\n" % N)
    sys.exit(5)
work = 2 / 3 * N ** 3 - N ** 2 / 2 - 19 / 6 * N + 3
T = work / (2e9 * processes) * (N + 100 * processes) / N
if slow_every and int(value("--first-repetition")) % slow_every == 0:
    T *= 3
if N <= slow_to:
    T *= 10
print("algorithm,machine,system,p,N,repetition,T,error")
print("gaussian-elimination,,,%d,%d,%s,%.17g,0" % (processes, N, value("--first-repetition"), T))
