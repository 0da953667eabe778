"""Runs all works round by round, and writes the table."""

import argparse
import dataclasses
import pathlib
import shutil
import signal
import sys
import tempfile
import time

from . import machine
from .bench import Bench, Programs
from .report import Report
from .sizes import QUICK, Sizes
from .works import ALL


def main() -> int:
    options = parsed()
    # Servers are stopped and data is removed on the way out, whoever asks for it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sizes = QUICK if options.quick else Sizes()
    if options.rounds:
        sizes = dataclasses.replace(sizes, rounds=options.rounds)
    if options.objects:
        sizes = dataclasses.replace(sizes, objects=options.objects)
    chosen = [work for work in ALL if not options.only or work.name in options.only]

    directory = pathlib.Path(tempfile.mkdtemp(prefix="tidegate-benchmarks-", dir=options.data))
    # PostgreSQL runs as another user where this runs as root.
    directory.chmod(0o711)
    try:
        bench = Bench(sizes, Programs(options.tidegate, options.programs, options.kinto), directory)
        report = Report(machine.description(bench, options.commit))
        measure(bench, [work(bench) for work in chosen], report)
    finally:
        shutil.rmtree(directory, ignore_errors=True)

    options.results.mkdir(parents=True, exist_ok=True)
    name = "quick" if options.quick else "table"
    (options.results / f"{name}.md").write_text(report.markdown)
    (options.results / f"{name}.json").write_text(report.json)
    print(report.markdown)
    tell(f"Also in {options.results / name}.md and .json")
    return 1 if report.failures else 0


def measure(bench: Bench, works: list, report: Report):
    """A work that cannot be measured is told of in the report, and keeps no other from being."""
    failed = set()

    def attempt(work, what: str, body):
        begin = time.monotonic()
        try:
            body()
        except Exception as error:
            failed.add(work)
            report.failures.append(f"{work.name}: {error}")
        tell(f"{what} {work.name}: {time.monotonic() - begin:.1f} s{' FAILED' if work in failed else ''}")

    for work in works:
        attempt(work, "prepared", work.prepare)
    for number in range(bench.sizes.rounds):
        bench.round = number
        for work in works:
            if work not in failed:
                attempt(work, f"round {bench.round + 1},", work.run_round)
    for work in works:
        if work.samples:
            report.lines += work.lines()
    report.failures += bench.failures


def tell(line: str):
    print(line, file=sys.stderr, flush=True)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measures Tidegate against limits and rivals.")
    parser.add_argument(
        "--only", action="append", metavar="NAME", choices=[work.name for work in ALL], help="one work; may be repeated")
    parser.add_argument("--rounds", type=int, help="default: 5")
    parser.add_argument("--objects", type=int, help="default: 100000; some works take ten times as many")
    parser.add_argument("--quick", action="store_true", help="small sizes: shows that all works, and measures nothing")
    parser.add_argument("--list", action="store_true", help="names the works")
    parser.add_argument(
        "--data", type=pathlib.Path, default="/var/tmp",
        help="where the data is kept meanwhile, on a real disk; default: /var/tmp")
    # Given by scripts/bench.
    for name in ("tidegate", "programs", "kinto", "results"):
        parser.add_argument(f"--{name}", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--commit", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.list:
        for work in ALL:
            print(f"{work.name:20}{work.about}")
        sys.exit()
    filesystem = machine.output("df", "--output=fstype", options.data).split()[-1]
    if filesystem in ("tmpfs", "ramfs"):
        parser.error(f"{options.data} is in memory, where durable writes cost nothing: choose another directory with --data")
    return options


if __name__ == "__main__":
    sys.exit(main())
