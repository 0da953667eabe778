"""The selection of rows of a table: by mouse, by keyboard, and of all objects of a filter."""

import re

from playwright.sync_api import expect
from test_grid import GridTest

import accessible
import screenshots
from page_test import PageTest, phone


class SelectionTest(GridTest):
    def bar(self):
        return self.page.get_by_role("group", name="Selected objects")

    def expect_selected(self, words):
        expect(self.bar().locator(".selection-words")).to_have_text(words)

    def selected(self):
        """The names in the selected rows that are in the document."""
        return self.page.locator(".grid tbody tr[aria-selected=true] .cell-text").all_text_contents()

    def box(self, name):
        return self.page.get_by_role("checkbox", name=f"Select {name}", exact=True)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)


class SelectByMouseTests(SelectionTest):
    def test_boxes_select_rows_and_shift_selects_a_range(self):
        self.sort_by_name()
        self.box("Boat 0002").click()
        expect(self.box("Boat 0002")).to_be_checked()
        self.expect_selected("1 object selected")
        expect(self.grid()).to_be_focused()
        self.box("Boat 0005").click(modifiers=["Shift"])
        self.expect_selected("4 objects selected")
        self.assertEqual([f"Boat {number:04}" for number in (2, 3, 4, 5)], self.selected())
        # Another range from the same row replaces the first one.
        self.cell("Boat 0003", "metres").click(modifiers=["Shift"])
        self.expect_selected("2 objects selected")
        self.cell("Boat 0007", "metres").click(modifiers=["Control"])
        self.expect_selected("3 objects selected")
        self.assertEqual(["Boat 0002", "Boat 0003", "Boat 0007"], self.selected())
        screenshots.take(self.page, "selection")
        self.assertEqual([], accessible.problems(self.page))
        self.box("Boat 0002").click()
        self.expect_selected("2 objects selected")
        self.bar().get_by_role("button", name="Clear selection").click()
        expect(self.bar()).to_be_hidden()
        expect(self.grid()).to_be_focused()
        self.assertEqual([], self.selected())

    def test_selection_survives_changes_of_others_and_ends_with_the_list(self):
        self.sort_by_name()
        self.box("Boat 0002").click()
        self.replica.add("Boat", name="Boat 0001b")
        self.replica.change("Boat", self.stored("Boat 0002")["objectId"], metres=99)
        expect(self.cell("Boat 0002", "metres")).to_have_text("99")
        self.assertEqual(["Boat 0002"], self.selected())
        self.page.get_by_role("button", name="metres sort ascending").click()
        self.expect_selected("1 object selected")
        self.page.get_by_label("Search in this class").fill("0002")
        expect(self.page.locator("#main")).to_contain_text("1 match.")
        expect(self.bar()).to_be_hidden()
        self.assertEqual([], self.selected())

    def test_selection_is_there_again_after_a_link_another_class_and_a_reload(self):
        port = self.replica.add("Port", name="Makkum")
        self.replica.change("Boat", self.stored("Boat 0003")["objectId"], home={"__type": "Pointer", "className": "Port", "objectId": port})
        self.page.goto(self.replica.url + "/#/Boat?sort=name")
        self.box("Boat 0001").click()
        self.box("Boat 0004").click()
        self.entry("Boat 0003").get_by_role("link", name="Makkum").click()
        expect(self.form()).to_contain_text("Edit Makkum")
        expect(self.bar()).to_be_hidden()
        self.page.locator("#announcer").evaluate("node => node.replaceChildren()")
        self.page.go_back()
        self.expect_selected("2 objects selected")
        expect(self.page.locator("#announcer")).to_contain_text("2 objects selected.")
        self.assertEqual(["Boat 0001", "Boat 0004"], self.selected())
        # A range begins anew.
        self.box("Boat 0006").click(modifiers=["Shift"])
        self.expect_selected("3 objects selected")
        self.page.reload()
        self.expect_selected("3 objects selected")
        self.page.locator(".class-link").filter(has_text="Port").click()
        expect(self.entry("Makkum")).to_be_visible()
        expect(self.bar()).to_be_hidden()
        self.page.locator(".class-link").filter(has_text="Boat").click()
        self.expect_selected("3 objects selected")
        self.bar().get_by_role("button", name="Clear selection").click()
        self.page.reload()
        expect(self.entry("Boat 0001")).to_be_visible()
        expect(self.bar()).to_be_hidden()

    def test_selection_is_usable_on_a_phone(self):
        self.sort_by_name()
        self.page.set_viewport_size(phone)
        self.box("Boat 0000").click()
        self.expect_selected("1 object selected")
        self.bar().get_by_role("button", name="Select all 150 objects").click()
        self.expect_selected("All 150 objects are selected")
        self.assertEqual(375, self.page.evaluate("document.documentElement.scrollWidth"))
        screenshots.take(self.page, "selection-phone")


