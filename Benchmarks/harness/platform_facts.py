"""All facts that Linux and macOS tell in different ways: about this machine, and about a process.

On macOS the figures of a process come from `ps`. It has no peak of the memory, so the memory is sampled, and it counts CPU time in
hundredths of a second.
"""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import time

from .repeating import Repeating

# BENCHMARKS_WITHOUT_PROC makes the benchmarks use the code for macOS on Linux, apart from Homebrew. It serves only to test that
# code.
IS_LINUX = sys.platform == "linux" and not os.environ.get("BENCHMARKS_WITHOUT_PROC")
SAMPLE_SECONDS = 0.01
# The interval between samples by `ps`, which starts a process for each sample.
PS_SAMPLE_SECONDS = 0.1


# A process

def cpu_seconds(pid: int) -> float:
    """The CPU time of a process in seconds, with threads that have ended."""
    if IS_LINUX:
        # The clock of the process is more exact than /proc/PID/stat, which counts hundredths of a second. Its id is computed as
        # clock_getcpuclockid(3) does.
        return time.clock_gettime((~pid << 3) | 2)
    return seconds_of(ps(pid, "time"))


def resident_bytes(pid: int) -> int:
    """The resident size of a process: all memory that it has touched, with the files that it has mapped."""
    return proc_status(pid)["VmRSS"] if IS_LINUX else 1024 * int(ps(pid, "rss"))


@contextlib.contextmanager
def resident_peak(pid: int):
    """Gives a function that returns the largest resident size of a process, for a `with` block around the work.

    Linux counts from the start of the process, macOS from the start of the block.
    """
    if IS_LINUX:
        yield lambda: proc_status(pid)["VmHWM"]
    else:
        with Samples(lambda: {"resident": resident_bytes(pid)}, PS_SAMPLE_SECONDS) as samples:
            yield lambda: samples.peaks["resident"]


class Samples(Repeating):
    """Samples figures for the duration of a `with` block. `peaks` holds the largest value of each."""

    def __init__(self, sample, pause_seconds: float = SAMPLE_SECONDS):
        super().__init__(pause_seconds)
        self.sample = sample
        self.peaks: dict[str, int] = {}

    def __enter__(self):
        self.step()
        return super().__enter__()

    def __exit__(self, *_):
        super().__exit__()
        self.step()

    def step(self):
        for name, value in self.sample().items():
            self.peaks[name] = max(value, self.peaks.get(name, 0))


def proc_status(pid: int) -> dict[str, int]:
    """The memory figures of /proc/PID/status in bytes, such as `VmRSS`, `VmHWM` (its peak), `RssAnon` and `RssFile`. Linux only."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return {name: 1024 * int(value) for name, value in re.findall(r"^(\w+):\s+(\d+) kB$", text, re.MULTILINE)}


def proportional_bytes(pid: int) -> dict[str, int]:
    """The memory figures of /proc/PID/smaps_rollup in bytes. `Pss_File` counts a page of a file once, however often the process
    has mapped it. Linux only."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return {name: 1024 * int(value) for name, value in re.findall(r"^(\w+):\s+(\d+) kB$", text, re.MULTILINE)}


def private_bytes(pid: int) -> int:
    """The memory that a process alone holds: its pages that no other process maps, also pages of files. The end of the process frees
    it. On macOS, the resident size."""
    if not IS_LINUX:
        return resident_bytes(pid)
    figures = proportional_bytes(pid)
    return figures["Private_Clean"] + figures["Private_Dirty"]


def shared_out_bytes(pid: int) -> int:
    """The proportional set size (PSS): the private pages, and for each shared page its part. On macOS, the resident size."""
    return proportional_bytes(pid)["Pss"] if IS_LINUX else resident_bytes(pid)


def session_bytes(pid: int) -> int:
    """The memory of a process and of all processes of its session, without counting shared pages twice. On macOS, the resident size of
    the process alone."""
    if not IS_LINUX:
        return resident_bytes(pid)
    session = os.getsid(pid)
    total = 0
    for directory in pathlib.Path("/proc").glob("[0-9]*"):
        # A process can end at any time.
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):
            if os.getsid(int(directory.name)) == session:
                total += proportional_bytes(int(directory.name))["Pss"]
    return total


def ps(pid: int, column: str) -> str:
    return subprocess.run(
        ["ps", "-o", f"{column}=", "-p", str(pid)], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def seconds_of(text: str) -> float:
    """The seconds of a time as `ps` writes it: `1-02:03:04` or `02:03:04` on Linux, `123:04.56` on macOS."""
    days, _, clock = text.rpartition("-")
    seconds = 86_400.0 * int(days or 0)
    for place, part in enumerate(reversed(clock.split(":"))):
        seconds += float(part) * 60**place
    return seconds


# The machine

def processor() -> str:
    if IS_LINUX:
        return found(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return output("sysctl", "-n", "machdep.cpu.brand_string") or "unknown"


def memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def distribution() -> str:
    if IS_LINUX:
        return found(r'PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release").read_text())
    return f"macOS {output('sw_vers', '-productVersion') or 'of an unknown version'}"


def filesystem(directory: pathlib.Path) -> str:
    """The kind of the filesystem of a directory, such as `ext4` or `apfs`."""
    if IS_LINUX:
        return output("df", "--output=fstype", directory).splitlines()[-1].strip()
    return filesystem_in(output("mount"), output("df", "-P", directory))


def filesystem_in(mounts: str, df: str) -> str:
    """The kind of a filesystem by the output of `mount` on macOS, and by the output of `df -P` for one directory."""
    place = found(r"\d+%\s+(/.*)$", df)
    return found(rf"^\S.* on {re.escape(place)} \((\w+)", mounts)


# Programs

def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.MULTILINE)
    return match[1].strip() if match else "unknown"


def output(*command) -> str:
    """The output of a program, also of its errors; empty if the program is missing."""
    # Some programs print their version to stderr and exit with code 1.
    try:
        done = subprocess.run(
            [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip()
