"""Stalled work: the page shows a change that waits although the remote answers, with the reason and the way out."""

from playwright.sync_api import expect

import accessible
from daemon import day
from page_test import PageTest


class StallTests(PageTest):
    replica_options = ("--stall-alarm", "1")

    def seed(self):
        self.hub.make_class("Holiday", name="String", details={"type": "String", "required": True}, date="Date")
        self.hub.add("Holiday", name="Lantern Night", details="Paper boats.")

    def test_stalled_change_is_shown_with_its_reason_until_the_way_out_is_taken(self):
        refused = self.replica.add("Holiday", name="Picnic day", date=day("2031-07-16"))
        feast = {"__type": "Pointer", "className": "Holiday", "objectId": refused}
        self.replica.add("Birthday", name="Ada", date=day("1975-12-10"), feast=feast)
        self.refresh()
        expect(self.headline()).to_contain_text("Stalled: 1 change is not sent")
        expect(self.headline()).to_contain_text("which the remote has refused")
        stalled = self.page.locator("#sync-panel .panel-stalled")
        expect(stalled).to_contain_text("Ada")
        expect(stalled).to_contain_text("decide about its change or conflict")
        self.assertEqual([], accessible.problems(self.page))
        self.page.locator("#sync-panel").get_by_role("button", name="Correct").click()
        self.fill(Details="Bring bread.")
        self.save("Send again")
        expect(stalled).to_have_count(0)
        expect(self.headline()).not_to_contain_text("Stalled")
        self.one_on_hub("Birthday", name="Ada")
