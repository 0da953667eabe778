"""A web server that plays another web site."""

import http.server
import threading


class Site:
    """Serves an empty page at every path. The tests run scripts in it."""

    def __init__(self, host):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        self.url = f"http://{host}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def _handler(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                content = b"<!doctype html><title>Elsewhere</title><body></body>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        return Handler
