"""The editor of a place: numbers, and a map without tiles on which keys and the pointer move the point."""

import re

from playwright.sync_api import expect
from test_grid import GridTest, laptop

import accessible
import screenshots
from page_test import phone

utrecht = {"__type": "GeoPoint", "latitude": 52.0907, "longitude": 5.1214}


class GeoPointTests(GridTest):
    boats = 1

    def boat(self, number):
        return {"name": "Boat", "berth": utrecht}

    def setUp(self):
        super().setUp()
        self.page.get_by_role("button", name="Open Boat").click()
        expect(self.latitude()).to_have_value("52.0907")

    def latitude(self):
        return self.pane().get_by_label("berth", exact=True)

    def longitude(self):
        return self.pane().get_by_label("Longitude of berth")

    def map(self):
        return self.pane().get_by_role("group", name="Map of berth")

    def said(self):
        return self.pane().locator(".geo-said")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def stored_place(self):
        self.pane().get_by_role("button", name="Save", exact=True).click()
        expect(self.pane()).to_have_count(0)
        place = self.stored("Boat")["berth"]
        return place["latitude"], place["longitude"]

    def test_unchanged_place_is_not_written(self):
        expect(self.said()).to_have_text("52.0907° N, 5.1214° E")
        writes = []
        self.page.on("request", lambda request: request.method == "PUT" and writes.append(request.url))
        self.assertEqual((52.0907, 5.1214), self.stored_place())
        self.assertEqual([], writes)

    def test_numbers_are_checked(self):
        save = self.pane().get_by_role("button", name="Save", exact=True)
        for latitude, longitude, words in (
                ("91", "5", "Latitude is between -90 and 90"), ("52", "181", "longitude between -180 and 180"), ("52", "", "Longitude is missing."),
                ("", "5", "Latitude is missing."), ("north", "5", "Latitude: Enter a number"), ("52", "0x10", "Longitude: Enter a number")):
            with self.subTest((latitude, longitude)):
                self.latitude().fill(latitude)
                self.longitude().fill(longitude)
                save.click()
                expect(self.pane()).to_contain_text(words)
                expect(self.latitude()).to_be_focused()
                expect(self.said()).to_have_text("No point yet")
        # A pasted pair of numbers fills both fields.
        self.latitude().fill("-12.05, -77.04")
        expect(self.longitude()).to_have_value("-77.04")
        expect(self.said()).to_have_text("12.05° S, 77.04° W")
        self.assertEqual((-12.05, -77.04), self.stored_place())

    def test_point_is_moved_by_keys_alone(self):
        self.latitude().focus()
        self.press("Tab", "Tab")
        expect(self.map()).to_be_focused()
        self.press("ArrowUp", "ArrowRight", "ArrowRight")
        expect(self.latitude()).to_have_value("53.5907")
        expect(self.longitude()).to_have_value("8.1214")
        self.press("+", "+", "+", "ArrowDown", "Shift+ArrowLeft")
        expect(self.latitude()).to_have_value("53.5407")
        expect(self.longitude()).to_have_value("7.6214")
        expect(self.said()).to_have_text("53.5407° N, 7.6214° E")
        self.assertEqual((53.5407, 7.6214), self.stored_place())

    def test_point_stays_on_the_earth(self):
        self.latitude().fill("89.5, 179.5")
        self.map().focus()
        self.press("ArrowUp", "ArrowRight")
        expect(self.latitude()).to_have_value("90")
        expect(self.longitude()).to_have_value("-179")

    def test_point_is_moved_by_the_pointer(self):
        self.map().scroll_into_view_if_needed()
        box = self.map().locator("svg").bounding_box()
        at = lambda across, down: (box["x"] + box["width"] * across, box["y"] + box["height"] * down)  # noqa: E731
        self.page.mouse.move(*at(0.5, 0.5))
        self.page.mouse.down()
        self.page.mouse.move(*at(0.75, 0.25))
        self.page.mouse.up()
        latitude, longitude = self.stored_place()
        self.assertAlmostEqual(45, latitude, delta=2)
        self.assertAlmostEqual(90, longitude, delta=2)

    def test_map_needs_no_request_and_is_accessible(self):
        asked = len(self.watch.urls)
        self.map().focus()
        self.press(*"++++", "ArrowUp", *"---")
        # The page may read what has changed and the state of the sync at any time.
        of_updates = re.compile(r".*/(sync|changes\?.*)")
        self.assertEqual([], [url for url in self.watch.urls[asked:] if not of_updates.fullmatch(url)])
        self.assertEqual([], accessible.problems(self.page))
        for size in (laptop, phone):
            self.page.set_viewport_size(size)
            box = self.map().bounding_box()
            self.assertLessEqual(box["x"] + box["width"], size["width"])
        screenshots.take(self.page, "geo-point")

    def test_place_becomes_null_or_is_removed(self):
        self.latitude().focus()
        self.press("Alt+n")
        expect(self.pane().get_by_role("button", name="null for berth")).to_have_attribute("aria-pressed", "true")
        expect(self.pane().get_by_role("button", name="null for berth")).to_be_focused()
        expect(self.map()).to_be_hidden()
        self.press("Enter")
        expect(self.latitude()).to_be_focused()
        self.latitude().fill("")
        self.longitude().fill("")
        self.pane().get_by_role("button", name="Save", exact=True).click()
        expect(self.pane()).to_have_count(0)
        self.assertNotIn("berth", self.stored("Boat"))
