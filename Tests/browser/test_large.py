"""Large values, many classes, and the number of queries."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import Daemon
from page_test import PageTest

megabyte = "0123456789 abcde" * (1 << 16)


class LargeValueTests(PageTest):
    classes = ()

    def setUp(self):
        self.hub = None
        self.begin()
        self.replica = Daemon(self.work / "alone", "--web", str(self.web))
        self.addCleanup(self.replica.stop)
        self.replica.start()
        for number in range(50):
            self.replica.add(f"Class{number:02}", name="One")
        self.boat = self.replica.add("Boat", name="Dinghy", log=megabyte)
        self.page, self.watch = self.open("/#/Boat")

    def log_of(self, object_id):
        return self.replica.read("Boat", object_id)["log"]

    def test_large_text_is_laid_out_on_request(self):
        expect(self.entry("Dinghy")).to_contain_text("0123456789")
        self.assertLess(len(self.page.locator("#main").text_content()), 10_000)
        self.assertEqual(0, self.page.locator("#main [title]").evaluate_all("all => all.filter(node => node.title.length > 10000).length"))
        self.page.get_by_role("button", name="Open Dinghy").click()
        log = self.form().get_by_label("log", exact=True)
        expect(log).to_have_attribute("readonly", "")
        self.assertLess(len(log.input_value()), 10_000)
        expect(self.form()).to_contain_text("1,048,576 characters. Only the beginning is shown.")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "large-text")
        self.form().get_by_label("name", exact=True).fill("Skiff")
        self.save()
        self.assertEqual(megabyte, self.log_of(self.boat))

        self.page.get_by_role("button", name="Open Skiff").click()
        self.form().get_by_role("button", name="Load the full text").click()
        self.assertEqual(megabyte, log.input_value())
        log.press("x")
        self.save()
        self.assertEqual("x" + megabyte, self.log_of(self.boat))

    def test_link_of_the_shown_class_is_in_view(self):
        self.expect_link_in_view(self.page, "Boat")
        for name in ("Class45", "Class25", "Class00"):
            page, _ = self.open(f"/#/{name}")
            self.expect_link_in_view(page, name)
            page.evaluate("location.hash = '#/Class48'")
            self.expect_link_in_view(page, "Class48")

    def expect_link_in_view(self, page, name):
        expect(page.locator("#sidebar [aria-current]")).to_contain_text(name)
        expect(self.entry("", page)).to_have_count(1)
        page.wait_for_function("""() => {
          const list = document.querySelector('#sidebar').getBoundingClientRect();
          const link = document.querySelector('#sidebar [aria-current]').getBoundingClientRect();
          return link.top >= list.top - 1 && link.bottom <= list.bottom + 1;
        }""")


class QueryTests(PageTest):
    classes = ("Boat", "Country")

    def seed(self):
        self.hub.add("Boat", name="Dinghy")
        self.hub.add("Country", name="Norway")

    def test_opening_a_table_sends_one_list_request(self):
        asked = []
        self.page.on("request", lambda request: "/classes/Country?" in request.url and asked.append(request.url))
        expect(self.entry("Dinghy")).to_be_visible()
        self.page.get_by_role("link", name="Country").click()
        expect(self.entry("Norway")).to_be_visible()
        self.replica.sync()
        self.page.get_by_role("link", name="Boat").click()
        expect(self.entry("Dinghy")).to_be_visible()
        self.page.get_by_role("link", name="Country").click()
        expect(self.entry("Norway")).to_be_visible()
        self.assertEqual(1, len(asked), asked)

    def test_opening_the_page_sends_one_list_request(self):
        context = self.page.context
        page = context.new_page()
        asked = []
        page.on("request", lambda request: "/classes/Country?" in request.url and asked.append(request.url))
        with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/sync")):
            page.goto(self.replica.url + "/#/Country")
        expect(self.entry("Norway", page)).to_be_visible()
        # The sync that the page has requested ends.
        expect(page.locator(".refresh-label")).to_have_text("Refresh")
        self.assertEqual(1, len(asked), asked)
