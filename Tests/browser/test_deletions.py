"""Deletions and their undo."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import wait_until
from page_test import PageTest


class DeletingTests(PageTest):
    def begin_deleting(self, name="Harvest Supper"):
        self.began = datetime.now(UTC)
        self.page.clock.install(time=self.began)
        self.page.get_by_role("button", name=f"Delete {name}").click()
        self.undo = self.page.get_by_role("button", name=f"Undo deleting {name}")
        expect(self.undo).to_be_focused()

    def is_here(self, name="Harvest Supper"):
        return len(self.replica.find("Holiday", name=name)) == 1

    def test_deletion_is_sent_after_ten_seconds(self):
        self.begin_deleting()
        self.page.clock.pause_at(self.began + timedelta(seconds=5))
        screenshots.take(self.page, "deleting", with_details=False)
        self.assertEqual([], accessible.problems(self.page, with_axe=False))
        self.undo.focus()
        self.page.clock.fast_forward(3_000)
        expect(self.undo).to_be_visible()
        self.assertTrue(self.is_here())
        self.page.clock.fast_forward(2_000)
        self.page.clock.resume()
        expect(self.entry("Harvest Supper")).to_have_count(0)
        expect(self.page.locator("#announcer")).to_contain_text("Harvest Supper deleted.")
        self.assertFalse(self.is_here())
        # The focus stays in the list.
        expect(self.page.locator("#main [data-object]:focus")).to_have_count(1)

    def test_undone_deletion_is_never_sent(self):
        self.begin_deleting()
        self.undo.click()
        expect(self.page.get_by_role("button", name="Delete Harvest Supper")).to_be_focused()
        self.page.clock.fast_forward(60_000)
        expect(self.entry("Harvest Supper")).to_be_visible()
        self.assertTrue(self.is_here())
        self.assertEqual([], [url for url in self.asked if url.startswith("DELETE")])

    def setUp(self):
        super().setUp()
        self.asked = []
        self.page.on("request", lambda request: self.asked.append(f"{request.method} {request.url}"))

    def test_countdown_continues_while_another_class_is_shown(self):
        self.begin_deleting()
        self.page.get_by_role("link", name="Birthdays").click()
        expect(self.entry("Mirela")).to_be_visible()
        self.page.get_by_role("link", name="Holidays").click()
        expect(self.undo).to_be_visible()
        self.page.get_by_role("link", name="Birthdays").click()
        self.page.clock.fast_forward(10_000)
        expect(self.page.locator("#announcer")).to_contain_text("Harvest Supper deleted.")
        self.assertFalse(self.is_here())

    def test_leaving_or_reloading_the_page_deletes_at_once(self):
        self.begin_deleting()
        self.page.reload()
        expect(self.entry("Lantern Night")).to_be_visible()
        expect(self.entry("Harvest Supper")).to_have_count(0)
        self.assertFalse(self.is_here())
        self.begin_deleting("Lantern Night")
        self.page.close()
        self.until_gone("Lantern Night")

    def until_gone(self, name):
        wait_until(lambda: not self.is_here(name))

    def test_deletion_without_a_gateway_fails_with_a_warning(self):
        self.watch.expect_error("ERR_|503")
        self.begin_deleting()
        self.replica.stop()
        self.page.clock.fast_forward(10_000)
        expect(self.page.locator(".notice-warning")).to_contain_text("Harvest Supper was not deleted.")
        expect(self.page.get_by_role("button", name="Delete Harvest Supper")).to_be_visible()
        self.replica.start()
        self.assertTrue(self.is_here())

    def test_deletion_by_another_client_is_not_an_error(self):
        self.watch.expect_error("412")
        self.begin_deleting()
        made = self.replica.find("Holiday", name="Harvest Supper")[0]["objectId"]
        self.page.route("**/changes*", lambda route: route.abort())
        self.watch.expect_error("ERR_FAILED")
        self.replica.send("DELETE", f"/classes/Holiday/{made}")
        self.page.unroute("**/changes*")
        self.page.clock.fast_forward(10_000)
        expect(self.entry("Harvest Supper")).to_have_count(0)
        expect(self.page.locator(".notice-warning")).to_have_count(0)

    def test_pending_deletion_shows_the_object_name(self):
        self.hub.stop()
        self.delete("Harvest Supper")
        waiting = self.page.locator("#sync-panel .panel-pending")
        expect(waiting).to_contain_text("Harvest Supper")
        # A new page has never loaded the object.
        page, _ = self.open("/#/Birthday")
        expect(page.locator("#sync-panel .panel-pending")).to_contain_text("Harvest Supper")
