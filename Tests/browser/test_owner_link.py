"""The link that a replica with users prints: with it, one browser operates the replica without the master key."""

import re

from playwright.sync_api import expect
from test_replica_users import ReplicaUsersTest

import accessible
import screenshots
from daemon import wait_until


class OwnerLinkTests(ReplicaUsersTest):
    def link(self):
        found = []

        def is_printed():
            found[:] = re.findall(r"http://127\.0\.0\.1:\d+/#owner=\w+", self.replica.log.read_text())
            return found

        wait_until(is_printed)
        return found[-1]

    def switch(self, page=None):
        return (page or self.page).get_by_role("switch", name="Work offline")

    def test_owner_link_opens_an_owner_session_only_once(self):
        expect(self.entry("Lantern Night")).to_be_visible()
        expect(self.switch()).to_have_count(0)
        link = self.link()
        self.page.goto(link)
        expect(self.switch()).to_be_visible()
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "owner-session")
        self.assertNotIn("owner=", self.page.url)
        [cookie] = self.page.context.cookies()
        self.assertEqual((f"tidegate-owner-{self.replica.port}", True, "Strict"), (cookie["name"], cookie["httpOnly"], cookie["sameSite"]))
        self.assertEqual("", self.page.evaluate("document.cookie"))

        self.switch().click()
        expect(self.switch()).to_have_attribute("aria-checked", "true")
        self.assertEqual("paused", self.replica.send("GET", "/sync")["state"])
        self.switch().click()
        expect(self.switch()).to_have_attribute("aria-checked", "false")
        self.page.get_by_role("button", name="Add class").click()
        self.form().get_by_label("Name of the class").fill("Birthday")
        self.save("Sync it")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Birthdays")

        self.page.reload()
        expect(self.switch()).to_be_visible()
        self.sign_in("ada")
        expect(self.switch()).to_be_visible()

        other, watch = self.open()
        watch.expect_error("400")
        expect(self.entry("Lantern Night", other)).to_be_visible()
        other.goto(link)
        expect(other.locator("#notices")).to_contain_text("already used")
        expect(self.switch(other)).to_have_count(0)
        self.assertEqual([], other.context.cookies())

        self.page.get_by_role("button", name="End owner session").click()
        expect(self.switch()).to_have_count(0)
        self.assertEqual([], self.page.context.cookies())

    def test_restart_of_the_gateway_ends_the_owner_session(self):
        self.page.goto(self.link())
        expect(self.switch()).to_be_visible()
        self.watch.expect_error("403|ERR_|Failed to load")
        self.replica.stop()
        self.replica.start()
        self.switch().click()
        expect(self.page.locator("#notices")).to_contain_text("This browser no longer operates the gateway.")
        expect(self.switch()).to_have_count(0)
