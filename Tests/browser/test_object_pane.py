"""The pane of an object beside the list: opening, moving, keys, unsaved text, and its sizes."""

import re

from playwright.sync_api import expect
from test_grid import GridTest, laptop

import accessible
import screenshots
from page_test import PageTest, phone

small = {"width": 1000, "height": 760}


class PaneTest(GridTest):
    def setUp(self):
        super().setUp()
        self.sort_by_name()

    def open_boat(self, number):
        self.page.get_by_role("button", name=f"Open Boat {number:04}").click()
        self.expect_boat(number)

    def expect_boat(self, number):
        expect(self.page.get_by_role("region", name=f"Edit Boat {number:04}")).to_be_visible()
        expect(self.pane()).to_have_count(1)

    def field(self, name, page=None):
        return self.pane(page).get_by_label(name, exact=True)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)


class BesideTests(PaneTest):
    def test_pane_is_beside_the_table_and_the_table_stays_usable(self):
        for size in (laptop, small):
            with self.subTest(size):
                self.page.set_viewport_size(size)
                self.open_boat(3)
                expect(self.field("name")).to_be_focused()
                # The row of the object is marked, and no other row.
                expect(self.page.locator("tr[aria-current=true]")).to_have_count(1)
                expect(self.page.locator("tr[aria-current=true]")).to_contain_text("Boat 0003")
                table, pane = (node.bounding_box() for node in (self.page.locator(".grid-frame"), self.pane()))
                self.assertLessEqual(table["x"] + table["width"], pane["x"])
                self.assertGreaterEqual(table["width"], 280)
                self.assertLessEqual(pane["x"] + pane["width"], size["width"])
                self.cell("Boat 0001", "name").dblclick()
                self.press("End")
                self.page.keyboard.type("!")
                with self.page.expect_response(lambda answer: answer.request.method == "PUT"):
                    self.press("Enter")
                expect(self.entry("Boat 0001!")).to_be_visible()
                self.replica.change("Boat", self.stored("Boat 0001!")["objectId"], name="Boat 0001")
                expect(self.entry("Boat 0001!")).to_have_count(0)
                self.pane().get_by_role("button", name="Close").click()
                expect(self.pane()).to_have_count(0)

    def test_pane_has_no_accessibility_problems(self):
        self.open_boat(3)
        screenshots.take(self.page, "object-pane")
        self.assertEqual([], accessible.problems(self.page, (laptop, small, phone)))

    def test_pane_covers_the_page_of_a_phone(self):
        self.page.set_viewport_size(phone)
        self.open_boat(2)
        box = self.pane().bounding_box()
        self.assertEqual((0, 0, phone["width"], phone["height"]), (box["x"], box["y"], box["width"], box["height"]))
        # Tab stays in the pane, because the page below is out of reach.
        for _ in range(40):
            self.press("Tab")
            place = self.page.evaluate("document.activeElement === document.body ? 'browser' : !!document.activeElement.closest('.object-pane')")
            self.assertIn(place, (True, "browser"))
        self.pane().get_by_role("button", name="Close").click()
        expect(self.pane()).to_have_count(0)
        expect(self.grid()).to_be_focused()

    def test_click_or_enter_on_another_row_moves_the_pane(self):
        self.open_boat(3)
        self.cell("Boat 0005", "metres").click()
        self.expect_boat(5)
        expect(self.page.locator(".grid:focus, .grid :focus")).to_have_count(1)
        expect(self.page.locator("#announcer")).to_contain_text("Boat 0005 is open.")
        self.press("ArrowDown", "Enter")
        self.expect_boat(6)
        expect(self.grid()).to_be_focused()
        # On its own row, Enter edits the cell.
        self.press("Enter")
        expect(self.page.locator(".cell-input")).to_be_focused()
        self.press("Escape")
        self.page.go_back()
        self.expect_boat(5)
        self.page.go_back()
        self.expect_boat(3)
        self.page.go_forward()
        self.expect_boat(5)

    def test_keys_go_between_the_table_and_the_pane(self):
        self.grid().focus()
        self.press("Home", "ArrowDown", "ArrowDown", "e")
        self.expect_boat(1)
        expect(self.field("name")).to_be_focused()
        self.press("F6")
        expect(self.grid()).to_be_focused()
        self.press("F6")
        expect(self.field("name")).to_be_focused()
        self.press("Escape")
        expect(self.pane()).to_have_count(0)
        expect(self.grid()).to_be_focused()
        expect(self.page.locator("tr:has(#grid-cursor)")).to_contain_text("Boat 0001")

    def test_filter_and_sort_order_change_beside_an_open_pane(self):
        self.open_boat(4)
        self.field("name").fill("Half a na")
        self.page.get_by_role("button", name="metres sort ascending").click()
        expect(self.page.locator("th[aria-sort=ascending]")).to_contain_text("metres")
        expect(self.field("name")).to_have_value("Half a na")
        # Back shows the earlier order, and the pane with its text stays.
        self.page.go_back()
        expect(self.page.locator("th[aria-sort=ascending]")).to_contain_text("name")
        expect(self.field("name")).to_have_value("Half a na")


