"""Adding, editing and deleting while the remote is offline, and the sync afterwards."""

from playwright.sync_api import expect

from page_test import PageTest


class OfflineTests(PageTest):
    def test_holiday_added_offline_reaches_the_hub(self):
        self.go_offline()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16", Details="Bring <b>bread</b>.", Observed_by="Utrecht\nDelft")
        self.save("Add")
        self.expect_state("Picnic day", "New, pending")
        expect(self.headline()).to_contain_text("1 change is pending")
        self.come_back()
        self.expect_state("Picnic day", "Synced")
        found = self.one_on_hub("Holiday", name="Picnic day")
        self.assertEqual("2031-07-16T00:00:00.000Z", found["date"]["iso"])
        self.assertEqual("Bring <b>bread</b>.", found["details"])
        self.assertEqual(["Utrecht", "Delft"], found["observedBy"])

    def test_edit_made_offline_reaches_the_hub(self):
        self.go_offline()
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.fill(Details="Candles, too.")
        self.save()
        self.expect_state("Lantern Night", "Edited, pending")
        self.come_back()
        self.expect_state("Lantern Night", "Synced")
        self.assertEqual("Candles, too.", self.one_on_hub("Holiday", name="Lantern Night")["details"])

    def test_deletion_made_offline_reaches_the_hub(self):
        self.go_offline()
        self.delete("Harvest Supper")
        expect(self.headline()).to_contain_text("1 change is pending")
        self.come_back()
        expect(self.headline()).to_contain_text("Synced with")
        self.assertEqual([], self.hub.find("Holiday", name="Harvest Supper"))

    def test_pending_change_can_be_undone(self):
        self.go_offline()
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.fill(Name="Lantern Day")
        self.save()
        waiting = self.page.locator("#sync-panel .panel-pending")
        expect(waiting).to_contain_text("Lantern Day")
        # The second click must have no effect.
        waiting.get_by_role("button", name="Undo").dblclick()
        self.expect_state("Lantern Night", "Synced")
        expect(waiting).to_contain_text("No pending changes")
        expect(self.page.locator("#announcer")).to_contain_text("Undone.")
        expect(self.page.locator(".notice-warning")).to_have_count(0)

    def test_pending_deletion_can_be_undone(self):
        self.go_offline()
        self.delete("Harvest Supper")
        self.page.get_by_role("button", name="Undo (Harvest Supper)").click()
        self.expect_state("Harvest Supper", "Synced")

    def test_undoing_a_create_asks_first(self):
        self.go_offline()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.page.get_by_role("button", name="Undo (Picnic day)").click()
        expect(self.form()).to_contain_text("It exists only on this device")
        self.form().get_by_role("button", name="Undo", exact=True).click()
        expect(self.entry("Picnic day")).to_have_count(0)
        expect(self.headline()).to_contain_text("No pending changes")

    def test_offline_switch_survives_a_restart(self):
        switch = self.page.get_by_role("switch", name="Work offline")
        switch.click()
        expect(switch).to_be_checked()
        expect(self.headline()).to_contain_text("Working offline")
        self.delete("Harvest Supper")
        expect(self.headline()).to_contain_text("1 change is pending until you go back online")
        # A stopping gateway answers with 503.
        self.watch.expect_error("ERR_|503")
        self.replica.stop()
        expect(self.headline()).to_contain_text("Tidegate is not responding")
        self.replica.start()
        expect(self.headline()).to_contain_text("Working offline")
        self.assertEqual(1, len(self.hub.find("Holiday", name="Harvest Supper")))
        switch.click()
        expect(self.headline()).to_contain_text("Synced with")
        self.assertEqual([], self.hub.find("Holiday", name="Harvest Supper"))
