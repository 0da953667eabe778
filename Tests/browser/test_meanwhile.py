"""An object changes while somebody edits or deletes it on the page: nothing that has not been seen is overwritten."""

from playwright.sync_api import expect

import accessible
import pictures
from story import Story


class StoryOfOne(Story):
    """About one holiday that both sides have."""

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
        return self.form(page).get_by_role("group", name=f"{label} was changed meanwhile")

    def change_on_hub(self, **fields):
        self.hub.change("Holiday", self.theirs, **fields)
        self.replica.sync()

    def just_before(self, method, change, page=None):
        """Lets a change come in between: after the page has sent its request, and before the gateway gets it."""
        left = [change]

        def handle(route):
            if route.request.method == method and left:
                left.pop()()
            route.continue_()

        (page or self.page).route(f"**/classes/Holiday/{self.mine}*", handle)


class MeanwhileStory(StoryOfOne):
    def test_a_change_that_comes_while_a_form_is_open_is_shown_and_both_are_offered(self):
        self.edit()
        self.fill(Details="Mine.")
        self.change_on_hub(name="Lantern Week", details="Theirs.")
        expect(self.field("Name")).to_have_value("Lantern Week")
        expect(self.form()).to_contain_text("Changed meanwhile: ")
        expect(self.question("Details")).to_contain_text("Theirs.")
        expect(self.field("Details")).to_have_value("Mine.")
        self.assertEqual([], accessible.problems(self.page))
        pictures.take(self.page, "meanwhile")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("Choose yours or theirs.")
        self.assertEqual("Theirs.", self.replica.read("Holiday", self.mine)["details"])
        self.question("Details").get_by_label("Yours").check()
        self.save()
        self.refresh()
        self.expect_state("Lantern Week", "Synced")
        there = self.hub.read("Holiday", self.theirs)
        self.assertEqual(("Lantern Week", "Mine."), (there["name"], there["details"]))

    def test_theirs_can_be_taken(self):
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

    def test_what_was_typed_stays_where_nobody_else_has_changed_it(self):
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

    def test_a_save_that_comes_too_late_is_not_carried_out(self):
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

    def test_a_deletion_that_comes_too_late_is_asked_about_again(self):
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

    def test_a_half_typed_form_asks_after_a_reload_too(self):
        self.edit()
        self.fill(Details="Mine.")
        self.page.reload()
        expect(self.form()).to_contain_text("Your unsaved text is here again.")
        self.page.goto("about:blank")
        self.change_on_hub(details="Theirs.", name="Lantern Week")
        self.page.go_back()
        expect(self.question("Details")).to_contain_text("Theirs.")
        expect(self.field("Details")).to_have_value("Mine.")
        expect(self.field("Name")).to_have_value("Lantern Week")

    def test_json_is_followed_as_well(self):
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


class UnfetchedFieldStory(StoryOfOne):
    def start_replica(self):
        self.replica.start()
        self.replica.sync()
        self.replica.send("PUT", "/sync/classes/Holiday", {"pulls": [{"name": "names", "keys": ["name", "date"]}]})
        self.replica.sync()

    def test_a_field_that_was_not_fetched_is_shown_as_that_and_stays(self):
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

    def test_nor_is_it_overwritten_as_json(self):
        self.edit()
        self.form().get_by_role("button", name="Edit as JSON").click()
        text = self.field("Fields").input_value()
        self.field("Fields").fill(text.replace("{", '{"details": "Mine.",', 1))
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("details is not fetched here")
        self.assertEqual("Paper boats.", self.hub.read("Holiday", self.theirs)["details"])


class UnfetchedColumnStory(Story):
    classes = ()

    def seed(self):
        self.hub.add("Boat", name="Lina", slip="north")
        self.hub.add("Boat", name="Vega")

    def start_replica(self):
        self.replica.start()
        self.replica.send("PUT", "/sync/classes/Boat", {"pulls": [{"name": "names", "keys": ["name"]}]})
        self.replica.sync()

    def test_a_new_field_cannot_cover_one_that_was_not_fetched(self):
        self.page.goto(f"{self.replica.url}/#/Boat")
        self.page.get_by_role("button", name="Edit Lina").click()
        self.form().get_by_text("Another field").click()
        self.form().get_by_label("Name", exact=True).last.fill("slip")
        self.form().get_by_role("button", name="Add field").click()
        expect(self.form()).to_contain_text("This field is not fetched here")

    def test_a_column_says_so(self):
        # Once the change is sent, the field leaves the file again.
        self.replica.send("POST", "/sync/pause")
        self.replica.change("Boat", self.replica.find("Boat", name="Lina")[0]["objectId"], slip="south")
        self.page.goto(f"{self.replica.url}/#/Boat")
        expect(self.entry("Lina")).to_contain_text("south")
        expect(self.entry("Vega")).to_contain_text("not fetched")
