"""Drafts: unsaved text survives a reload and the browser's Back button."""

import re

from playwright.sync_api import expect
from test_files import png

import accessible
import screenshots
from page_test import PageTest


class DraftTests(PageTest):
    classes = ("Holiday", "Birthday", "Boat")

    def seed(self):
        super().seed()
        self.hub.add("Boat", name="Dinghy", metres=3)

    def edit(self, name, word="Edit"):
        self.page.get_by_role("button", name=f"{word} {name}").click()

    def expect_kept(self):
        expect(self.form()).to_contain_text("Your unsaved text was restored.")

    def test_edit_survives_a_reload(self):
        self.edit("Lantern Night")
        self.fill(Details="Half a sent", Observed_by="Ghent\nUtr")
        self.page.reload()
        self.expect_kept()
        expect(self.form()).to_contain_text("Edit Lantern Night")
        expect(self.form().get_by_label("Details")).to_have_value("Half a sent")
        expect(self.form().get_by_label("Observed by")).to_have_value("Ghent\nUtr")
        screenshots.take(self.page, "form-restored")
        self.assertEqual([], accessible.problems(self.page))
        self.save()
        self.assertEqual("Half a sent", self.replica.find("Holiday", name="Lantern Night")[0]["details"])
        # Saving deletes the draft.
        self.page.reload()
        expect(self.entry("Lantern Night")).to_contain_text("Half a sent")
        expect(self.form()).to_have_count(0)

    def test_form_survives_back_and_forward(self):
        self.page.get_by_role("link", name="Birthdays").click()
        self.page.get_by_role("button", name="Add birthday").click()
        self.fill(Name="Ad", Birthday="1975-12-10")
        self.page.go_back()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Holidays")
        expect(self.form()).to_have_count(0)
        self.page.go_forward()
        self.expect_kept()
        expect(self.form().get_by_label("Name")).to_have_value("Ad")
        self.fill(Name="Ada")
        self.save("Add")
        expect(self.entry("Ada")).to_be_visible()

    def test_form_survives_another_page_and_back(self):
        self.edit("Harvest Supper")
        self.fill(Name="Harvest Supp")
        self.page.goto("about:blank")
        self.page.go_back()
        expect(self.form().get_by_label("Name")).to_have_value("Harvest Supp")

    def test_discarded_text_is_deleted(self):
        self.edit("Harvest Supper")
        self.fill(Name="Harvest Supp")
        self.page.keyboard.press("Escape")
        self.form().get_by_role("button", name="Discard").click()
        expect(self.form()).to_have_count(0)
        self.page.reload()
        expect(self.entry("Harvest Supper")).to_be_visible()
        expect(self.form()).to_have_count(0)
        self.edit("Harvest Supper")
        expect(self.form().get_by_label("Name")).to_have_value("Harvest Supper")
        expect(self.form()).not_to_contain_text("was restored")

    def test_added_fields_and_json_survive_a_reload(self):
        self.page.get_by_role("link", name="Boat").click()
        self.edit("Dinghy", "Open")
        self.form().get_by_text("Add a field").click()
        self.form().get_by_label("Name", exact=True).fill("berths")
        self.form().get_by_label("Type").select_option("Number")
        self.form().get_by_role("button", name="Add field").click()
        self.form().get_by_label("berths").fill("4")
        self.page.reload()
        self.expect_kept()
        expect(self.form().get_by_label("berths")).to_have_value("4")
        self.save()
        self.edit("Dinghy", "Open")
        self.form().get_by_role("button", name="Edit as JSON").click()
        self.form().get_by_label("Fields").fill('{"name": "Dinghy", "half": ')
        self.page.reload()
        expect(self.form().get_by_label("Fields")).to_have_value('{"name": "Dinghy", "half": ')
        self.assertEqual(4, self.replica.find("Boat", name="Dinghy")[0]["berths"])

    def test_restored_form_asks_to_choose_the_file_again(self):
        self.edit("Lantern Night")
        self.form().get_by_label("Picture").set_input_files({"name": "boats.png", "mimeType": "image/png", "buffer": png(20, 40)})
        self.page.reload()
        self.expect_kept()
        expect(self.form()).to_contain_text("Choose boats.png again.")

    def test_class_name_survives_a_reload(self):
        self.page.get_by_role("button", name="Add class").click()
        self.fill(Name_of_the_class="Coun")
        self.page.reload()
        expect(self.form().get_by_label("Name of the class")).to_have_value("Coun")

    def test_deleted_object_can_be_created_again(self):
        self.watch.expect_error("404|412")
        self.edit("Lantern Night")
        self.fill(Name="Lantern Day")
        made = self.replica.find("Holiday", name="Lantern Night")[0]["objectId"]
        self.replica.send("DELETE", f"/classes/Holiday/{made}")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form().get_by_role("alert")).to_contain_text("Not saved. The object was deleted while you were editing.")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Create it again").click()
        expect(self.form()).to_have_count(0)
        expect(self.entry("Lantern Day")).to_contain_text("Paper boats.")
        again = self.replica.find("Holiday", name="Lantern Day")[0]
        self.assertNotEqual(made, again["objectId"])
        self.assertEqual(("Paper boats.", ["Ghent"]), (again["details"], again["observedBy"]))


class TimeOfDayTests(PageTest):
    def seed(self):
        date = {"__type": "Date", "iso": "2031-12-05T18:30:15.250Z"}
        self.hub.add("Holiday", name="Lantern Night", date=date)

    def test_changing_the_day_keeps_the_time(self):
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.fill(Date="2031-12-07")
        self.save()
        self.assertEqual("2031-12-07T18:30:15.250Z", self.replica.find("Holiday")[0]["date"]["iso"])

    def test_new_date_is_at_midnight(self):
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.assertEqual("2031-07-16T00:00:00.000Z", self.replica.find("Holiday", name="Picnic day")[0]["date"]["iso"])


class FileLimitTests(PageTest):
    replica_options = ("--file-bytes-max", "4000000")

    def test_form_shows_the_size_limit_before_an_upload(self):
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        picture = self.form().get_by_label("Picture")
        expect(picture).to_have_accessible_description(re.compile("A picture, at most 4.0 MB."))
        picture.set_input_files({"name": "large.png", "mimeType": "image/png", "buffer": png(20, 40) + bytes(5_000_000)})
        expect(self.form()).to_contain_text("large.png, 5.0 MB")
        self.form().get_by_role("button", name="Save").click()
        told = "large.png is too large: it has 5.0 MB, and the limit is 4.0 MB."
        expect(picture).to_have_accessible_description(re.compile(told))
        self.assertEqual([], [url for url in self.watch.urls if "/files/" in url])
