"""Sign-in and the master-key area on the page of a standalone gateway."""

import json

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import Daemon, RequestFailed
from page_test import PageTest


class AccountTest(PageTest):
    classes = ()

    def setUp(self):
        self.hub = None
        self.begin()
        self.replica = Daemon(self.work / "alone", "--web", str(self.web))
        self.addCleanup(self.replica.stop)
        self.replica.start()
        self.boat = self.replica.add("Boat", name="Dinghy")
        self.page, self.watch = self.open("/#/Boat")

    def master(self, method, path, body=None):
        key = (self.replica.directory / "master-key").read_text().strip()
        return self.replica.send(method, path, body, {"X-Parse-Master-Key": key})

    def stored(self):
        """All that the page has stored in the browser, and its cookies."""
        return self.page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie, location.href])")

    def manage(self):
        self.page.get_by_role("button", name="Manage").click()
        self.form().get_by_label("Master key").fill((self.replica.directory / "master-key").read_text().strip())
        self.form().get_by_role("button", name="Continue").click()
        expect(self.area()).to_be_visible()

    def area(self):
        return self.page.locator(".tool-view")

    def row(self, name, where=None):
        return (where or self.area()).locator(f'.owner-row[data-name="{name}"]')

    def top(self):
        """The topmost dialog."""
        return self.page.locator("dialog[open]").last

    def send_form(self, words):
        expect(self.top().get_by_role("button", name=words, exact=True)).to_be_visible()
        count = self.page.locator("dialog[open]").count()
        self.top().get_by_role("button", name=words, exact=True).click()
        expect(self.page.locator("dialog[open]")).to_have_count(count - 1)


