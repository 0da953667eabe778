"""The remote acts and its answer gets lost: nobody knows whether a change was applied, and a person says so."""

from playwright.sync_api import expect

import accessible
import pictures
from daemon import until
from line import Line
from story import Story


class UnansweredStory(Story):
    classes = ("Holiday", "Boat")

    def seed(self):
        super().seed()
        self.theirs = self.hub.add("Boat", name="Dinghy", metres=3)

    def remote_url(self):
        self.line = Line(self.hub.url)
        self.addCleanup(self.line.close)
        return self.line.url

    def make_question(self):
        """Another program here counts up, which nobody can prove from the outcome alone."""
        self.page.get_by_role("link", name="Boat").click()
        self.line.lost = "Increment"
        mine = self.replica.find("Boat", name="Dinghy")[0]["objectId"]
        self.replica.change("Boat", mine, metres={"__op": "Increment", "amount": 2})
        self.replica.sync()
        expect(self.headline()).to_contain_text("1 conflict")
        self.line.lost = None
        self.entry("Dinghy").get_by_role("button", name="Conflict").click()
        self.question = self.page.locator("#sync-panel .panel-conflicts .panel-item")
        expect(self.question).to_be_focused()

    def metres_on_hub(self):
        return self.hub.read("Boat", self.theirs)["metres"]

    def test_a_change_that_was_applied_counts_as_sent(self):
        self.make_question()
        expect(self.question).to_contain_text("Perhaps sent")
        expect(self.question).to_contain_text("nothing proves whether it was applied")
        expect(self.question.locator(".compare dd")).to_have_text(["3", "5", "5"])
        expect(self.entry("Dinghy")).to_contain_text("Perhaps sent")
        pictures.take(self.page, "unanswered")
        self.assertEqual([], accessible.problems(self.page))
        self.question.get_by_role("button", name="It was applied").click()
        self.expect_state("Dinghy", "Synced")
        expect(self.headline()).to_contain_text("In step")
        self.assertEqual(5, self.metres_on_hub())
        expect(self.entry("Dinghy").locator("td").nth(1)).to_have_text("5")

    def test_it_is_sent_again_where_a_person_says_so(self):
        self.make_question()
        self.question.get_by_role("button", name="Send it again").click()
        expect(self.page.locator("#sync-panel .panel-pending")).to_contain_text("Dinghy")
        # The first request may still be on its way: nothing follows it for some seconds.
        until(lambda: self.replica.sync()["pushed"])
        self.expect_state("Dinghy", "Synced")
        self.assertEqual(7, self.metres_on_hub())

    def test_what_can_be_proven_is_no_question(self):
        self.line.lost = "Picnic day"
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.expect_state("Picnic day", "Synced")
        expect(self.page.locator("#sync-panel .panel-conflicts")).to_have_count(0)
        self.one_on_hub("Holiday", name="Picnic day")
