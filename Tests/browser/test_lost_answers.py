"""Lost answers of the remote: if Tidegate cannot tell whether a change was applied, the user decides."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import wait_until
from lossy_proxy import LossyProxy
from page_test import PageTest


class LostAnswerTests(PageTest):
    classes = ("Holiday", "Boat")

    def seed(self):
        super().seed()
        self.theirs = self.hub.add("Boat", name="Dinghy", metres=3)

    def remote_url(self):
        self.proxy = LossyProxy(self.hub.url)
        self.addCleanup(self.proxy.close)
        return self.proxy.url

    def make_unclear_change(self):
        """Increments a field and loses the answer. The field's value cannot prove whether the increment was applied."""
        self.page.get_by_role("link", name="Boat").click()
        self.proxy.lost_text = "Increment"
        mine = self.replica.find("Boat", name="Dinghy")[0]["objectId"]
        self.replica.change("Boat", mine, metres={"__op": "Increment", "amount": 2})
        # The question whether the change was applied appears after the grace period. The gateway's own retries have
        # random delays.
        wait_until(lambda: self.replica.sync() and self.replica.send("GET", "/sync")["conflicts"])
        expect(self.headline()).to_contain_text("1 conflict")
        self.proxy.lost_text = None
        self.entry("Dinghy").get_by_role("button", name="Conflict").click()
        self.question = self.page.locator("#sync-panel .panel-conflicts .panel-item")
        expect(self.question).to_be_focused()

    def metres_on_hub(self):
        return self.hub.read("Boat", self.theirs)["metres"]

    def test_change_marked_as_applied_is_not_sent_again(self):
        self.make_unclear_change()
        expect(self.question).to_contain_text("Was this applied?")
        expect(self.question).to_contain_text("cannot tell whether the remote applied the change")
        expect(self.question.locator(".compare dd")).to_have_text(["3", "5", "5"])
        expect(self.entry("Dinghy")).to_contain_text("Was this applied?")
        screenshots.take(self.page, "unanswered")
        self.assertEqual([], accessible.problems(self.page))
        self.question.get_by_role("button", name="It was applied").click()
        self.expect_state("Dinghy", "Synced")
        expect(self.headline()).to_contain_text("Synced with")
        self.assertEqual(5, self.metres_on_hub())
        expect(self.entry("Dinghy").locator("td").nth(1)).to_have_text("5")

    def test_change_with_a_lost_answer_is_sent_again_on_request(self):
        self.make_unclear_change()
        # The first request can no longer arrive when the question appears, so the gateway sends the change at once.
        self.question.get_by_role("button", name="Send it again").click()
        wait_until(lambda: self.metres_on_hub() == 7)
        self.expect_state("Dinghy", "Synced")

    def test_create_with_a_lost_answer_needs_no_decision(self):
        self.proxy.lost_text = "Picnic day"
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.expect_state("Picnic day", "Synced")
        expect(self.page.locator("#sync-panel .panel-conflicts")).to_have_count(0)
        self.one_on_hub("Holiday", name="Picnic day")
