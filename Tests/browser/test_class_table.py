"""The table view of a class: adding a class, editing by field type, searching, sorting and paging."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import day
from page_test import PageTest


class ClassTableTests(PageTest):
    def seed(self):
        super().seed()
        countries = {name: self.hub.add("Country", name=name) for name in ("Norway", "Peru")}
        for number in range(120):
            self.hub.add(
                "Boat", name=f"Boat {number:03}", metres=number / 2, isSailing=number % 2 == 0, date=day("2031-05-17"),
                tags=["wood", f"slip-{number:03}"], engine={"kind": "diesel", "power": number},
                home={"__type": "Pointer", "className": "Country", "objectId": countries["Norway"]},
                place={"__type": "GeoPoint", "latitude": 60.5, "longitude": 5.25})
        self.peru = countries["Peru"]

    def names(self):
        return self.page.locator("#main tbody th .cell-text")

    def sync_boats(self):
        self.sync_class("Country")
        self.sync_class("Boat")
        expect(self.page.locator(".grid-range").get_by_text("of 120")).to_be_visible()

    def test_class_is_synced_and_stopped_on_the_page(self):
        self.page.get_by_role("button", name="Add class").click()
        self.form().get_by_label("Name of the class").fill("no class")
        self.form().get_by_role("button", name="Sync it").click()
        expect(self.form()).to_contain_text("Use only letters, digits and _.")
        self.page.keyboard.press("Escape")
        self.form().get_by_role("button", name="Discard").click()
        self.sync_class("Country")
        expect(self.entry("Peru")).to_be_visible()
        self.page.get_by_role("button", name="Stop syncing Country").click()
        self.form().get_by_role("button", name="Stop syncing").click()
        expect(self.page.get_by_role("link", name="Country")).to_have_count(0)
        self.assertEqual(2, len(self.hub.find("Country")))

    def test_class_from_the_address_can_be_synced(self):
        self.page.goto(f"{self.replica.url}/#/Country")
        expect(self.page.locator("#main")).to_contain_text("Country is not synced with the remote")
        self.page.get_by_role("button", name="Sync Country").click()
        expect(self.entry("Peru")).to_be_visible()

    def test_missing_remote_class_shows_a_message(self):
        self.sync_class("Cuontry")
        expect(self.page.locator("#main")).to_contain_text("The remote shows no Cuontry objects either.")

    def test_table_sorts_searches_and_pages(self):
        self.sync_boats()
        self.page.get_by_role("button", name="metres sort ascending").click()
        expect(self.names().first).to_have_text("Boat 000")
        expect(self.page.locator("th[aria-sort=ascending]")).to_contain_text("metres")
        self.page.get_by_role("button", name="metres sort descending").click()
        expect(self.names().first).to_have_text("Boat 119")
        screenshots.take(self.page, "table", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_label("Go to row").fill("51")
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".grid-range")).to_contain_text("51–")
        expect(self.entry("Boat 069")).to_be_in_viewport()
        search = self.page.get_by_label("Search in this class")
        # The matches are boats 110 to 119, boat 011, and boat 022, which is 11 metres long.
        search.fill("boat 11")
        expect(self.names()).to_have_count(12)
        expect(self.page.locator("#main")).to_contain_text("12 matches.")
        search.fill("slip-042")
        expect(self.names()).to_have_text(["Boat 042"])
        search.fill("59.5")
        expect(self.names()).to_have_text(["Boat 119"])
        search.fill("slip-042 (.*")
        expect(self.page.locator("#main")).to_contain_text("No matches for “slip-042 (.*”")
        search.fill("no such thing")
        expect(self.page.locator("#main")).to_contain_text("No matches for “no such thing”")
        self.page.get_by_role("button", name="Show all").click()
        expect(self.page.locator(".grid-range").get_by_text("of 120")).to_be_visible()

    def test_every_type_has_an_editor(self):
        self.sync_boats()
        self.page.get_by_label("Search in this class").fill("Boat 007")
        expect(self.names()).to_have_text(["Boat 007"])
        self.page.get_by_role("button", name="Open Boat 007").click()
        form = self.form()
        expect(form.get_by_label("home")).to_have_value("Norway · " + self.hub.find("Country", name="Norway")[0]["objectId"])
        screenshots.take(self.page, "editors")
        self.assertEqual([], accessible.problems(self.page))
        form.get_by_label("metres").fill("7.25")
        form.get_by_label("isSailing").select_option("Yes")
        form.get_by_label("date").fill("2032-01-02T03:04:05.678")
        for tag in ("wood", "slip-007"):
            form.get_by_role("button", name=f"Remove {tag}").click()
        for tag in ("steel", "two words"):
            form.get_by_label("tags", exact=True).fill(tag)
            form.get_by_label("tags", exact=True).press("Enter")
        form.get_by_label("engine").fill('{"kind": "none"}')
        form.get_by_label("home").fill(f"Peru · {self.peru}")
        form.get_by_label("place", exact=True).fill("100, 5")
        form.get_by_role("button", name="Save").click()
        expect(form).to_contain_text("Latitude is between -90 and 90")
        form.get_by_label("place", exact=True).fill("-12.05, -77.04")
        form.get_by_text("Add a field").click()
        form.get_by_label("Name", exact=True).fill("berths")
        form.get_by_label("Type").select_option("Number")
        form.get_by_role("button", name="Add field").click()
        form.get_by_label("berths").fill("4")
        self.save()
        self.refresh()
        self.expect_state("Boat 007", "Synced")
        boat = self.one_on_hub("Boat", name="Boat 007")
        expected = {
            "metres": 7.25, "isSailing": True, "date": {"__type": "Date", "iso": "2032-01-02T03:04:05.678Z"},
            "tags": ["steel", "two words"], "engine": {"kind": "none"}, "berths": 4,
            "home": {"__type": "Pointer", "className": "Country", "objectId": self.peru},
            "place": {"__type": "GeoPoint", "latitude": -12.05, "longitude": -77.04},
        }
        self.assertEqual(expected, {name: boat[name] for name in expected})

    def test_saving_an_object_outside_the_list_shows_a_notice(self):
        self.sync_boats()
        self.page.get_by_role("button", name="name sort ascending").click()
        self.page.get_by_role("button", name="Open Boat 003").click()
        self.form().get_by_label("name", exact=True).fill("Zephyr")
        self.save()
        expect(self.page.locator("#announcer")).to_contain_text("Saved. The current list does not show it.")
        expect(self.page.get_by_role("grid")).to_be_focused()

    def test_emptied_field_is_deleted(self):
        self.sync_boats()
        self.page.get_by_role("button", name="Open Boat 119").click()
        self.form().get_by_label("metres").fill("")
        self.form().get_by_label("isSailing").select_option("Not set")
        self.save()
        self.refresh()
        self.expect_state("Boat 119", "Synced")
        self.assertFalse({"metres", "isSailing"} & set(self.one_on_hub("Boat", name="Boat 119")))
