"""A remote restored from an older backup: the user decides which side to keep."""

import shutil

from playwright.sync_api import expect

import accessible
from daemon import day
from page_test import PageTest


class RestoredTests(PageTest):
    def restore_backup(self):
        self.hub.stop()
        backup = self.work / "backup"
        shutil.copytree(self.hub.directory, backup)
        self.hub.start()
        for number in range(3):
            self.replica.add("Holiday", name=f"Made here {number}", date=day(f"2031-11-0{number + 1}"))
        self.replica.sync()
        self.hub.stop()
        for file in self.hub.directory.glob("tidegate.sqlite-*"):
            file.unlink()
        # The backup is copied into the same file, because the hub checks the identity of its file.
        shutil.copyfile(backup / "tidegate.sqlite", self.hub.directory / "tidegate.sqlite")
        for file in backup.glob("tidegate.sqlite-*"):
            shutil.copyfile(file, self.hub.directory / file.name)
        self.hub.start()
        self.refresh()
        expect(self.headline()).to_contain_text("1 removal held back")
        self.held = self.page.locator("#sync-panel .panel-removals")
        expect(self.held).to_contain_text("restored from an older backup")
        expect(self.held).to_contain_text("It lacks 3 objects.")
        expect(self.held).to_contain_text("Made here 0, Made here 1, Made here 2.")

    def test_objects_missing_in_a_backup_are_sent_again_on_request(self):
        self.restore_backup()
        self.assertEqual([], accessible.problems(self.page))
        self.held.get_by_role("button", name="Send mine again").click()
        expect(self.held).to_have_count(0)
        self.replica.sync()
        self.assertEqual(3, len([one for one in self.hub.find("Holiday") if one["name"].startswith("Made here")]))

    def test_objects_missing_in_a_backup_are_removed(self):
        self.restore_backup()
        self.held.get_by_role("button", name="Use theirs").click()
        self.form().get_by_role("button", name="Remove", exact=True).click()
        expect(self.held).to_have_count(0)
        self.replica.sync()
        self.assertEqual(2, len(self.replica.find("Holiday")))
