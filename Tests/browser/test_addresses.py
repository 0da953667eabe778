"""Addresses of places on the page: search, sort order, filter, conflict and panel, with Back, Forward and reload."""

import json
import urllib.parse

from playwright.sync_api import expect

import accessible
from page_test import PageTest


class AddressTests(PageTest):
    classes = ("Boat", "Anchor")
    has_details = False

    def seed(self):
        for number in range(60):
            self.hub.add("Boat", name=f"Boat {number:02}", metres=number)
        self.hub.add("Anchor", name="Bruce")

    def rows(self, page=None):
        return (page or self.page).locator("#main [data-object]")

    def test_back_and_forward_go_through_the_places(self):
        self.page.get_by_role("link", name="Boat").click()
        self.page.get_by_role("button", name="metres sort ascending").click()
        expect(self.rows().first).to_contain_text("Boat 00")
        self.page.get_by_label("Search in this class").fill("Boat 1")
        expect(self.rows()).to_have_count(15)
        self.page.get_by_role("button", name="Open Boat 12").click()
        expect(self.form()).to_contain_text("Edit Boat 12")
        self.page.keyboard.press("Escape")
        self.page.get_by_role("link", name="Anchor").click()
        expect(self.entry("Bruce")).to_be_visible()

        self.page.go_back()
        expect(self.rows()).to_have_count(15)
        expect(self.form()).to_have_count(0)
        self.page.go_back()
        expect(self.form()).to_contain_text("Edit Boat 12")
        self.page.reload()
        expect(self.form()).to_contain_text("Edit Boat 12")
        expect(self.page.get_by_label("Search in this class")).to_have_value("Boat 1")
        self.page.go_back()
        expect(self.form()).to_have_count(0)
        expect(self.rows()).to_have_count(15)
        expect(self.page.locator("th[aria-sort=ascending]")).to_contain_text("metres")
        self.page.go_forward()
        expect(self.form()).to_contain_text("Edit Boat 12")

    def test_shared_address_shows_the_same_place(self):
        where = urllib.parse.quote(json.dumps({"metres": {"$gte": 50}}))
        page, _ = self.open(f"/#/Boat?where={where}&sort=-name&q=boat&panel=sync")
        # A link can come from another site, so its query runs only after a click.
        expect(page.locator("#main")).to_contain_text("metres is at least 50")
        self.assertEqual([], accessible.problems(page))
        page.reload()
        page.get_by_role("button", name="Apply it").click()
        expect(self.rows(page)).to_have_count(10)
        expect(self.rows(page).first).to_contain_text("Boat 59")
        expect(page.locator("#sync-panel")).to_be_visible()
        # Closing the panel changes the address.
        page.get_by_role("button", name="Close details").click()
        expect(page.locator("#sync-panel")).to_be_hidden()
        page.go_back()
        expect(page.locator("#sync-panel")).to_be_visible()
        page.reload()
        expect(self.rows(page)).to_have_count(10)

    def test_query_of_a_link_can_be_declined(self):
        page, _ = self.open("/#/Boat?q=nowhere")
        page.get_by_role("button", name="Show all objects").click()
        expect(self.rows(page).first).to_be_visible()
        self.expect_address("/#/Boat", page)
        self.assertNotIn("q=", page.url)

    def test_address_that_cannot_be_read_says_so(self):
        page, _ = self.open("/#/Boat?where={broken&sort=a%20b")
        expect(page.locator("#notices")).to_contain_text("cannot read the filter and the sort order of this address")
        expect(page.get_by_role("heading", level=1)).to_have_text("Boat")
        page, _ = self.open("/#/no%20class")
        expect(page.locator("#notices")).to_contain_text("cannot read the class of this address")

    def test_address_of_a_class_that_is_not_there_says_so(self):
        page, _ = self.open("/#/Atlantis")
        expect(page.locator("#main")).to_contain_text("Atlantis is not synced with the remote.")

    def test_address_of_a_resolved_conflict_says_so(self):
        page, _ = self.open("/#/Boat?conflict=17")
        expect(page.locator("#notices")).to_contain_text("This conflict is not open.")
        self.expect_address("/#/Boat", page)


class ConflictAddressTests(PageTest):
    def test_address_of_a_conflict_opens_it(self):
        self.page.get_by_role("switch", name="Work offline").click()
        expect(self.headline()).to_contain_text("Working offline")
        found = self.replica.find("Holiday", name="Lantern Night")[0]["objectId"]
        self.replica.send("PUT", "/sync/classes/Holiday", {"policy": "manual"})
        self.replica.change("Holiday", found, details="Mine.")
        self.hub.change("Holiday", found, details="Theirs.")
        self.page.get_by_role("switch", name="Work offline").click()
        self.page.get_by_role("button", name="Choose by field").click()
        expect(self.form()).to_contain_text("Resolve the conflict of Lantern Night")
        address = self.page.url
        self.assertIn("conflict=", address)
        self.page.keyboard.press("Escape")
        expect(self.form()).to_have_count(0)
        page, _ = self.open(address.removeprefix(self.replica.url))
        expect(self.form(page)).to_contain_text("Resolve the conflict of Lantern Night")


class UnknownPartTests(PageTest):
    classes = ("Boat",)
    has_details = False

    def seed(self):
        for number in range(3):
            self.hub.add("Boat", name=f"Boat {number:02}", metres=number)

    def note(self, page):
        return page.locator(".view-note")

    def test_filter_of_an_unknown_field_says_so(self):
        where = urllib.parse.quote(json.dumps({"$or": [{"berth.name": 5}, {"metres": 1}]}))
        page, _ = self.open(f"/#/Boat?where={where}")
        page.get_by_role("button", name="Apply it").click()
        expect(self.note(page)).to_contain_text("The filter names berth, which is no known field of Boat.")
        expect(page.locator("#main [data-object]")).to_have_count(1)
        self.assertEqual([], accessible.problems(page))
        page.get_by_role("button", name="Clear filter").click()
        expect(self.note(page)).not_to_contain_text("berth")

    def test_unknown_sort_field_and_column_say_so(self):
        page, _ = self.open("/#/Boat?sort=-berth&columns=name,keel")
        expect(self.note(page)).to_contain_text("The list is sorted by berth, which is no known field of Boat.")
        expect(self.note(page)).to_contain_text("The columns have keel, which is no known field of Boat.")
        page, _ = self.open("/#/Boat?sort=-updatedAt&columns=name,ACL,createdAt")
        expect(page.locator("#main [data-object]")).to_have_count(3)
        expect(self.note(page)).to_be_hidden()

    def test_unknown_view_says_so(self):
        page, _ = self.open("/#/Boat?view=kanban")
        expect(page.locator("#notices")).to_contain_text("cannot read the view of this address")
