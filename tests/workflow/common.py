"""What the workflow tests share: running the command, collecting problems, a machine to measure with."""

import os
import pty
import subprocess
import sys
import time

ISOCAST = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
problems = []
os.environ.pop("COLUMNS", None)

MACHINE = """machine: test
nodes: {node: {count: 1, processors: 2, marked_speed: 2 Gflop/s, memory: 4 GB}}
parameters: {t_c: 0.5 ns/flop}
operations:
  T_send: 1 us + 0.2 ns/B * m
  T_recv: 1 us + 0.2 ns/B * m
  T_bcast: (2 us + 0.3 ns/B * m)*ceil(log2(p))
  T_barrier: 1 us * ceil(log2(p))
"""


def fake_launcher(fits=1000000, slow_every=0, slow_to=0):
    """A --launcher that gives known times (fake_launcher.py) for sizes up to `fits`; of `slow_every` repetitions one is slow, and so are
    all of sizes up to `slow_to`."""
    script = os.path.join(SOURCE, "tests", "workflow", "fake_launcher.py")
    return "%s -S %s {p} %s" % (sys.executable, script, "%d/%d/%d" % (fits, slow_every, slow_to))


def run(*arguments, cwd=None, env=None):
    return subprocess.run([ISOCAST, *map(str, arguments)], capture_output=True, cwd=cwd, env=env,
                          timeout=3600)


def on_terminal(command):
    """What a command says on a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen([ISOCAST, *map(str, command)], stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    said = b""
    try:
        while chunk := os.read(master, 4096):
            said += chunk
    except OSError:  # how the end of a terminal reads
        pass
    os.close(master)
    process.wait()
    return said.decode()


def expect(condition, what):
    if not condition:
        problems.append(what)


def expect_run(status, *arguments, words="", cwd=None, env=None):
    """Runs, and expects an exit status and words on standard error."""
    result = run(*arguments, cwd=cwd, env=env)
    said = result.stderr.decode()
    expect(result.returncode == status,
           "%s: exit status %d, not %d: %s" % (" ".join(map(str, arguments)), result.returncode,
                                               status, said))
    expect(words in said, "%s says %r, not %r" % (" ".join(map(str, arguments)), said, words))
    return result


PATIENCE = 3600  # s: what has not come then has hung; a machine may be slow or busy


def wait_until(condition):
    """Whether it held once: a shell that has just forked counts as two processes, and soon as one."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() >= end:
            return False
        time.sleep(0.02)
    return True


def finish():
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path
