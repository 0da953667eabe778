"""The page with the master key of a replica with users: the entries of all users, and decisions about them."""

from playwright.sync_api import expect
from test_replica_users import ReplicaUsersTest, SiteTest, owner

import accessible
import screenshots
from daemon import RequestFailed, wait_until


class OwnerTest(ReplicaUsersTest):
    @property
    def replica_options(self):
        return (*super().replica_options, "--after-logout", "keep")

    def manage(self):
        """Shows the page with the master key."""
        self.page.get_by_role("button", name="Manage").click()
        self.form().get_by_label("Master key").fill("owner")
        self.form().get_by_role("button", name="Continue").click()
        expect(self.form()).to_have_count(0)
        expect(self.account()).to_contain_text("With the master key")

    def leave(self):
        self.page.get_by_role("button", name="Forget the master key").click()
        expect(self.account().get_by_role("button", name="Sign in")).to_be_visible()

    def panel(self, kind):
        """The entries of a list in the details panel."""
        return self.page.locator(f"#sync-panel .panel-{kind} .panel-item")

    def as_user(self, name, method, path, body=None):
        return self.replica.send(method, path, body, {"X-Parse-Session-Token": self.users[name]["sessionToken"]})

    def sync_as(self, name):
        return self.as_user(name, "POST", "/sync?wait=true", {})

    def days_of(self, name):
        """The holidays that a user sees at the replica, by name."""
        return {found["name"]: found for found in self.as_user(name, "GET", "/classes/Holiday")["results"]}

    def wait_for_days(self):
        """Waits until each user sees their own holiday. In a site replica, users see nothing before the class permissions are known."""
        for name in self.users:
            wait_until(lambda name=name: f"{name}'s day" in self.days_shown_to(name))

    def days_shown_to(self, name):
        try:
            return self.days_of(name)
        except RequestFailed:
            return {}

    def require_details(self):
        """From now on, the hub refuses new holidays without details."""
        self.wait_for_days()
        fields = {"details": {"type": "String", "required": True}}
        self.hub.send("PUT", "/schemas/Holiday", {"fields": fields}, {"X-Parse-Master-Key": "hub"})

    def refuse(self, name, plan):
        """A user adds a holiday, and the hub refuses it."""
        self.add_own(self.replica, self.users[name], plan)
        wait_until(lambda: self.sync_as(name) and self.as_user(name, "GET", "/sync/rejections")["results"])

    def on_hub(self, name):
        """The holidays with a name on the hub."""
        found = self.hub.send("GET", "/classes/Holiday", None, {"X-Parse-Master-Key": "hub"})["results"]
        return [holiday for holiday in found if holiday["name"] == name]


