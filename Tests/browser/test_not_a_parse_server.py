"""A remote address that belongs to a web server and not to a Parse Server."""

import http.server
import threading

from playwright.sync_api import expect

import accessible
import screenshots
from page_test import PageTest


class WebServer:
    """Answers each request with a web page."""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                content = b"<!doctype html><title>Welcome</title><h1>It works!</h1>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class NotAParseServerTests(PageTest):
    def remote_url(self):
        self.web_server = WebServer()
        self.addCleanup(self.web_server.close)
        return self.web_server.url

    def test_web_server_is_reported_as_not_a_parse_server(self):
        host = self.web_server.url.removeprefix("http://")
        expect(self.headline()).to_contain_text(f"{host} is not a Parse Server")
        expect(self.headline()).to_contain_text("web page, with status 200")
        expect(self.headline()).to_contain_text("No pending changes.")
        expect(self.page.locator("#main")).to_contain_text("web page, with status 200")
        screenshots.take(self.page, "foreign")
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.expect_state("Picnic day", "New, pending")
        self.refresh()
        expect(self.page.locator(".notice").last).to_contain_text("is not a Parse Server")
