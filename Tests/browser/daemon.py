"""Runs real tidegate processes, each with a separate data directory and port. They can be stopped and started again."""

import contextlib
import itertools
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

seconds_max = 60


def wait_until(condition):
    """Polls a condition until it is true."""
    deadline = time.monotonic() + seconds_max
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{condition} did not become true")
        time.sleep(0.02)


def _own_ports():
    """The ports of the gateways of this process, again and again. They are below those that a system gives to other sockets, and those
    of processes that were started one after the other differ. So a gateway keeps its port while it is stopped."""
    first = 11_000 + os.getpid() % 100 * 200
    return itertools.cycle(range(first, first + 200))


_ports = _own_ports()


def free_port():
    for port in _ports:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class RequestFailed(Exception):
    """An error answer of the gateway."""

    def __init__(self, status, answer):
        super().__init__(f"{status} {answer}")
        self.status = status
        self.answer = answer


class Daemon:
    def __init__(self, directory, *options):
        self.directory = directory
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = [*self.program(), *options]
        self.log = directory.with_suffix(".log")
        self.process = None

    def program(self):
        return [os.environ["TIDEGATE"], "serve", "--listen", f"127.0.0.1:{self.port}", "--data", str(self.directory)]

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)
        wait_until(self.answers)

    def answers(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the gateway does not start: {self.log.read_text()}")
        with contextlib.suppress(OSError):
            return self.send("GET", "/health")

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(seconds_max)

    def send(self, method, path, body=None, headers=None):
        """Sends a request. Returns the answer as JSON, or as bytes if it is not JSON."""
        is_raw = isinstance(body, bytes)
        data = body if is_raw or body is None else json.dumps(body).encode()
        types = {} if is_raw else {"Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data, {**types, **(headers or {})}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=seconds_max) as answer:
                content = answer.read()
                return json.loads(content) if "json" in answer.headers.get("Content-Type", "") else content
        except urllib.error.HTTPError as error:
            with error:
                raise RequestFailed(error.code, error.read().decode()) from None

    def add(self, class_name, **fields):
        """Creates an object. Returns its id."""
        return self.send("POST", f"/classes/{class_name}", fields)["objectId"]

    def change(self, class_name, object_id, **fields):
        return self.send("PUT", f"/classes/{class_name}/{object_id}", fields)

    def read(self, class_name, object_id):
        return self.send("GET", f"/classes/{class_name}/{object_id}")

    def find(self, class_name, **where):
        query = urllib.parse.urlencode({"where": json.dumps(where), "limit": 1000})
        return self.send("GET", f"/classes/{class_name}?{query}")["results"]

    def sync(self):
        """Runs a sync and waits for its end. Returns None if it fails."""
        with contextlib.suppress(RequestFailed):
            return self.send("POST", "/sync?wait=true")

    def make_class(self, class_name, **types):
        """Creates a class. A field's type is a name or an object {"type", …}."""
        fields = {field: {"type": given} if isinstance(given, str) else given for field, given in types.items()}
        key = (self.directory / "master-key").read_text().strip()
        return self.send("POST", f"/schemas/{class_name}", {"fields": fields}, {"X-Parse-Master-Key": key})


class DemoHub(Daemon):
    """The demo's hub, with its sample holidays and birthdays."""

    def program(self):
        ports = ["--hub-port", str(self.port), "--port", str(free_port())]
        return [os.environ["TIDEGATE"], "demo", "--only-hub", *ports, "--data", str(self.directory)]


class DemoReplica(Daemon):
    """The demo's replica of the hub."""

    def __init__(self, directory, hub):
        self.hub_port = hub.port
        super().__init__(directory)

    def program(self):
        ports = ["--hub-port", str(self.hub_port), "--port", str(self.port)]
        return [os.environ["TIDEGATE"], "demo", "--without-hub", *ports, "--data", str(self.directory)]


def day(iso):
    return {"__type": "Date", "iso": f"{iso}T00:00:00.000Z"}