class StepTests(PaneTest):
    def step(self, word):
        return self.pane().get_by_role("button", name=f"{word} object")

    def test_previous_and_next_go_through_the_rows_in_their_order(self):
        self.open_boat(0)
        expect(self.step("Previous")).to_have_attribute("aria-disabled", "true")
        self.step("Next").click()
        self.expect_boat(1)
        # The button keeps the focus, so that it can be pressed again.
        expect(self.step("Next")).to_be_focused()
        self.press("Enter")
        self.expect_boat(2)
        expect(self.page.locator("#announcer")).to_contain_text("Boat 0002 is open.")
        self.step("Previous").click()
        self.expect_boat(1)
        self.press("Alt+PageDown", "Alt+PageDown")
        self.expect_boat(3)
        self.field("name").focus()
        self.press("Alt+PageUp")
        self.expect_boat(2)
        expect(self.field("name")).to_be_focused()
        expect(self.page.locator("tr:has(.is-cursor)")).to_contain_text("Boat 0002")

    def test_end_of_the_list_is_announced(self):
        self.page.goto(f"{self.page.url}&at=140")
        self.open_boat(149)
        self.press("Alt+PageDown")
        expect(self.page.locator("#announcer")).to_contain_text("This is the last object of the list.")
        self.expect_boat(149)

    def test_next_continues_beyond_the_loaded_rows(self):
        self.page.get_by_label("Go to row").fill("96")
        self.press("Enter")
        self.page.wait_for_url("**at=96*")
        self.page.reload()
        self.open_boat(98)
        for number in range(99, 104):
            self.press("Alt+PageDown")
            self.expect_boat(number)
        expect(self.entry("Boat 0103")).to_be_in_viewport()

    def test_next_of_an_object_far_from_the_loaded_rows(self):
        far = self.stored("Boat 0140")["objectId"]
        self.page.goto(f"{self.replica.url}/#/Boat/{far}?sort=name")
        self.expect_boat(140)
        self.step("Next").click()
        self.expect_boat(141)
        expect(self.entry("Boat 0141")).to_be_in_viewport()
        self.step("Previous").click()
        self.expect_boat(140)


    def test_next_goes_through_objects_without_a_value_in_the_sort_field(self):
        # The field `rank` comes first at two boats, last at the others, which have none.
        for number, rank in ((3, 1), (4, 2)):
            self.replica.send("PUT", f"/classes/Boat/{self.stored(f'Boat {number:04}')['objectId']}", {"rank": rank})
        unranked = sorted(boat["objectId"] for boat in self.replica.find("Boat") if "rank" not in boat)
        self.page.goto(f"{self.replica.url}/#/Boat/{unranked[-2]}?sort=rank")
        for step in ("Next", "Next"):
            expect(self.pane()).to_have_count(1)
            self.step(step).click()
        self.expect_boat(3)
        for _ in range(2):
            self.step("Previous").click()
        self.expect_address(f"/#/Boat/{unranked[-2]}")


