"""Actions for many objects: setting a field and deleting, with their progress, their failures, and their undo."""

import re

from playwright.sync_api import expect
from test_selection import SelectionTest

import accessible
import screenshots
from daemon import wait_until
from page_test import PageTest, phone

many_ms = 240_000
"""The time for an action of more than 1,000 objects on a slow machine."""

class BulkTest(SelectionTest):
    def open_set_field(self, field):
        self.bar().get_by_role("button", name="Set a field").click()
        self.form().get_by_label("Field", exact=True).select_option(field)

    def preview(self):
        return self.form().locator(".bulk-preview")

    def undo_bar(self):
        return self.page.get_by_role("region", name="Last action")

    def undo(self, *lines):
        """Undoes the last action, after the page has shown what it does."""
        self.undo_bar().get_by_role("button", name="Undo", exact=True).click()
        expect(self.form().locator(".undo-steps li")).to_have_text(list(lines))
        self.form().get_by_role("button", name="Undo", exact=True).click()


class SetFieldTests(BulkTest):
    def setUp(self):
        super().setUp()
        self.sort_by_name()

    def test_field_is_set_and_undone_by_mouse(self):
        self.box("Boat 0001").click()
        self.box("Boat 0004").click(modifiers=["Shift"])
        self.open_set_field("isSailing")
        expect(self.preview()).to_have_text("4 objects.")
        self.form().get_by_label("Value").select_option(label="Yes")
        expect(self.preview()).to_have_text("Sets isSailing to Yes on 2 objects, 2 have it already.")
        screenshots.take(self.page, "set-field")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.undo_bar()).to_contain_text("isSailing is set on 2 objects; 2 had the value already.")
        expect(self.cell("Boat 0003", "isSailing")).to_have_text("Yes")
        self.expect_selected("4 objects selected")
        self.assertEqual([], accessible.problems(self.page))
        self.undo_bar().get_by_role("button", name="Undo", exact=True).click()
        expect(self.form()).to_contain_text("2 objects: a new change gives isSailing its former value.")
        screenshots.take(self.page, "bulk-undo")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Undo", exact=True).click()
        expect(self.cell("Boat 0003", "isSailing")).to_have_text("No")
        expect(self.undo_bar()).to_be_hidden()
        self.assertEqual([False, True, False], [self.stored(f"Boat 000{number}")["isSailing"] for number in (1, 2, 3)])

    def test_value_is_removed_and_set_to_null_by_keyboard_alone(self):
        self.press("ArrowDown", " ", "Shift+ArrowDown", "Tab", "Tab", "Enter")
        self.form().get_by_label("Field", exact=True).select_option("tags")
        self.press("Tab")
        self.form().get_by_label("Change").select_option("Remove the value")
        expect(self.preview()).to_have_text("Removes tags from 2 objects.")
        expect(self.form().get_by_label("Value", exact=True)).to_be_hidden()
        # The Enter key in a field submits the form.
        self.form().get_by_role("button", name="Set", exact=True).focus()
        self.press("Enter")
        expect(self.undo_bar()).to_contain_text("tags is removed from 2 objects.")
        expect(self.bar().get_by_role("button", name="Set a field")).to_be_focused()
        self.assertNotIn("tags", self.stored("Boat 0001"))
        self.press("Enter")
        self.form().get_by_label("Field", exact=True).select_option("metres")
        self.form().get_by_label("Change").select_option("Set to null")
        expect(self.preview()).to_have_text("Sets metres to null on 2 objects.")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.undo_bar()).to_contain_text("metres is set on 2 objects.")
        self.assertNotIn("metres", self.stored("Boat 0001"))
        self.undo("2 objects: a new change gives metres its former value.")
        expect(self.cell("Boat 0001", "metres")).to_have_text("0.5")

    def test_value_is_needed(self):
        self.box("Boat 0001").click()
        self.open_set_field("metres")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.form()).to_contain_text("Enter a value, or choose another change.")
        self.form().get_by_label("Value").fill("0.5")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.form()).to_contain_text("Not set. There is nothing to change.")

    def test_changed_and_deleted_objects_are_reported_and_not_overwritten(self):
        for number in (1, 2, 3):
            self.box(f"Boat 000{number}").click()
        ids = [self.stored(f"Boat 000{number}")["objectId"] for number in (1, 2, 3)]
        self.open_set_field("metres")
        self.form().get_by_label("Value").fill("7")
        expect(self.preview()).to_have_text("Sets metres to 7 on 3 objects.")
        self.replica.change("Boat", ids[0], metres=99)
        self.replica.send("DELETE", f"/classes/Boat/{ids[1]}")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.form()).to_contain_text("metres is set on 1 object. 2 objects are left out:")
        lines = self.form().get_by_role("list", name="Not done").locator("li")
        expect(lines).to_have_text(["Boat 0001It has changed since it was read.", "Boat 0002It was deleted."])
        self.assertEqual(99, self.replica.read("Boat", ids[0])["metres"])
        screenshots.take(self.page, "bulk-failures")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Set anyway (1)").click()
        expect(self.form()).to_contain_text("metres is set on 2 objects. 1 object is left out:")
        expect(lines).to_have_text(["Boat 0002It was deleted."])
        self.assertEqual(7, self.replica.read("Boat", ids[0])["metres"])
        self.form().get_by_role("button", name="Try 1 object again").click()
        expect(self.form()).to_contain_text("metres is set on 2 objects. 1 object is left out:")
        self.form().get_by_role("button", name="Done").click()
        # An undo restores the value that was overwritten, and leaves a value that somebody has set since.
        self.replica.change("Boat", ids[2], metres=8)
        self.undo_bar().get_by_role("button", name="Undo", exact=True).click()
        expect(self.form().locator(".undo-steps li")).to_have_text([
            "1 object: a new change gives metres its former value.", "1 object: left as they are."])
        expect(self.form()).to_contain_text("metres has another value now.")
        self.form().get_by_role("button", name="Undo", exact=True).click()
        expect(self.page.locator("#notices")).to_contain_text("Undone for 1 object. 1 object left as it is.")
        self.assertEqual([99, 8], [self.replica.read("Boat", ids[at])["metres"] for at in (0, 2)])

    def test_change_whose_answer_is_lost_is_told_and_tried_again(self):
        self.watch.expect_error("ERR_FAILED")
        self.page.route("**/batch", lambda route: (route.fetch(), route.abort()), times=1)
        self.box("Boat 0001").click()
        self.box("Boat 0002").click()
        self.open_set_field("metres")
        self.form().get_by_label("Value").fill("7")
        expect(self.preview()).to_have_text("Sets metres to 7 on 2 objects.")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.form().locator("li")).to_contain_text(["It may be done.", "It may be done."])
        self.assertEqual(7, self.stored("Boat 0001")["metres"])
        self.form().get_by_role("button", name="Try 2 objects again").click()
        expect(self.undo_bar()).to_contain_text("metres is set on 2 objects.")
        self.undo("2 objects: a new change gives metres its former value.")
        wait_until(lambda: self.stored("Boat 0001")["metres"] == 0.5)

    def test_dialogs_are_usable_on_a_phone(self):
        self.page.set_viewport_size(phone)
        self.box("Boat 0001").click()
        self.open_set_field("metres")
        self.form().get_by_label("Value").fill("7")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.undo_bar()).to_be_visible()
        self.assertEqual(375, self.page.evaluate("document.documentElement.scrollWidth"))
        self.undo("1 object: a new change gives metres its former value.")
        wait_until(lambda: self.stored("Boat 0001")["metres"] == 0.5)


