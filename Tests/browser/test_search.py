"""The search: progress, number of matches, late answers, and change of class."""

import urllib.parse

from playwright.sync_api import expect

import screenshots
from daemon import day, wait_until
from page_test import PageTest


class SearchTests(PageTest):
    classes = ("Boat", "Anchor")

    def seed(self):
        for number in range(60):
            self.hub.add("Boat", name=f"Boat {number:02}")
        self.hub.add("Anchor", name="Bruce")

    def setUp(self):
        super().setUp()
        self.page.goto(f"{self.replica.url}/#/Boat")
        expect(self.page.locator(".grid-range").get_by_text("of 60")).to_be_visible()
        self.search = self.page.get_by_label("Search in this class")
        self.main = self.page.locator("#main")
        self.held = []

    def names(self):
        return self.page.locator("#main tbody th .cell-text")

    def hold_searches(self):
        """Holds search requests until `release_searches`."""
        self.is_holding = True

        def is_search(url):
            return "/classes/Boat" in url and "where" in url

        self.page.route(is_search, lambda route: self.held.append(route) if self.is_holding else route.continue_())

    def wait_for_search(self, words):
        """Waits until a search for a text is held."""
        wanted = urllib.parse.quote(words)
        wait_until(lambda: self.page.wait_for_timeout(20) or any(wanted in route.request.url for route in self.held))

    def release_searches(self, *kept):
        """Continues the held searches except `kept`. Later searches are not held."""
        self.is_holding = False
        for route in self.held:
            if route not in kept:
                route.continue_()

    def test_running_search_hides_the_old_number_of_matches(self):
        self.search.fill("Boat 0")
        expect(self.main).to_contain_text("15 matches.")
        self.hold_searches()
        self.search.fill("Boat 01")
        expect(self.main).to_contain_text("Searching")
        expect(self.main).not_to_contain_text("matches.")
        self.wait_for_search("01")
        expect(self.page.locator(".view-body")).to_have_attribute("aria-busy", "true")
        expect(self.page.locator(".search-spinner")).to_be_visible()
        screenshots.take(self.page, "searching", with_details=False)
        self.release_searches()
        expect(self.names()).to_have_text(["Boat 01"])
        expect(self.main).to_contain_text("1 match.")
        expect(self.main).not_to_contain_text("Searching")
        expect(self.page.locator(".search-spinner")).to_be_hidden()

    def test_late_answer_of_an_older_search_is_ignored(self):
        self.hold_searches()
        self.search.fill("Boat 01")
        self.wait_for_search("01")
        first = self.held[0]
        self.search.fill("Boat 02")
        self.wait_for_search("02")
        self.release_searches(first)
        expect(self.names()).to_have_text(["Boat 02"])
        # The first search fails after the second one has succeeded.
        self.watch.expect_error("500")
        first.fulfill(status=500, json={"code": 1, "error": "late"})
        self.page.evaluate("new Promise((resolve) => setTimeout(resolve))")
        expect(self.names()).to_have_text(["Boat 02"])
        expect(self.main).not_to_contain_text("late")

    def test_no_matches_is_shown_only_after_the_search(self):
        self.search.fill("nowhere")
        expect(self.main).to_contain_text("No matches for “nowhere”")
        self.hold_searches()
        self.search.fill("Boat 03")
        expect(self.main).to_contain_text("Searching")
        expect(self.main).not_to_contain_text("No matches for")
        self.wait_for_search("03")
        self.release_searches()
        expect(self.names()).to_have_text(["Boat 03"])

    def test_search_is_cleared_when_the_class_changes(self):
        self.search.fill("Boat 04")
        expect(self.names()).to_have_text(["Boat 04"])
        self.page.get_by_role("link", name="Anchor").click()
        expect(self.entry("Bruce")).to_be_visible()
        expect(self.search).to_have_value("")
        self.page.get_by_role("link", name="Boat").click()
        expect(self.page.locator(".grid-range").get_by_text("of 60")).to_be_visible()
        expect(self.search).to_have_value("")

    def test_search_in_a_list_by_date_starts_without_a_delay(self):
        self.replica.add("Holiday", name="Picnic day", date=day("2031-07-16"))
        self.replica.add("Holiday", name="Lantern Night", date=day("2031-12-05"))
        self.page.goto(f"{self.replica.url}/#/Holiday")
        self.search.fill("pic")
        expect(self.main).to_contain_text("1 of 2 match.")
        expect(self.entry("Lantern Night")).to_have_count(0)
        expect(self.page.locator(".view-body")).to_have_css("opacity", "1")

    def test_search_text_is_not_applied_to_another_class(self):
        self.search.fill("Boat 05")
        self.page.get_by_role("link", name="Anchor").click()
        expect(self.entry("Bruce")).to_be_visible()
        self.page.get_by_role("link", name="Boat").click()
        expect(self.page.locator(".grid-range").get_by_text("of 60")).to_be_visible()
