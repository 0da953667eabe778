"""The main views at three widths, in light and dark mode: axe finds no problem, the page is not wider than its window, and no control is
cut."""

import json
import urllib.parse

from playwright.sync_api import expect
from test_schema import ToolTest

import accessible
from daemon import day
from page_test import PageTest, phone

laptop = {"width": 1440, "height": 900}
tablet = {"width": 1024, "height": 768}


class ViewTest(PageTest):
    def check(self, address, shown):
        """Opens an address, and checks its view. `shown` is a part of the view that appears last."""
        self.page.goto(f"{self.replica.url}/#/{address}")
        self.check_shown(address, shown)

    def check_shown(self, name, shown):
        with self.subTest(name):
            expect(shown.first).to_be_visible()
            self.assertEqual([], accessible.problems(self.page, (laptop, tablet, phone), with_contrast_of_axe=True))


class ReplicaViewTests(ViewTest):
    classes = ("Boat",)

    def seed(self):
        boats = [{"name": f"Boat {number}", "metres": number / 2, "isSailing": True, "built": day("2001-02-03")} for number in range(30)]
        for fields in boats:
            self.boat = self.hub.add("Boat", **fields, tags=["wood"], home={"__type": "GeoPoint", "latitude": 53, "longitude": 5.4})

    def make_conflict(self):
        """Makes a conflict and a change that waits."""
        self.replica.send("PUT", "/sync/classes/Boat", {"policy": "manual"})
        self.replica.send("POST", "/sync/pause")
        self.replica.change("Boat", self.boat, name="Dinghy")
        self.hub.change("Boat", self.boat, name="Skiff")
        self.replica.send("POST", "/sync/resume")
        self.replica.sync()
        self.replica.send("POST", "/sync/pause")
        self.replica.add("Boat", name="Punt")

    def test_views_of_a_class_have_no_problem(self):
        self.make_conflict()
        where = urllib.parse.quote(json.dumps({"metres": {"$gte": 5}, "isSailing": True}))
        conflict = self.replica.send("GET", "/sync/conflicts")["results"][0]["id"]
        self.check("Boat", self.entry("Boat 1"))
        self.check(f"Boat?where={where}&panel=sync", self.page.get_by_role("button", name="Apply it"))
        self.page.get_by_role("button", name="Apply it").click()
        self.check_shown("filtered", self.entry("Boat 10"))
        self.check("Boat?view=almanac", self.page.get_by_role("heading", name="February 2001"))
        self.check(f"Boat/{self.boat}?view=table", self.pane())
        self.check(f"Boat?conflict={conflict}", self.form().get_by_role("button", name="Resolve"))
        self.page.keyboard.press("Escape")
        self.check("-/transfer/Boat", self.page.get_by_role("heading", name="Import"))
        self.check("-/console", self.page.get_by_role("heading", name="API console"))


class OwnerViewTests(ToolTest, ViewTest):
    def test_tools_of_the_owner_have_no_problem(self):
        for name in ("ada", "bob"):
            self.master("POST", "/users", {"username": name, "password": "sesame"})
        self.master("POST", "/roles", {"name": "Editors", "ACL": {"*": {"read": True}}})
        self.open_tool("schema")
        self.use_key()
        self.check("-/schema", self.page.get_by_role("link", name="Boat"))
        self.check("-/schema/Boat", self.table_row("name"))
        self.check("-/schema/Boat/permissions", self.area().get_by_role("button", name="Save"))
        self.check("-/users", self.row("ada"))
        self.check("-/roles", self.row("Editors"))
        self.check("-/sessions", self.rows("Sessions"))
        self.check("-/system", self.table_row("web"))
        self.check("-/system/log", self.area().get_by_role("listitem"))
        self.check("-/system/requests", self.area().locator("tbody tr"))
        self.check("-/system/checks", self.area().get_by_role("heading", name="Backups"))
        self.check("-/system/metrics", self.area().get_by_role("heading", level=2))