class DeleteManyTests(BulkTest):
    def setUp(self):
        super().setUp()
        self.sort_by_name()

    def test_objects_are_deleted_and_created_again(self):
        for number in (1, 2):
            self.box(f"Boat 000{number}").click()
        before = self.stored("Boat 0001")
        self.bar().get_by_role("button", name="Delete").click()
        expect(self.form()).to_contain_text("Delete 2 objects of Boat?")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Delete 2 objects").click()
        expect(self.undo_bar()).to_contain_text("2 objects of Boat are deleted.")
        expect(self.entry("Boat 0001")).to_have_count(0)
        expect(self.bar()).to_be_hidden()
        self.assertEqual([], self.replica.find("Boat", name="Boat 0001"))
        self.undo("2 objects: created again. They get new ids, unless the server takes the ids of clients. Members of relations are not restored.")
        expect(self.entry("Boat 0001")).to_be_visible()
        after = self.stored("Boat 0001")
        own = ("objectId", "createdAt", "updatedAt")
        self.assertEqual({name: value for name, value in before.items() if name not in own},
                         {name: value for name, value in after.items() if name not in own})

    def test_changed_object_is_not_deleted_without_a_question(self):
        self.box("Boat 0001").click()
        self.bar().get_by_role("button", name="Delete").click()
        expect(self.form()).to_contain_text("Delete 1 object of Boat?")
        self.replica.change("Boat", self.stored("Boat 0001")["objectId"], metres=99)
        self.form().get_by_role("button", name="Delete 1 object").click()
        expect(self.form()).to_contain_text("It has changed since it was read.")
        self.assertEqual(99, self.stored("Boat 0001")["metres"])
        self.form().get_by_role("button", name="Delete anyway (1)").click()
        expect(self.undo_bar()).to_contain_text("1 object of Boat is deleted.")
        self.assertEqual([], self.replica.find("Boat", name="Boat 0001"))


