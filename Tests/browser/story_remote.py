"""The remote of a test scenario (story) with two users, as the operator uses it: a standalone gateway, or your own Parse Server."""

import contextlib
import http.client
import http.server
import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
import uuid

from daemon import Daemon, RequestFailed, seconds_max


def story_remote(work, class_name):
    """The Parse Server of `TIDEGATE_CONTRACT_REMOTE`, if the variable gives its master key. Otherwise a standalone gateway."""
    address, *words = os.environ.get("TIDEGATE_CONTRACT_REMOTE", "").split() or [""]
    keys = dict(word.split("=", 1) for word in words)
    if "appId" in keys and "masterKey" in keys:
        return OwnServer(address, class_name, keys)
    return StandaloneGateway(work, class_name)


class StoryRemote:
    """The remote of a test scenario, which uses one class. `stop` makes the remote unreachable for the replica, `start` makes it reachable again."""

    def __init__(self, address, class_name, keys):
        self.address = address
        """The server's URL for the operator."""
        self.class_name = class_name
        self.keys = keys
        self.ids = {}
        """The ids of the users, by their short names."""
        # The server may have other users of the same names.
        self.suffix = f"-{uuid.uuid4().hex[:12]}"

    def replica_options(self, people):
        """The command-line options for the keys of a replica. Only a site replica gets the master key."""
        options = ["--app-id", self.keys["appId"]]
        if "restKey" in self.keys:
            options += ["--rest-key", self.keys["restKey"]]
        return [*options, "--master-key", self.keys["masterKey"]] if people == "site" else options

    def send(self, method, path, body=None):
        """Sends a request with the master key."""
        headers = {"X-Parse-Application-Id": self.keys["appId"], "X-Parse-Master-Key": self.keys["masterKey"]}
        if "restKey" in self.keys:
            headers["X-Parse-REST-API-Key"] = self.keys["restKey"]
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + path, data, {"Content-Type": "application/json", **headers}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=seconds_max) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise RequestFailed(error.code, error.read().decode()) from None

    def add(self, **fields):
        self.send("POST", f"/classes/{self.class_name}", fields)

    def objects(self):
        return self.send("GET", f"/classes/{self.class_name}?limit=1000")["results"]

    def username(self, name):
        return name + self.suffix

    def add_user(self, name):
        """Creates a user, whose password is the short name."""
        self.ids[name] = self.send("POST", "/users", {"username": self.username(name), "password": name})["objectId"]

    def rights(self, name):
        """The ACL of an object that belongs to a user alone."""
        return {self.ids[name]: {"read": True, "write": True}}

    def unlock(self, name):
        self.send("PUT", f"/users/{self.ids[name]}", {"ACL": self.rights(name)})


class StandaloneGateway(StoryRemote):
    """A gateway in its own process. It is stopped to make it unreachable, and its operator uses the command line meanwhile."""

    def __init__(self, work, class_name):
        options = ("--local-master-key", "hub", "--web", "none")
        self.daemon = Daemon(work / "hub", *options)
        super().__init__(self.daemon.url, class_name, {"appId": "story", "masterKey": "hub"})
        self.url = self.daemon.url
        self.start = self.daemon.start
        self.stop = self.daemon.stop

    def set_password(self, name, password):
        self._operate("passwd", name, password)

    def lock(self, name):
        self._operate("lock", name)

    def _operate(self, command, name, password=""):
        """Runs a command on the directory of the stopped gateway."""
        arguments = [os.environ["TIDEGATE"], "user", command, self.username(name), "--data", str(self.daemon.directory)]
        subprocess.run(arguments, input=password + "\n", text=True, check=True, capture_output=True)

    def clean(self):
        """Nothing to do: the story removes the directory."""


class OwnServer(StoryRemote):
    """A Parse Server behind a relay, which is cut to make the server unreachable for the replica alone."""

    def __init__(self, address, class_name, keys):
        super().__init__(address, class_name, keys)
        # The server refuses this with a wrong master key. So the story ends before it has created anything.
        self.send("GET", "/schemas")
        # An interrupted story may have left objects.
        self.clean()
        self.relay = Relay(address)
        self.url = self.relay.url + urllib.parse.urlsplit(address).path
        self.start = self.relay.restore
        self.stop = self.relay.cut

    def set_password(self, name, password):
        self.send("PUT", f"/users/{self.ids[name]}", {"password": password})
        self._end_sessions(name)

    def lock(self, name):
        self.send("PUT", f"/users/{self.ids[name]}", {"ACL": {}})
        self._end_sessions(name)

    def _end_sessions(self, name):
        user = {"__type": "Pointer", "className": "_User", "objectId": self.ids[name]}
        query = urllib.parse.urlencode({"where": json.dumps({"user": user}), "limit": 1000})
        for session in self.send("GET", f"/sessions?{query}")["results"]:
            self.send("DELETE", f"/sessions/{session['objectId']}")

    def clean(self):
        """Deletes the objects and the users of the story. The empty class stays."""
        for found in self.objects():
            self.send("DELETE", f"/classes/{self.class_name}/{found['objectId']}")
        for name, user_id in self.ids.items():
            self._end_sessions(name)
            self.send("DELETE", f"/users/{user_id}")


# Headers that belong to a single connection, or that the relay writes itself.
_own_headers = {"connection", "content-length", "date", "host", "server", "transfer-encoding"}


class _RelayServer(http.server.ThreadingHTTPServer):
    # `server_close` waits for the requests that are being answered.
    daemon_threads = False

    def handle_error(self, request, client_address):
        """Ignores connections that a stopping replica breaks."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Relay:
    """Passes requests on to a server, by HTTP or HTTPS. While it is cut, it refuses connections."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.far_end = parts.netloc
        self.connection_type = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.port = 0
        self.server = None
        self.restore()
        self.url = f"http://127.0.0.1:{self.port}"

    def restore(self):
        """Accepts connections, always on the same port."""
        if self.server is None:
            self.server = _RelayServer(("127.0.0.1", self.port), self._handler())
            self.port = self.server.server_port
            threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def cut(self):
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def _carry(self, method, path, headers, body):
        with contextlib.closing(self.connection_type(self.far_end, timeout=seconds_max)) as connection:
            connection.request(method, path, body, dict(self._passed_on(headers)))
            answer = connection.getresponse()
            return answer.status, self._passed_on(answer.getheaders()), answer.read()

    @staticmethod
    def _passed_on(headers):
        return [(name, value) for name, value in headers if name.lower() not in _own_headers]

    def _handler(relay):
        # The handler speaks HTTP/1.0, with one request for each connection. So no connection stays open when the relay is cut.
        class Handler(http.server.BaseHTTPRequestHandler):
            timeout = seconds_max

            def carry(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, headers, content = relay._carry(self.command, self.path, self.headers.items(), body)
                self.send_response(status)
                for name, value in [*headers, ("Content-Length", str(len(content)))]:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = carry

            def log_message(self, *_):
                pass

        return Handler
