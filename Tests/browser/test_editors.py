"""The editors of the types in the form of an object: null, numbers, dates, JSON, bytes, and areas."""

import json

from playwright.sync_api import expect
from test_grid import GridTest

import accessible
import screenshots

square = {"__type": "Polygon", "coordinates": [[0, 0], [0, 1], [1, 1], [0, 0]]}


class EditorTests(GridTest):
    boats = 1

    def boat(self, number):
        return {
            "name": "Boat", "metres": 7.5, "isSailing": True, "built": {"__type": "Date", "iso": "2031-05-17T14:30:15.250Z"}, "tags": ["wood"],
            "list": [1, {"a": None}], "extra": {"a": 1}, "area": square, "key": {"__type": "Bytes", "base64": "aGVsbG8="},
            "berth": {"__type": "GeoPoint", "latitude": 1, "longitude": 2}, "home": self.home, "papers": self.papers}

    def seed(self):
        self.home = {"__type": "Pointer", "className": "Port", "objectId": self.replica.add("Port", name="Makkum")}
        self.papers = {"__type": "File", **self.replica.send("POST", "/files/papers.txt", b"Papers.", {"Content-Type": "text/plain"})}
        super().seed()

    def setUp(self):
        super().setUp()
        self.show()

    def show(self):
        self.page.get_by_role("button", name="Open Boat").click()
        expect(self.field("name")).to_have_value("Boat")

    def field(self, name):
        return self.pane().get_by_label(name, exact=True)

    def press_save(self):
        self.pane().get_by_role("button", name="Save", exact=True).click()

    def sent(self):
        """Saves the form. Returns the fields that the form sends."""
        with self.page.expect_request(lambda request: request.method == "PUT") as asked:
            self.press_save()
        expect(self.pane()).to_have_count(0)
        return json.loads(asked.value.post_data)

    def test_null_is_a_choice_of_each_type(self):
        names = ("metres", "isSailing", "built", "tags", "list", "extra", "area", "key", "name", "berth", "home", "papers")
        for name in names:
            with self.subTest(name):
                self.pane().get_by_role("button", name=f"null for {name}").click()
        screenshots.take(self.page, "editors-null")
        self.assertEqual([], accessible.problems(self.page))
        expect(self.pane().get_by_text("The field is set to null. That differs from a field that is not set.")).to_have_count(len(names))
        self.assertEqual({name: None for name in names}, self.sent())

    def test_null_survives_a_reload_and_is_taken_back(self):
        self.field("metres").focus()
        self.page.keyboard.press("Alt+n")
        self.page.reload()
        null = self.pane().get_by_role("button", name="null for metres")
        expect(null).to_have_attribute("aria-pressed", "true")
        expect(self.field("metres")).to_have_value("")
        null.click()
        expect(self.field("metres")).to_be_focused()
        self.field("metres").fill("8")
        self.assertEqual({"metres": 8}, self.sent())

    def test_typing_into_a_field_that_is_null_replaces_null(self):
        self.pane().get_by_role("button", name="null for name").click()
        expect(self.field("name")).to_have_attribute("placeholder", "null")
        self.field("name").fill("Heron")
        expect(self.pane().get_by_role("button", name="null for name")).to_have_attribute("aria-pressed", "false")
        self.assertEqual({"name": "Heron"}, self.sent())

    def test_number_that_cannot_be_stored_is_refused(self):
        self.field("metres").fill("9007199254740993")
        self.press_save()
        expect(self.pane()).to_contain_text("It would become 9007199254740992.")
        expect(self.field("metres")).to_be_focused()
        self.field("metres").fill("0.30000000000000004")
        self.assertEqual({"metres": 0.30000000000000004}, self.sent())

    def test_date_is_local_with_utc_beside_it(self):
        page, _ = self.open("/#/Boat", timezone_id="Pacific/Auckland")
        self.page = page
        self.show()
        expect(self.field("built")).to_have_value("2031-05-18T02:30:15.25")
        expect(self.pane()).to_contain_text("In UTC: Saturday, 17 May 2031 at 14:30:15 UTC")
        self.field("built").fill("2031-05-18T00:30:15.250")
        expect(self.pane()).to_contain_text("In UTC: Saturday, 17 May 2031 at 12:30:15 UTC")
        self.assertEqual({"built": {"__type": "Date", "iso": "2031-05-17T12:30:15.250Z"}}, self.sent())

    def test_error_in_json_has_its_place(self):
        self.field("extra").fill('{\n  "a": 1,\n  "b": tru\n}')
        self.press_save()
        expect(self.pane()).to_contain_text("Line 3, column 8: tru is not a value.")
        expect(self.field("extra")).to_be_focused()
        self.assertEqual(19, self.field("extra").evaluate("(node) => node.selectionStart"))
        self.assertEqual([], accessible.problems(self.page))
        self.field("extra").fill('{"a": 2}')
        self.field("list").fill('[1, 1, "x"]')
        self.assertEqual({"extra": {"a": 2}, "list": [1, 1, "x"]}, self.sent())

    def test_area_and_bytes_are_edited(self):
        expect(self.field("area")).to_have_value("0, 0\n0, 1\n1, 1")
        self.field("area").fill("0, 0\n0, 2")
        self.field("key").fill("aGVsbG8")
        self.press_save()
        expect(self.pane()).to_contain_text("An area has at least three different corners.")
        expect(self.pane()).to_contain_text("Enter base64")
        self.field("area").fill("0, 0\n0, 2\n2, 2")
        self.field("key").fill("aGkh")
        self.sent()
        boat = self.stored("Boat")
        self.assertEqual([[0, 0], [0, 2], [2, 2], [0, 0]], boat["area"]["coordinates"])
        self.assertEqual("aGkh", boat["key"]["base64"])
