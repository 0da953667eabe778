"""Generates load with wrk."""

import itertools
import json
import pathlib
import signal
import subprocess
import time
from dataclasses import dataclass

from .gateway import Connection
from .repeating import Repeating

SCRIPT = pathlib.Path(__file__).parent.parent / "load" / "requests.lua"
# The maximum number of threads of wrk. With one thread, wrk would be slower than the fastest servers.
THREADS = 2
# The maximum running time of wrk, longer than any measurement. The benchmark stops wrk at the end of the measurement.
ENDLESS_SECONDS = 24 * 3600


@dataclass
class Load:
    """The requests to send, in files with one path per line and, for requests with a body, one body per line."""

    method: str
    headers: pathlib.Path
    paths: pathlib.Path
    bodies: pathlib.Path | None = None


@dataclass
class LoadReport:
    answers_per_second: float
    """Successful answers per second."""
    p50_ms: float
    p99_ms: float
    failed: int
    """The number of answers with status 400 or above."""


def run(port: int, load: Load, seconds: float, connections: int) -> LoadReport:
    return report(subprocess.run(
        command(port, load, seconds, connections), stdout=subprocess.PIPE, check=True, text=True).stdout)


class BackgroundLoad:
    """Generates load for the duration of a `with` block. After the block, `report` holds the result."""

    def __init__(self, port: int, load: Load, connections: int):
        self.command = command(port, load, ENDLESS_SECONDS, connections)

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        # Gives wrk time to read its files and begin to send requests.
        time.sleep(0.2)
        return self

    def __exit__(self, *_):
        # SIGINT makes wrk end normally and print its report.
        self.process.send_signal(signal.SIGINT)
        output, _ = self.process.communicate()
        self.report = report(output)


class PacedWrites(Repeating):
    """Sends writes from one client for the duration of a `with` block, with a pause after each answer. Afterwards, `p99_ms` holds the
    latency."""

    PAUSE_SECONDS = 0.02

    def __init__(self, port: int, paths: list[str], body: str):
        super().__init__(self.PAUSE_SECONDS)
        self.port, self.paths, self.body = port, itertools.cycle(paths), body
        self.milliseconds: list[float] = []

    def repeat(self):
        with Connection(self.port) as self.connection:
            super().repeat()

    def step(self):
        begin = time.monotonic()
        self.connection.send("PUT", next(self.paths), self.body)
        self.milliseconds.append(1e3 * (time.monotonic() - begin))

    @property
    def p99_ms(self) -> float:
        return sorted(self.milliseconds)[int(0.99 * len(self.milliseconds))]


def command(port: int, load: Load, seconds: float, connections: int) -> list[str]:
    files = [load.headers, load.paths] + ([load.bodies] if load.bodies else [])
    return [
        "wrk", "--threads", str(min(THREADS, connections)), "--connections", str(connections), "--duration", f"{seconds}s",
        "--timeout", "60s", "--script", str(SCRIPT), f"http://127.0.0.1:{port}", "--", load.method, *map(str, files)]


def report(output: str) -> LoadReport:
    figures = json.loads(output.strip().splitlines()[-1])
    if figures["broken"] > 0:
        raise RuntimeError(f"{figures['broken']} requests of wrk got no answer")
    if figures["requests"] == 0:
        raise RuntimeError("wrk got no answer")
    if figures["failed"] == figures["requests"]:
        raise RuntimeError(f"all {figures['requests']} requests of wrk failed")
    return LoadReport(
        (figures["requests"] - figures["failed"]) / figures["seconds"], figures["p50_ms"], figures["p99_ms"],
        figures["failed"])