class DeniedObjectsTests(BulkTest):
    """The user may read all boats, and may not change some of them."""

    boats = 12

    def setUp(self):
        super().setUp()
        self.deny("Boat 0002")
        self.page.reload()
        self.sort_by_name()
        self.box("Boat 0001").click()
        self.box("Boat 0004").click(modifiers=["Shift"])

    def deny(self, name):
        key = (self.replica.directory / "master-key").read_text().strip()
        path = f"/classes/Boat/{self.stored(name)['objectId']}"
        self.replica.send("PUT", path, {"ACL": {"*": {"read": True}}}, {"X-Parse-Master-Key": key})

    def failures(self):
        return self.form().get_by_role("list", name="Not done").locator("li")

    def test_field_is_set_where_the_user_may_change_the_object(self):
        self.open_set_field("metres")
        self.form().get_by_label("Value").fill("7")
        expect(self.preview()).to_have_text("Sets metres to 7 on 3 objects. You may not change 1 object.")
        # A right that is taken away after the objects were read.
        self.deny("Boat 0003")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.form()).to_contain_text("metres is set on 2 objects. 1 object is left out:")
        expect(self.failures()).to_have_text(["Boat 0003You may not make this change."])
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Done").click()
        self.assertEqual([7, 1, 1.5, 7], [self.stored(f"Boat 000{number}")["metres"] for number in (1, 2, 3, 4)])
        self.undo("2 objects: a new change gives metres its former value.")
        expect(self.cell("Boat 0001", "metres")).to_have_text("0.5")
        self.assertEqual([0.5, 1, 1.5, 2], [self.stored(f"Boat 000{number}")["metres"] for number in (1, 2, 3, 4)])

    def test_objects_are_deleted_where_the_user_may_delete_them(self):
        self.bar().get_by_role("button", name="Delete").click()
        expect(self.form()).to_contain_text("You may not delete 1 other.")
        self.deny("Boat 0003")
        self.form().get_by_role("button", name="Delete 3 objects").click()
        expect(self.form()).to_contain_text("2 objects of Boat are deleted. 1 object is left out:")
        expect(self.failures()).to_have_text(["Boat 0003You may not make this change."])
        self.form().get_by_role("button", name="Done").click()
        names = sorted(boat["name"] for boat in self.replica.find("Boat"))
        self.assertEqual([f"Boat {number:04}" for number in range(12) if number not in (1, 4)], names)


