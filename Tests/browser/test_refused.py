"""The remote refuses a change for good, and a person corrects it or gives it up."""

from playwright.sync_api import expect

import accessible
import pictures
from daemon import day
from story import Story


class RefusedStory(Story):
    def seed(self):
        self.hub.make_class("Holiday", name="String", details={"type": "String", "required": True}, date="Date")
        self.hub.add("Holiday", name="Lantern Night", details="Paper boats.")

    def add_without_details(self):
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.refresh()
        self.expect_state("Picnic day", "Refused, show what can be done")
        expect(self.entry("Picnic day").locator(".entry-reason")).to_contain_text("details is required")

    def test_a_refused_change_is_corrected_and_sent_again(self):
        self.add_without_details()
        pictures.take(self.page, "refused")
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Correct").click()
        expect(self.form()).to_contain_text("The remote said: details is required")
        self.assertEqual([], accessible.problems(self.page))
        self.fill(Details="Bring bread.")
        self.save("Send again")
        self.expect_state("Picnic day", "Synced")
        self.assertEqual("Bring bread.", self.one_on_hub("Holiday", name="Picnic day")["details"])

    def test_a_half_typed_correction_is_kept_with_its_added_field(self):
        self.add_without_details()
        self.page.get_by_role("button", name="Correct").click()
        self.form().get_by_text("Another field").click()
        self.form().get_by_label("Name", exact=True).last.fill("guests")
        self.form().get_by_label("Type").select_option("Number")
        self.form().get_by_role("button", name="Add field").click()
        self.form().get_by_label("guests").fill("12")
        self.page.reload()
        expect(self.form()).to_contain_text("Your unsaved text is here again.")
        expect(self.form().get_by_label("guests")).to_have_value("12")
        self.fill(Details="Bring bread.")
        self.save("Send again")
        self.expect_state("Picnic day", "Synced")
        self.assertEqual(12, self.one_on_hub("Holiday", name="Picnic day")["guests"])

    def test_what_waits_for_a_refused_object_says_so(self):
        self.add_without_details()
        refused = self.replica.find("Holiday", name="Picnic day")[0]["objectId"]
        feast = {"__type": "Pointer", "className": "Holiday", "objectId": refused}
        self.replica.add("Birthday", name="Ada", date=day("1975-12-10"), feast=feast)
        self.refresh()
        expect(self.page.locator("#announcer")).to_contain_text("To be decided: 1 change refused.")
        waiting = self.page.locator("#sync-panel .panel-pending")
        expect(waiting).to_contain_text("Waits for Picnic day, which was refused.")
        self.page.get_by_role("button", name="Correct").click()
        self.fill(Details="Bring bread.")
        self.save("Send again")
        expect(waiting).to_contain_text("Nothing is waiting")
        self.one_on_hub("Birthday", name="Ada")

    def test_a_refused_change_is_given_up(self):
        self.add_without_details()
        self.page.get_by_role("button", name="Give up").click()
        self.form().get_by_role("button", name="Give up").click()
        expect(self.entry("Picnic day")).to_have_count(0)
        expect(self.headline()).to_contain_text("In step")
