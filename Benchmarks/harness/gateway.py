"""A running Tidegate gateway and the requests that clients send to it."""

import concurrent.futures
import http.client
import json
import pathlib
import re
import threading
import time
import urllib.parse

from . import objects
from .process import Server

APPLICATION_ID = "benchmark"
REST_KEY = "a-rest-key-of-the-benchmarks"
HEADERS = {
    "X-Parse-Application-Id": APPLICATION_ID,
    "X-Parse-REST-API-Key": REST_KEY,
    "Content-Type": "application/json",
}
MASTER_KEY = "a-master-key-of-the-benchmarks"
MASTER_HEADERS = {**HEADERS, "X-Parse-Master-Key": MASTER_KEY}
# The maximum number of operations in one `/batch` request.
BATCH_SIZE = 50
# The maximum number of operations that a gateway accepts in one `/batch` request without other settings.
BATCH_SIZE_MAX = 1000
# The number of objects in a page of a pull.
PAGE_SIZE = 1000
LOADING_CONNECTIONS = 4


class Gateway(Server):
    """A gateway with all checks enabled: clients must send the application id and the REST key."""

    def __init__(self, name: str, program: pathlib.Path, data: pathlib.Path, port: int, *options, remote=None):
        command = [program, "serve", "--listen", f"127.0.0.1:{port}", "--data", data, "--web", "none", *options]
        environment = {
            "TIDEGATE_LOCAL_APP_ID": APPLICATION_ID,
            "TIDEGATE_LOCAL_REST_KEY": REST_KEY,
            "TIDEGATE_LOCAL_MASTER_KEY": MASTER_KEY,
        }
        if remote is None:
            # Objects are loaded in batches of up to `BATCH_SIZE_MAX`.
            command += ["--request-complexity", "batchRequestLimit=-1"]
        else:
            command += ["--remote", f"http://127.0.0.1:{remote}", "--app-id", APPLICATION_ID]
            environment["TIDEGATE_REST_KEY"] = REST_KEY
        super().__init__(name, command, port, data.with_name(data.name + ".log"), environment)
        self.connection = Connection(port)

    def await_ready(self):
        self.get("/health")

    def stop(self):
        self.connection.close()
        super().stop()

    def get(self, path: str):
        return self.connection.call("GET", path)

    def post(self, path: str, body=None):
        return self.connection.call("POST", path, body)

    # Objects

    def batches(self, texts):
        """Sends `/batch` requests with the given bodies over several connections. Raises an error if an operation fails."""

        def send(texts):
            with Connection(self.port) as connection:
                for text in texts:
                    answer = connection.send("POST", "/batch", text)
                    if b'"error"' in answer:
                        raise RuntimeError(f"{self.name} rejected an operation of a batch: {answer[:300]!r}")

        shared = Shared(texts)
        with concurrent.futures.ThreadPoolExecutor(LOADING_CONNECTIONS) as pool:
            for done in [pool.submit(send, shared) for _ in range(LOADING_CONNECTIONS)]:
                done.result()

    def load(self, class_name: str, count: int, batch_size: int = BATCH_SIZE):
        """Creates the objects of a class. Their contents and ids are equal in every run."""
        ids = objects.object_ids(class_name, count)
        self.batches(objects.create_batches(class_name, objects.bodies(class_name, count), batch_size, ids))

    def explained_sql(self, class_name: str, where: dict, **parameters) -> str:
        path = list_path(class_name, where, explain="true", **parameters)
        return json.loads(self.connection.send("GET", path, None, MASTER_HEADERS))["results"][-1]["sql"]

    # Syncing

    def keep_class(self, class_name: str):
        self.connection.send("PUT", f"/sync/classes/{class_name}", "{}", MASTER_HEADERS)

    def sync(self) -> dict:
        """Runs a sync and waits until it has finished."""
        return self.post("/sync?wait=true")

    def timed_sync(self) -> tuple[float, dict]:
        begin = time.monotonic()
        summary = self.sync()
        return time.monotonic() - begin, summary

    def first_sync(self, class_name: str) -> float:
        """The seconds from the registration of a class until all of its objects are fetched.

        Registering the class starts a sync. The awaited sync may be a second one that finds nothing new. Its few milliseconds are
        included.
        """
        begin = time.monotonic()
        self.keep_class(class_name)
        self.sync()
        return time.monotonic() - begin

    def object_count(self, class_name: str) -> int:
        return self.get(list_path(class_name, {}, count=1, limit=0))["count"]

    def pull_paths(self, class_name: str, since: str | None = None) -> list[str]:
        """The paths of the pages of a pull, in sequence, up to the first empty page.

        `since` is the `updatedAt` of the oldest object to pull; None pulls all objects.
        """
        conditions = {"updatedAt": {"$gte": date(since)}} if since else {}
        paths = [page_path(class_name, conditions)]
        while page := self.get(paths[-1])["results"]:
            paths.append(page_path(class_name, after(page[-1])))
        return paths

    # Metrics

    def requests_answered(self) -> int:
        """The number of requests that the gateway has answered, without requests for metrics."""
        return sum(
            int(value) for route, value in re.findall(
                r'^tidegate_http_requests_total\{route="(\w+)".*\} (\d+)$', self.metrics(), re.MULTILINE)
            if route != "getMetrics")

    def phase_seconds(self, phase: str) -> float:
        """The seconds that all syncs so far have spent in one phase."""
        found = re.search(
            rf'^tidegate_sync_phase_duration_seconds_sum\{{phase="{phase}"\}} (\S+)$', self.metrics(), re.MULTILINE)
        return float(found[1]) if found else 0

    def metrics(self) -> str:
        return self.connection.send("GET", "/metrics", headers=MASTER_HEADERS).decode()


class Connection:
    """A keep-alive HTTP connection."""

    # An hour, because one request can wait for the first sync of a million objects.
    timeout_seconds = 3600

    def __init__(self, port: int):
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=self.timeout_seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.http.close()

    def call(self, method: str, path: str, body=None):
        return json.loads(self.send(method, path, None if body is None else objects.compact(body)))

    def send(self, method: str, path: str, text: str | None = None, headers=HEADERS) -> bytes:
        try:
            self.http.request(method, path, text, headers)
            answer = self.http.getresponse()
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            # The server has probably closed the idle connection before the request arrived. The request is sent again.
            self.http.close()
            self.http.request(method, path, text, headers)
            answer = self.http.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path} was answered {answer.status}: {content[:300]!r}")
        return content


class Shared:
    """An iterator that several threads can use at once."""

    def __init__(self, values):
        self.values = iter(values)
        self.lock = threading.Lock()

    def __iter__(self):
        return self

    def __next__(self):
        with self.lock:
            return next(self.values)


def date(iso: str) -> dict:
    return {"__type": "Date", "iso": iso}


def after(last: dict) -> dict:
    """The conditions of the page that follows an object in the order of a pull."""
    time = date(last["updatedAt"])
    return {
        "updatedAt": {"$gte": time},
        "$or": [{"updatedAt": {"$gt": time}}, {"updatedAt": time, "objectId": {"$gt": last["objectId"]}}]}


def page_path(class_name: str, conditions: dict) -> str:
    return list_path(class_name, conditions, order="updatedAt,objectId", limit=PAGE_SIZE)


def list_path(class_name: str, where: dict, **parameters) -> str:
    return f"/classes/{class_name}?" + urllib.parse.urlencode({"where": objects.compact(where), **parameters})
