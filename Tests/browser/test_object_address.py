"""Addresses of objects on the page, and pointers to objects that the replica does not have."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import day
from page_test import PageTest


class ObjectAddressTests(PageTest):
    def seed(self):
        super().seed()
        self.ids = [self.hub.add("Birthday", name=f"Person {number}", date=day("1990-05-01")) for number in range(3)]

    def test_address_of_an_object_opens_the_object(self):
        page, _ = self.open(f"/#/Birthday/{self.ids[0]}")
        expect(self.form(page).get_by_label("Name", exact=True)).to_have_value("Person 0")
        # A new object address in the address bar opens the other object and stays in the address bar.
        page.evaluate(f"location.hash = '#/Birthday/{self.ids[1]}'")
        expect(page.get_by_role("heading", level=1)).to_have_text("Birthdays")
        expect(self.form(page).get_by_label("Name", exact=True)).to_have_value("Person 1")
        self.expect_address(f"/#/Birthday/{self.ids[1]}", page)
        page.keyboard.press("Escape")
        expect(self.form(page)).to_have_count(0)
        self.expect_address("/#/Birthday", page)
        # The same page, with a new address.
        page.evaluate(f"location.hash = '#/Birthday/{self.ids[2]}'")
        expect(self.form(page).get_by_label("Name", exact=True)).to_have_value("Person 2")

    def test_address_of_a_missing_object_shows_a_message(self):
        page, watch = self.open("/#/Birthday/missing123")
        watch.expect_error("404")
        expect(page.locator("#notices")).to_contain_text("Birthday has no object with the id missing123")
        expect(page.get_by_role("heading", level=1)).to_have_text("Birthdays")
        expect(self.form(page)).to_have_count(0)
        self.expect_address("/#/Birthday", page)


class PointerTests(PageTest):
    classes = ("Boat", "Port")

    def seed(self):
        self.ports = {name: self.hub.add("Port", name=name) for name in ("Harlingen", "Makkum", "Makkum (old)")}
        self.twins = [self.hub.add("Port", name="Twin") for _ in range(2)]
        home = {"__type": "Pointer", "className": "Port", "objectId": self.ports["Harlingen"]}
        self.hub.add("Boat", name="Dinghy", home=home)

    def home(self):
        return self.replica.find("Boat")[0]["home"]["objectId"]

    def edit(self, text):
        self.page.get_by_role("link", name="Boat").click()
        self.page.get_by_role("button", name="Open Dinghy").click()
        field = self.form().get_by_label("home", exact=True)
        expect(field).to_have_value(f"Harlingen · {self.ports['Harlingen']}")
        field.fill(text)

    def press_save(self):
        self.form().get_by_role("button", name="Save", exact=True).click()

    def test_pointer_text_that_names_no_object_is_not_stored(self):
        self.watch.expect_error("404")
        self.edit("Atlantis")
        self.press_save()
        expect(self.form()).to_contain_text("There is no object of Port with the id Atlantis here.")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "pointer-to-nothing")
        self.press_save()
        expect(self.form()).to_be_visible()
        self.assertEqual(self.ports["Harlingen"], self.home())
        # Another text removes the question whether to use the id.
        self.form().get_by_label("home", exact=True).fill("Twin")
        expect(self.form().get_by_label("Use the id Atlantis anyway")).to_have_count(0)
        self.press_save()
        expect(self.form()).to_contain_text("2 objects of Port have this name.")
        self.form().get_by_label("home", exact=True).fill("Makkum")
        self.save()
        self.assertEqual(self.ports["Makkum"], self.home())

    def test_pointer_to_an_unknown_id_needs_a_confirmation(self):
        self.watch.expect_error("404")
        self.edit("elsewhere1")
        self.press_save()
        self.form().get_by_label("Use the id elsewhere1 anyway").check()
        self.save()
        self.assertEqual("elsewhere1", self.home())

    def test_pointer_by_the_id_of_an_object_is_accepted(self):
        self.edit(self.twins[1])
        self.save()
        self.assertEqual(self.twins[1], self.home())
