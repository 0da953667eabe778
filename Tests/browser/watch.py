"""Records the page's console errors, requests to other servers, and violations of its content security policy."""

import re
import urllib.parse

tell_violations = """
  addEventListener("securitypolicyviolation", (event) =>
    console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`));
"""


class Watch:
    def __init__(self, page):
        self.urls = []
        self.errors = []
        self.is_expected = []
        page.add_init_script(tell_violations)
        page.on("request", lambda request: self.urls.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))
        page.on("console", self._hear)

    def expect_error(self, pattern):
        """Ignores errors that match a pattern."""
        self.is_expected.append(re.compile(pattern))

    def _hear(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(f"{message.text} {message.location.get('url', '')}")

    def problems(self, origin):
        errors = [error for error in self.errors if not any(pattern.search(error) for pattern in self.is_expected)]
        return errors + [f"requested {url}" for url in self.urls if not self._stays(url, origin)]

    @staticmethod
    def _stays(url, origin):
        parts = urllib.parse.urlsplit(url)
        return parts.scheme in ("data", "blob") or f"{parts.scheme}://{parts.netloc}" == origin
