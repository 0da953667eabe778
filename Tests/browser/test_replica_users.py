"""Sign-in on the page of a replica with users: a personal replica with separate data for each user, and a site replica with shared data."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import Daemon, RequestFailed, day, wait_until
from page_test import PageTest
from story_remote import story_remote

owner = {"X-Parse-Master-Key": "owner"}


class ReplicaUsersTest(PageTest):
    classes = ("Holiday",)
    people = "personal"

    @property
    def replica_options(self):
        keys = self.work / "keys" / "session-key"
        return ("--session-key-file", str(keys), "--local-master-key", "owner", "--pull-interval", "1")

    def make_hub(self):
        options = ("--local-master-key", "hub")
        return Daemon(self.work / "hub", "--web", "none", *options)

    def seed(self):
        self.hub.add("Holiday", name="Lantern Night", date=day("2031-12-05"))
        self.users = {}
        for name in ("ada", "ben"):
            user = self.hub.send("POST", "/users", {"username": name, "password": name})
            self.users[name] = user
            self.add_own(self.hub, user, f"{name}'s day")

    @staticmethod
    def add_own(daemon, user, name):
        """Creates a holiday that only a user may read."""
        acl = {user["objectId"]: {"read": True, "write": True}}
        fields = {"name": name, "date": day("2031-10-02"), "ACL": acl}
        return daemon.send("POST", "/classes/Holiday", fields, {"X-Parse-Session-Token": user["sessionToken"]})

    def sign_in(self, name, page=None, password=None, stays=False):
        page = page or self.page
        page.get_by_role("button", name="Sign in", exact=True).click()
        form = self.form(page)
        form.get_by_label("Name").fill(name)
        form.get_by_label("Password").fill(password or name)
        if stays:
            form.get_by_label("Stay signed in").check()
        form.get_by_role("button", name="Sign in").click()
        expect(form).to_have_count(0)
        expect(self.account(page)).to_contain_text(name)

    def sign_out(self, page=None):
        (page or self.page).get_by_role("button", name="Sign out").click()
        expect(self.account(page).get_by_role("button", name="Sign in")).to_be_visible()

    def account(self, page=None):
        return (page or self.page).locator("#account")


class SignInTests(ReplicaUsersTest):
    def test_user_does_not_see_objects_of_another_user(self):
        expect(self.entry("Lantern Night")).to_be_visible()
        expect(self.page.get_by_role("switch", name="Work offline")).to_have_count(0)
        self.sign_in("ada")
        expect(self.entry("ada's day")).to_be_visible()
        expect(self.account()).to_contain_text("You can work offline until")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "user-of-a-replica")
        self.sign_out()
        expect(self.entry("Lantern Night")).to_be_visible()
        expect(self.entry("ada's day")).to_have_count(0)
        self.sign_in("ben")
        expect(self.entry("ben's day")).to_be_visible()
        expect(self.entry("ada's day")).to_have_count(0)
        self.page.go_back()
        self.page.go_forward()
        expect(self.entry("ben's day")).to_be_visible()
        self.assertNotIn("ada's day", self.page.content())

    def test_the_master_key_operates_the_replica(self):
        switch = self.page.get_by_role("switch", name="Work offline")
        expect(self.entry("Lantern Night")).to_be_visible()
        expect(switch).to_have_count(0)
        self.watch.expect_error("403")
        self.page.get_by_role("button", name="Manage").click()
        self.form().get_by_label("Master key").fill("wrong")
        self.form().get_by_role("button", name="Continue").click()
        expect(self.form()).to_contain_text("This is not the gateway's master key.")
        self.form().get_by_label("Master key").fill("owner")
        self.form().get_by_role("button", name="Continue").click()
        expect(self.form()).to_have_count(0)
        switch.click()
        expect(switch).to_have_attribute("aria-checked", "true")
        self.assertEqual("paused", self.replica.send("GET", "/sync")["state"])
        self.page.get_by_role("button", name="Add class").click()
        self.form().get_by_label("Name of the class").fill("Birthday")
        self.save("Sync it")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Birthdays")
        self.page.get_by_role("button", name="Forget the master key").click()
        expect(switch).to_have_count(0)
        expect(self.page.get_by_role("button", name="Sign in")).to_be_visible()

    def test_sign_in_in_one_tab_applies_to_another_tab(self):
        self.sign_in("ada", stays=True)
        expect(self.entry("ada's day")).to_be_visible()
        other = self.page.context.new_page()
        other.goto(self.replica.url)
        expect(self.entry("ada's day", other)).to_be_visible()
        self.page.get_by_role("button", name="Add holiday").first.click()
        self.fill(Name="ada's unsaved day")
        # A read that this tab has just sent may reach the gateway after the log-out, which refuses it.
        self.watch.expect_error(r"status of 400")
        self.sign_out(other)
        expect(self.form()).to_have_count(0)
        expect(self.entry("ada's day")).to_have_count(0)
        expect(self.account().get_by_role("button", name="Sign in")).to_be_visible()
        self.page.reload()
        expect(self.entry("Lantern Night")).to_be_visible()
        expect(self.form()).to_have_count(0)
        self.assertNotIn("ada's", self.page.evaluate("JSON.stringify(sessionStorage)"))
        self.sign_in("ben", other, stays=True)
        expect(self.account()).to_contain_text("ben")
        expect(self.entry("ben's day")).to_be_visible()
        self.assertNotIn("ada's day", self.page.content())


class SiteTest(ReplicaUsersTest):
    """Tests with a site replica, whose users share one database."""

    people = "site"

    @property
    def replica_options(self):
        return (*super().replica_options, "--master-key", "hub")


class SiteTests(SiteTest):
    def test_offline_change_of_a_user_is_shown_to_another_user(self):
        # The permissions of the classes are known after a sync.
        wait_until(lambda: self.names(self.users["ada"]) == ["Lantern Night", "ada's day"])
        self.sign_in("ada")
        bens, _ = self.open()
        self.sign_in("ben", bens)
        self.hub.stop()
        self.page.get_by_role("button", name="Add holiday").first.click()
        self.fill(Name="Open day", Date="2031-11-03")
        self.save("Add")
        expect(self.entry("Open day")).to_be_visible()
        expect(self.entry("ada's day")).to_be_visible()
        expect(self.entry("Open day", bens)).to_be_visible()
        expect(self.entry("ben's day", bens)).to_be_visible()
        expect(self.entry("ada's day", bens)).to_have_count(0)

    def names(self, user):
        try:
            found = self.replica.send("GET", "/classes/Holiday?order=name", headers={"X-Parse-Session-Token": user["sessionToken"]})
        except RequestFailed:
            return []
        return [holiday["name"] for holiday in found["results"]]


class WaitingTests(ReplicaUsersTest):
    """Two people work offline at one replica. Then the password of one is changed elsewhere, and the other logs out."""

    def test_changes_that_wait_for_their_author_are_listed(self):
        ada, ben = self.users["ada"], self.users["ben"]
        for user in (ada, ben):
            summary = self.replica.send("POST", "/sync?wait=true", {}, {"X-Parse-Session-Token": user["sessionToken"]})
            self.assertEqual(0, summary["rejections"])
        self.hub.stop()
        self.add_own(self.replica, ada, "ada's plan")
        self.add_own(self.replica, ben, "ben's plan")
        self.assertEqual({}, self.replica.send("POST", "/logout", {}, {"X-Parse-Session-Token": ben["sessionToken"]}))
        # Ada's changes are not sent before the password changes.
        self.replica.send("POST", f"/sync/pause?user={ada['objectId']}", {}, owner)
        self.hub.start()
        headers = {"X-Parse-Session-Token": ada["sessionToken"]}
        self.hub.send("PUT", f"/users/{ada['objectId']}", {"password": "new"}, headers)
        self.replica.send("POST", f"/sync/resume?user={ada['objectId']}", {}, owner)
        self.expect_sent("ben's plan", ben)
        self.replica.sync()
        expect(self.account()).to_contain_text("1 change waits for its author to log in.")
        self.assertNotIn("plan", self.page.content())
        self.sign_in("ada", password="new")
        expect(self.entry("ada's plan")).to_be_visible()
        expect(self.entry("ben's plan")).to_have_count(0)
        self.expect_sent("ada's plan", ada)
        self.sign_out()
        expect(self.account()).not_to_contain_text("waits")

    def expect_sent(self, name, user):
        """Waits until the hub has a holiday that the user may read."""
        acl = {user["objectId"]: {"read": True, "write": True}}
        where = f"/classes/Holiday?where=%7B%22name%22%3A%22{name.replace(' ', '%20')}%22%7D"

        def found():
            return [holiday["ACL"] for holiday in self.hub.send("GET", where, None, {"X-Parse-Master-Key": "hub"})["results"]]

        wait_until(found)
        self.assertEqual([acl], found())


class Story:
    """
    Two people work offline at one replica. One of them logs out and gets another password, and the remote locks the other out. The
    remote is a standalone gateway, or the Parse Server of `TIDEGATE_CONTRACT_REMOTE`.
    """

    @property
    def replica_options(self):
        # Of an option that is repeated, the last value counts.
        return (*super().replica_options, *self.hub.replica_options(self.people))

    def make_hub(self):
        remote = story_remote(self.work, f"TidegateContract_{type(self).__name__}")
        # Runs after the replica has stopped.
        self.addCleanup(remote.clean)
        self.classes = (remote.class_name,)
        return remote

    def seed(self):
        self.hub.add(name="Lantern Night")
        for name in ("ada", "ben"):
            self.hub.add_user(name)
            self.hub.add(name=f"{name}'s day", ACL=self.hub.rights(name))

    def test_each_change_arrives_under_the_rights_of_its_author(self):
        ada, ben = (self.hub.username(name) for name in ("ada", "ben"))
        bens, bens_watch = self.open()
        # In a site, the permissions of the classes are known after a sync.
        for name, page in (("ada", self.page), ("ben", bens)):
            self.sign_in(self.hub.username(name), page, password=name)
            expect(self.entry(f"{name}'s day", page)).to_be_visible()
        self.hub.stop()
        self.add_plan("Ada's plan", self.page)
        self.add_plan("Ben's plan", bens)
        self.expect_plans_offline(bens)
        self.sign_out()
        expect(self.entry("ada's day")).to_have_count(0)
        # The remote changes while the replica cannot reach it.
        self.hub.set_password("ada", "new")
        self.hub.lock("ben")
        bens_watch.expect_error("400")
        self.hub.start()
        expect(bens.get_by_text("Your session has ended. Sign in again.")).to_be_visible()
        expect(self.entry("ben's day", bens)).to_have_count(0)
        expect(self.account()).to_contain_text("2 changes wait for their author to log in.")
        self.assertEqual([], self.plans())

        # Log-ins are refused until the gateway itself has reached the hub again.
        self.replica.send("POST", "/sync?wait=true", {}, owner)
        self.watch.expect_error("404")
        self.page.get_by_role("button", name="Sign in").click()
        form = self.form()
        form.get_by_label("Name").fill(ada)
        form.get_by_label("Password").fill("ada")
        form.get_by_role("button", name="Sign in").click()
        expect(form).to_contain_text("Invalid username/password.")
        form.get_by_label("Password").fill("new")
        form.get_by_role("button", name="Sign in").click()
        expect(form).to_have_count(0)
        expect(self.entry("Ada's plan")).to_be_visible()
        wait_until(lambda: self.plans() == ["Ada's plan"])
        self.sign_out()
        expect(self.account()).to_contain_text("1 change waits for its author to log in.")

        # The remote lets Ben in again. In a site, the replica learns that with the next sync.
        self.hub.unlock("ben")
        self.replica.send("POST", "/sync?wait=true", {}, owner)
        self.sign_in(ben, bens, password="ben")
        expect(self.entry("Ben's plan", bens)).to_be_visible()
        wait_until(lambda: self.plans() == ["Ada's plan", "Ben's plan"])
        expect(self.account()).not_to_contain_text("log in")

    def add_plan(self, name, page):
        page.get_by_role("button", name="Add object").first.click()
        form = self.form(page)
        form.get_by_label("name", exact=True).fill(name)
        form.get_by_role("button", name="Add", exact=True).click()
        expect(form).to_have_count(0)
        expect(self.entry(name, page)).to_be_visible()

    def plans(self):
        """The names of the plans that have arrived at the hub."""
        return sorted(found["name"] for found in self.hub.objects() if "plan" in found["name"])


class PersonalStoryTests(Story, ReplicaUsersTest):
    def expect_plans_offline(self, bens):
        expect(self.entry("Ben's plan")).to_have_count(0)
        expect(self.entry("Ada's plan", bens)).to_have_count(0)


class SiteStoryTests(Story, ReplicaUsersTest):
    people = "site"

    def expect_plans_offline(self, bens):
        # The plans are for everybody.
        expect(self.entry("Ben's plan")).to_be_visible()
        expect(self.entry("Ada's plan", bens)).to_be_visible()