class ReplicaBulkTest(BulkTest):
    """A replica with tasks."""

    classes = ("Task",)
    tasks = 3
    setUp = PageTest.setUp

    def seed(self):
        create = [
            {"method": "POST", "path": "/classes/Task", "body": {"name": f"Task {number:04}", "done": False, "hours": number}}
            for number in range(self.tasks)]
        for first in range(0, len(create), 50):
            self.hub.send("POST", "/batch", {"requests": create[first:first + 50]})

    def waiting(self):
        return self.replica.send("GET", "/sync")["pending"]

    def pending(self):
        return self.replica.send("GET", "/sync/pending")["results"]

    def set_done(self):
        self.open_set_field("done")
        self.form().get_by_label("Value").select_option(label="Yes")

    def delete_selected(self, count):
        self.bar().get_by_role("button", name="Delete").click()
        self.form().get_by_role("button", name=f"Delete {count} object").click()
        expect(self.undo_bar()).to_be_visible()


class ManyOfflineTests(ReplicaBulkTest):
    tasks = 1203

    def test_all_objects_of_a_filter_are_set_offline_and_undone(self):
        self.go_offline()
        self.page.goto(self.replica.url + '/#/Task?where={"hours":{"$gte":3}}')
        self.page.get_by_role("button", name="Apply it").click()
        expect(self.page.locator("#main")).to_contain_text("1,200 matches.")
        self.grid().focus()
        self.press("Control+a")
        self.expect_selected("All 1,200 matching objects are selected")
        self.set_done()
        expect(self.preview()).to_have_text("Sets done to Yes on 1,200 objects.")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.undo_bar()).to_contain_text("done is set on 1,200 objects.", timeout=many_ms)
        # The gateway lists the first 1,000 changes.
        self.assertEqual(1200, self.waiting())
        self.undo("1,200 objects: the changes that wait to be sent are removed from the queue.")
        expect(self.page.locator("#notices")).to_contain_text("Undone for 1,200 objects.", timeout=many_ms)
        self.assertEqual(0, self.waiting())
        self.assertEqual([], self.replica.find("Task", done=True))

    def test_stopped_action_tells_what_is_not_done(self):
        self.go_offline()
        self.grid().focus()
        self.press("Control+a")
        self.set_done()
        expect(self.preview()).to_have_text("Sets done to Yes on 1,203 objects.")
        held = []

        def hold(route):
            held.append(route)
            if len(held) != 3:
                route.continue_()

        self.page.route("**/batch", hold)
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.page.get_by_role("progressbar", name="Setting done")).to_be_visible()
        expect(self.form()).to_contain_text("100 of 1,203")
        self.page.get_by_role("button", name="Stop", exact=True).click()
        # The third batch ends, and no further one is sent.
        held[2].continue_()
        expect(self.form()).to_contain_text("You stopped before this one.")
        self.assertEqual(150, self.waiting())
        self.form().get_by_role("button", name="Try").click()
        expect(self.undo_bar()).to_contain_text("done is set on 1,203 objects.", timeout=many_ms)
        self.assertEqual(1203, self.waiting())


class LowLimitTests(ReplicaBulkTest):
    tasks = 130
    replica_options = ("--page-max", "40", "--request-complexity", "batchRequestLimit=20")

    def test_gateway_with_a_low_limit_of_batches_gets_smaller_ones(self):
        self.watch.expect_error("400")
        self.grid().focus()
        self.press("Control+a")
        self.set_done()
        expect(self.preview()).to_have_text("Sets done to Yes on 130 objects.")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.undo_bar()).to_contain_text("done is set on 130 objects.")
        self.bar().get_by_role("button", name="Delete").click()
        self.form().get_by_role("button", name="Delete 130 objects").click()
        expect(self.undo_bar()).to_contain_text("130 objects of Task are deleted.")
        self.assertEqual([], self.replica.find("Task"))
        # Objects that are added later are not selected.
        self.replica.add("Task", name="Task 0200")
        expect(self.entry("Task 0200")).to_be_visible()
        expect(self.bar()).to_be_hidden()

    def test_gateway_with_a_low_limit_of_lists_leaves_out_no_object(self):
        self.grid().focus()
        self.press("Control+a")
        self.set_done()
        expect(self.preview()).to_have_text("Sets done to Yes on 130 objects.")
        self.press("Escape")
        self.page.get_by_role("button", name="Discard").click()
        expect(self.form()).to_have_count(0)
        self.bar().get_by_role("button", name="Clear selection").click()
        expect(self.grid()).to_be_focused()
        self.press("Control+Home", " ", "Control+Shift+End")
        self.expect_selected("130 objects selected")
        self.set_done()
        expect(self.preview()).to_have_text("Sets done to Yes on 130 objects.")


