"""Starts, observes and stops server processes."""

import os
import pathlib
import signal
import socket
import subprocess
import time

from . import platform_facts


class Server:
    """A server process that runs for the duration of a `with` block. The initializer reads the files that the command names into the
    page cache, so that the measurement does not wait for the disk."""

    start_seconds_max = 60
    # The maximum time for a stop. A gateway waits a few seconds for running requests; Kinto's workers take longer.
    stop_seconds_max = 30

    def __init__(self, name: str, command: list, port: int, log: pathlib.Path, environment=None, user=None):
        self.name = name
        self.command = [str(part) for part in command]
        read_into_cache(self.command)
        self.port = port
        self.log = log
        self.environment = environment
        self.user = user

    def __enter__(self):
        self.spawn()
        try:
            self.await_listening()
            self.await_ready()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def spawn(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TIDEGATE_")}
        environment.update(self.environment or {})
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=self.user,
                start_new_session=True)

    def await_listening(self, pause_seconds: float = 0.01):
        deadline = time.monotonic() + self.start_seconds_max
        while not is_listening(self.port):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{self.name} does not start: {self.last_words()}")
            time.sleep(pause_seconds)

    def await_ready(self):
        """Waits until the server is ready for the measurement. Overridden by servers whose port opens before they are ready."""

    def last_words(self) -> str:
        return self.log.read_text(errors="replace")[-500:].strip()

    def stop(self):
        if self.process.poll() is not None:
            return
        self.process.send_signal(self.stop_signal)
        try:
            self.process.wait(self.stop_seconds_max)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    stop_signal = signal.SIGTERM

    # Figures that the kernel measures

    def cpu_seconds(self) -> float:
        """The CPU time of the process in seconds, with threads that have ended."""
        return platform_facts.cpu_seconds(self.process.pid)

    def resident_bytes(self) -> int:
        """The present resident size of the process."""
        return platform_facts.resident_bytes(self.process.pid)

    def private_bytes(self) -> int:
        """The memory that the process alone holds."""
        return platform_facts.private_bytes(self.process.pid)

    def shared_out_bytes(self) -> int:
        """The proportional set size of the process."""
        return platform_facts.shared_out_bytes(self.process.pid)

    def session_bytes(self) -> int:
        """The memory of the process and of the processes that it has started."""
        return platform_facts.session_bytes(self.process.pid)

    def resident_peak(self):
        """Gives a function that returns the largest resident size of the process, for a `with` block around the work."""
        return platform_facts.resident_peak(self.process.pid)


def read_into_cache(command: list[str]):
    """Reads the files and directories that a command names. A system may have dropped them from the page cache since their last use."""
    for part in command:
        if part.startswith("/"):
            path = pathlib.Path(part)
            for file in path.rglob("*") if path.is_dir() else [path]:
                if file.is_file():
                    with open(file, "rb") as content:
                        while content.read(1 << 20):
                            pass


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()
