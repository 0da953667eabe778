"""What was typed and not saved: it is there again after a reload, and after going elsewhere and back."""

import re

from playwright.sync_api import expect
from test_files import png

import accessible
import pictures
from story import Story


class KeptFormStory(Story):
    classes = ("Holiday", "Birthday", "Boat")

    def seed(self):
        super().seed()
        self.hub.add("Boat", name="Dinghy", metres=3)

    def edit(self, name):
        self.page.get_by_role("button", name=f"Edit {name}").click()

    def expect_kept(self):
        expect(self.form()).to_contain_text("Your unsaved text is here again.")

    def test_a_reload_keeps_a_half_typed_edit(self):
        self.edit("Lantern Night")
        self.fill(Details="Half a sent", Observed_by="Ghent\nUtr")
        self.page.reload()
        self.expect_kept()
        expect(self.form()).to_contain_text("Edit Lantern Night")
        expect(self.form().get_by_label("Details")).to_have_value("Half a sent")
        expect(self.form().get_by_label("Observed by")).to_have_value("Ghent\nUtr")
        pictures.take(self.page, "form-kept")
        self.assertEqual([], accessible.problems(self.page))
        self.save()
        self.assertEqual("Half a sent", self.replica.find("Holiday", name="Lantern Night")[0]["details"])
        # What is saved is over.
        self.page.reload()
        expect(self.entry("Lantern Night")).to_contain_text("Half a sent")
        expect(self.form()).to_have_count(0)

    def test_back_keeps_a_half_typed_form_for_the_way_forward(self):
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

    def test_another_page_and_back_keeps_it(self):
        self.edit("Harvest Supper")
        self.fill(Name="Harvest Supp")
        self.page.goto("about:blank")
        self.page.go_back()
        expect(self.form().get_by_label("Name")).to_have_value("Harvest Supp")

    def test_what_is_discarded_is_gone(self):
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
        expect(self.form()).not_to_contain_text("here again")

    def test_added_fields_and_json_are_kept_too(self):
        self.page.get_by_role("link", name="Boat").click()
        self.edit("Dinghy")
        self.form().get_by_text("Another field").click()
        self.form().get_by_label("Name", exact=True).fill("berths")
        self.form().get_by_label("Type").select_option("Number")
        self.form().get_by_role("button", name="Add field").click()
        self.form().get_by_label("berths").fill("4")
        self.page.reload()
        self.expect_kept()
        expect(self.form().get_by_label("berths")).to_have_value("4")
        self.save()
        self.edit("Dinghy")
        self.form().get_by_role("button", name="Edit as JSON").click()
        self.form().get_by_label("Fields").fill('{"name": "Dinghy", "half": ')
        self.page.reload()
        expect(self.form().get_by_label("Fields")).to_have_value('{"name": "Dinghy", "half": ')
        self.assertEqual(4, self.replica.find("Boat", name="Dinghy")[0]["berths"])

    def test_a_file_has_to_be_chosen_again_and_that_is_told(self):
        self.edit("Lantern Night")
        self.form().get_by_label("Picture").set_input_files({"name": "boats.png", "mimeType": "image/png", "buffer": png(20, 40)})
        self.page.reload()
        self.expect_kept()
        expect(self.form()).to_contain_text("Choose boats.png again.")

    def test_a_class_that_is_half_chosen_is_kept(self):
        self.page.get_by_role("button", name="Another class").click()
        self.fill(Name_of_the_class="Coun")
        self.page.reload()
        expect(self.form().get_by_label("Name of the class")).to_have_value("Coun")

    def test_an_object_that_is_gone_can_be_made_anew(self):
        self.watch.expect_error("404|412")
        self.edit("Lantern Night")
        self.fill(Name="Lantern Day")
        made = self.replica.find("Holiday", name="Lantern Night")[0]["objectId"]
        self.replica.send("DELETE", f"/classes/Holiday/{made}")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form().get_by_role("alert")).to_contain_text("Not saved. The object has been deleted meanwhile.")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Make it anew").click()
        expect(self.form()).to_have_count(0)
        expect(self.entry("Lantern Day")).to_contain_text("Paper boats.")
        again = self.replica.find("Holiday", name="Lantern Day")[0]
        self.assertNotEqual(made, again["objectId"])
        self.assertEqual(("Paper boats.", ["Ghent"]), (again["details"], again["observedBy"]))


class TimeOfDayStory(Story):
    def seed(self):
        date = {"__type": "Date", "iso": "2031-12-05T18:30:15.250Z"}
        self.hub.add("Holiday", name="Lantern Night", date=date)

    def test_another_day_keeps_the_time(self):
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.fill(Date="2031-12-07")
        self.save()
        self.assertEqual("2031-12-07T18:30:15.250Z", self.replica.find("Holiday")[0]["date"]["iso"])

    def test_a_new_day_begins_at_midnight(self):
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.assertEqual("2031-07-16T00:00:00.000Z", self.replica.find("Holiday", name="Picnic day")[0]["date"]["iso"])


class FileLimitStory(Story):
    replica_options = ("--file-bytes-max", "4000000")

    def test_the_limit_is_named_before_anything_is_stored(self):
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        picture = self.form().get_by_label("Picture")
        expect(picture).to_have_accessible_description(re.compile("A picture of 4.0 MB at most."))
        picture.set_input_files({"name": "large.png", "mimeType": "image/png", "buffer": png(20, 40) + bytes(5_000_000)})
        expect(self.form()).to_contain_text("large.png, 5.0 MB")
        self.form().get_by_role("button", name="Save").click()
        told = "large.png is larger than Tidegate takes: it has 5.0 MB, and 4.0 MB is the limit."
        expect(picture).to_have_accessible_description(re.compile(told))
        self.assertEqual([], [url for url in self.watch.urls if "/files/" in url])
