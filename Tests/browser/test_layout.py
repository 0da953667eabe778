"""The layout of the page: the sidebar with the classes, the details panel, and the views of a class."""

import datetime
import re

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import day
from page_test import PageTest, phone


class SidebarTests(PageTest):
    classes = ("Boat", "Anchor")
    has_details = False

    def seed(self):
        for number in range(3):
            self.hub.add("Boat", name=f"Boat {number}", launched=day("2031-05-17"), home="Makkum")
        self.hub.add("Anchor", name="Bruce")

    def link(self, name):
        return self.page.locator("#sidebar").get_by_role("link", name=name)

    def test_sidebar_shows_objects_waiting_changes_and_decisions(self):
        expect(self.page.locator("#sidebar")).to_contain_text("An offline copy of 127.0.0.1")
        expect(self.link("Boat")).to_have_accessible_name("Boat , 3 objects")
        self.page.get_by_role("switch", name="Work offline").click()
        expect(self.headline()).to_contain_text("Working offline")
        boat = self.replica.find("Boat", name="Boat 1")[0]["objectId"]
        self.replica.change("Boat", boat, name="Dinghy")
        expect(self.link("Boat").locator(".class-mark-waiting")).to_contain_text("1")
        expect(self.page.locator("#sidebar")).to_contain_text("1 change waits to be sent.")
        self.hub.send("DELETE", f"/classes/Boat/{boat}")
        self.page.get_by_role("switch", name="Work offline").click()
        expect(self.link("Boat").locator(".class-mark-decisions")).to_contain_text("1")
        expect(self.page.locator("#sidebar")).to_contain_text("1 needs your decision.")
        screenshots.take(self.page, "sidebar")
        self.assertEqual([], accessible.problems(self.page))

    def middle(self, selector):
        box = self.page.locator(selector).bounding_box()
        return box["y"] + box["height"] / 2

    def test_header_is_one_row_beside_the_sidebar(self):
        for width in (1440, 1024):
            self.page.set_viewport_size({"width": width, "height": 800})
            self.assertAlmostEqual(self.middle(".brand"), self.middle("#sync-line"), delta=2)
            self.assertAlmostEqual(self.middle(".brand"), self.middle("#sync-controls"), delta=2)
            self.assertLess(self.page.locator(".masthead").bounding_box()["height"], 64)

    def test_classes_are_in_a_drawer_on_a_phone(self):
        self.page.set_viewport_size(phone)
        expect(self.link("Anchor")).to_be_hidden()
        menu = self.page.get_by_role("button", name="Classes", exact=True)
        menu.click()
        expect(menu).to_have_attribute("aria-expanded", "true")
        expect(self.link("Anchor")).to_be_focused()
        self.page.screenshot(path=screenshots.directory / "drawer-phone-light.png")
        self.assertEqual([], accessible.problems(self.page))
        self.page.set_viewport_size(phone)
        self.page.keyboard.press("Escape")
        expect(self.link("Anchor")).to_be_hidden()
        expect(menu).to_be_focused()
        menu.click()
        self.link("Boat").click()
        expect(self.entry("Boat 1")).to_be_visible()
        expect(self.link("Anchor")).to_be_hidden()

    def test_details_panel_is_closed_at_first_and_remembered(self):
        panel = self.page.locator("#sync-panel")
        self.page.goto(f"{self.replica.url}/#/Boat")
        expect(self.entry("Boat 1")).to_be_visible()
        expect(panel).to_be_hidden()
        self.page.get_by_role("button", name="Details").click()
        expect(panel).to_be_visible()
        self.page.goto("about:blank")
        self.page.goto(self.replica.url)
        expect(panel).to_be_visible()
        self.page.get_by_role("button", name="Close details").click()
        self.page.goto("about:blank")
        self.page.goto(self.replica.url)
        expect(self.entry("Bruce")).to_be_visible()
        expect(panel).to_be_hidden()

    def test_class_with_a_date_has_an_almanac(self):
        self.page.goto(f"{self.replica.url}/#/Boat")
        expect(self.entry("Boat 1")).to_be_visible()
        self.page.get_by_role("button", name="Almanac").click()
        expect(self.page.get_by_role("heading", name="May 2031")).to_be_visible()
        expect(self.page.locator("#main .entry").filter(has_text="Boat 1")).to_contain_text("Makkum")
        expect(self.page.locator("#main")).to_contain_text("By launched. Next is Boat 0")
        self.assertIn("view=almanac", self.page.url)
        self.assertEqual([], accessible.problems(self.page))
        # The view is remembered, and an address can name another one.
        page = self.page.context.new_page()
        page.goto(f"{self.replica.url}/#/Boat")
        expect(page.get_by_role("heading", name="May 2031")).to_be_visible()
        page.goto(f"{self.replica.url}/#/Boat?view=table")
        expect(page.get_by_role("button", name="Table")).to_have_attribute("aria-pressed", "true")

    def shown_names(self):
        return self.page.locator("#main .entry-name > span:first-child")

    def test_almanac_begins_near_today_and_shows_more_on_request(self):
        ahead = 250
        before = 120
        today = datetime.datetime.now(datetime.UTC).date()
        days = [today + datetime.timedelta(days=number) for number in range(-before, ahead)]
        # The order of the creation differs from the order of the dates.
        for number in sorted(range(len(days)), key=lambda number: number * 7 % len(days)):
            self.hub.add("Task", title=f"Task {number - before}", due=day(days[number].isoformat()))
        for number in range(2):
            self.hub.add("Task", title=f"Someday {number}")
        self.sync_class("Task")
        expect(self.page.locator(".grid-range").get_by_text("of 372")).to_be_visible()
        self.page.get_by_role("button", name="Almanac").click()
        main = self.page.locator("#main")
        expect(main).to_contain_text("By due. Next is Task 0, show in the list, today")
        expect(main).to_contain_text("Showing 100 of 372.")
        expect(self.shown_names()).to_have_text([f"Task {number}" for number in range(-3, 97)])
        expect(main.locator(".today-line")).to_be_in_viewport()
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "almanac")
        self.page.get_by_role("button", name="Show 100 earlier").click()
        expect(main).to_contain_text("Showing 200 of 372.")
        expect(self.shown_names().filter(has_text=re.compile("^Task -3$"))).to_be_in_viewport()
        self.page.get_by_role("button", name="Show 17 earlier").click()
        expect(self.page.get_by_role("button", name="earlier")).to_have_count(0)
        self.page.get_by_role("button", name="Show 100 later").click()
        # The pane of the last shown object goes on to the next one.
        self.page.get_by_role("button", name="Edit Task 196").click()
        self.page.keyboard.press("Alt+PageDown")
        expect(self.pane()).to_contain_text("Edit Task 197")
        expect(self.page.get_by_role("button", name="later")).to_have_count(0)
        expect(self.shown_names()).to_have_text([*(f"Task {number}" for number in range(-before, ahead)), "Someday 0", "Someday 1"])
        self.page.keyboard.press("Escape")
        # The gateway searches, so that objects that are not shown are found, too.
        self.page.reload()
        expect(main).to_contain_text("Showing 100 of 372.")
        self.page.get_by_label("Search in this class").fill("Task 249")
        expect(self.shown_names()).to_have_text(["Task 249"])
        expect(main).to_contain_text("1 match.")
        expect(main).to_contain_text("Next is Task 249")

    def test_class_without_a_date_has_only_a_table(self):
        page, _ = self.open("/#/Anchor?view=almanac")
        expect(self.entry("Bruce", page)).to_be_visible()
        expect(page.get_by_role("button", name="Almanac")).to_have_count(0)
        self.expect_address("/#/Anchor", page)
        self.assertNotIn("view=", page.url)


class ManyClassesTests(PageTest):
    classes = tuple(f"Class{number:02}" for number in range(9))

    def seed(self):
        for name in self.classes:
            self.hub.add(name, name="One")

    def test_sidebar_finds_a_class(self):
        search = self.page.get_by_label("Find a class")
        search.fill("07")
        expect(self.page.locator(".class-link")).to_have_count(1)
        search.fill("nothing")
        expect(self.page.locator("#sidebar")).to_contain_text("No such class.")
        search.fill("")
        expect(self.page.locator(".class-link")).to_have_count(9)
