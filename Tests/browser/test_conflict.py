"""Conflicts: both sides change the same object, and the user resolves the conflict."""

from playwright.sync_api import expect

import accessible
import screenshots
from page_test import PageTest


class PolicyConflictTests(PageTest):
    def test_conflict_resolved_by_policy_is_reported_and_can_be_reversed(self):
        theirs = self.hub.find("Holiday", name="Lantern Night")[0]["objectId"]
        self.page.get_by_role("switch", name="Work offline").click()
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.fill(Details="Mine.")
        self.save()
        self.hub.change("Holiday", theirs, details="Theirs.", name="Lantern Week")
        self.page.get_by_role("switch", name="Work offline").click()
        expect(self.page.locator("#notices")).to_contain_text("1 conflict resolved automatically. Replaced values are under Resolved conflicts.")
        expect(self.entry("Lantern Week")).to_contain_text("Mine.")
        self.page.get_by_text("Resolved conflicts", exact=True).click()
        settled = self.page.locator(".panel-resolved .panel-item")
        expect(settled).to_contain_text("Lantern Week")
        expect(settled).to_contain_text("Your version was kept")
        settled.get_by_role("button", name="Use theirs").click()
        expect(self.entry("Lantern Week")).to_contain_text("Theirs.")
        self.expect_state("Lantern Week", "Synced")
        self.assertEqual("Theirs.", self.hub.read("Holiday", theirs)["details"])