class SelectByKeyTests(SelectionTest):
    boats = 1200

    def setUp(self):
        super().setUp()
        self.sort_by_name()
        self.press("ArrowDown")

    def test_rows_and_ranges_are_selected_by_keys_alone(self):
        self.press(" ")
        self.assertEqual(["Boat 0000"], self.selected())
        self.press("ArrowDown", "ArrowDown", "Shift+Space")
        self.assertEqual(["Boat 0000", "Boat 0001", "Boat 0002"], self.selected())
        self.press("ArrowDown", "ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown")
        self.assertEqual([f"Boat {number:04}" for number in (0, 1, 2, 4, 5, 6)], self.selected())
        self.press("Shift+ArrowUp")
        self.expect_selected("5 objects selected")
        expect(self.page.locator("#announcer")).to_contain_text("5 objects selected.")
        self.press("Escape")
        expect(self.bar()).to_be_hidden()
        expect(self.page.locator("#announcer")).to_contain_text("Nothing is selected.")

    def test_range_to_rows_that_are_not_loaded_selects_them(self):
        self.press(" ", "Control+Shift+End")
        self.expect_selected("1,200 objects selected")
        expect(self.page.locator(".grid-range")).to_contain_text("1,200 of 1,200")
        self.press("Shift+PageUp")
        expect(self.bar().locator(".selection-words")).not_to_contain_text("1,200 objects")

    def test_all_objects_of_a_filter_are_selected_without_reading_them(self):
        self.page.goto(self.replica.url + '/#/Boat?where={"isSailing":true}&sort=name')
        self.page.get_by_role("button", name="Apply it").click()
        expect(self.page.locator("#main")).to_contain_text("600 matches.")
        asked = []
        # The names of all fields of the class are asked for once, some time after the first rows.
        reads = re.compile(r"/classes/Boat\?(?!_fields=true)")
        self.page.on("request", lambda request: reads.search(request.url) and asked.append(request.url))
        self.grid().focus()
        self.press("ArrowDown", "Control+a")
        self.expect_selected("All 600 matching objects are selected")
        self.press("ArrowDown", " ")
        self.expect_selected("All 600 matching objects except 1 are selected")
        self.assertEqual([], asked)
        # The head's box selects all again, or none.
        self.page.get_by_role("checkbox", name="Select all").click()
        self.expect_selected("All 600 matching objects are selected")
        self.press("Tab")
        expect(self.bar().get_by_role("button").first).to_be_focused()
        self.press("Escape")
        expect(self.bar()).to_be_hidden()
        expect(self.grid()).to_be_focused()


class SelectedIdTests(PageTest):
    classes = ("Boat",)

    def seed(self):
        self.hub.make_class("Boat", name="String")
        self.hub.add("Boat", name="Dinghy")

    def test_selection_follows_an_object_whose_id_changes(self):
        self.go_offline()
        self.replica.add("Boat", name="Skiff")
        expect(self.entry("Skiff")).to_be_visible()
        self.page.get_by_role("checkbox", name="Select Skiff").click()
        before = self.entry("Skiff").get_attribute("data-object")
        self.come_back()
        self.expect_state("Skiff", "Synced")
        expect(self.entry("Skiff")).not_to_have_attribute("data-object", before)
        expect(self.page.get_by_role("checkbox", name="Select Skiff")).to_be_checked()
        expect(self.page.locator(".selection-words")).to_have_text("1 object selected")