class EveryMode:
    """Tests of the page with the master key that run for a personal replica and for a site replica."""

    def test_the_replica_owner_resolves_the_conflict_of_a_user(self):
        self.replica.send("PUT", "/sync/classes/Holiday", {"policy": "manual"}, owner)
        self.wait_for_days()
        bens = self.days_of("ben")["ben's day"]["objectId"]
        self.replica.send("POST", "/sync/pause", {}, owner)
        self.as_user("ben", "PUT", f"/classes/Holiday/{bens}", {"details": "At home."})
        remote = self.on_hub("ben's day")[0]["objectId"]
        self.hub.send("PUT", f"/classes/Holiday/{remote}", {"details": "Far away."}, {"X-Parse-Master-Key": "hub"})
        self.replica.send("POST", "/sync/resume", {}, owner)
        wait_until(lambda: self.sync_as("ben") and self.as_user("ben", "GET", "/sync/conflicts")["results"])
        self.manage()
        disputed = self.panel("conflicts")
        expect(disputed).to_contain_text("User: ben")
        expect(disputed).to_contain_text("At home.")
        expect(disputed).to_contain_text("Far away.")
        disputed.get_by_role("button", name="Keep ben's").click()
        expect(disputed).to_have_count(0)
        wait_until(lambda: self.on_hub("ben's day")[0]["details"] == "At home.")
        self.page.get_by_text("Resolved conflicts", exact=True).click()
        resolved = self.page.locator(".panel-resolved .panel-item")
        expect(resolved).to_contain_text("User: ben")
        expect(resolved).to_contain_text("ben's version was kept")

    def test_the_replica_owner_sees_whose_changes_wait(self):
        self.wait_for_days()
        self.manage()
        self.hub.stop()
        waiting = self.panel("pending")
        for name, plans in (("ada", ["ada's plan"]), ("ben", ["ben's first plan", "ben's plan B"])):
            for plan in plans:
                self.add_own(self.replica, self.users[name], plan)
        # The open page shows new entries by itself.
        expect(waiting).to_have_count(3)
        expect(waiting.filter(has_text="User: ada")).to_have_count(1)
        expect(waiting.filter(has_text="User: ben")).to_have_count(2)
        # After a log-out, the changes of a user wait for the next log-in of the user.
        for name in self.users:
            self.as_user(name, "POST", "/logout", {})
        expect(self.account()).to_contain_text("1 change waits for ada to log in.")
        expect(self.account()).to_contain_text("2 changes wait for ben to log in.")
        self.assertEqual([], accessible.problems(self.page))
        waiting.filter(has_text="ben's plan B").get_by_role("button", name="Undo").click()
        self.form().get_by_role("button", name="Undo").click()
        expect(waiting).to_have_count(2)
        expect(waiting.filter(has_text="ben's first plan")).to_contain_text("User: ben")
        expect(self.account()).to_contain_text("1 change waits for ben to log in.")
        expect(self.account()).to_contain_text("1 change waits for ada to log in.")
        self.leave()
        expect(self.account()).to_contain_text("2 changes wait for their author to log in.")
        expect(self.page.locator("body")).not_to_contain_text("plan")



