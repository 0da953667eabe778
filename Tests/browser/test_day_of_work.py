"""A day of work with a new gateway and only the page, from the first connection to a link for a colleague."""

import datetime
import re

from playwright.sync_api import expect

import screenshots
from daemon import Daemon, day, wait_until
from page_test import PageTest, root

wednesday = "2031-05-14T10:00:00.000Z"
"""The present time of the page. The week is that of 12 to 18 May."""
verbs = ("Check", "Paint", "Clean", "Move", "Order", "Replace", "Call about", "Measure", "Repair", "Sand")
things = (
    "quay", "anchor chain", "mast", "winch", "buoy", "hull", "crane", "lock gate", "rudder", "keel", "pump", "ladder", "lamp", "sail",
    "rope", "engine", "fender", "deck", "radio", "harbour wall")
tasks = len(verbs) * len(things)
conflicts = 120
misspelt = ("Measure the quya", "Move the quya", "Paint the quya")


class DayOfWorkTests(PageTest):
    has_details = False

    def setUp(self):
        """Starts a hub with data, and a new gateway without a remote."""
        self.begin()
        self.hub = self.make_hub()
        self.replica = Daemon(self.work / "replica", "--web", str(root / "web"))
        for daemon in (self.hub, self.replica):
            self.addCleanup(daemon.stop)
        self.hub.start()
        self.seed()
        self.replica.start()
        self.page, self.watch = self.open()
        # The gateway does not answer while it restarts as a replica.
        self.watch.expect_error("ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE")
        self.page.clock.set_fixed_time(wednesday)

    def seed(self):
        self.hub.add("Country", name="Norway")
        self.harbour, garden = (self.hub.add("Project", name=name) for name in ("Harbour", "Garden"))
        self.write(self.hub, "POST", [("/classes/Task", self.task(number, garden)) for number in range(tasks)])

    def task(self, number, garden):
        """The tasks about the quay are urgent, of the project Harbour and due this week. Every other one of them is done."""
        verb, thing = verbs[number // len(things)], things[number % len(things)]
        is_wanted = thing == "quay"
        title = f"{verb} the {thing}"
        project = {"__type": "Pointer", "className": "Project", "objectId": self.harbour if number % 2 == 0 else garden}
        return {"title": title.replace("quay", "quya") if title.replace("quay", "quya") in misspelt else title,
                "priority": "urgent" if is_wanted else ("normal", "low")[number % 2], "done": number % 40 == 0, "hours": number % 9 / 2 + 0.5,
                "due": day("2031-05-15" if is_wanted else f"2031-06-{number % 28 + 1:02}"), "project": project, "note": "Before."}

    def write(self, gateway, method, requests):
        bodies = [{"method": method, "path": path, "body": body} for path, body in requests]
        for first in range(0, len(bodies), 50):
            answers = gateway.send("POST", "/batch", {"requests": bodies[first:first + 50]})
            self.assertFalse([answer for answer in answers if "error" in answer])

    def test_newcomer_does_a_day_of_work_with_the_page_alone(self):
        self.keep_two_classes()
        self.find_the_urgent_tasks()
        self.fix_three_titles()
        self.set_a_field_of_all_tasks_and_undo_it()
        self.follow_a_pointer_and_come_back()
        self.decide_many_conflicts()
        self.share_the_link()

    def keep_two_classes(self):
        self.page.get_by_role("button", name="Connect", exact=True).click()
        self.fill(Address=self.hub.url + "/parse", Application_id="browser-tests")
        self.form().get_by_role("button", name="Check").click()
        for name in ("Project", "Task"):
            self.form().get_by_label(name, exact=True).check()
        self.form().get_by_role("button", name="Connect").click()
        self.page.get_by_role("link", name=re.compile("^Task")).click()
        expect(self.page.locator(".grid-range")).to_contain_text("of 200")
        self.page.get_by_text("Not kept here").click()
        expect(self.page.get_by_text("Not kept here (1)")).to_be_visible()

    def find_the_urgent_tasks(self):
        self.add_condition("priority", "is", Value="urgent")
        self.add_condition("done", "is", Value="No")
        self.add_condition("due", "is today, this week, last month …", Period="this week")
        self.add_condition("project", "is", Value="Harbour")
        expect(self.page.locator("#main")).to_contain_text("5 matches.")
        self.page.get_by_role("button", name="title sort ascending").click()
        expect(self.titles()).to_have_text([*misspelt, "Replace the quay", "Sand the quay"])

    def add_condition(self, field, operator, **values):
        self.page.get_by_role("button", name="Add filter", exact=True).click()
        form = self.form()
        form.get_by_label("Field", exact=True).select_option(field)
        form.get_by_label("Operator").select_option(label=operator)
        for label, value in values.items():
            control = form.get_by_label(label, exact=True)
            if control.evaluate("(node) => node.localName") == "select":
                control.select_option(label=value)
            else:
                control.fill(value)
        form.get_by_role("button", name="Add", exact=True).click()
        expect(form).to_have_count(0)

    def titles(self, page=None):
        return (page or self.page).locator("#main tbody tr[data-object] th .cell-text")

    def fix_three_titles(self):
        self.titles().first.dblclick()
        for title in misspelt:
            expect(self.page.locator(".cell-input")).to_have_value(title)
            fixed = title.replace("quya", "quay")
            self.page.keyboard.press("Control+a")
            self.page.keyboard.type(fixed)
            self.page.keyboard.press("Enter")
            wait_until(lambda fixed=fixed: self.hub.find("Task", title=fixed))
            if title != misspelt[-1]:
                self.page.keyboard.press("F2")

    def set_a_field_of_all_tasks_and_undo_it(self):
        self.page.get_by_role("button", name="Clear filter").click()
        expect(self.page.locator(".grid-range")).to_contain_text("of 200")
        self.page.get_by_role("grid").focus()
        self.page.keyboard.press("Control+a")
        bar = self.page.get_by_role("group", name="Selected objects")
        expect(bar).to_contain_text("All 200 objects are selected")
        bar.get_by_role("button", name="Set a field").click()
        self.form().get_by_label("Field", exact=True).select_option("note")
        self.form().get_by_label("Value").fill("Checked.")
        expect(self.form()).to_contain_text("Sets note to Checked. on 200 objects.")
        self.form().get_by_role("button", name="Set", exact=True).click()
        undo = self.page.get_by_role("region", name="Last action")
        expect(undo).to_contain_text("note is set on 200 objects.", timeout=120_000)
        self.assertEqual(tasks, len(self.replica.find("Task", note="Checked.")))
        undo.get_by_role("button", name="Undo", exact=True).click()
        self.form().get_by_role("button", name="Undo", exact=True).click()
        expect(self.page.locator("#notices")).to_contain_text("Undone for 200 objects.", timeout=120_000)
        self.assertEqual(tasks, len(self.replica.find("Task", note="Before.")))
        bar.get_by_role("button", name="Clear selection").click()

    def follow_a_pointer_and_come_back(self):
        self.page.go_back()
        self.page.get_by_role("link", name="Harbour").first.click()
        expect(self.page.get_by_role("region", name="Edit Harbour")).to_be_visible()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Project")
        self.page.go_back()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Task")
        expect(self.pane()).to_have_count(0)

    def decide_many_conflicts(self):
        self.page.locator(".panel-toggle").click()
        panel = self.page.locator("#sync-panel")
        panel.get_by_role("button", name="Options Task").click()
        self.choose(When_both_sides_changed_the_same_field="Always ask")
        self.save()
        self.make_conflicts()
        expect(panel.locator(".panel-conflicts h3")).to_have_text(f"Conflicts{conflicts}")
        panel.get_by_role("button", name="Keep theirs for all").click()
        expect(self.form()).to_contain_text(f"Decides {conflicts} conflicts.")
        self.form().get_by_role("button", name=f"Keep theirs for {conflicts}").click()
        expect(self.page.get_by_role("region", name="Last action")).to_contain_text(
            f"The remote's version is kept in {conflicts} conflicts.", timeout=120_000)
        self.assertEqual(conflicts, len(self.replica.find("Task", note="Theirs.")))
        self.assertEqual(0, self.replica.send("GET", "/sync")["conflicts"])
        self.page.locator(".panel-toggle").click()

    def make_conflicts(self):
        """Changes tasks here and on the hub while the page works offline."""
        offline = self.page.get_by_role("switch", name="Work offline")
        offline.click()
        expect(self.headline()).to_contain_text("Working offline")
        by_title = sorted(self.replica.find("Task"), key=lambda task: task["title"])
        chosen = [task for at, task in enumerate(by_title) if at % 5 < 3]
        self.assertEqual(conflicts, len(chosen))
        for gateway, note in ((self.replica, "Mine."), (self.hub, "Theirs.")):
            self.write(gateway, "PUT", [(f"/classes/Task/{task['objectId']}", {"note": note}) for task in chosen])
        expect(self.headline()).to_contain_text("120 changes are pending")
        self.take_picture()
        offline.click()

    def take_picture(self):
        """Takes the screenshots for the documentation: the table of tasks, and the pane of one of them, while changes wait."""
        self.page.get_by_role("button", name="Clear filter").click()
        self.page.locator(".panel-toggle").click()
        # The notice about the saved options disappears after a few seconds.
        expect(self.page.locator("#notices")).to_be_hidden()
        self.page.clock.set_fixed_time(datetime.datetime.now(datetime.UTC))
        expect(self.page.locator(".grid-range")).to_contain_text("of 200")
        expect(self.page.locator("#sync-line")).not_to_contain_text("days ago")
        screenshots.take(self.page, "day-of-work")
        self.page.get_by_role("button", name="Open Call about the crane").click()
        expect(self.pane()).to_contain_text("Pending changes")
        screenshots.take(self.page, "day-of-work-pane")
        self.pane().get_by_role("button", name="Close").click()
        self.page.clock.set_fixed_time(wednesday)
        self.page.locator(".panel-toggle").click()

    def share_the_link(self):
        self.add_condition("priority", "is", Value="urgent")
        self.add_condition("done", "is", Value="No")
        expect(self.page.locator("#main")).to_contain_text("5 matches.")
        link = self.page.url.removeprefix(self.replica.url)
        colleague, _ = self.open(link)
        colleague.get_by_role("button", name="Apply it").click()
        expect(self.titles(colleague)).to_have_text(self.titles().all_text_contents())
        expect(colleague.locator(".chips")).to_contain_text("priority is urgent")
