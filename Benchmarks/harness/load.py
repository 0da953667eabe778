"""Load by wrk."""

import json
import pathlib
import signal
import subprocess
import time
from dataclasses import dataclass

SCRIPT = pathlib.Path(__file__).parent.parent / "load" / "requests.lua"
# With one, wrk itself would be the limit of the fastest servers.
THREADS = 2
# Longer than anything that it accompanies.
ENDLESS_SECONDS = 24 * 3600


@dataclass
class Load:
    """Requests from files: paths and, where there are any, bodies; one a line."""

    method: str
    headers: pathlib.Path
    paths: pathlib.Path
    bodies: pathlib.Path | None = None


@dataclass
class LoadReport:
    answers_per_second: float
    """Of those that were successes."""
    p50_ms: float
    p99_ms: float
    failed: int
    """Answers of 400 and above."""


def run(port: int, load: Load, seconds: float, connections: int) -> LoadReport:
    return report(subprocess.run(
        command(port, load, seconds, connections), stdout=subprocess.PIPE, check=True, text=True).stdout)


class Accompanying:
    """Load for as long as the `with` lasts; `report` is there afterwards."""

    def __init__(self, port: int, load: Load, connections: int):
        self.command = command(port, load, ENDLESS_SECONDS, connections)

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        # It reads its files first.
        time.sleep(0.2)
        return self

    def __exit__(self, *_):
        # It then ends as if its time were over.
        self.process.send_signal(signal.SIGINT)
        output, _ = self.process.communicate()
        self.report = report(output)


def command(port: int, load: Load, seconds: float, connections: int) -> list[str]:
    files = [load.headers, load.paths] + ([load.bodies] if load.bodies else [])
    return [
        "wrk", "--threads", str(min(THREADS, connections)), "--connections", str(connections), "--duration", f"{seconds}s",
        "--timeout", "60s", "--script", str(SCRIPT), f"http://127.0.0.1:{port}", "--", load.method, *map(str, files)]


def report(output: str) -> LoadReport:
    figures = json.loads(output.strip().splitlines()[-1])
    if figures["broken"] > 0:
        raise RuntimeError(f"{figures['broken']} requests of wrk got no answer")
    if figures["failed"] == figures["requests"]:
        raise RuntimeError("every request of wrk failed")
    return LoadReport(
        (figures["requests"] - figures["failed"]) / figures["seconds"], figures["p50_ms"], figures["p99_ms"],
        figures["failed"])
