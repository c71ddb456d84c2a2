#!/usr/bin/env python3
"""Whole-process figures of the program, with ratios against NumPy taken in the same run.

Usage: chain.py NOEMA [--bits N] [--rounds R]
Prints a table; everything runs R times in turn and medians are compared.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def timed(command, **kwargs):
    """Wall seconds, peak resident MB and standard output of one process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kwargs)
    out, err = process.communicate()
    seconds = time.perf_counter() - start
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{out}{err}")
    return seconds, out


def peak_mb(command):
    """Peak resident memory of a process, by a child of its own."""
    pid = os.fork()
    if pid == 0:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        pathlib.Path(os.environ["NOEMA_BENCH_PEAK"]).write_text(str(usage))
        os._exit(done.returncode)
    os.waitpid(pid, 0)
    return int(pathlib.Path(os.environ["NOEMA_BENCH_PEAK"]).read_text()) / 1024


def fsync_ms(folder):
    times = []
    for i in range(50):
        path = pathlib.Path(folder) / f"fsync{i}"
        with open(path, "wb") as file:
            file.write(b"x" * 4096)
            file.flush()
            start = time.perf_counter()
            os.fsync(file.fileno())
            times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("noema")
    parser.add_argument("--bits", type=float, default=1e8)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    noema = os.path.abspath(arguments.noema)
    bits = int(arguments.bits)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["NOEMA_BENCH_PEAK"] = scratch + "/peak"
        recipe = pathlib.Path(scratch) / "chain.yaml"
        text = (HERE / "qpsk_chain.yaml").read_text()
        recipe.write_text(text.replace("bit_count: 100000000", f"bit_count: {bits}"))
        workspace = scratch + "/workspace"
        run = [noema, "recipe", "run", str(recipe), "--workspace", workspace, "--json", "-q"]
        forms = {
            "noema, all digests": run + ["--retain", "none"],
            "noema, digests of reports": run + ["--retain", "none", "--digest", "reports"],
            "noema, all digests, 1 thread": run + ["--retain", "none", "--threads", "1"],
            "numpy generator": [sys.executable, str(HERE / "numpy_qpsk.py"), str(bits), "generator"],
            "numpy randomstate": [sys.executable, str(HERE / "numpy_qpsk.py"), str(bits), "randomstate"],
        }
        seconds = {name: [] for name in forms}
        inner = {}
        for _ in range(arguments.rounds):
            for name, command in forms.items():
                wall, out = timed(command)
                if name.startswith("numpy"):
                    inner[name] = json.loads(out)
                    wall = inner[name]["seconds"]  # without the interpreter's start
                seconds[name].append(wall)
                shutil.rmtree(workspace, ignore_errors=True)
        best = min(statistics.median(seconds["numpy generator"]), statistics.median(seconds["numpy randomstate"]))
        print(f"QPSK chain, {bits:.0e} bits, median of {arguments.rounds} (numpy {inner['numpy generator']['numpy']}):")
        for name, values in seconds.items():
            median = statistics.median(values)
            print(f"  {name:32s} {median:8.3f} s  {bits / median / 1e6:8.1f} Mbit/s  {best / median:5.2f} x best NumPy"
                  f"  ({min(values):.3f} .. {max(values):.3f})")
        print(f"  peak memory of a run: {peak_mb(forms['noema, all digests']):.0f} MB")

        start = [timed([noema, "--version"])[0] for _ in range(20)]
        print(f"noema --version: {1e3 * statistics.median(start):.1f} ms (process and all)")

        # Overhead per step: what twenty more steps of 64 bits each add to a run.
        tiny = text.replace("bit_count: 100000000", "bit_count: 64")
        more = tiny
        for i in range(20):
            source = f"boundary{i - 1}.bits" if i else "data.bits"
            more += f"  - id: boundary{i}\n    op: channel.bit_boundary\n    inputs: {{bits: {source}}}\n"
        walls = {}
        for name, body in (("tiny", tiny), ("more", more)):
            small = pathlib.Path(scratch) / f"{name}.yaml"
            small.write_text(body)
            command = [noema, "recipe", "run", str(small), "--workspace", workspace, "--json", "-q"]
            walls[name] = statistics.median(timed(command)[0] for _ in range(20))
        overhead = 1e3 * (walls["more"] - walls["tiny"]) / 20
        print(f"engine overhead: {overhead:.2f} ms a step, evidence and flushing included;"
              f" a 5-step run of 64 bits takes {1e3 * walls['tiny']:.1f} ms, one fsync {fsync_ms(scratch):.2f} ms")


if __name__ == "__main__":
    main()
