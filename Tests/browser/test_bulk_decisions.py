"""Decisions about many conflicts, rejected changes and held removals at once, the pages of their lists, and their undo."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import day, wait_until
from page_test import PageTest, phone


class DecisionTest(PageTest):
    classes = ("Task", "Boat")
    tasks = 55

    def make(self, gateway, *requests):
        for first in range(0, len(requests), 50):
            answers = gateway.send("POST", "/batch", {"requests": list(requests[first:first + 50])})
            self.assertFalse([answer for answer in answers if "error" in answer])

    def section(self, name):
        return self.page.locator(f"#sync-panel .panel-{name}")

    def items(self, name):
        return self.section(name).locator(".panel-item")

    def undo_bar(self):
        return self.page.get_by_role("region", name="Last action")

    def counts(self):
        status = self.replica.send("GET", "/sync")
        return {name: status[name] for name in ("conflicts", "rejections", "removals")}

    def undo(self, *lines):
        self.undo_bar().get_by_role("button", name="Undo", exact=True).click()
        expect(self.form().get_by_text("A decision cannot be reopened. New changes give the objects the other version:", exact=True)).to_be_visible()
        expect(self.form().locator(".undo-steps li")).to_have_text(list(lines))
        self.form().get_by_role("button", name="Undo", exact=True).click()
        expect(self.page.locator("#notices")).to_contain_text("Undone for")


class ConflictsTest(DecisionTest):
    """A replica with conflicts of tasks and of a boat. The remote has deleted two of the tasks."""

    def seed(self):
        self.make(self.hub, *[
            {"method": "POST", "path": "/classes/Task", "body": {"name": f"Task {number:02}", "note": "Before."}} for number in range(self.tasks)])
        self.hub.add("Boat", name="Dinghy", note="Before.")

    def start_replica(self):
        self.replica.start()
        for name in self.classes:
            self.replica.send("PUT", f"/sync/classes/{name}", {"policy": "manual"})
        self.replica.sync()
        self.replica.send("POST", "/sync/pause")
        change = self.change_of
        tasks = sorted(self.hub.find("Task"), key=lambda task: task["name"])
        boat = self.hub.find("Boat")[0]
        mine = [change("Task", task, note="Mine.", hours=5) for task in tasks] + [change("Boat", boat, note="Mine.")]
        theirs = [change("Task", task, note="Theirs.") for task in tasks[2:]] + [change("Boat", boat, note="Theirs.")]
        self.make(self.replica, *mine)
        self.make(self.hub, *theirs, *[{"method": "DELETE", "path": f"/classes/Task/{task['objectId']}"} for task in tasks[:2]])
        self.replica.send("POST", "/sync/resume")
        self.replica.sync()

    def change_of(self, class_name, found, **fields):
        return {"method": "PUT", "path": f"/classes/{class_name}/{found['objectId']}", "body": fields}


class ManyConflictTests(ConflictsTest):
    def test_conflicts_are_listed_by_pages_and_decided_by_class_and_reason(self):
        self.page.goto(self.replica.url + "/#/Task")
        self.page.wait_for_url("**#/Task**")
        expect(self.section("conflicts").locator("h3")).to_have_text("Conflicts56")
        expect(self.items("conflicts")).to_have_count(50)
        # Each entry has a caption.
        names = self.items("conflicts").locator(".panel-name").all_text_contents()
        self.assertEqual([], [name for name in names if name != "Dinghy" and not name.startswith("Task ")])
        following = self.section("conflicts").get_by_role("button", name="Next page of Conflicts")
        following.click()
        expect(self.section("conflicts").locator(".panel-pager")).to_contain_text("51–56 of 56")
        expect(self.items("conflicts")).to_have_count(6)
        expect(following).to_be_focused()
        self.section("conflicts").get_by_role("button", name="Keep theirs for all").click()
        expect(self.form()).to_contain_text("Decides 56 conflicts. 54 objects will get the remote's values. 2 objects will be deleted here too.")
        screenshots.take(self.page, "decide-many")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_label("Class", exact=True).select_option(label="Task (55)")
        self.form().get_by_label("Reason").select_option(label="Edited here, deleted on the remote (2)")
        expect(self.form()).to_contain_text("Decides 2 conflicts. 2 objects will be deleted here too.")
        self.form().get_by_role("button", name="Keep theirs for 2").click()
        expect(self.undo_bar()).to_contain_text("The remote's version is kept in 2 conflicts.")
        expect(self.section("conflicts").locator("h3")).to_have_text("Conflicts54")
        self.assertEqual(53, len(self.replica.find("Task")))
        self.undo("2 objects: created again. They get new ids, unless the server takes the ids of clients. Members of relations are not restored.")
        self.assertEqual(55, len(self.replica.find("Task")))
        self.assertEqual(2, len(self.replica.find("Task", note="Mine.", name={"$in": ["Task 00", "Task 01"]})))

    def test_all_conflicts_keep_theirs_and_mine_is_written_again(self):
        self.section("conflicts").get_by_role("button", name="Keep theirs for all").click()
        self.form().get_by_label("Reason").select_option(label="Edited on both sides (54)")
        self.form().get_by_role("button", name="Keep theirs for 54").click()
        expect(self.undo_bar()).to_contain_text("The remote's version is kept in 54 conflicts.")
        self.assertEqual(53, len(self.replica.find("Task", note="Theirs.")))
        # An object that has changed since is left as it is.
        self.replica.change("Task", self.replica.find("Task", name="Task 07")[0]["objectId"], note="Newer.")
        self.undo("53 objects: a new change sets your values again.", "1 object: left as they are.")
        self.assertEqual(52, len(self.replica.find("Task", note="Mine.", hours=5, name={"$gt": "Task 01"})))
        self.assertEqual("Newer.", self.replica.find("Task", name="Task 07")[0]["note"])

    def test_resolved_conflicts_are_counted_and_listed_on_request(self):
        self.section("conflicts").get_by_role("button", name="Keep theirs for all").click()
        self.form().get_by_role("button", name="Keep theirs for 56").click()
        expect(self.undo_bar()).to_contain_text("The remote's version is kept in 56 conflicts.")
        self.page.get_by_text("Resolved conflicts", exact=True).click()
        resolved = self.page.locator(".panel-resolved")
        expect(resolved).to_contain_text("20 of 56 are listed.")
        resolved.get_by_role("button", name="List 20 more").click()
        expect(resolved).to_contain_text("40 of 56 are listed.")
        resolved.get_by_role("button", name="List 16 more").click()
        expect(resolved.locator(".panel-list > *")).to_have_count(56)
        expect(resolved).to_contain_text("It stays the same if you undo the decision or change the object later.")
        self.assertEqual([], accessible.problems(self.page))

    def test_mine_is_kept_for_all_and_theirs_is_written_again(self):
        self.section("conflicts").get_by_role("button", name="Keep mine for all").click()
        self.form().get_by_label("Class", exact=True).select_option(label="Boat (1)")
        self.form().get_by_role("button", name="Keep mine for 1").click()
        expect(self.undo_bar()).to_contain_text("Your version is kept in 1 conflict.")
        wait_until(lambda: self.hub.find("Boat")[0]["note"] == "Mine.")
        self.undo("1 object: a new change sets the remote's values.")
        wait_until(lambda: self.hub.find("Boat")[0]["note"] == "Theirs.")

    def test_each_decision_replaces_the_offer_to_undo_the_decision_before(self):
        choose = self.items("conflicts").filter(has_text="Edited on both sides")
        name = choose.first.locator(".panel-name").inner_text()
        choose.first.get_by_role("button", name="Keep mine").click()
        expect(self.undo_bar()).to_contain_text(f"{name}: ")
        expect(self.section("conflicts").locator("h3")).to_have_text("Conflicts55")
        choose.first.get_by_role("button", name="Choose by field").click()
        self.save("Resolve")
        expect(self.undo_bar()).to_contain_text("Resolved. The next sync sends it.")
        expect(self.section("conflicts").locator("h3")).to_have_text("Conflicts54")
        # The lists are read late, after the second of two quick decisions.
        held = []
        is_late = True
        self.page.route("**/sync/conflicts", lambda route: held.append(route) if is_late else route.continue_())
        first, second = [choose.nth(at).locator(".panel-name").inner_text() for at in (0, 1)]
        for quick in (first, second):
            choose.filter(has_text=quick).get_by_role("button", name="Keep theirs").click()
            expect(self.undo_bar()).to_contain_text(f"{quick}: ")
        is_late = False
        for route in held:
            route.continue_()
        expect(self.section("conflicts").locator("h3")).to_have_text("Conflicts52")
        expect(self.undo_bar()).to_contain_text(f"{second}: ")

    def test_decision_by_keyboard_on_a_phone_leaves_out_a_conflict_that_has_changed(self):
        self.page.set_viewport_size(phone)
        self.section("conflicts").get_by_role("button", name="Keep mine for all").focus()
        self.page.keyboard.press("Enter")
        expect(self.form()).to_contain_text(
            "Decides 56 conflicts. 54 objects will get your values on the remote. 2 objects will be created again on the remote.")
        changed = self.replica.find("Task", name="Task 07")[0]["objectId"]
        before = self.replica.send("GET", "/sync")["lastSyncAt"]
        self.hub.change("Task", changed, note="Theirs again.")
        self.replica.sync()
        self.assertNotEqual(before, self.replica.send("GET", "/sync")["lastSyncAt"])
        self.form().get_by_role("button", name="Keep mine for 56").focus()
        self.page.keyboard.press("Enter")
        expect(self.form()).to_contain_text("Your version is kept in 55 conflicts. 1 object is left out:")
        expect(self.form()).to_contain_text("Task 07It has changed again. Check it before you decide.")
        self.assertEqual(375, self.page.evaluate("document.documentElement.scrollWidth"))
        self.page.keyboard.press("Enter")
        expect(self.form()).to_have_count(0)
        self.assertEqual(1, self.counts()["conflicts"])


class SingleDecisionTests(ConflictsTest):
    tasks = 3

    def test_decision_about_one_conflict_is_undone(self):
        self.items("conflicts").filter(has_text="Dinghy").get_by_role("button", name="Keep theirs").click()
        expect(self.undo_bar()).to_contain_text("Dinghy: The remote's version is kept.")
        expect(self.section("conflicts").locator("h3")).to_have_text("Conflicts3")
        self.undo("1 object: a new change sets your values again.")
        # The offer to undo the decision was the only message about it.
        self.assertNotIn("The remote's version is kept.", self.page.locator("#announcer p").all_inner_texts())
        wait_until(lambda: self.hub.find("Boat")[0]["note"] == "Mine.")

    def test_decision_removes_the_notice_about_the_action_before(self):
        self.page.get_by_role("switch", name="Work offline").click()
        expect(self.page.locator("#notices")).to_contain_text("Working offline.")
        # The notice stays while the pointer is on it.
        self.page.locator("#notices .notice").hover()
        keep = self.items("conflicts").filter(has_text="Dinghy").get_by_role("button", name="Keep theirs")
        keep.focus()
        self.page.keyboard.press("Enter")
        expect(self.undo_bar()).to_contain_text("Dinghy: The remote's version is kept.")
        expect(self.page.locator("#notices .notice")).to_have_count(0)


class ManyRejectionTests(DecisionTest):
    def seed(self):
        self.hub.make_class("Task", name="String", note={"type": "String", "required": True}, hours="Number")
        self.hub.make_class("Boat", name="String", note={"type": "String", "required": True})

    def setUp(self):
        super().setUp()
        for number in range(3):
            self.replica.add("Task", name=f"Task {number}")
        self.replica.add("Task", name="Wrong", note="Here.", hours="many")
        self.replica.add("Boat", name="Dinghy")
        self.replica.sync()
        expect(self.section("rejections").locator("h3")).to_have_text("Rejected5")

    def test_rejected_changes_of_a_reason_are_discarded_and_made_again(self):
        self.section("rejections").get_by_role("button", name="Discard all").click()
        expect(self.form()).to_contain_text("Decides 5 rejected changes. 5 new objects will be deleted from this device.")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_label("Reason").select_option(label="note is required (4)")
        self.form().get_by_label("Class", exact=True).select_option(label="Task (4)")
        expect(self.form()).to_contain_text("Decides 3 rejected changes. 3 new objects will be deleted from this device.")
        self.form().get_by_role("button", name="Keep theirs for 3").click()
        expect(self.undo_bar()).to_contain_text("3 rejected changes discarded.")
        self.assertEqual(["Wrong"], [task["name"] for task in self.replica.find("Task")])
        self.assertEqual(2, self.counts()["rejections"])
        self.replica.send("POST", "/sync/pause")
        self.undo("3 objects: created again. They get new ids, unless the server takes the ids of clients. Members of relations are not restored.")
        self.assertEqual(4, len(self.replica.find("Task")))

    def test_rejected_changes_are_sent_again(self):
        key = (self.hub.directory / "master-key").read_text().strip()
        self.hub.send("PUT", "/schemas/Task", {"fields": {"note": {"__op": "Delete"}}}, {"X-Parse-Master-Key": key})
        self.section("rejections").get_by_role("button", name="Send all again").click()
        self.form().get_by_label("Reason").select_option(label="note is required (4)")
        self.form().get_by_label("Class", exact=True).select_option(label="Task (4)")
        expect(self.form()).to_contain_text("Decides 3 rejected changes. 3 changes will be sent again.")
        self.form().get_by_role("button", name="Keep mine for 3").click()
        expect(self.page.locator("#notices")).to_contain_text("3 changes will be sent again.")
        wait_until(lambda: len(self.hub.find("Task")) == 3)


class ManyRemovalTests(DecisionTest):
    def seed(self):
        for number in range(5):
            self.hub.add("Task", name=f"Task {number}", due=day("2031-05-01"))
            self.hub.add("Boat", name=f"Boat {number}")

    def test_held_removals_are_kept_for_all(self):
        # One sync finds all deletions. A sync between them would remove a single object.
        self.replica.send("POST", "/sync/pause")
        for name in self.classes:
            for found in self.hub.find(name)[1:]:
                self.hub.send("DELETE", f"/classes/{name}/{found['objectId']}")
        self.replica.send("POST", "/sync/resume")
        self.replica.sync()
        expect(self.section("removals").locator("h3")).to_have_text("Held back2")
        self.section("removals").get_by_role("button", name="Keep theirs for all").click()
        expect(self.form()).to_contain_text("8 objects will get the remote's state, or will be removed from this device. This cannot be undone.")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_label("Keep mine").check()
        expect(self.form()).to_contain_text("8 objects will stay here.")
        self.form().get_by_role("button", name="Keep mine for 2").click()
        expect(self.section("removals")).to_have_count(0)
        self.assertEqual(5, len(self.replica.find("Task")))
        self.assertEqual(5, len(self.replica.find("Boat")))


class LongListTests(PageTest):
    """A list with more entries than one answer of the gateway."""

    classes = ("Boat",)
    count = 1_050

    def seed(self):
        self.hub.add("Boat", name="Dinghy")

    def test_pending_changes_beyond_the_first_thousand_are_listed(self):
        self.replica.send("POST", "/sync/pause")
        for first in range(0, self.count, 50):
            bodies = [{"name": f"Boat {number:04}"} for number in range(first, first + 50)]
            self.replica.send("POST", "/batch", {"requests": [{"method": "POST", "path": "/classes/Boat", "body": body} for body in bodies]})
        section = self.page.locator("#sync-panel .panel-pending")
        expect(section).to_contain_text("1,000 of 1,050 are listed.")
        section.get_by_role("button", name="List 50 more").click()
        expect(section).to_contain_text("1–50 of 1,050")
        expect(section).not_to_contain_text("are listed.")
        # The list stays whole when it is read again.
        self.replica.add("Boat", name="One more")
        expect(section).to_contain_text("1–50 of 1,051")
