"""A proxy between a replica and its remote. It can break all connections, or drop answers after the remote has processed the request."""

import http.client
import http.server
import sys
import threading
import urllib.parse

# Headers that belong to a single connection, or that the proxy writes itself.
_own_headers = {"connection", "content-length", "date", "host", "server", "transfer-encoding"}


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Ignores connections that a stopping replica breaks."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class LossyProxy:
    def __init__(self, url):
        self.far_end = urllib.parse.urlsplit(url).netloc
        self.is_down = False
        """Whether each connection breaks before the request reaches the remote."""
        self.lost_text = None
        """The proxy drops the answers to requests whose body contains this text; None drops nothing."""
        self.server = _Server(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def _carry(self, method, path, headers, body):
        connection = http.client.HTTPConnection(self.far_end, timeout=60)
        try:
            connection.request(method, path, body, {name: value for name, value in headers.items() if name.lower() not in _own_headers})
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def _handler(proxy):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def carry(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if proxy.is_down:
                    self.close_connection = True
                    return
                try:
                    status, headers, content = proxy._carry(self.command, self.path, self.headers, body)
                except OSError:
                    status = None
                if status is None or (proxy.lost_text and proxy.lost_text.encode() in body):
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in _own_headers:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = carry

            def log_message(self, *_):
                pass

        return Handler
