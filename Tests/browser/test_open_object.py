"""Opening an object from its row: by the button in the first cell, and by touch."""

from playwright.sync_api import expect
from test_grid import GridTest, laptop

import accessible
from page_test import phone

tablet = {"width": 1024, "height": 768}


class OpenObjectTests(GridTest):
    boats = 30

    def open_button(self, name):
        return self.page.get_by_role("button", name=f"Open {name}", exact=True)

    def long_press(self, name):
        """Holds a finger on a row until the row is selected."""
        cell = self.entry(name).locator("td").nth(1)
        expect(cell).to_be_visible()
        box = cell.bounding_box()
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch = self.page.context.new_cdp_session(self.page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        expect(self.entry(name)).to_have_attribute("aria-selected", "true")
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def test_button_in_first_cell_opens_the_object_at_all_widths(self):
        self.sort_by_name()
        for size in (phone, tablet, laptop):
            self.page.set_viewport_size(size)
            for scheme in ("light", "dark"):
                self.page.emulate_media(color_scheme=scheme)
                if size == phone:
                    expect(self.open_button("Boat 0003")).to_have_css("opacity", "1")
                else:
                    self.page.get_by_role("heading", name="Boat").hover()
                    expect(self.open_button("Boat 0005")).to_have_css("opacity", "0")
                    self.entry("Boat 0003").hover()
                    expect(self.open_button("Boat 0003")).to_have_css("opacity", "1")
                cell = self.entry("Boat 0003").locator("th").bounding_box()
                button = self.open_button("Boat 0003").bounding_box()
                self.assertLessEqual(button["x"] + button["width"], cell["x"] + cell["width"])
                self.assertEqual([], accessible.problems(self.page))
                self.open_button("Boat 0003").click()
                expect(self.form()).to_contain_text("Edit Boat 0003")
                self.form().get_by_role("button", name="Close").click()
                expect(self.form()).to_have_count(0)

    def test_key_at_the_end_of_a_row_moves_to_its_button_and_deletes_nothing(self):
        self.sort_by_name()
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("End")
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("button", name="Delete Boat 0000")).to_be_focused()

    def test_tap_opens_the_object_on_a_phone(self):
        self.page, _ = self.open("/#/Boat", size=phone, has_touch=True, is_mobile=True)
        self.sort_by_name()
        expect(self.open_button("Boat 0003")).to_have_css("opacity", "1")
        self.entry("Boat 0003").locator("td").nth(1).tap()
        expect(self.form()).to_contain_text("Edit Boat 0003")
        self.form().get_by_role("button", name="Close").tap()
        self.page.get_by_role("checkbox", name="Select Boat 0004", exact=True).tap()
        expect(self.entry("Boat 0004")).to_have_attribute("aria-selected", "true")
        # While objects are selected, a tap selects.
        self.entry("Boat 0006").locator("td").nth(1).tap()
        expect(self.page.locator(".selection-words")).to_have_text("2 objects selected")
        expect(self.form()).to_have_count(0)

    def test_rows_keep_their_height_beside_pointers_to_missing_objects(self):
        self.replica.add("Boat", name="Adrift", home={"__type": "Pointer", "className": "Harbour", "objectId": "gone123456"})
        self.page.reload()
        expect(self.entry("Adrift")).to_contain_text("not found")
        self.assertEqual(30, self.entry("Adrift").bounding_box()["height"])

    def test_long_press_selects_without_opening(self):
        self.page, _ = self.open("/#/Boat", size=phone, has_touch=True, is_mobile=True)
        self.sort_by_name()
        self.long_press("Boat 0002")
        expect(self.page.locator(".selection-words")).to_have_text("1 object selected")
        self.entry("Boat 0005").locator("td").nth(1).tap()
        expect(self.page.locator(".selection-words")).to_have_text("2 objects selected")
        expect(self.form()).to_have_count(0)