class MasterKeyTests(AccountTest):
    def test_wrong_key_is_refused_and_not_stored(self):
        self.watch.expect_error("403")
        self.page.get_by_role("button", name="Manage").click()
        self.form().get_by_label("Master key").fill("wrong")
        self.form().get_by_role("button", name="Continue").click()
        expect(self.form()).to_contain_text("This is not the gateway's master key.")
        self.assertNotIn("wrong", self.stored())

    def test_key_stays_in_the_tab_until_it_is_forgotten(self):
        self.manage()
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "users-and-rights")
        key = (self.replica.directory / "master-key").read_text().strip()
        kept = json.loads(self.stored())
        self.assertEqual(key, kept[0]["tidegate.masterKey"])
        self.assertNotIn(key, json.dumps(kept[1:]))
        self.page.get_by_role("button", name="Forget the master key").click()
        expect(self.page.get_by_role("button", name="Manage")).to_be_visible()
        self.assertNotIn(key, self.stored())

    def test_users_are_added_edited_locked_and_deleted(self):
        self.manage()
        self.area().get_by_role("button", name="Add user").click()
        self.top().get_by_label("Name").fill("ada")
        self.top().get_by_label("Email").fill("ada@example.org")
        self.top().get_by_label("Password").fill("sesame")
        self.send_form("Add")
        expect(self.row("ada")).to_contain_text("ada@example.org")
        self.assertEqual([], self.master("GET", "/sessions")["results"])
        self.assertTrue(self.log_in("ada", "sesame"))
        self.row("ada").get_by_role("button", name="Set password").click()
        self.top().get_by_label("Password").fill("open up")
        self.send_form("Set password")
        self.assertFalse(self.log_in("ada", "sesame"))
        self.assertTrue(self.log_in("ada", "open up"))
        self.row("ada").get_by_role("button", name="Lock").click()
        self.send_form("Lock")
        expect(self.row("ada")).to_contain_text("locked")
        self.assertFalse(self.log_in("ada", "open up"))
        self.assertEqual([], self.master("GET", "/sessions")["results"])
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "users")
        self.row("ada").get_by_role("button", name="Unlock").click()
        expect(self.row("ada")).not_to_contain_text("locked")
        self.assertTrue(self.log_in("ada", "open up"))
        self.row("ada").get_by_role("button", name="Edit").click()
        self.top().get_by_label("Name").fill("grace")
        self.send_form("Save")
        self.row("grace").get_by_role("button", name="Delete").click()
        self.send_form("Delete")
        expect(self.area().get_by_text("There are no users yet.")).to_be_visible()
        self.assertEqual([], self.master("GET", "/users")["results"])

    def log_in(self, name, password):
        try:
            return self.replica.send("POST", "/login", {"username": name, "password": password})["sessionToken"] is not None
        except RequestFailed as error:
            self.assertEqual(404, error.status)
            return False

    def add(self, dialog, label, name):
        choice = dialog.get_by_label(label)
        choice.select_option(name)
        dialog.locator(".owner-add").filter(has=self.page.get_by_label(label)).get_by_role("button").click()

    def members(self, role):
        where = {"$relatedTo": {"object": {"__type": "Pointer", "className": "_Role", "objectId": role}, "key": "roles"}}
        found = self.master("GET", f"/classes/_Role?where={json.dumps(where).replace(' ', '')}")["results"]
        return [role["name"] for role in found]

    def test_roles_are_added_and_their_members_changed(self):
        self.manage()
        self.page.get_by_role("link", name="Roles", exact=True).click()
        for name in ("editors", "chiefs"):
            self.area().get_by_role("button", name="Add role").click()
            self.top().get_by_label("Name").fill(name)
            self.send_form("Add")
        expect(self.row("editors")).to_be_visible()
        self.row("editors").get_by_role("button", name="Members").click()
        members = self.page.get_by_role("dialog", name="Members of")
        self.add(members, "Add a role", "chiefs")
        expect(members.get_by_role("button", name="Remove chiefs")).to_be_visible()
        roles = {role["name"]: role["objectId"] for role in self.master("GET", "/roles")["results"]}
        self.assertEqual(["chiefs"], self.members(roles["editors"]))
        members.get_by_role("button", name="Remove chiefs").click()
        expect(members.get_by_text("No role is a member.")).to_be_visible()
        self.add(members, "Add a parent", "chiefs")
        expect(members.get_by_role("button", name="Remove chiefs")).to_be_visible()
        self.assertEqual(["editors"], self.members(roles["chiefs"]))
        members.get_by_role("button", name="Remove chiefs").click()
        expect(members.get_by_text("The members have no other role by this one.")).to_be_visible()
        self.page.keyboard.press("Escape")
        self.row("chiefs").get_by_role("button", name="Delete").click()
        self.send_form("Delete")
        expect(self.row("chiefs")).to_have_count(0)

    def test_rights_of_an_object_are_shown_as_sentences(self):
        self.master("POST", "/roles", {"name": "editors", "ACL": {}})
        self.manage()
        self.page.get_by_role("link", name="Boat").click()
        self.page.get_by_role("button", name="Open Dinghy").click()
        self.form().get_by_text("Who may read and write").click()
        self.form().get_by_role("button", name="Change rights").click()
        sentence = self.form().get_by_role("status")
        expect(sentence).to_have_text("Everybody may read and write.")
        self.form().get_by_label("Everybody").select_option("Read")
        expect(sentence).to_have_text("Everybody may read; only the master key may write.")
        self.form().get_by_label("Add a user or role").select_option("The role editors")
        self.form().get_by_label("The role editors").select_option("Read and write")
        expect(sentence).to_have_text("Everybody may read; the role editors may write.")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "rights-of-an-object")
        self.form().get_by_role("button", name="Save", exact=True).click()
        # The pane of the object shows the new rights.
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        expect(self.pane()).to_contain_text("Everybody may read; the role editors may write.")
        acl = self.master("GET", f"/classes/Boat/{self.boat}")["ACL"]
        self.assertEqual({"*": {"read": True}, "role:editors": {"read": True, "write": True}}, acl)


class RealSignInTests(AccountTest):
    """Sign-in against the gateway itself."""

    def test_user_signs_in_edits_and_signs_out(self):
        self.master("POST", "/users", {"username": "ada", "password": "sesame"})
        [session] = self.master("GET", "/sessions")["results"]
        self.master("DELETE", f"/sessions/{session['objectId']}")
        self.page.get_by_role("button", name="Sign in").click()
        self.fill(Name="ada", Password="sesame")
        self.form().get_by_role("button", name="Sign in").click()
        expect(self.page.locator("#account")).to_contain_text("ada")
        self.page.get_by_role("button", name="Open Dinghy").click()
        self.form().get_by_label("name", exact=True).fill("Skiff")
        self.save()
        expect(self.entry("Skiff")).to_be_visible()
        self.assertEqual(1, len(self.master("GET", "/sessions")["results"]))
        self.page.get_by_role("button", name="Sign out").click()
        expect(self.page.locator("#account").get_by_role("button", name="Sign in")).to_be_visible()
        expect(self.page.locator("#notices")).to_contain_text("Signed out.")
        self.assertEqual([], self.master("GET", "/sessions")["results"])
        self.assertEqual("", self.page.evaluate("document.cookie"))


