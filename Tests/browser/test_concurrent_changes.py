"""An object changes while the user edits or deletes it. The page never overwrites changes that the user has not seen."""

from playwright.sync_api import expect

import accessible
import screenshots
from page_test import PageTest


class SharedHolidayTests(PageTest):
    """The base class of tests with one holiday that exists on both sides."""

    def setUp(self):
        super().setUp()
        self.theirs = self.hub.find("Holiday", name="Lantern Night")[0]["objectId"]
        self.mine = self.replica.find("Holiday", name="Lantern Night")[0]["objectId"]

    def edit(self, page=None, name="Lantern Night"):
        (page or self.page).get_by_role("button", name=f"Edit {name}").click()
        expect(self.form(page)).to_be_visible()

    def field(self, label, page=None):
        return self.form(page).get_by_label(label)

    def question(self, label, page=None):
        return self.form(page).get_by_role("group", name=f"{label} was changed while you were editing")

    def change_on_hub(self, **fields):
        self.hub.change("Holiday", self.theirs, **fields)
        self.replica.sync()

    def just_before(self, method, change, page=None):
        """Runs a change after the page has sent a request and before the gateway receives it."""
        left = [change]

        def handle(route):
            if route.request.method == method and left:
                left.pop()()
            route.continue_()

        (page or self.page).route(f"**/classes/Holiday/{self.mine}*", handle)


class OpenFormTests(SharedHolidayTests):
    def test_remote_change_is_shown_in_an_open_form(self):
        self.edit()
        self.fill(Details="Mine.")
        self.change_on_hub(name="Lantern Week", details="Theirs.")
        expect(self.field("Name")).to_have_value("Lantern Week")
        expect(self.form()).to_contain_text("Changed while you were editing: ")
        expect(self.question("Details")).to_contain_text("Theirs.")
        expect(self.field("Details")).to_have_value("Mine.")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "meanwhile")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("Choose yours or theirs.")
        self.assertEqual("Theirs.", self.replica.read("Holiday", self.mine)["details"])
        self.question("Details").get_by_label("Yours").check()
        self.save()
        self.refresh()
        self.expect_state("Lantern Week", "Synced")
        there = self.hub.read("Holiday", self.theirs)
        self.assertEqual(("Lantern Week", "Mine."), (there["name"], there["details"]))

    def test_remote_value_can_be_chosen(self):
        self.edit()
        self.fill(Details="Mine.", Name="Lantern Eve")
        self.change_on_hub(details="Theirs.")
        self.question("Details").get_by_label("Theirs").click()
        expect(self.field("Details")).to_have_value("Theirs.")
        expect(self.question("Details")).to_have_count(0)
        self.save()
        self.refresh()
        self.expect_state("Lantern Eve", "Synced")
        self.assertEqual("Theirs.", self.hub.read("Holiday", self.theirs)["details"])

    def test_typed_text_stays_when_other_fields_change(self):
        self.edit()
        self.fill(Details="Mine.")
        self.field("Name").focus()
        self.change_on_hub(name="Lantern Week")
        expect(self.field("Name")).to_have_value("Lantern Week")
        expect(self.field("Name")).to_be_focused()
        self.save()
        self.assertEqual("Mine.", self.replica.read("Holiday", self.mine)["details"])

    def test_two_tabs_do_not_overwrite_each_other(self):
        other, watch = self.open()
        self.edit()
        self.edit(other)
        self.fill(Details="Of the first tab.")
        self.field("Details", other).fill("Of the second tab.")
        self.save()
        expect(self.question("Details", other)).to_contain_text("Of the first tab.")
        self.form(other).get_by_role("button", name="Save").click()
        expect(self.form(other)).to_contain_text("Choose yours or theirs.")
        self.assertEqual("Of the first tab.", self.replica.read("Holiday", self.mine)["details"])
        self.question("Details", other).get_by_label("Theirs").click()
        self.form(other).get_by_role("button", name="Cancel").click()
        expect(self.form(other)).to_have_count(0)

    def test_save_over_a_newer_version_is_rejected(self):
        self.watch.expect_error("412")
        self.edit()
        self.fill(Details="Mine.")
        self.just_before("PUT", lambda: self.replica.change("Holiday", self.mine, details="Faster.", name="Lantern Week"))
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("Not saved.")
        expect(self.question("Details")).to_contain_text("Faster.")
        expect(self.field("Name")).to_have_value("Lantern Week")
        self.assertEqual("Faster.", self.replica.read("Holiday", self.mine)["details"])
        self.question("Details").get_by_label("Yours").check()
        self.save()
        self.assertEqual("Mine.", self.replica.read("Holiday", self.mine)["details"])

    def test_deletion_of_a_newer_version_asks_again(self):
        self.watch.expect_error("412")
        self.page.clock.install()
        self.just_before("DELETE", lambda: self.replica.change("Holiday", self.mine, details="Faster."))
        self.delete()
        expect(self.form()).to_contain_text("details is now: Faster.")
        self.form().get_by_role("button", name="Keep it").click()
        expect(self.page.locator("#announcer")).to_contain_text("Lantern Night is kept.")
        self.assertEqual("Faster.", self.replica.read("Holiday", self.mine)["details"])
        self.delete()
        expect(self.entry("Lantern Night")).to_have_count(0)

    def delete(self):
        self.page.get_by_role("button", name="Delete Lantern Night").click()
        self.page.clock.fast_forward(10_000)

    def test_restored_form_shows_remote_changes(self):
        self.edit()
        self.fill(Details="Mine.")
        self.page.reload()
        expect(self.form()).to_contain_text("Your unsaved text was restored.")
        self.page.goto("about:blank")
        self.change_on_hub(details="Theirs.", name="Lantern Week")
        self.page.go_back()
        expect(self.question("Details")).to_contain_text("Theirs.")
        expect(self.field("Details")).to_have_value("Mine.")
        expect(self.field("Name")).to_have_value("Lantern Week")

    def test_json_form_shows_remote_changes(self):
        self.edit()
        self.form().get_by_role("button", name="Edit as JSON").click()
        text = self.field("Fields").input_value()
        self.field("Fields").fill(text.replace("Paper boats.", "Mine."))
        self.change_on_hub(details="Theirs.", name="Lantern Week")
        expect(self.question("details")).to_contain_text("Theirs.")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("Choose yours or theirs.")
        self.question("details").get_by_label("Yours").check()
        self.save()
        here = self.replica.read("Holiday", self.mine)
        self.assertEqual(("Lantern Week", "Mine."), (here["name"], here["details"]))


