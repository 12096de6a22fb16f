"""The commands that `isocast list` and `isocast` alone show run as they stand.

    test_list.py ISOCAST ROOT

Left out are doctor, which may find something missing, and what measures this machine or needs that.
"""
import os
import subprocess
import sys
import tempfile

LEFT_OUT = ("doctor", "calibrate", "here.yaml")


def commands_in(text):
    joined = text.replace("\\\n", " ").splitlines()
    return [line.strip() for line in joined if line.strip().startswith("isocast ")]


def main():
    program = os.path.abspath(sys.argv[1])
    folder_of_parts = os.path.join(os.path.dirname(os.path.dirname(program)), "libexec", "isocast")
    simulates = os.path.exists(os.path.join(folder_of_parts, "isocast-probe-simulated"))
    os.environ.pop("ISOCAST_SPECS", None)
    os.environ.pop("COLUMNS", None)
    listed = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout
    page = subprocess.run([program], capture_output=True, text=True, check=False).stderr
    problems = []
    shown = commands_in(listed)
    if len(shown) != 5:
        problems.append(f"not one example for each kind: {shown}")
    if len(commands_in(page)) != 6:
        problems.append(f"the page where to begin has not 6 commands: {page}")
    with tempfile.TemporaryDirectory() as folder:
        tools = os.path.join(folder, "bin")
        os.mkdir(tools)
        wrapper = os.path.join(tools, "isocast")
        with open(wrapper, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{program}" "$@"\n')
        os.chmod(wrapper, 0o755)
        environment = {**os.environ, "PATH": tools + ":" + os.environ["PATH"]}
        for command in shown + commands_in(page):
            if any(word in command for word in LEFT_OUT) or ("--platform" in command and not simulates):
                continue
            done = subprocess.run(["/bin/sh", "-c", command], cwd=folder, env=environment, text=True,
                                  capture_output=True, timeout=3600, check=False)
            if done.returncode != 0 or not done.stdout:
                problems.append(f"{command}: exit status {done.returncode}: {done.stderr}")
            if "warning" in done.stderr:
                problems.append(f"{command} warns: {done.stderr}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
