"""The page of a standalone gateway, and the page with reduced motion."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import Daemon, day
from page_test import PageTest


class StandaloneTests(PageTest):
    classes = ()

    def setUp(self):
        self.hub = None
        self.begin()
        self.replica = Daemon(self.work / "alone", "--web", str(self.web))
        self.addCleanup(self.replica.stop)
        self.replica.start()
        self.replica.add("Boat", name="Dinghy", metres=3)
        self.page, self.watch = self.open()

    def test_standalone_object_is_edited(self):
        expect(self.headline()).to_contain_text("Standalone")
        self.page.get_by_role("link", name="Boat").click()
        expect(self.entry("Dinghy")).to_be_visible()
        screenshots.take(self.page, "standalone")
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Open Dinghy").click()
        self.form().get_by_label("metres").fill("3.5")
        self.save()
        expect(self.entry("Dinghy")).to_contain_text("3.5")
        self.assertEqual(3.5, self.replica.find("Boat")[0]["metres"])
        expect(self.page.get_by_role("switch")).to_have_count(0)
        expect(self.page.locator(".badge")).to_have_count(0)

    def test_new_class_is_created_with_its_first_object(self):
        self.page.get_by_role("button", name="Add class").click()
        self.form().get_by_label("Name of the class").fill("Recipe")
        self.save("Open it")
        self.page.get_by_role("button", name="Add the first object").click()
        self.form().get_by_text("Add a field").click()
        self.form().get_by_label("Name", exact=True).fill("name")
        self.form().get_by_role("button", name="Add field").click()
        self.form().get_by_label("name", exact=True).fill("Waffles")
        self.save("Add")
        expect(self.entry("Waffles")).to_be_visible()
        expect(self.page.get_by_role("link", name="Recipe")).to_be_visible()


class MotionTests(PageTest):
    def test_reduced_motion_disables_animations(self):
        page, _ = self.open(reduced_motion="reduce")
        expect(self.entry("Lantern Night", page)).to_be_visible()
        page.get_by_role("button", name="Add holiday").click()
        self.assertEqual([], page.evaluate("document.getAnimations().map(String)"))
        page.keyboard.press("Escape")
        self.replica.add("Holiday", name="From elsewhere", date=day("2031-08-01"))
        self.refresh(page)
        expect(self.entry("From elsewhere", page)).to_be_visible()
        self.assertEqual([], page.evaluate("document.getAnimations().map(String)"))
