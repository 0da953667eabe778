"""Notices: their order, their limit, and the room that they take."""

from playwright.sync_api import expect
from test_grid import GridTest

import accessible
import screenshots
from page_test import desktop, phone

low = {"width": 375, "height": 740}


class NoticeTests(GridTest):
    boats = 40

    def notices(self):
        return self.page.locator("#notices .notice:visible p")

    def refuse(self, *numbers):
        """Edits the cell of a boat for each number. The gateway refuses the changes, and the page shows warnings."""
        self.watch.expect_error("400|ERR_FAILED")
        for number in numbers:
            self.page.unroute_all()
            self.page.route("**/classes/Boat/*", self.refusal(number))
            self.edit(number)
            expect(self.notices().last).to_contain_text(f"Problem {number}")
            self.page.keyboard.press("Escape")

    def edit(self, number):
        self.cell(f"Boat {number:04}", "metres").dblclick()
        self.page.locator(".cell-input").fill(str(number + 100))
        self.page.keyboard.press("Enter")

    @staticmethod
    def refusal(number):
        def answer(route):
            if route.request.method != "PUT":
                return route.continue_()
            return route.fulfill(status=400, json={"code": 142, "error": f"Problem {number}"})
        return answer

    def overlaps(self, selector):
        """Whether the notices cover a part of an element."""
        one, other = (self.page.locator(each).bounding_box() for each in ("#notices", selector))
        return one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]

    def test_latest_three_are_shown_and_all_are_dismissed(self):
        self.sort_by_name()
        self.refuse(1, 2, 3, 4, 5)
        expect(self.notices()).to_have_count(3)
        expect(self.notices().first).to_contain_text("Problem 3")
        expect(self.page.locator("#notices")).to_contain_text("2 earlier notices")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "notices")
        self.page.get_by_role("button", name="Show them").click()
        expect(self.notices()).to_have_count(5)
        expect(self.page.locator("#notices .notice button:visible").first).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(self.notices().first).to_contain_text("Problem 2")
        expect(self.page.locator("#notices .notice button:visible").first).to_be_focused()
        self.refuse(6)
        self.page.get_by_role("button", name="Dismiss all").click()
        expect(self.page.locator("#notices")).to_be_hidden()
        expect(self.page.locator("#main")).to_be_focused()

    def test_notice_about_the_same_subject_replaces_the_earlier_one(self):
        self.sort_by_name()
        self.refuse(1, 2, 1)
        expect(self.notices()).to_have_text(["Not saved. Problem 2", "Not saved. Problem 1"])
        self.page.unroute_all()
        self.edit(1)
        expect(self.notices()).to_have_text(["Not saved. Problem 2"])

    def test_notices_cover_neither_the_bars_nor_the_foot_nor_the_pane(self):
        self.sort_by_name()
        self.page.get_by_role("checkbox", name="Select Boat 0002").click()
        self.page.get_by_role("button", name="Set a field").click()
        self.form().get_by_label("Field", exact=True).select_option("metres")
        self.form().get_by_label("Value").fill("3")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.page.locator("#undo-bar")).to_be_visible()
        self.refuse(1, 2)
        self.page.get_by_role("checkbox", name="Select Boat 0002").click()
        for size in (desktop, phone, low):
            self.page.set_viewport_size(size)
            for part in ("#undo-bar", ".selection-bar", ".grid-foot", ".grid-frame"):
                self.assertFalse(self.overlaps(part), part)
        self.page.set_viewport_size(low)
        self.page.get_by_role("button", name="Open Boat 0003").click()
        self.wait_for_pane()
        self.assertFalse(self.overlaps(".object-pane .dialog-actions"))
        self.assertFalse(self.overlaps(".object-pane"))

    def wait_for_pane(self):
        """Waits until the pane has the height that the notices leave."""
        self.page.wait_for_function("""() => {
            const pane = document.querySelector(".object-pane").getBoundingClientRect();
            return Math.abs(pane.bottom - document.querySelector("#notices").getBoundingClientRect().top) < 1;
        }""")
