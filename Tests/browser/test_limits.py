"""Objects of a kept class that are not fetched: those over a limit of the class, and those that are too large."""

import shutil

from playwright.sync_api import expect

import accessible
import pictures
from daemon import day
from story import Story, phone


class LimitStory(Story):
    def seed(self):
        for number in range(6):
            self.hub.add("Holiday", name=f"Day {number}", date=day(f"2031-05-0{number + 1}"))

    def panel(self):
        return self.page.locator("#sync-panel .panel-classes")

    def start_with(self, *options):
        """Starts the replica again with other settings."""
        self.replica.stop()
        self.replica.command = [*self.kept_command, *options]
        self.replica.start()
        self.replica.sync()

    def start_replica(self):
        super().start_replica()
        self.kept_command = self.replica.command


class StoppedClassStory(LimitStory):
    def test_a_class_of_too_many_objects_says_so_and_what_to_do(self):
        self.start_with("--class-objects-max", "3")
        words = "Holiday is not fetched any further: 6 of its objects are stored locally, more than class-objects-max (3). Raise this setting"
        expect(self.headline()).to_contain_text("Not everything is fetched")
        expect(self.headline()).to_contain_text("Holiday is at a limit. The details tell why, and what to do.")
        expect(self.page.locator("#main")).to_contain_text(words)
        expect(self.panel()).to_contain_text(words)
        expect(self.panel()).to_contain_text("The objects that are here stay, and changes are sent as before.")
        pictures.take(self.page, "stopped")
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.refresh()
        self.expect_state("Picnic day", "Synced")
        self.start_with("--class-objects-max", "10")
        expect(self.headline()).to_contain_text("In step")
        expect(self.panel()).not_to_contain_text("any further")
        expect(self.page.locator("#main")).not_to_contain_text("any further")

    def setUp(self):
        super().setUp()
        self.watch.expect_error("ERR_|503")


class FullDiskStory(LimitStory):
    # The most that the setting takes.
    free_min = 1 << 40
    replica_options = ("--disk-free-min", str(free_min))

    def begin(self):
        super().begin()
        if shutil.disk_usage(self.work).free >= self.free_min:
            self.skipTest("this disk has more room than the setting can ask for")

    def test_before_the_first_sync_a_full_disk_says_why_nothing_comes(self):
        expect(self.page.locator("#main .message")).to_contain_text("Nothing has been fetched yet")
        expect(self.page.locator("#main .message")).to_contain_text("bytes are free on the disk, fewer than disk-free-min")
        expect(self.page.locator("#main .message")).to_contain_text("Make room")
        pictures.take(self.page, "disk-full", with_details=False)
        self.assertEqual([], accessible.problems(self.page))


class LargeRowStory(LimitStory):
    def show(self, skipped):
        """The page, with objects that the gateway has left out."""
        status = self.replica.send("GET", "/sync")
        for entry in status["classes"]:
            entry["skipped"] = skipped if entry["name"] == "Holiday" else []
        self.page.route("**/sync", lambda route: route.fulfill(json=status))
        self.page.route("**/changes*", lambda route: route.fulfill(json={"results": [], "next": 0}))
        self.page.reload()
        expect(self.entry("Day 0")).to_be_visible()

    def row(self, objectId="tooLarge01"):
        return {"objectId": objectId, "updatedAt": "2031-05-01T00:00:00.000Z", "reason": "an answer of more than 128 MB"}

    def test_objects_that_are_too_large_are_named_with_what_to_do(self):
        self.show([self.row()])
        expect(self.page.locator("#main")).to_contain_text("1 object is too large to be fetched. Sync details name them.")
        expect(self.panel()).to_contain_text("1 object is too large to be fetched.")
        expect(self.panel()).to_contain_text("Make the objects smaller on the remote")
        self.panel().get_by_text("Which ones").click()
        expect(self.panel()).to_contain_text("tooLarge01: an answer of more than 128 MB.")
        self.assertEqual([], accessible.problems(self.page))
        pictures.take(self.page, "skipped")
        self.page.set_viewport_size(phone)
        self.assertEqual(0, self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))

    def test_no_count_is_claimed_where_the_gateway_names_only_some(self):
        self.show([self.row(f"tooLarge{number:02}") for number in range(20)])
        expect(self.panel()).to_contain_text("20 or more objects are too large to be fetched.")