class UndoInReplicaTests(ReplicaBulkTest):
    def test_sent_changes_are_undone_by_new_changes(self):
        self.page.get_by_role("checkbox", name="Select all").click()
        self.set_done()
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.undo_bar()).to_contain_text("done is set on 3 objects.")
        self.replica.sync()
        self.assertEqual(3, len(self.hub.find("Task", done=True)))
        self.undo("3 objects: a new change gives done its former value.")
        expect(self.undo_bar()).to_be_hidden()
        self.replica.sync()
        self.assertEqual(3, len(self.hub.find("Task", done=False)))

    def test_undo_keeps_changes_that_waited_before(self):
        self.go_offline()
        one = self.replica.find("Task", name="Task 0001")[0]["objectId"]
        self.replica.change("Task", one, hours=77)
        self.replica.add("Task", name="New one", done=False)
        expect(self.entry("New one")).to_be_visible()
        self.page.get_by_role("checkbox", name="Select all").click()
        self.set_done()
        expect(self.preview()).to_have_text("Sets done to Yes on 4 objects.")
        self.form().get_by_role("button", name="Set", exact=True).click()
        expect(self.undo_bar()).to_contain_text("done is set on 4 objects.")
        self.undo("2 objects: the changes that wait to be sent are removed from the queue.", "2 objects: a new change gives done its former value.")
        expect(self.undo_bar()).to_be_hidden()
        self.assertEqual(77, self.replica.read("Task", one)["hours"])
        self.assertEqual(4, len(self.replica.find("Task", done=False)))
        self.come_back()
        wait_until(lambda: len(self.hub.find("Task", done=False)) == 4)
        self.assertEqual(77, self.hub.read("Task", one)["hours"])

    def test_unsent_deletions_are_withdrawn_with_earlier_changes(self):
        self.go_offline()
        one = self.replica.find("Task", name="Task 0001")[0]["objectId"]
        self.replica.change("Task", one, hours=77)
        expect(self.cell("Task 0001", "hours")).to_have_text("77")
        self.page.get_by_role("checkbox", name="Select all").click()
        self.delete_selected(3)
        self.assertEqual([], self.replica.find("Task"))
        self.undo("3 objects: the deletions that wait to be sent are removed from the queue.")
        expect(self.entry("Task 0001")).to_be_visible()
        self.assertEqual(77, self.replica.read("Task", one)["hours"])
        self.assertEqual(["hours"], [field for change in self.pending() for field in change["fields"]])

    def test_sent_deletions_are_created_again(self):
        self.page.get_by_role("checkbox", name="Select Task 0001").click()
        self.delete_selected(1)
        self.replica.sync()
        self.assertEqual([], self.hub.find("Task", name="Task 0001"))
        self.undo("1 object: created again. They get new ids, unless the server takes the ids of clients. Members of relations are not restored.")
        expect(self.entry("Task 0001")).to_be_visible()
        self.replica.sync()
        self.assertEqual(1, self.one_on_hub("Task", name="Task 0001")["hours"])


class OutdatedListTests(BulkTest):
    def test_action_waits_for_the_list_of_the_present_search(self):
        self.sort_by_name()
        held = []
        pattern = re.compile(r"/classes/Boat\?.*regex")
        self.page.route(pattern, lambda route: held.append(route), times=1)
        with self.page.expect_request(pattern):
            self.page.get_by_label("Search in this class").fill("0007")
        self.grid().focus()
        self.press("Control+a")
        self.bar().get_by_role("button", name="Delete").click()
        expect(self.page.locator("#notices")).to_contain_text("The list is still being read.")
        expect(self.form()).to_have_count(0)
        held[0].continue_()
        expect(self.page.locator("#main")).to_contain_text("1 match.")
        self.bar().get_by_role("button", name="Delete").click()
        expect(self.form()).to_contain_text("Delete 1 object of Boat?")