class PersonalOwnerTests(EveryMode, OwnerTest):
    def refuse_a_plan_of_each(self):
        """Each user adds a holiday that the hub refuses."""
        self.require_details()
        for name in self.users:
            self.refuse(name, f"{name}'s plan")
        # Each user's rejections are numbered separately. A decision that names another user would be about another
        # change.
        listed = self.replica.send("GET", "/sync/rejections", None, owner)["results"]
        self.assertEqual([1, 1], [rejection["id"] for rejection in listed])

    def test_the_replica_owner_decides_about_the_refused_changes_of_each_user(self):
        self.refuse_a_plan_of_each()
        self.manage()
        refused = self.panel("rejections")
        adas, bens = (refused.filter(has_text=f"{name}'s plan") for name in ("ada", "ben"))
        expect(refused).to_have_count(2)
        expect(adas).to_contain_text("User: ada")
        expect(bens).to_contain_text("User: ben")
        expect(self.headline()).to_contain_text("2 changes rejected")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "master-key-of-a-replica")
        bens.get_by_role("button", name="Correct").click()
        expect(self.form()).to_contain_text("Correct ben's change to ben's plan")
        expect(self.form().get_by_label("Name").first).to_have_value("ben's plan")
        self.fill(Details="Bring bread.")
        self.save("Send again")
        expect(bens).to_have_count(0)
        wait_until(lambda: self.on_hub("ben's plan"))
        self.assertEqual("Bring bread.", self.on_hub("ben's plan")[0]["details"])
        adas.get_by_role("button", name="Discard").click()
        expect(self.form()).to_contain_text("Discard ada's change to ada's plan?")
        self.form().get_by_role("button", name="Discard").click()
        expect(refused).to_have_count(0)
        self.assertEqual({"Lantern Night", "ada's day"}, self.days_of("ada").keys())
        self.assertIn("ben's plan", self.days_of("ben"))

    def test_user_does_not_see_entries_that_the_replica_owner_has_seen(self):
        self.refuse_a_plan_of_each()
        self.manage()
        refused = self.panel("rejections")
        expect(refused).to_have_count(2)
        refused.filter(has_text="User: ada").get_by_role("button", name="Correct").click()
        self.fill(Details="Not saved.")
        self.page.reload()
        expect(self.form()).to_contain_text("Correct ada's change to ada's plan")
        expect(self.form().get_by_label("Details")).to_have_value("Not saved.")
        self.form().get_by_role("button", name="Cancel").click()
        self.form().get_by_role("button", name="Discard").click()
        expect(self.form()).to_have_count(0)
        self.leave()
        expect(refused).to_have_count(0)
        self.assert_unknown("ada's", "ben's")
        self.sign_in("ben")
        expect(refused).to_have_count(1)
        expect(refused).to_contain_text("ben's plan")
        expect(refused).not_to_contain_text("User:")
        self.assert_unknown("ada's")

    def assert_unknown(self, *texts):
        """Checks that neither the page nor its storage has one of the texts."""
        everything = self.page.content() + self.page.evaluate("JSON.stringify(sessionStorage)")
        for text in texts:
            self.assertNotIn(text, everything)

    def test_the_replica_owner_decides_about_the_held_removal_of_a_user(self):
        for number in range(4):
            self.add_own(self.hub, self.users["ada"], f"Day {number}")
        wait_until(lambda: len(self.days_of("ada")) == 6)
        # While the sync is paused, no sync sees only some of the deletions.
        self.replica.send("POST", "/sync/pause", {}, owner)
        for number in range(4):
            path = f"/classes/Holiday/{self.on_hub(f'Day {number}')[0]['objectId']}"
            self.hub.send("DELETE", path, None, {"X-Parse-Master-Key": "hub"})
        self.replica.send("POST", "/sync/resume", {}, owner)
        wait_until(lambda: self.sync_as("ada") and self.as_user("ada", "GET", "/sync/removals")["results"])
        self.manage()
        held = self.panel("removals")
        expect(held).to_contain_text("User: ada")
        expect(held).to_contain_text("4 of 6 objects are missing on the remote")
        held.get_by_role("button", name="Remove them here").click()
        expect(self.form()).to_contain_text("ada's pending changes to them become conflicts.")
        self.form().get_by_role("button", name="Remove", exact=True).click()
        expect(held).to_have_count(0)
        wait_until(lambda: self.days_of("ada").keys() == {"Lantern Night", "ada's day"})


class SiteOwnerTests(EveryMode, SiteTest, OwnerTest):
    pass


class FormerSiteTests(SiteTest, OwnerTest):
    """A site replica becomes a personal replica. The changes that wait in the site's data are shown to the master key only."""

    def test_discarding_one_of_two_entries_with_one_id_keeps_the_other(self):
        self.require_details()
        self.refuse("ada", "ada's plan at the site")
        self.watch.expect_error("ERR_")
        # Before the reload, the page may ask for changes after its position in the feed of the site.
        self.watch.expect_error("status of 410")
        self.replica.stop()
        at = self.replica.command.index("--master-key")
        # Of an option that is repeated, the last value counts.
        self.replica.command[at:at + 2] = ["--people", "personal"]
        self.replica.start()
        self.refuse("ada", "ada's own plan")
        listed = self.replica.send("GET", "/sync/rejections", None, owner)["results"]
        self.assertEqual([(1, self.users["ada"]["objectId"])] * 2, [(found["id"], found["user"]) for found in listed])
        self.page.reload()
        self.manage()
        refused = self.panel("rejections")
        expect(refused.filter(has_text="User: ada")).to_have_count(2)
        refused.filter(has_text="at the site").get_by_role("button", name="Discard").click()
        self.form().get_by_role("button", name="Discard").click()
        expect(refused).to_have_count(1)
        expect(refused).to_contain_text("ada's own plan")
        refused.get_by_role("button", name="Discard").click()
        self.form().get_by_role("button", name="Discard").click()
        expect(refused).to_have_count(0)
