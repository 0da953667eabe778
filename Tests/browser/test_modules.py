"""Unit tests of the page's modules. Each `modules/NAME.test.js` runs in the browser, without a gateway."""

import mimetypes
import pathlib
import unittest

from page_test import browser, root

origin = "http://modules.test"
tests = pathlib.Path(__file__).parent / "modules"


def serve(route):
    """Serves files of the repository."""
    path = route.request.url.removeprefix(origin)
    if path == "/":
        return route.fulfill(body="<!doctype html><title>Tests</title>", content_type="text/html")
    place = root / path.lstrip("/")
    return route.fulfill(path=place, content_type=mimetypes.guess_type(place.name)[0] or "text/javascript")


class ModuleTests(unittest.TestCase):
    def test_modules_without_a_page_pass_their_tests(self):
        # The time zone is far ahead of UTC, so that confusing local and UTC days fails the tests.
        context = browser().new_context(locale="en-GB", timezone_id="Pacific/Auckland")
        self.addCleanup(context.close)
        files = sorted(tests.glob("*.test.js"))
        self.assertGreater(len(files), 5)
        for file in files:
            with self.subTest(file.name):
                page = context.new_page()
                page.route(f"{origin}/**", serve)
                page.goto(f"{origin}/")
                results = page.evaluate(
                    """async (address) => {
                        await import(address);
                        const { run } = await import("/Tests/browser/modules/check.js");
                        return await run();
                    }""", f"/{file.relative_to(root)}")
                self.assertGreater(results["count"], 0)
                self.assertEqual([], results["failures"])
                page.close()