class WidthTests(PaneTest):
    def separator(self, page=None):
        return (page or self.page).get_by_role("separator", name="Width of the pane")

    def width(self, page=None):
        return round(self.pane(page).bounding_box()["width"])

    def test_pane_is_resized_by_keys_and_keeps_its_width(self):
        self.open_boat(0)
        before = self.width()
        expect(self.separator()).to_have_attribute("aria-valuenow", str(before))
        self.separator().focus()
        self.press("ArrowLeft")
        expect(self.separator()).to_have_attribute("aria-valuenow", str(before + 24))
        self.assertEqual(before + 24, self.width())
        self.press("Home")
        expect(self.separator()).to_have_attribute("aria-valuenow", "320")
        self.press("End")
        self.assertEqual(self.separator().get_attribute("aria-valuemax"), str(self.width()))
        self.press("Home")
        self.page.reload()
        self.expect_boat(0)
        self.assertEqual(320, self.width())
        self.assertEqual([], accessible.problems(self.page))
        self.separator().dblclick()
        expect(self.separator()).to_have_attribute("aria-valuenow", str(before))

    def test_pane_is_resized_by_the_pointer(self):
        self.open_boat(0)
        before = self.width()
        edge = self.separator().bounding_box()
        self.page.mouse.move(edge["x"] + 4, 400)
        self.page.mouse.down()
        self.page.mouse.move(edge["x"] + 4 - 60, 400, steps=4)
        self.page.mouse.up()
        expect(self.separator()).to_have_attribute("aria-valuenow", str(before + 60))
        # The pane of another object has the same width.
        self.step_to_next()
        self.assertEqual(before + 60, self.width())

    def step_to_next(self):
        self.pane().get_by_role("button", name="Next object").click()
        self.expect_boat(1)

    def test_list_keeps_its_smallest_width_in_a_narrower_window(self):
        self.open_boat(0)
        self.separator().focus()
        self.press("End")
        self.page.set_viewport_size(small)
        self.assertGreaterEqual(self.page.locator("#main").bounding_box()["width"], 319)


class UnsavedTextTests(PaneTest):
    def test_text_is_kept_when_the_pane_moves(self):
        self.open_boat(3)
        self.field("name").fill("Half a na")
        self.cell("Boat 0005", "metres").click()
        self.expect_boat(5)
        expect(self.page.locator("#notices")).to_contain_text("Your unsaved text of Boat 0003 is kept.")
        self.cell("Boat 0003", "metres").click()
        self.expect_boat(3)
        expect(self.field("name")).to_have_value("Half a na")
        expect(self.pane()).to_contain_text("Your unsaved text was restored.")
        self.pane().get_by_role("button", name="Save", exact=True).click()
        expect(self.pane()).to_have_count(0)
        self.assertEqual(1, len(self.replica.find("Boat", name="Half a na")))

    def test_edit_of_the_object_in_the_pane_goes_to_the_pane(self):
        self.open_boat(3)
        self.field("metres").fill("77")
        self.page.get_by_role("button", name="Open Boat 0003").click()
        expect(self.field("metres")).to_be_focused()
        expect(self.field("metres")).to_have_value("77")
        expect(self.page.locator(".notice")).to_have_count(0)

    def test_another_class_keeps_the_text_and_back_leaves_the_pane(self):
        self.replica.add("Anchor", name="Bruce")
        self.open_boat(3)
        self.field("name").fill("Half a na")
        self.page.get_by_role("link", name="Anchor").click()
        expect(self.entry("Bruce")).to_be_visible()
        expect(self.pane()).to_have_count(0)
        expect(self.page.locator("#notices")).to_contain_text("Your unsaved text of Boat 0003 is kept.")
        self.page.go_back()
        expect(self.field("name")).to_have_value("Half a na")
        self.page.go_back()
        expect(self.pane()).to_have_count(0)
        self.page.go_forward()
        expect(self.field("name")).to_have_value("Half a na")

    def test_escape_asks_before_text_is_discarded(self):
        self.open_boat(3)
        self.field("name").fill("Half a na")
        self.press("Escape")
        expect(self.form()).to_contain_text("Discard what you typed?")
        self.press("Escape")
        expect(self.field("name")).to_have_value("Half a na")
        self.pane().get_by_role("button", name="Cancel").click()
        self.form().get_by_role("button", name="Discard").click()
        expect(self.pane()).to_have_count(0)
        self.open_boat(3)

    def test_ctrl_s_saves_and_keeps_the_pane_open(self):
        self.open_boat(3)
        self.field("metres").fill("77")
        self.press("Control+s")
        expect(self.page.locator("#announcer")).to_contain_text("Saved.")
        self.expect_boat(3)
        expect(self.field("metres")).to_be_focused()
        expect(self.cell("Boat 0003", "metres")).to_have_text("77")
        self.press("Escape")
        expect(self.pane()).to_have_count(0)
        self.assertEqual(77, self.stored("Boat 0003")["metres"])

    def test_text_survives_a_dead_gateway_and_a_reload(self):
        self.watch.expect_error(".")
        self.open_boat(3)
        self.field("name").fill("Half a na")
        self.replica.stop()
        self.pane().get_by_role("button", name="Save", exact=True).click()
        expect(self.pane().get_by_role("alert")).to_contain_text("Not saved. Tidegate is not responding.")
        expect(self.field("name")).to_have_value("Half a na")
        self.replica.start()
        self.page.reload()
        expect(self.field("name")).to_have_value("Half a na")
        self.pane().get_by_role("button", name="Save", exact=True).click()
        expect(self.pane()).to_have_count(0)
        self.assertEqual(1, len(self.replica.find("Boat", name="Half a na")))

    def test_two_tabs_on_one_object_show_both_sides(self):
        other, _ = self.open(self.page.url.removeprefix(self.replica.url))
        for page in (self.page, other):
            page.get_by_role("button", name="Open Boat 0003").click()
            expect(self.field("name", page)).to_be_visible()
        self.field("name").fill("Of the first tab")
        self.field("name", other).fill("Of the second tab")
        self.field("metres", other).fill("9")
        self.pane().get_by_role("button", name="Save", exact=True).click()
        expect(self.pane()).to_have_count(0)
        question = self.pane(other).get_by_role("group", name=re.compile("name was changed"))
        expect(question).to_contain_text("Of the first tab")
        question.get_by_label("Theirs").click()
        self.pane(other).get_by_role("button", name="Save", exact=True).click()
        expect(self.pane(other)).to_have_count(0)
        # The changes of both tabs are merged.
        self.assertEqual(9, self.stored("Of the first tab")["metres"])


