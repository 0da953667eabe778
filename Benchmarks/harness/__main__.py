"""Runs all workloads round by round, and writes the result table."""

import argparse
import dataclasses
import pathlib
import shutil
import signal
import sys
import tempfile
import time

from . import machine, platform_facts, plot
from .bench import Bench, Programs
from .report import Report
from .sizes import QUICK, Sizes
from .workloads import ALL


def main() -> int:
    options = parsed()
    # On SIGTERM, the program stops its servers and removes its data before it exits.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sizes = QUICK if options.quick else Sizes()
    if options.rounds:
        sizes = dataclasses.replace(sizes, rounds=options.rounds)
    if options.objects:
        sizes = dataclasses.replace(sizes, objects=options.objects)
    chosen = [workload for workload in ALL if is_chosen(workload, options)]

    directory = pathlib.Path(tempfile.mkdtemp(prefix="tidegate-benchmarks-", dir=options.data))
    # If this program runs as root, PostgreSQL runs as another user. That user must be able to enter the directory.
    directory.chmod(0o711)
    try:
        bench = Bench(sizes, Programs(options.tidegate, options.programs, options.kinto, options.pocketbase), directory)
        report = Report(machine.description(bench, options.commit))
        if not options.only:
            report.left_out += [
                f"{workload.name} takes long and runs only with --only {workload.name}" for workload in ALL
                if workload not in chosen]
        report.left_out += [
            f"{workload.name} needs Linux: {workload.needs_linux}" for workload in chosen if not can_run(workload)]
        measure(bench, [workload(bench) for workload in chosen if can_run(workload)], report)
    finally:
        shutil.rmtree(directory, ignore_errors=True)

    options.results.mkdir(parents=True, exist_ok=True)
    name = "quick" if options.quick else "table"
    (options.results / f"{name}.md").write_text(report.markdown)
    (options.results / f"{name}.json").write_text(report.json)
    for table in report.tables:
        (options.results / ("quick-growth.svg" if options.quick else "growth.svg")).write_text(plot.svg(table))
    print(report.markdown)
    tell(f"Also in {options.results / name}.md and .json")
    return 1 if report.failures else 0


def can_run(workload) -> bool:
    return workload.needs_linux is None or platform_facts.IS_LINUX


def measure(bench: Bench, workloads: list, report: Report):
    """Runs the workloads. A workload that fails is listed in the report; the other workloads still run."""
    failed = set()

    def attempt(workload, what: str, body):
        begin = time.monotonic()
        failure = ""
        try:
            body()
        except Exception as error:
            failed.add(workload)
            report.failures.append(f"{workload.name}: {error}")
            failure = f", FAILED: {error}"
        tell(f"{what} {workload.name}: {time.monotonic() - begin:.1f} s{failure}")

    for workload in workloads:
        attempt(workload, "prepared", workload.prepare)
    for number in range(bench.sizes.rounds):
        bench.round = number
        for workload in workloads:
            if workload not in failed and (workload.rounds_max is None or number < workload.rounds_max):
                attempt(workload, f"round {bench.round + 1},", workload.run_round)
    for workload in workloads:
        if workload.samples:
            report.lines += workload.lines()
            if table := workload.table():
                report.tables.append(table)
    report.failures += bench.failures
    report.left_out += bench.left_out


def is_chosen(workload, options: argparse.Namespace) -> bool:
    return workload.name in options.only if options.only else options.quick or workload.is_in_full_run


def tell(line: str):
    print(line, file=sys.stderr, flush=True)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Compares Tidegate with hardware limits and alternative servers.")
    parser.add_argument(
        "--only", action="append", metavar="NAME", choices=[workload.name for workload in ALL], help="run only this workload; may be repeated")
    parser.add_argument("--rounds", type=int, help="number of rounds; default: 5")
    parser.add_argument("--objects", type=int, help="number of objects; default: 100000; some workloads use ten times as many")
    parser.add_argument("--quick", action="store_true", help="small sizes, to test that all workloads run; the figures mean nothing")
    parser.add_argument("--list", action="store_true", help="list the workloads")
    parser.add_argument(
        "--data", type=pathlib.Path, default="/var/tmp",
        help="directory for temporary data, on a real disk; default: /var/tmp")
    # Only scripts/bench passes these options, so the help does not list them.
    for name in ("tidegate", "programs", "kinto", "pocketbase", "results"):
        parser.add_argument(f"--{name}", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--commit", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.list:
        for workload in ALL:
            print(f"{workload.name:20}{workload.about}")
        sys.exit()
    if platform_facts.filesystem(options.data) in ("tmpfs", "ramfs"):
        parser.error(f"{options.data} is in memory, where durable writes are free: choose a directory on a disk with --data")
    return options


if __name__ == "__main__":
    sys.exit(main())
