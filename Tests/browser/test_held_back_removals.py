"""Held-back removals: most objects of a class are missing on the remote, and the user decides what happens."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import day
from page_test import PageTest


class RemovalTests(PageTest):
    def seed(self):
        for number in range(5):
            self.hub.add("Holiday", name=f"Day {number}", date=day(f"2031-05-0{number + 1}"))

    def delete_most_on_hub(self):
        # A sync finishes first, so that no sync runs while only some of the objects are deleted.
        self.replica.sync()
        for found in self.hub.find("Holiday", name={"$ne": "Day 4"}):
            self.hub.send("DELETE", f"/classes/Holiday/{found['objectId']}")
        self.refresh()
        expect(self.headline()).to_contain_text("1 removal held back")
        self.held = self.page.locator("#sync-panel .panel-removals")
        expect(self.held).to_contain_text("4 of 5 objects are missing on the remote")
        expect(self.held).to_contain_text("Day 0, Day 1, Day 2, Day 3.")
        expect(self.page.locator(".sync-figures").first).to_contain_text("removal of 4 objects held back")

    def test_confirmed_removal_deletes_the_held_back_objects(self):
        self.delete_most_on_hub()
        screenshots.take(self.page, "held-back")
        self.assertEqual([], accessible.problems(self.page))
        self.held.get_by_role("button", name="Remove them here").click()
        self.form().get_by_role("button", name="Remove", exact=True).click()
        expect(self.page.locator(".entry")).to_have_count(1)
        expect(self.entry("Day 4")).to_be_visible()

    def test_held_back_objects_can_be_kept(self):
        self.delete_most_on_hub()
        self.held.get_by_role("button", name="Keep them").click()
        expect(self.held).to_have_count(0)
        expect(self.page.locator(".entry")).to_have_count(5)
