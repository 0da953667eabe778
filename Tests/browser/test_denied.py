"""Objects that the user of the page may read and not change, and classes that the user may not change: the page distinguishes a denied
change from a deletion, and does not offer changes."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import Daemon
from page_test import PageTest

read_by_all = {"*": {"read": True}}


class DeniedTests(PageTest):
    classes = ()

    def setUp(self):
        self.hub = None
        self.begin()
        self.replica = Daemon(self.work / "alone", "--web", str(self.web))
        self.addCleanup(self.replica.stop)
        self.replica.start()
        self.dinghy = self.replica.add("Boat", name="Dinghy", ACL=read_by_all)
        self.skiff = self.replica.add("Boat", name="Skiff")
        self.page, self.watch = self.open("/#/Boat")

    def master(self, method, path, body=None):
        key = (self.replica.directory / "master-key").read_text().strip()
        return self.replica.send(method, path, body, {"X-Parse-Master-Key": key})

    def take_away(self):
        """Removes the user's right to write an object."""
        self.master("PUT", f"/classes/Boat/{self.skiff}", {"ACL": read_by_all})

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def test_page_does_not_offer_denied_writes(self):
        expect(self.button("Open Skiff")).to_be_visible()
        expect(self.button("Delete Skiff")).to_be_visible()
        expect(self.button("Delete Dinghy")).to_have_count(0)
        self.button("Open Dinghy").click()
        expect(self.form()).to_contain_text("You may read this object, but not change it.")
        expect(self.form()).to_contain_text("Dinghy")
        expect(self.form().get_by_role("button", name="Save")).to_have_count(0)
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "denied")
        self.master("PUT", f"/classes/Boat/{self.dinghy}", {"metres": 3})
        expect(self.form()).to_contain_text("metres")
        self.page.keyboard.press("Escape")
        expect(self.form()).to_have_count(0)

    def test_denied_save_is_not_shown_as_a_deletion(self):
        self.button("Open Skiff").click()
        self.form().get_by_label("name", exact=True).fill("Cutter")
        self.watch.expect_error("404")
        self.take_away()
        self.form().get_by_role("button", name="Save", exact=True).click()
        problem = self.form().get_by_role("alert")
        expect(problem).to_contain_text("You may read this object, but not make this change.")
        expect(problem).not_to_contain_text("deleted")
        expect(problem.get_by_role("button")).to_have_count(0)
        self.assertEqual(2, len(self.replica.find("Boat")))

    def test_denied_deletion_is_reported(self):
        self.watch.expect_error("404")
        self.page.clock.install()
        self.button("Delete Skiff").click()
        expect(self.button("Undo deleting Skiff")).to_be_visible()
        self.take_away()
        self.page.clock.fast_forward(10_000)
        expect(self.page.locator("#notices")).to_contain_text("Skiff was not deleted. You may read this object, but not make this change.")

    def test_pane_follows_the_rights_of_its_object(self):
        self.button("Open Skiff").click()
        expect(self.pane().get_by_role("button", name="Save")).to_be_visible()
        self.take_away()
        expect(self.pane()).to_contain_text("You may read this object, but not change it.")
        for name in ("Save", "Delete this object", "Change rights", "Edit as JSON"):
            expect(self.pane().get_by_role("button", name=name)).to_have_count(0)
        self.pane().get_by_role("button", name="Copy as").click()
        self.form().get_by_label("curl").check()
        expect(self.form().get_by_label("Updates the object")).to_have_count(0)
        self.form().get_by_role("button", name="Done").click()
        self.pane().get_by_text("Who may read and write").click()
        expect(self.pane()).to_contain_text("Everybody may read; only the master key may write.")
        self.assertEqual([], accessible.problems(self.page))
        # The right comes back.
        self.master("PUT", f"/classes/Boat/{self.skiff}", {"ACL": {"*": {"read": True, "write": True}}})
        expect(self.pane().get_by_role("button", name="Save")).to_be_visible()

    def test_unsaved_text_stays_when_the_right_is_taken_away(self):
        self.watch.expect_error("404")
        self.button("Open Skiff").click()
        self.pane().get_by_label("name", exact=True).fill("Cutter")
        self.page.wait_for_function("() => sessionStorage.getItem('tidegate.forms')?.includes('Cutter')")
        self.take_away()
        self.master("PUT", f"/classes/Boat/{self.skiff}", {"metres": 3})
        expect(self.pane()).to_contain_text("Changed while you were editing")
        expect(self.pane().get_by_label("name", exact=True)).to_have_value("Cutter")

    def permit(self, *writes):
        """Lets everyone read boats, and make some writes."""
        permissions = {name: {"*": True} for name in ("find", "get", "count", *writes)}
        self.master("PUT", "/schemas/Boat", {"classLevelPermissions": permissions})

    def test_writes_that_the_class_denies_are_not_offered(self):
        add = self.button("Add object")
        expect(add).to_be_visible()
        self.permit("update", "addField")
        expect(add).to_be_hidden()
        self.page.keyboard.press("n")
        expect(self.form()).to_have_count(0)
        self.page.get_by_role("checkbox", name="Select Skiff").check()
        bar = self.page.get_by_role("group", name="Selected objects")
        expect(bar.get_by_role("button", name="Set a field")).to_be_visible()
        expect(bar.get_by_role("button", name="Delete")).to_have_count(0)
        self.button("Open Skiff").click()
        expect(self.pane().get_by_text("Add a field")).to_be_visible()
        self.page.keyboard.press("Escape")
        self.permit("create", "delete")
        expect(add).to_be_visible()
        expect(bar.get_by_role("button", name="Set a field")).to_have_count(0)
        expect(bar.get_by_role("button", name="Delete")).to_be_visible()
        self.permit("create", "update")
        add.click()
        expect(self.form().get_by_label("name", exact=True)).to_be_visible()
        expect(self.form().get_by_text("Add a field")).to_have_count(0)

    def test_import_is_not_offered_to_a_reader(self):
        self.permit("delete")
        expect(self.button("Add object")).to_be_hidden()
        self.page.goto(f"{self.replica.url}/#/-/transfer/Boat")
        expect(self.page.get_by_text("You may not add or change objects of Boat.")).to_be_hidden()
        expect(self.button("Check the file")).to_be_hidden()
        self.page.get_by_text("Import with a maintenance key").click()
        expect(self.page.get_by_text("You may not add or change objects of Boat.")).to_be_visible()
        expect(self.page.get_by_label("Maintenance key")).to_be_visible()
        self.assertEqual([], accessible.problems(self.page))
        self.permit("create")
        self.page.reload()
        expect(self.button("Check the file")).to_be_visible()

    def test_empty_class_does_not_ask_a_reader_for_its_first_object(self):
        for boat in (self.dinghy, self.skiff):
            self.master("DELETE", f"/classes/Boat/{boat}")
        expect(self.page.get_by_role("button", name="Add the first object")).to_be_visible()
        self.permit("delete")
        expect(self.page.get_by_role("button", name="Add the first object")).to_have_count(0)
        expect(self.page.locator("#main")).to_contain_text("You may not add any.")

    def test_the_master_key_may_make_every_write(self):
        self.permit("update")
        expect(self.button("Add object")).to_be_hidden()
        self.button("Manage").click()
        self.form().get_by_label("Master key").fill((self.replica.directory / "master-key").read_text().strip())
        self.form().get_by_role("button", name="Continue").click()
        expect(self.page.get_by_role("heading", name="Users", exact=True)).to_be_visible()
        self.page.goto(f"{self.replica.url}/#/Boat")
        expect(self.button("Add object")).to_be_visible()
