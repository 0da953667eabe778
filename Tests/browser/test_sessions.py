"""The tool for sessions."""

from playwright.sync_api import expect
from test_schema import ToolTest

import accessible
import screenshots

hostile = '<b onclick="alert(1)">\u05d0\u05d1</b>'


class SessionsTest(ToolTest):
    def log_in(self, name, installation=None):
        headers = {"X-Parse-Installation-Id": installation} if installation else {}
        return self.replica.send("POST", "/login", {"username": name, "password": "sesame"}, headers)

    def setUp(self):
        super().setUp()
        self.users = {name: self.master("POST", "/users", {"username": name, "password": "sesame"})["objectId"] for name in ("ada", hostile)}
        for session in self.master("GET", "/sessions")["results"]:
            self.master("DELETE", f"/sessions/{session['objectId']}")

    def sessions(self):
        return self.master("GET", "/sessions")["results"]

    def shown(self):
        return self.rows("Sessions")


class OwnerSessionsTests(SessionsTest):
    def setUp(self):
        super().setUp()
        self.log_in("ada", "phone-1")
        self.log_in("ada", "phone-2")
        self.log_in(hostile)
        self.open_tool("sessions")
        self.use_key()

    def test_sessions_of_all_users_are_shown_and_one_is_ended(self):
        expect(self.shown()).to_have_count(3)
        expect(self.area()).to_contain_text(hostile)
        expect(self.shown().filter(has_text="phone-1")).to_contain_text("Log-in, password")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "sessions")
        self.shown().filter(has_text="phone-1").get_by_role("button", name="End").click()
        self.top().get_by_role("button", name="Cancel").click()
        self.assertEqual(3, len(self.sessions()))
        self.shown().filter(has_text="phone-1").get_by_role("button", name="End").click()
        self.send_form("End the session")
        expect(self.shown()).to_have_count(2)
        self.assertNotIn("phone-1", [session.get("installationId") for session in self.sessions()])
        self.assertNotRegex(self.page.content(), "r:[0-9a-f]{32}")

    def test_all_sessions_of_a_user_are_ended(self):
        self.page.get_by_role("link", name="Users", exact=True).click()
        self.row("ada").get_by_role("link", name="Sessions").click()
        self.expect_address(f"/#/-/sessions/{self.users['ada']}")
        expect(self.shown()).to_have_count(2)
        expect(self.area()).to_contain_text("The sessions of ada.")
        self.area().get_by_role("button", name="End all sessions").click()
        expect(self.top()).to_contain_text("2 sessions end.")
        self.send_form("End the sessions")
        expect(self.area()).to_contain_text("There are no sessions.")
        self.assertEqual([self.users[hostile]], [session["user"]["objectId"] for session in self.sessions()])

    def test_session_that_another_client_has_ended_is_no_error(self):
        self.open_tool(f"sessions/{self.users['ada']}")
        expect(self.shown()).to_have_count(2)
        self.watch.expect_error("404")
        gone = next(session for session in self.sessions() if session.get("installationId") == "phone-1")
        self.master("DELETE", f"/sessions/{gone['objectId']}")
        self.area().get_by_role("button", name="End all sessions").click()
        self.send_form("End the sessions")
        expect(self.area()).to_contain_text("There are no sessions.")


class OwnSessionsTests(SessionsTest):
    def test_user_sees_and_ends_the_own_sessions(self):
        self.log_in("ada", "phone-1")
        self.log_in("ada", "phone-2")
        self.log_in(hostile)
        self.page.get_by_role("button", name="Sign in").click()
        self.fill(Name="ada", Password="sesame")
        self.form().get_by_role("button", name="Sign in").click()
        self.page.get_by_role("link", name="Sessions").click()
        expect(self.shown()).to_have_count(3)
        expect(self.shown().filter(has_text="this session")).to_have_count(1)
        self.assertEqual([], accessible.problems(self.page))
        self.area().get_by_role("button", name="End all other sessions").click()
        self.send_form("End the sessions")
        expect(self.shown()).to_have_count(1)
        self.assertEqual(2, len(self.sessions()))
        self.watch.expect_error("400")
        self.shown().get_by_role("button", name="End").click()
        expect(self.top()).to_contain_text("You are then signed out.")
        self.top().get_by_role("button", name="End the session").click()
        expect(self.page.locator("#account").get_by_role("button", name="Sign in")).to_be_visible()
        self.assertEqual(1, len(self.sessions()))