class SignInTests(AccountTest):
    """The page with answers of a gateway that has the user ada. The answers are the test's, so that the test can end a session."""

    def setUp(self):
        super().setUp()
        self.tokens = []
        self.has_ended = False
        self.held_reads = None
        self.page.context.route(lambda url: True, self.answer)

    @staticmethod
    def is_poll(request):
        return "/changes?since=" in request.url and "&limit=" in request.url and "latest" not in request.url

    def answer(self, route):
        request = route.request
        if self.held_reads is not None and self.is_poll(request):
            return self.held_reads.append(route)
        path = request.url.removeprefix(self.replica.url)
        token = request.headers.get("x-parse-session-token")
        if token is not None:
            self.tokens.append(token)
        if path == "/login":
            sent = json.loads(request.post_data)
            if sent != {"username": "ada", "password": "sesame"}:
                return route.fulfill(status=404, json={"code": 101, "error": "Invalid username/password."})
            return route.fulfill(json={"objectId": "a", "username": "ada", "sessionToken": "r:token"})
        if path in ("/users/me", "/logout") or (token is not None and self.has_ended):
            if self.has_ended:
                return route.fulfill(status=400, json={"code": 209, "error": "Invalid session token"})
            return route.fulfill(json={"objectId": "a", "username": "ada"})
        headers = {name: text for name, text in request.headers.items() if name != "x-parse-session-token"}
        return route.continue_(headers=headers)

    def sign_in(self, stays=False, password="sesame"):
        self.page.get_by_role("button", name="Sign in").click()
        self.fill(Name="ada", Password=password)
        self.form().get_by_label("Stay signed in").set_checked(stays)
        self.form().get_by_role("button", name="Sign in").click()

    def expect_signed_in(self, is_signed_in):
        words = "Sign out" if is_signed_in else "Sign in"
        expect(self.page.locator("#account").get_by_role("button", name=words)).to_be_visible()

    def test_sign_in_and_sign_out_change_the_shown_objects(self):
        self.sign_in()
        expect(self.page.locator("#account")).to_contain_text("ada")
        kept = json.loads(self.stored())
        self.assertIn("r:token", json.dumps(kept[0]))
        self.assertNotIn("r:token", json.dumps(kept[1:]))
        self.assertNotIn("sesame", json.dumps(kept))
        self.page.reload()
        self.expect_signed_in(True)
        expect(self.entry("Dinghy")).to_be_visible()
        self.assertEqual({"r:token"}, set(self.tokens))
        self.page.get_by_role("button", name="Sign out").click()
        self.expect_signed_in(False)
        self.assertNotIn("r:token", self.stored())
        self.assertEqual("", self.page.evaluate("document.cookie"))

    def test_answer_that_arrives_after_the_sign_out_is_ignored(self):
        self.sign_in()
        self.expect_signed_in(True)
        expect(self.entry("Dinghy")).to_be_visible()
        self.held_reads = []
        with self.page.expect_request(self.is_poll):
            self.replica.add("Boat", name="Skiff")
        self.page.get_by_role("button", name="Sign out").click()
        self.expect_signed_in(False)
        self.has_ended = True
        reads, self.held_reads = self.held_reads, None
        self.assertNotEqual([], reads)
        for route in reads:
            self.answer(route)
        expect(self.page.locator("#notices")).to_contain_text("Signed out.")
        expect(self.page.locator("#notices")).not_to_contain_text("session has ended")

    def test_session_with_stay_signed_in_survives_the_tab(self):
        self.sign_in(stays=True)
        self.expect_signed_in(True)
        other = self.page.context.new_page()
        other.goto(self.replica.url + "/#/Boat")
        expect(other.locator("#account")).to_contain_text("ada")
        self.assertNotIn("r:token", self.page.url + other.url)

    def test_wrong_password_keeps_the_form_open(self):
        self.watch.expect_error("404")
        self.sign_in(password="wrong")
        expect(self.form()).to_contain_text("Invalid username/password.")
        self.assertNotIn("tidegate.session", self.stored())
        self.assertEqual([], accessible.problems(self.page))

    def test_ended_session_is_reported_and_forgotten(self):
        self.watch.expect_error("400")
        self.sign_in()
        self.expect_signed_in(True)
        self.has_ended = True
        # The next request of the page learns that the session has ended.
        self.page.get_by_label("Search in this class").fill("Din")
        expect(self.page.get_by_text("Your session has ended. Sign in again.")).to_be_visible()
        self.expect_signed_in(False)
        self.assertNotIn("r:token", self.stored())
        expect(self.entry("Dinghy")).to_be_visible()


class ReplicaAccountTests(PageTest):
    def test_a_replica_has_no_account_part(self):
        expect(self.entry("Lantern Night")).to_be_visible()
        expect(self.page.locator("#account")).to_be_hidden()
