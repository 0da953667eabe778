"""The editor of an array in the form of an object: chips of one type, by keys and buttons, and JSON."""

import json

from playwright.sync_api import expect
from test_grid import GridTest

import accessible
import screenshots
from daemon import day


class ArrayTests(GridTest):
    boats = 2

    def boat(self, number):
        return {
            "name": f"Boat {number}", "tags": ["wood", " old ", "wood"], "sizes": [1, 2.5], "flags": [True, False], "none": [],
            "days": [day("2031-05-17"), {"__type": "Date", "iso": "2031-05-17T14:30:15.250Z"}], "homes": [self.home(0), self.home(1)],
            "mixed": [1, "a"], "nested": [[1], [2]], "places": [{"__type": "GeoPoint", "latitude": 1, "longitude": 2}]}

    def home(self, number):
        return {"__type": "Pointer", "className": "Port", "objectId": self.ports[number]}

    def seed(self):
        self.ports = [self.replica.add("Port", name=name) for name in ("Makkum", "Urk", "Hindeloopen")]
        super().seed()

    def setUp(self):
        super().setUp()
        self.show()

    def show(self):
        self.page.get_by_role("button", name="Open Boat 0").click()
        expect(self.field("name")).to_have_value("Boat 0")

    def field(self, name):
        return self.pane().get_by_label(name, exact=True)

    def part(self, name):
        """The part of the form with the editor of a field."""
        return self.pane().locator(".field").filter(has=self.page.get_by_text(name, exact=True))

    def chips(self, name):
        return self.part(name).locator(".chip-edit > :first-child")

    def chip(self, name, at):
        return self.part(name).locator(".chip-edit").nth(at)

    def sent(self):
        """Saves the form. Returns the fields that the form sends."""
        with self.page.expect_request(lambda request: request.method == "PUT") as asked:
            self.pane().get_by_role("button", name="Save", exact=True).click()
        expect(self.pane()).to_have_count(0)
        return json.loads(asked.value.post_data)

    def test_entries_are_chips_of_their_type(self):
        expect(self.chips("tags")).to_have_text(["wood", " old ", "wood"])
        expect(self.chips("sizes")).to_have_text(["1", "2.5"])
        expect(self.chips("flags")).to_have_text(["Yes", "No"])
        expect(self.chips("homes")).to_have_text(["Makkum", "Urk"])
        expect(self.chips("days").first).to_have_text("17 May 2031")
        for name in ("mixed", "nested", "places"):
            self.assertEqual(self.boat(0)[name], json.loads(self.field(name).input_value()))
        self.chip("tags", 0).click()
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "arrays")

    def test_only_changed_arrays_are_sent_and_other_entries_stay_as_they_are(self):
        self.field("tags").fill("new ")
        self.field("tags").press("Enter")
        self.field("sizes").fill("1e3")
        self.field("flags").select_option("Yes")
        self.field("days").fill("2032-01-02T10:00")
        self.part("days").get_by_role("button", name="Add to days").click()
        self.field("homes").fill("hinde")
        # A value in the input is saved too.
        boat = self.boat(0)
        self.assertEqual({
            "tags": [*boat["tags"], "new"], "sizes": [1, 2.5, 1000], "flags": [True, False, True],
            "days": [*boat["days"], {"__type": "Date", "iso": "2032-01-02T10:00:00.000Z"}], "homes": [*boat["homes"], self.home(2)],
        }, self.sent())

    def test_entries_are_moved_changed_and_removed_by_keys(self):
        self.chip("sizes", 0).focus()
        for key in ("Alt+ArrowRight", "Enter"):
            self.page.keyboard.press(key)
        expect(self.chips("sizes")).to_have_text(["2.5", "1"])
        expect(self.field("sizes")).to_have_value("1")
        self.page.keyboard.type("7")
        self.page.keyboard.press("Enter")
        expect(self.chips("sizes")).to_have_text(["2.5", "7"])
        self.chip("tags", 2).focus()
        for key in ("ArrowLeft", "Delete"):
            self.page.keyboard.press(key)
        expect(self.chips("tags")).to_have_text(["wood", "wood"])
        expect(self.chip("tags", 1)).to_be_focused()
        # Escape ends the change of an entry, and leaves the pane open.
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Escape")
        expect(self.chip("tags", 1)).to_be_focused()
        self.assertEqual({"sizes": [2.5, 7], "tags": ["wood", "wood"]}, self.sent())

    def test_entries_are_moved_and_removed_by_buttons(self):
        part = self.part("homes")
        self.chip("homes", 1).click()
        part.get_by_role("button", name="Move earlier in homes").click()
        expect(self.chips("homes")).to_have_text(["Urk", "Makkum"])
        part.get_by_role("button", name="Remove Makkum").click()
        expect(part.get_by_role("link", name="Open Urk")).to_have_attribute("href", f"#/Port/{self.ports[1]}")
        self.assertEqual({"homes": [self.home(1)]}, self.sent())

    def test_array_is_edited_as_json_on_request(self):
        toggle = self.part("tags").get_by_role("button", name="JSON for tags")
        toggle.click()
        text = self.field("tags as JSON")
        self.assertEqual(self.boat(0)["tags"], json.loads(text.input_value()))
        text.fill("[1, ")
        self.pane().get_by_role("button", name="Save", exact=True).click()
        expect(self.pane()).to_contain_text("Line 1, column 5: A value is missing.")
        expect(text).to_be_focused()
        text.fill('[1, "a"]')
        toggle.click()
        expect(self.pane()).to_contain_text("Only entries of one type")
        text.fill("[1, 2]")
        toggle.click()
        expect(self.chips("tags")).to_have_text(["1", "2"])
        self.field("tags").fill("x")
        self.field("tags").press("Enter")
        expect(self.pane()).to_contain_text("Enter a number")
        self.field("tags").fill("3")
        self.assertEqual({"tags": [1, 2, 3]}, self.sent())

    def test_empty_array_gets_pointers_to_the_chosen_class(self):
        self.part("none").get_by_label("Type of the entries of none").select_option("Objects of Port")
        self.field("none").fill("Urk")
        self.field("none").press("Enter")
        expect(self.chips("none")).to_have_text(["Urk"])
        self.assertEqual({"none": [self.home(1)]}, self.sent())

    def test_empty_array_gets_entries_of_the_chosen_type_and_a_draft_keeps_them(self):
        self.part("none").get_by_label("Type of the entries of none").select_option("Numbers")
        self.field("none").fill("7")
        self.field("none").press("Enter")
        self.chip("tags", 0).press("Delete")
        expect(self.chips("tags")).to_have_text([" old ", "wood"])
        self.page.wait_for_function("() => sessionStorage['tidegate.forms']?.includes(' old ')")
        self.page.reload()
        expect(self.chips("none")).to_have_text(["7"])
        expect(self.chips("tags")).to_have_text([" old ", "wood"])
        for _ in range(2):
            self.chip("tags", 0).press("Delete")
        self.assertEqual({"none": [7], "tags": []}, self.sent())
