"""Adding, editing and deleting while the remote is away, and afterwards."""

from playwright.sync_api import expect

from story import Story


class OfflineStory(Story):
    def test_a_holiday_added_offline_is_on_the_hub_later(self):
        self.go_offline()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16", Details="Bring <b>bread</b>.", Observed_by="Utrecht\nDelft")
        self.save("Add")
        self.expect_state("Picnic day", "New, waiting")
        expect(self.headline()).to_contain_text("1 change waits here")
        self.come_back()
        self.expect_state("Picnic day", "Synced")
        found = self.one_on_hub("Holiday", name="Picnic day")
        self.assertEqual("2031-07-16T00:00:00.000Z", found["date"]["iso"])
        self.assertEqual("Bring <b>bread</b>.", found["details"])
        self.assertEqual(["Utrecht", "Delft"], found["observedBy"])

    def test_an_edit_made_offline_reaches_the_hub(self):
        self.go_offline()
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.fill(Details="Candles, too.")
        self.save()
        self.expect_state("Lantern Night", "Edited, waiting")
        self.come_back()
        self.expect_state("Lantern Night", "Synced")
        self.assertEqual("Candles, too.", self.one_on_hub("Holiday", name="Lantern Night")["details"])

    def test_a_deletion_made_offline_reaches_the_hub(self):
        self.go_offline()
        self.delete("Harvest Supper")
        expect(self.headline()).to_contain_text("1 change waits here")
        self.come_back()
        expect(self.headline()).to_contain_text("In step")
        self.assertEqual([], self.hub.find("Holiday", name="Harvest Supper"))

    def test_a_waiting_change_can_be_undone(self):
        self.go_offline()
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.fill(Name="Lantern Day")
        self.save()
        waiting = self.page.locator("#sync-panel .panel-pending")
        expect(waiting).to_contain_text("Lantern Day")
        # The second press has nothing to do.
        waiting.get_by_role("button", name="Undo").dblclick()
        self.expect_state("Lantern Night", "Synced")
        expect(waiting).to_contain_text("Nothing is waiting")
        expect(self.page.locator("#announcer")).to_contain_text("Undone.")
        expect(self.page.locator(".notice-warning")).to_have_count(0)

    def test_a_deletion_that_waits_can_be_undone(self):
        self.go_offline()
        self.delete("Harvest Supper")
        self.page.get_by_role("button", name="Undo (Harvest Supper)").click()
        self.expect_state("Harvest Supper", "Synced")

    def test_undoing_what_was_added_is_asked_about(self):
        self.go_offline()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.page.get_by_role("button", name="Undo (Picnic day)").click()
        expect(self.form()).to_contain_text("It exists only here")
        self.form().get_by_role("button", name="Undo", exact=True).click()
        expect(self.entry("Picnic day")).to_have_count(0)
        expect(self.headline()).to_contain_text("Nothing is waiting")

    def test_working_offline_is_a_switch_that_survives_a_restart(self):
        switch = self.page.get_by_role("switch", name="Work offline")
        switch.click()
        expect(switch).to_be_checked()
        expect(self.headline()).to_contain_text("Working offline")
        self.delete("Harvest Supper")
        expect(self.headline()).to_contain_text("1 change waits here until you go back online")
        # One that is about to stop answers with 503.
        self.watch.expect_error("ERR_|503")
        self.replica.stop()
        expect(self.headline()).to_contain_text("Tidegate does not answer")
        self.replica.start()
        expect(self.headline()).to_contain_text("Working offline")
        self.assertEqual(1, len(self.hub.find("Holiday", name="Harvest Supper")))
        switch.click()
        expect(self.headline()).to_contain_text("In step")
        self.assertEqual([], self.hub.find("Holiday", name="Harvest Supper"))
