"""Holidays and birthdays of an Azure Mobile Apps server: online, while the server cannot be reached, and online again."""

from playwright.sync_api import expect

from daemon import Daemon
from lossy_proxy import LossyProxy
from page_test import PageTest
from tables_server import TablesServer


class TablesTests(PageTest):
    def setUp(self):
        self.begin()
        self.tables = TablesServer()
        self.addCleanup(self.tables.stop)
        self.proxy = LossyProxy(self.tables.url)
        self.addCleanup(self.proxy.close)
        self.easter = self.tables.add("Holiday", name="Easter", date="2031-04-13T00:00:00.000Z")
        self.tables.add("Birthday", name="Ada", date="1815-12-10T00:00:00.000Z")
        kept = ["--class", "Holiday", "--class", "Birthday"]
        self.replica = Daemon(self.work / "replica", "--remote", self.proxy.url, "--web", str(self.web), *kept)
        self.addCleanup(self.replica.stop)
        self.replica.start()
        for name in self.classes:
            self.replica.send("PUT", f"/sync/classes/{name}", {"fields": {"date": "Date"}})
        self.replica.sync()
        self.page, self.watch = self.open(waits_for_sync=True)

    def lose_the_network(self):
        self.proxy.is_down = True
        self.replica.sync()
        expect(self.headline()).to_contain_text("Cannot reach")

    def come_back(self):
        self.proxy.is_down = False
        self.refresh()
        expect(self.headline()).not_to_contain_text("Cannot reach")

    def test_changes_made_offline_reach_the_tables(self):
        self.expect_state("Easter", "Synced")
        self.lose_the_network()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16", Details="Bring <b>bread</b>.")
        self.save("Add")
        self.expect_state("Picnic day", "New, pending")
        self.page.get_by_role("button", name="Edit Easter").click()
        # An empty column of a table is null. Typing replaces it.
        expect(self.form().get_by_label("Details")).to_have_attribute("placeholder", "null")
        self.fill(Details="Eggs.")
        self.save()
        self.expect_state("Easter", "Edited, pending")
        self.page.get_by_role("link", name="Birthdays").click()
        self.delete("Ada")

        # Another client changes and adds rows meanwhile.
        self.tables.change("Holiday", self.easter, name="Easter Sunday")
        self.tables.add("Holiday", name="May Day", date="2031-05-01T00:00:00.000Z")
        self.come_back()
        self.page.get_by_role("link", name="Holidays").click()
        for name in ("Picnic day", "Easter Sunday", "May Day"):
            self.expect_state(name, "Synced")
        expect(self.entry("Easter Sunday")).to_contain_text("Eggs.")
        holidays = self.tables.rows("Holiday")
        self.assertEqual({"Picnic day", "Easter Sunday", "May Day"}, set(holidays))
        self.assertEqual("2031-07-16T00:00:00.000Z", holidays["Picnic day"]["date"])
        self.assertEqual("Bring <b>bread</b>.", holidays["Picnic day"]["details"])
        self.assertEqual("Eggs.", holidays["Easter Sunday"]["details"])
        self.assertEqual({}, self.tables.rows("Birthday"))

    def test_value_that_no_column_stores_is_refused_in_the_form(self):
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16", Observed_by="Utrecht\nDelft")
        self.form().get_by_role("button", name="Add", exact=True).click()
        expect(self.form()).to_contain_text("observedBy is an array")
        self.watch.expect_error("400")
        self.fill(Observed_by="")
        self.save("Add")
        self.expect_state("Picnic day", "Synced")
        self.assertIn("Picnic day", self.tables.rows("Holiday"))
