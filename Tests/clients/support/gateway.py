"""Runs real tidegate processes, for the tests of clients."""

import contextlib
import json
import socket
import subprocess
import time
import urllib.error
import urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Gateway:
    """A tidegate process with a separate data directory. It can be stopped and started again."""

    seconds_max = 30

    def __init__(self, tidegate, directory, *options):
        self.port = free_port()
        self.command = [tidegate, "serve", "--listen", f"127.0.0.1:{self.port}", "--data", str(directory), *options]
        self.log = directory.with_suffix(".log")
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)
        deadline = time.monotonic() + self.seconds_max
        while True:
            with contextlib.suppress(OSError):
                return self.send("GET", "/health")
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"the gateway does not start: {self.log.read_text()}")
            time.sleep(0.05)

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(self.seconds_max)

    def kill(self):
        """Ends the process as a crash would."""
        self.process.kill()
        self.process.wait(self.seconds_max)

    def send(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=self.seconds_max) as answer:
            return json.load(answer)

    def sync(self):
        try:
            return self.send("POST", "/sync?wait=true")
        except urllib.error.HTTPError as error:
            return json.load(error)
