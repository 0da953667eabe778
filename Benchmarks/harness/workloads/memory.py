"""Workload: anonymous memory and mapped files of a gateway under load, against the bounds that its limits imply."""

import base64
import contextlib
import http.client
import json
import os
import subprocess
import time

from ..bench import ITEM, database
from ..gateway import APPLICATION_ID, HEADERS, REST_KEY, list_path
from ..load import BackgroundLoad, Load, run
from ..platform_facts import Samples, proc_status, proportional_bytes
from ..report import Line, Target
from .first_sync import MEGABYTE
from .workload import Workload

# At most 512 streams are open.
STREAMS = 500
# The size of the pieces in which the benchmark sends and receives a file.
PIECE_BYTES = 1 << 18
PAUSE_SECONDS = 0.1

# The parts of the bounds in MB. docs/benchmarks.md names the limits behind them.
PROGRAM = 16
KEPT = 16
SQLITE_CACHE = 8
OBJECT_CACHE = 64
ANSWERS = 256
STREAM = (64 + 16 + 64) / 1024
FEED_WINDOW = 8
PROGRAM_FILES = 48
# The threads for quick lists and for slow ones. Each server thread can run one more.
LIST_THREADS = 2 + 3
# The largest upload in JSON with its key in the body.
JSON_UPLOAD = 64
# The largest file in such an upload. Base64 takes four bytes for three.
JSON_FILE_BYTES_MAX = 40 << 20


