"""Objects that are not fetched, because a limit is reached or because they are too large."""

import re
import shutil

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import day
from page_test import PageTest, phone


class LimitTests(PageTest):
    def seed(self):
        for number in range(6):
            self.hub.add("Holiday", name=f"Day {number}", date=day(f"2031-05-0{number + 1}"))

    def panel(self):
        return self.page.locator("#sync-panel .panel-classes")

    def start_with(self, *options):
        """Restarts the replica with other settings."""
        self.replica.stop()
        self.replica.command = [*self.kept_command, *options]
        self.replica.start()
        self.replica.sync()

    def start_replica(self):
        super().start_replica()
        self.kept_command = self.replica.command


class DiskTests(LimitTests):
    # The largest value that --disk-free-min accepts.
    free_min = 1 << 40

    def begin(self):
        super().begin()
        if shutil.disk_usage(self.work).free >= self.free_min:
            self.skipTest("this disk has more room than the setting can ask for")


class StoppedClassTests(DiskTests):
    classes = ("Holiday",)

    def test_stopped_class_shows_the_reason_and_advice(self):
        self.start_with("--disk-free-min", str(self.free_min))
        words = re.compile(r"Fetching Holiday has stopped: \d+ bytes are free on the disk, fewer than disk-free-min \(\d+\)\. Free disk space")
        expect(self.headline()).to_contain_text("Some objects are not fetched")
        expect(self.headline()).to_contain_text("Holiday is at a limit. Sync details show the reason and what to do.")
        expect(self.page.locator("#main")).to_contain_text(words)
        expect(self.panel()).to_contain_text(words)
        expect(self.panel()).to_contain_text("Objects already on this device stay. Your changes are still sent.")
        screenshots.take(self.page, "stopped")
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.refresh()
        self.expect_state("Picnic day", "Synced")
        self.start_with("--disk-free-min", "0")
        expect(self.headline()).to_contain_text("Synced with")
        expect(self.panel()).not_to_contain_text("has stopped")
        expect(self.page.locator("#main")).not_to_contain_text("has stopped")

    def setUp(self):
        super().setUp()
        self.watch.expect_error("ERR_|503")


class FullDiskTests(DiskTests):
    replica_options = ("--disk-free-min", str(DiskTests.free_min))

    def test_full_disk_is_reported_before_the_first_sync(self):
        expect(self.page.locator("#main .message")).to_contain_text("Nothing fetched yet")
        expect(self.page.locator("#main .message")).to_contain_text("bytes are free on the disk, fewer than disk-free-min")
        expect(self.page.locator("#main .message")).to_contain_text("Free disk space")
        screenshots.take(self.page, "disk-full", with_details=False)
        self.assertEqual([], accessible.problems(self.page))


class LargeRowTests(LimitTests):
    def show(self, skipped):
        """Opens the page with a sync status that lists skipped objects."""
        status = self.replica.send("GET", "/sync")
        for entry in status["classes"]:
            entry["skipped"] = skipped if entry["name"] == "Holiday" else []
        self.page.route("**/sync", lambda route: route.fulfill(json=status))
        self.page.route("**/changes*", lambda route: route.fulfill(json={"results": [], "next": 0}))
        self.page.reload()
        expect(self.entry("Day 0")).to_be_visible()

    def row(self, objectId="tooLarge01"):
        return {"objectId": objectId, "updatedAt": "2031-05-01T00:00:00.000Z", "reason": "an answer of more than 128 MB"}

    def test_too_large_objects_are_listed_with_advice(self):
        self.show([self.row()])
        expect(self.page.locator("#main")).to_contain_text("1 object is too large to fetch. See Sync details for the list.")
        expect(self.panel()).to_contain_text("1 object is too large to fetch.")
        expect(self.panel()).to_contain_text("Make the objects smaller on the remote")
        self.panel().get_by_text("Show them").click()
        expect(self.panel()).to_contain_text("tooLarge01: an answer of more than 128 MB.")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "skipped")
        self.page.set_viewport_size(phone)
        self.assertEqual(0, self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))

    def test_cut_list_of_too_large_objects_shows_a_minimum_count(self):
        self.show([self.row(f"tooLarge{number:02}") for number in range(20)])
        expect(self.panel()).to_contain_text("20 or more objects are too large to fetch.")
