"""The view of a class on a phone: rows, the lines above and below them, and the first column."""

from playwright.sync_api import expect
from test_grid import GridTest

import accessible
import screenshots

low = {"width": 375, "height": 740}
sailing = '/#/Boat?where={"isSailing":true}&sort=name'


class PhoneTests(GridTest):
    boats = 150

    def setUp(self):
        super().setUp()
        self.page, self.watch = self.open(sailing, size=low, has_touch=True, is_mobile=True)
        self.page.get_by_role("button", name="Apply it").click()
        expect(self.page.locator("#main")).to_contain_text("75 matches.")
        expect(self.entry("Boat 0000")).to_be_visible()

    def box(self, selector):
        return self.page.locator(selector).first.bounding_box()

    def whole_rows(self):
        """The number of rows that are visible as a whole."""
        return self.page.evaluate("""() => {
            const frame = document.querySelector(".grid-frame").getBoundingClientRect();
            const head = document.querySelector(".grid thead").getBoundingClientRect();
            const rows = [...document.querySelectorAll(".grid tbody tr")].map((row) => row.getBoundingClientRect());
            return rows.filter((row) => row.top >= head.bottom - 1 && row.bottom <= frame.bottom + 1).length;
        }""")

    def test_ten_rows_fit_below_a_filter(self):
        self.assertGreaterEqual(self.whole_rows(), 10)
        self.assertEqual(30, self.entry("Boat 0000").bounding_box()["height"])
        self.assertLess(self.box(".grid-foot")["height"], 44)
        self.assertEqual([], accessible.problems(self.page, (low,)))
        self.page.set_viewport_size(low)
        self.page.screenshot(path=screenshots.directory / "phone-low-light.png")

    def test_first_column_takes_at_most_two_fifths(self):
        frame = self.page.locator(".grid-frame")
        frame.evaluate("node => node.scrollLeft = 300")
        first = self.entry("Boat 0000").locator("th").bounding_box()
        self.assertLessEqual(first["x"] + first["width"], 0.4 * low["width"] + 1)
        self.assertEqual(0, first["x"])

    def test_lines_scroll_sideways_to_their_last_buttons(self):
        self.assertEqual(low["width"], self.page.evaluate("document.documentElement.scrollWidth"))
        self.page.get_by_label("Times").select_option("UTC")
        expect(self.page.get_by_label("Times")).to_be_in_viewport()
        self.page.get_by_role("button", name="Clear filter").tap()
        expect(self.page.locator(".chip")).to_have_count(0)
        self.page.get_by_role("button", name="Add object").tap()
        expect(self.form()).to_contain_text("Add an object")