class DeletedObjectTests(PaneTest):
    def test_pane_of_a_deleted_object_closes(self):
        self.watch.expect_error("404")
        self.open_boat(3)
        self.replica.send("DELETE", f"/classes/Boat/{self.stored('Boat 0003')['objectId']}")
        expect(self.pane()).to_have_count(0)
        expect(self.page.locator("#announcer")).to_contain_text("Boat 0003 is no longer there.")
        expect(self.page.locator(".grid:focus, .grid :focus")).to_have_count(1)

    def test_unsaved_text_of_a_deleted_object_stays(self):
        self.watch.expect_error("404")
        self.open_boat(3)
        self.field("name").fill("Half a na")
        self.replica.send("DELETE", f"/classes/Boat/{self.stored('Boat 0003')['objectId']}")
        expect(self.page.locator("#notices")).to_contain_text("Boat 0003 was deleted, or you may no longer read it.")
        expect(self.field("name")).to_have_value("Half a na")


class AlmanacTests(PageTest):
    def test_pane_of_an_almanac_moves_through_its_entries(self):
        self.page.get_by_role("button", name="Edit Harvest Supper").click()
        expect(self.pane()).to_contain_text("Edit Harvest Supper")
        expect(self.page.locator("li[aria-current=true]")).to_contain_text("Harvest Supper")
        self.page.keyboard.press("Alt+PageDown")
        expect(self.pane()).to_contain_text("Edit Lantern Night")
        self.assertEqual([], accessible.problems(self.page))
        self.page.keyboard.press("Escape")
        expect(self.pane()).to_have_count(0)
        expect(self.entry("Lantern Night")).to_be_focused()


class PushedObjectTests(PageTest):
    def test_cursor_stays_in_its_field_when_a_push_gives_the_object_another_id(self):
        self.go_offline()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16", Details="Bring a blanket.")
        self.save("Add")
        self.page.get_by_role("button", name="Edit Picnic day").click()
        details = self.form().get_by_label("Details")
        details.focus()
        details.evaluate("(control) => control.setSelectionRange(5, 5)")
        self.hub.start()
        self.replica.sync()
        self.expect_address(f"/#/Holiday/{self.one_on_hub('Holiday', name='Picnic day')['objectId']}")
        expect(details).to_be_focused()
        self.page.keyboard.type(" also")
        expect(details).to_have_value("Bring also a blanket.")
        expect(self.form().get_by_label("Name")).to_have_value("Picnic day")


class MissingClassTests(PaneTest):
    def test_address_of_a_class_that_is_not_there_says_so(self):
        self.page.goto(f"{self.replica.url}/#/Atlantis")
        expect(self.page.locator("#main")).to_contain_text("There is no class Atlantis")
        self.assertEqual([], accessible.problems(self.page))
        self.watch.expect_error("404")
        self.page.goto(f"{self.replica.url}/#/Boat/missing123")
        expect(self.page.locator("#notices")).to_contain_text("Boat has no object with the id missing123")
        expect(self.pane()).to_have_count(0)
