"""The folded sections in the pane of an object: rights, waiting changes, decisions, and times."""

from playwright.sync_api import expect
from test_grid import GridTest

import accessible
import screenshots
from page_test import PageTest, desktop, phone


class SectionTest(PageTest):
    def section(self, title):
        return self.pane().locator("details").filter(has=self.page.locator("summary", has_text=title))

    def unfold(self, title):
        self.section(title).locator("summary").click()
        return self.section(title)


class WaitingTests(SectionTest):
    has_details = False

    def setUp(self):
        super().setUp()
        self.id = self.replica.find("Holiday", name="Lantern Night")[0]["objectId"]

    def open_holiday(self):
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        expect(self.pane()).to_contain_text("Edit Lantern Night")

    def test_waiting_change_is_shown_and_undone(self):
        self.page.get_by_role("switch", name="Work offline").click()
        expect(self.headline()).to_contain_text("Working offline")
        self.replica.change("Holiday", self.id, details="Changed.")
        self.replica.change("Holiday", self.replica.find("Holiday", name="Harvest Supper")[0]["objectId"], details="Another.")
        self.open_holiday()
        section = self.unfold("Pending changes")
        expect(section).to_contain_text("Pending changes (1)")
        expect(section).to_contain_text("Edited · details")
        screenshots.take(self.page, "object-sections")
        self.assertEqual([], accessible.problems(self.page))
        section.get_by_role("button", name="Undo").click()
        expect(section).to_contain_text("No change of this object waits to be sent.")
        expect(self.pane().get_by_label("Details")).to_have_value("Paper boats.")

    def test_conflict_is_decided_and_listed(self):
        self.replica.send("PUT", "/sync/classes/Holiday", {"policy": "manual"})
        self.page.get_by_role("switch", name="Work offline").click()
        expect(self.headline()).to_contain_text("Working offline")
        self.replica.change("Holiday", self.id, details="Mine.")
        self.hub.change("Holiday", self.one_on_hub("Holiday", name="Lantern Night")["objectId"], details="Theirs.")
        self.page.get_by_role("switch", name="Work offline").click()
        # On a phone, the panel takes the place of the pane.
        self.page.set_viewport_size(phone)
        self.open_holiday()
        self.unfold("Decisions").get_by_role("button", name="Decide").click()
        expect(self.pane()).to_have_count(0)
        expect(self.page.locator("#sync-panel .panel-item:focus")).to_contain_text("Lantern Night")
        self.page.set_viewport_size(desktop)
        self.open_holiday()
        section = self.unfold("Decisions")
        expect(section).to_contain_text("Decisions (1)")
        expect(section).to_contain_text("Edited on both sides")
        section.get_by_role("button", name="Decide").click()
        entry = self.page.locator("#sync-panel .panel-item:focus")
        expect(entry).to_contain_text("Lantern Night")
        entry.get_by_role("button", name="Keep mine").click()
        expect(section.get_by_role("button", name="Decide")).to_have_count(0)
        expect(section).to_contain_text("Your version was kept")
        expect(section).to_contain_text("Theirs.")
        self.assertEqual([], accessible.problems(self.page))


class NewObjectTests(PageTest):
    def test_pane_of_a_new_object_follows_its_id(self):
        self.go_offline()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-12-07")
        self.save("Add")
        local_id = self.entry("Picnic day").get_attribute("data-object")
        self.page.get_by_role("button", name="Edit Picnic day").click()
        self.expect_address(f"/#/Holiday/{local_id}")
        self.hub.start()
        self.replica.sync()
        made = self.one_on_hub("Holiday", name="Picnic day")["objectId"]
        self.assertNotEqual(local_id, made)
        self.expect_address(f"/#/Holiday/{made}")
        expect(self.page.locator("#main [aria-current=true]")).to_contain_text("Picnic day")
        self.fill(Details="With a blanket.")
        self.save()
        self.assertEqual("With a blanket.", self.replica.read("Holiday", made)["details"])


class StandaloneTests(GridTest, SectionTest):
    boats = 3

    def test_times_are_shown_in_both_time_zones(self):
        page, _ = self.open("/#/Boat", timezone_id="Pacific/Auckland")
        self.page = page
        page.get_by_role("button", name="Open Boat 0001").click()
        section = self.unfold("Times and id")
        for words in ("objectId", self.stored("Boat 0001")["objectId"], "createdAt", "updatedAt", "UTC"):
            expect(section).to_contain_text(words)
        # A gateway without a remote has neither waiting changes nor decisions.
        expect(self.section("Pending changes")).to_be_hidden()
        expect(self.section("Decisions")).to_be_hidden()

    def test_rights_are_changed_without_the_master_key(self):
        self.page.get_by_role("button", name="Open Boat 0001").click()
        section = self.unfold("Who may read and write")
        expect(section).to_contain_text("Everybody may read and write.")
        section.get_by_role("button", name="Change rights").click()
        form = self.page.get_by_role("dialog")
        form.get_by_label("Add by the id of a user").fill("no id!")
        form.get_by_role("button", name="Add to the list").click()
        expect(form).to_contain_text("Enter the id of a user")
        form.get_by_label("Add by the id of a user").fill("role:editors")
        self.page.keyboard.press("Enter")
        form.get_by_label("The role editors").select_option("Read and write")
        self.assertEqual([], accessible.problems(self.page))
        # A change of another field meanwhile does not stop the new rights.
        self.watch.expect_error("412")
        self.replica.change("Boat", self.stored("Boat 0001")["objectId"], metres=8)
        form.get_by_role("button", name="Save", exact=True).click()
        expect(form).to_have_count(0)
        acl = self.stored("Boat 0001")["ACL"]
        self.assertEqual({"*": {"read": True, "write": True}, "role:editors": {"read": True, "write": True}}, acl)

    def test_rights_that_have_changed_meanwhile_are_not_overwritten(self):
        self.watch.expect_error("412")
        self.page.get_by_role("button", name="Open Boat 0001").click()
        self.unfold("Who may read and write").get_by_role("button", name="Change rights").click()
        form = self.page.get_by_role("dialog")
        everybody = {"*": {"read": True, "write": True}}
        self.replica.change("Boat", self.stored("Boat 0001")["objectId"], ACL={**everybody, "role:crew": {"read": True}})
        form.get_by_label("Everybody").select_option("Read")
        form.get_by_role("button", name="Save", exact=True).click()
        expect(form.get_by_role("alert").first).to_contain_text("The rights have changed while you were editing.")
        self.assertIn("role:crew", self.stored("Boat 0001")["ACL"])

    def test_object_is_deleted_from_its_pane(self):
        self.page.get_by_role("button", name="Open Boat 0001").click()
        self.pane().get_by_label("name", exact=True).fill("Half a na")
        self.pane().get_by_role("button", name="Delete this object").click()
        self.form().get_by_role("button", name="Discard").click()
        expect(self.pane()).to_have_count(0)
        expect(self.page.get_by_role("button", name="Undo deleting Boat 0001")).to_be_visible()
