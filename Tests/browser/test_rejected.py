"""Rejected changes: the user corrects or discards them."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import day
from page_test import PageTest


class RejectedChangeTests(PageTest):
    def seed(self):
        self.hub.make_class("Holiday", name="String", details={"type": "String", "required": True}, date="Date")
        self.hub.add("Holiday", name="Lantern Night", details="Paper boats.")

    def add_without_details(self):
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.refresh()
        self.expect_state("Picnic day", "Rejected, show options")
        expect(self.entry("Picnic day").locator(".entry-reason")).to_contain_text("details is required")

    def test_rejected_change_is_corrected_and_sent_again(self):
        self.add_without_details()
        screenshots.take(self.page, "refused")
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Correct").click()
        expect(self.form()).to_contain_text("The remote's reason: details is required")
        self.assertEqual([], accessible.problems(self.page))
        self.fill(Details="Bring bread.")
        self.save("Send again")
        self.expect_state("Picnic day", "Synced")
        self.assertEqual("Bring bread.", self.one_on_hub("Holiday", name="Picnic day")["details"])

    def test_correction_with_an_added_field_survives_a_reload(self):
        self.add_without_details()
        self.page.get_by_role("button", name="Correct").click()
        self.form().get_by_text("Add a field").click()
        self.form().get_by_label("Name", exact=True).last.fill("guests")
        self.form().get_by_label("Type").select_option("Number")
        self.form().get_by_role("button", name="Add field").click()
        self.form().get_by_label("guests").fill("12")
        self.page.reload()
        expect(self.form()).to_contain_text("Your unsaved text was restored.")
        expect(self.form().get_by_label("guests")).to_have_value("12")
        self.fill(Details="Bring bread.")
        self.save("Send again")
        self.expect_state("Picnic day", "Synced")
        self.assertEqual(12, self.one_on_hub("Holiday", name="Picnic day")["guests"])

    def test_change_that_depends_on_a_rejected_object_shows_the_reason(self):
        self.add_without_details()
        refused = self.replica.find("Holiday", name="Picnic day")[0]["objectId"]
        feast = {"__type": "Pointer", "className": "Holiday", "objectId": refused}
        self.replica.add("Birthday", name="Ada", date=day("1975-12-10"), feast=feast)
        self.refresh()
        expect(self.page.locator("#announcer")).to_contain_text("Decision needed: 1 change rejected.")
        waiting = self.page.locator("#sync-panel .panel-pending")
        expect(waiting).to_contain_text("Waiting for Picnic day, which was rejected.")
        self.page.get_by_role("button", name="Correct").click()
        self.fill(Details="Bring bread.")
        self.save("Send again")
        expect(waiting).to_contain_text("No pending changes")
        self.one_on_hub("Birthday", name="Ada")

    def test_rejected_change_is_discarded(self):
        self.add_without_details()
        self.page.get_by_role("button", name="Discard").click()
        self.form().get_by_role("button", name="Discard").click()
        expect(self.entry("Picnic day")).to_have_count(0)
        expect(self.headline()).to_contain_text("Synced with")