class UnfetchedFieldTests(SharedHolidayTests):
    def start_replica(self):
        self.replica.start()
        self.replica.sync()
        self.replica.send("PUT", "/sync/classes/Holiday", {"pulls": [{"name": "names", "keys": ["name", "date"]}]})
        self.replica.sync()

    def test_unfetched_field_is_read_only_and_stays_unchanged(self):
        self.edit()
        expect(self.field("Details")).to_have_value("Not fetched")
        expect(self.field("Details")).to_be_disabled()
        self.assertEqual([], accessible.problems(self.page))
        self.fill(Name="Lantern Eve")
        self.save()
        self.refresh()
        self.expect_state("Lantern Eve", "Synced")
        there = self.hub.read("Holiday", self.theirs)
        self.assertEqual(("Lantern Eve", "Paper boats."), (there["name"], there["details"]))

    def test_json_form_rejects_an_unfetched_field(self):
        self.edit()
        self.form().get_by_role("button", name="Edit as JSON").click()
        text = self.field("Fields").input_value()
        self.field("Fields").fill(text.replace("{", '{"details": "Mine.",', 1))
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("details is not fetched.")
        self.assertEqual("Paper boats.", self.hub.read("Holiday", self.theirs)["details"])


class UnfetchedColumnTests(PageTest):
    classes = ()

    def seed(self):
        self.hub.add("Boat", name="Lina", slip="north")
        self.hub.add("Boat", name="Vega")

    def start_replica(self):
        self.replica.start()
        self.replica.send("PUT", "/sync/classes/Boat", {"pulls": [{"name": "names", "keys": ["name"]}]})
        self.replica.sync()

    def test_new_field_cannot_replace_an_unfetched_field(self):
        self.page.goto(f"{self.replica.url}/#/Boat")
        self.page.get_by_role("button", name="Open Lina").click()
        self.form().get_by_text("Add a field").click()
        self.form().get_by_label("Name", exact=True).last.fill("slip")
        self.form().get_by_role("button", name="Add field").click()
        expect(self.form()).to_contain_text("This field is not fetched.")

    def test_column_marks_unfetched_values(self):
        # The sync is paused because the replica drops the unfetched field after sending the change.
        self.replica.send("POST", "/sync/pause")
        self.replica.change("Boat", self.replica.find("Boat", name="Lina")[0]["objectId"], slip="south")
        self.page.goto(f"{self.replica.url}/#/Boat")
        expect(self.entry("Lina")).to_contain_text("south")
        expect(self.entry("Vega")).to_contain_text("not fetched")
