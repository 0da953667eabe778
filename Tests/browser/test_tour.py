"""A tour of the demo with a conflict and a pending change. It takes the screenshots for the README."""

import datetime
import urllib.parse

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import DemoHub, day
from page_test import PageTest


class TourTests(PageTest):
    def make_hub(self):
        return DemoHub(self.work / "hub")

    def picture(self, name):
        """The picture of a demo holiday."""
        return self.hub.find("Holiday", name=name)[0]["image"]

    def seed(self):
        self.soon = [datetime.date.today() + datetime.timedelta(days=days) for days in (8, 14, 22)]
        self.hub.add(
            "Holiday", name="Lantern Night", date=day(self.soon[1].isoformat()), observedBy=["Utrecht", "Ghent"],
            details="Paper boats with candles go down the canal. Bring matches.", image=self.picture("Diwali"))
        self.lucia = self.hub.add(
            "Holiday", name="Lucia evening", date=day(self.soon[2].isoformat()), observedBy=["Sweden", "Norway", "Finland"],
            details="Saffron buns, and a crown of candles for the tallest.", image=self.picture("Saint Lucy's Day"))
        self.water = self.hub.send("GET", self.path(self.picture("Songkran")))

    def start_replica(self):
        self.replica.start()
        self.replica.send("PUT", "/sync/classes/Holiday", {"policy": "manual"})
        self.replica.sync()
        for class_name in self.classes:
            for found in self.replica.find(class_name):
                self.fetch_picture(found)

    def fetch_picture(self, found):
        """Reads a picture, so that the replica stores it."""
        if "image" in found:
            self.replica.send("GET", self.path(found["image"]))

    def path(self, picture):
        return urllib.parse.urlsplit(picture["url"]).path

    def test_tour_of_pending_changes_and_a_conflict(self):
        mine = self.replica.find("Holiday", name="Lucia evening")[0]["objectId"]
        self.replica.send("POST", "/sync/pause")
        self.replica.change("Holiday", mine, details="Saffron buns, forty of them this time.")
        self.hub.change("Holiday", self.lucia, details="Saffron buns, a crown of candles for the tallest, and singing.")
        self.replica.send("POST", "/sync/resume")
        self.replica.sync()
        expect(self.page.locator(".badge-conflict")).to_have_count(1)
        self.go_offline()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(
            Name="First swim of winter", Date=self.soon[0].isoformat(), Observed_by="The whole family",
            Details="Ten in the morning at the old pier. Towels, tea, no heroics.")
        self.form().get_by_label("Picture").set_input_files({"name": "pier.png", "mimeType": "image/png", "buffer": self.water})
        self.save("Add")
        self.expect_state("First swim of winter", "New, pending")
        # The notice about the added object disappears after a few seconds.
        expect(self.page.locator("#notices")).to_be_hidden()
        self.page.evaluate("scrollTo(0, 0)")
        screenshots.take(self.page, "tour", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Choose by field").click()
        screenshots.take(self.page, "tour-conflict")
        self.page.keyboard.press("Escape")
        self.page.get_by_role("link", name="Birthdays").click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Birthdays")
        expect(self.page.locator(".entry")).to_have_count(12)
        screenshots.take(self.page, "tour-birthdays", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