class ConflictTests(PageTest):
    def start_replica(self):
        self.replica.start()
        self.replica.send("PUT", "/sync/classes/Holiday", {"policy": "manual"})
        self.replica.sync()

    def make_conflict(self):
        """Creates a conflict in two fields. The replica also changes a third field, which does not conflict."""
        theirs = self.hub.find("Holiday", name="Lantern Night")[0]["objectId"]
        mine = self.replica.find("Holiday", name="Lantern Night")[0]["objectId"]
        self.replica.send("POST", "/sync/pause")
        self.replica.change("Holiday", mine, name="Lantern Eve", details="Mine.", observedBy=["Bruges"])
        self.hub.change("Holiday", theirs, name="Lantern Week", details="Theirs.")
        self.replica.send("POST", "/sync/resume")
        self.replica.sync()
        expect(self.page.locator(".badge-conflict")).to_have_count(1)
        return theirs

    def choices(self, field):
        return self.form().get_by_role("group", name=field, exact=True)

    def test_decision_on_a_conflict_that_has_changed_is_rejected(self):
        self.watch.expect_error("412")
        theirs = self.make_conflict()
        self.page.locator(".badge-conflict").click()
        self.page.get_by_role("button", name="Choose by field").click()
        self.hub.change("Holiday", theirs, details="Theirs again.")
        self.replica.sync()
        self.form().get_by_role("button", name="Resolve").click()
        expect(self.form()).to_contain_text("It has changed again. Check it before you decide.")
        self.assertEqual("Theirs again.", self.hub.read("Holiday", theirs)["details"])
        self.form().get_by_role("button", name="Cancel").click()
        expect(self.page.locator("#sync-panel .panel-conflicts .panel-item")).to_contain_text("Theirs again.")

    def test_conflict_is_resolved_by_field(self):
        theirs = self.make_conflict()
        expect(self.headline()).to_contain_text("1 conflict")
        self.page.locator(".badge-conflict").click()
        item = self.page.locator("#sync-panel .panel-conflicts .panel-item")
        expect(item).to_be_focused()
        expect(item).to_contain_text("Edited on both sides")
        self.page.get_by_role("button", name="Choose by field").click()
        expect(self.choices("Name")).to_contain_text("Lantern Night")
        expect(self.choices("Name")).to_contain_text("Lantern Eve")
        expect(self.choices("Name")).to_contain_text("Lantern Week")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "conflict")
        self.choices("Name").get_by_label("Theirs").check()
        self.choices("Details").get_by_label("Another value", exact=False).first.check()
        self.form().get_by_label("Another value of Details").fill("Ours.")
        self.save("Resolve")
        self.expect_state("Lantern Week", "Synced")
        found = self.hub.read("Holiday", theirs)
        self.assertEqual(("Lantern Week", "Ours.", ["Bruges"]), (found["name"], found["details"], found["observedBy"]))
        self.assertEqual(0, self.replica.send("GET", "/sync")["conflicts"])

    def undo(self, lead, *lines):
        bar = self.page.get_by_role("region", name="Last action")
        expect(bar).to_contain_text("Resolved. The next sync sends it.")
        bar.get_by_role("button", name="Undo", exact=True).click()
        expect(self.form().get_by_text(lead, exact=True)).to_be_visible()
        expect(self.form().locator(".undo-steps li")).to_have_text(list(lines))
        self.form().get_by_role("button", name="Undo", exact=True).click()
        expect(self.page.locator("#notices")).to_contain_text("Undone for 1 object.")

    def test_decision_by_field_is_undone(self):
        theirs = self.make_conflict()
        self.page.get_by_role("button", name="Choose by field").click()
        self.choices("Name").get_by_label("Theirs").check()
        self.save("Resolve")
        self.expect_state("Lantern Week", "Synced")
        self.undo(
            "A decision cannot be reopened. New changes give the objects your version:", "1 object: a new change sets your values again.")
        self.expect_state("Lantern Eve", "Synced")
        found = self.hub.read("Holiday", theirs)
        self.assertEqual(("Lantern Eve", "Mine.", ["Bruges"]), (found["name"], found["details"], found["observedBy"]))

    def test_decision_by_field_for_one_side_is_undone_like_that_side(self):
        self.make_conflict()
        self.page.get_by_role("button", name="Choose by field").click()
        self.save("Resolve")
        self.expect_state("Lantern Eve", "Synced")
        self.undo(
            "A decision cannot be reopened. New changes give the objects the other version:",
            "1 object: a new change sets the remote's values.")
        self.expect_state("Lantern Week", "Synced")

    def test_deletion_that_a_decision_by_field_gave_up_is_made_again(self):
        theirs = self.hub.find("Holiday", name="Lantern Night")[0]["objectId"]
        mine = self.replica.find("Holiday", name="Lantern Night")[0]["objectId"]
        self.replica.send("POST", "/sync/pause")
        self.replica.send("DELETE", f"/classes/Holiday/{mine}")
        self.hub.change("Holiday", theirs, name="Lantern Week", details="Theirs.")
        self.replica.send("POST", "/sync/resume")
        self.replica.sync()
        self.page.get_by_role("button", name="Choose by field").click()
        self.choices("Details").get_by_label("Before").check()
        self.save("Resolve")
        self.expect_state("Lantern Week", "Synced")
        self.undo("A decision cannot be reopened. New changes give the objects your version:", "1 object: deleted.")
        expect(self.entry("Lantern Week")).to_have_count(0)

    def test_conflict_is_resolved_for_one_whole_side(self):
        theirs = self.make_conflict()
        self.page.get_by_role("button", name="Keep mine").click()
        self.expect_state("Lantern Eve", "Synced")
        self.assertEqual("Mine.", self.hub.read("Holiday", theirs)["details"])

    def test_local_edit_survives_a_remote_deletion(self):
        theirs = self.hub.find("Holiday", name="Lantern Night")[0]["objectId"]
        mine = self.replica.find("Holiday", name="Lantern Night")[0]["objectId"]
        self.replica.send("POST", "/sync/pause")
        self.replica.change("Holiday", mine, details="More candles.")
        self.hub.send("DELETE", f"/classes/Holiday/{theirs}")
        self.replica.send("POST", "/sync/resume")
        self.replica.sync()
        expect(self.entry("Lantern Night").locator(".entry-reason")).to_have_text("Edited here, deleted on the remote")
        self.page.get_by_role("button", name="Keep it").click()
        self.expect_state("Lantern Night", "Synced")
        self.assertEqual("More candles.", self.one_on_hub("Holiday", name="Lantern Night")["details"])