class Memory(Workload):
    name = "memory"
    about = "anonymous memory and mapped files under load, against their bounds"
    needs_linux = "macOS does not tell anonymous memory and mapped files apart"
    # One round takes four minutes.
    rounds_max = 1

    def prepare(self):
        bench = self.bench
        self.data = bench.ordered_items
        self.whole_lists = bench.load("GET", "whole-lists", [list_path(ITEM, {}, limit=self.sizes.objects)])
        with bench.hub(self.data) as hub:
            self.object_bytes = len(hub.connection.send("GET", list_path(ITEM, {}, limit=1000))) / 1000
        self.texts = bench.create_texts(self.sizes.stream_events)
        self.file = bench.directory / "large-file"
        with open(self.file, "wb") as file:
            for _ in range(0, self.sizes.file_bytes, 1 << 20):
                file.write(os.urandom(1 << 20))
        self.file_options = ("--file-bytes-max", self.sizes.file_bytes)
        self.works: dict[str, tuple[str, float, float]] = {}

    def measure(self):
        return self.creates() | self.reads() | self.streams() | self.files()

    # Loads

    def creates(self):
        data = self.bench.fresh("memory")
        with self.bench.hub(data) as hub:
            with self.watched(hub) as figures, BackgroundLoad(hub.port, self.bench.item_creates, self.sizes.connections):
                while hub.object_count(ITEM) < self.sizes.objects:
                    time.sleep(PAUSE_SECONDS)
            found = self.figures(
                "creates", f"after {self.sizes.objects:,} creates", figures, database(data), readers=self.server_threads)
        self.bench.drop(data)
        return found

    def reads(self):
        bench, lists, count = self.bench, self.server_threads + LIST_THREADS, self.sizes.objects
        works = {
            "lists": ("lists of 100 objects", bench.group_lists, lists, self.answers(100)),
            "large lists": (f"lists of {count // 100:,} objects", bench.shade_lists, lists, self.answers(count // 100)),
            "whole lists": (f"lists of {count:,} objects", self.whole_lists, lists, self.answers(count)),
            "reads": (f"reads of {count:,} objects by id", bench.item_reads, self.server_threads, OBJECT_CACHE),
        }
        found = {}
        for key, (work, load, readers, more) in works.items():
            with bench.hub(self.data) as hub:
                with self.watched(hub) as figures:
                    self.run(hub.port, load)
                found |= self.figures(
                    key, f"{self.sizes.connections} connections, {work}", figures, database(self.data), readers, more)
                if key == "reads" and self.sizes.cache_seconds:
                    time.sleep(self.sizes.cache_seconds)
                    with self.watched(hub) as figures:
                        pass
                    found |= self.figures(
                        "later", "three minutes after these reads", figures, database(self.data), readers)
        return found

    def run(self, port: int, load: Load):
        run(port, load, self.sizes.warm_up_seconds + self.sizes.load_seconds, self.sizes.connections)

    def streams(self):
        bench, data = self.bench, self.bench.copy(self.data)
        with bench.hub(data) as hub:
            command = [
                bench.programs.streams, hub.port, STREAMS, self.sizes.stream_events,
                *(f"{name}: {value}" for name, value in HEADERS.items())]
            with (
                self.watched(hub) as figures,
                subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True) as streams,
            ):
                if streams.stdout.readline() != "open\n":
                    raise RuntimeError("the streams do not open")
                hub.batches(self.texts)
                streams.stdout.readline()
            found = self.figures(
                "streams", f"{STREAMS} event streams, {self.sizes.stream_events:,} changes", figures, database(data),
                self.server_threads, FEED_WINDOW + STREAMS * STREAM)
        bench.drop(data)
        return found

    def files(self):
        """A file goes from a client to a replica, from there to the hub, to a second replica, and to a client."""
        bench, size = self.bench, f"{self.sizes.file_bytes / MEGABYTE:.0f} MB"
        hub_data, first, second = (bench.fresh(name) for name in ("file-hub", "file-replica", "file-replica"))
        found = {}

        def note(key: str, work: str, figures: dict, data):
            found.update(self.figures(key, f"file of {size}, {work}", figures, database(data), self.server_threads))

        found.update(self.json_upload())
        with bench.hub(hub_data, *self.file_options) as hub:
            with bench.replica(first, *self.file_options) as replica, self.watched(replica) as figures:
                file = self.upload(replica.port)
            note("upload", "upload", figures, first)
            with bench.replica(first, *self.file_options) as replica, self.watched(replica) as figures:
                replica.keep_class(ITEM)
                replica.post(f"/classes/{ITEM}", {"file": {"__type": "File", **file}})
                replica.sync()
            note("push", "from the replica to the remote", figures, first)
            path = "/" + hub.get(list_path(ITEM, {}))["results"][0]["file"]["url"].split("/", 3)[3]
            with bench.replica(second, *self.file_options) as replica:
                replica.first_sync(ITEM)
                path = "/" + replica.get(list_path(ITEM, {}))["results"][0]["file"]["url"].split("/", 3)[3]
                with self.watched(replica) as figures:
                    self.download(replica.port, path)
            note("fetch", "from the remote to a replica and its client", figures, second)
            with bench.replica(second, *self.file_options) as replica, self.watched(replica) as figures:
                self.download(replica.port, path)
            note("download", "download", figures, second)
        bench.drop(hub_data, first, second)
        return found

    def json_upload(self):
        """An upload as the JavaScript SDK sends it: in JSON, with the keys in the body."""
        content = self.file.read_bytes()[:JSON_FILE_BYTES_MAX]
        text = json.dumps({
            "base64": base64.b64encode(content).decode(), "_ApplicationId": APPLICATION_ID, "_JavaScriptKey": REST_KEY,
            "_ContentType": "application/octet-stream"})
        data = self.bench.fresh("json-upload")
        with self.bench.hub(data, *self.file_options) as hub, self.watched(hub) as figures:
            hub.connection.send("POST", "/files/large.bin", text, {"Content-Type": "text/plain"})
        # The body and a copy of it are in memory. The body is mapped from the disk to decode it.
        found = self.figures(
            "json upload", f"file of {len(content) / MEGABYTE:.0f} MB, upload in JSON", figures, database(data),
            self.server_threads, 2 * JSON_UPLOAD, mapped_more=JSON_UPLOAD)
        self.bench.drop(data)
        return found

    def upload(self, port: int) -> dict:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, blocksize=PIECE_BYTES)) as connection:
            headers = {**HEADERS, "Content-Type": "application/octet-stream", "Content-Length": str(self.sizes.file_bytes)}
            with open(self.file, "rb") as file:
                connection.request("POST", "/files/large.bin", file, headers)
            answer = connection.getresponse()
            content = answer.read()
            if answer.status != http.client.CREATED:
                raise RuntimeError(f"the upload was answered {answer.status}: {content[:300]!r}")
            return json.loads(content)

    def download(self, port: int, path: str):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
            connection.request("GET", path, headers=HEADERS)
            answer = connection.getresponse()
            count = 0
            while piece := answer.read(PIECE_BYTES):
                count += len(piece)
            if count != self.sizes.file_bytes:
                raise RuntimeError(f"the download was answered {answer.status} with {count} bytes")

    # Figures

    @property
    def server_threads(self) -> int:
        return max(2, os.cpu_count())

    def answers(self, count: int) -> float:
        """The bound of the memory of lists of `count` objects, in megabytes."""
        size = count * self.object_bytes / MEGABYTE
        # A thread writes an answer into memory that grows to twice its size. The server has a copy of each answer to send.
        return LIST_THREADS * 2 * size + min(ANSWERS, self.sizes.connections * size)

    @contextlib.contextmanager
    def watched(self, gateway):
        """Gives a dictionary that holds the memory figures of a gateway after the `with` block."""
        pid, figures = gateway.process.pid, {}
        with Samples(lambda: {name: proc_status(pid)[name] for name in ("RssAnon", "RssFile")}) as samples:
            yield figures
        figures.update(samples.peaks, VmHWM=proc_status(pid)["VmHWM"], Pss_File=proportional_bytes(pid)["Pss_File"])

    def figures(self, key: str, work: str, figures: dict, file, readers: int, more: float = 0, mapped_more: float = 0) -> dict:
        """Notes the bounds of a load, and returns its figures in megabytes.

        `readers` is the number of connections to the file that read at once, besides the writer. `more` and `mapped_more` are what
        the load adds to the bounds of anonymous memory and of mapped files, in megabytes.
        """
        anonymous = PROGRAM + KEPT + SQLITE_CACHE * (1 + readers) + more
        mapped = PROGRAM_FILES + readers * file.stat().st_size / MEGABYTE + mapped_more
        self.works[key] = (work, anonymous, mapped)
        return {f"{key} {name}": value / MEGABYTE for name, value in figures.items()}

    def lines(self):
        lines = []
        for key, (work, anonymous, mapped) in self.works.items():
            once, peak = (self.figure(f"{key} {name}", "MB").text for name in ("Pss_File", "VmHWM"))
            lines.append(Line(
                f"{work}: anonymous memory", self.figure(f"{key} RssAnon", "MB"), target=Target("≤", round(anonymous), "MB"),
                note=f"VmHWM {peak}"))
            lines.append(Line(
                f"{work}: mapped files", self.figure(f"{key} RssFile", "MB"), target=Target("≤", round(mapped), "MB"),
                note=f"PSS at the end {once}"))
        return lines
