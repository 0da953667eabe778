"""The first steps of a new gateway, and the classes of the remote that are not kept."""

import re

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import Daemon, day
from page_test import PageTest


def start_of(node):
    """The left edge of the text of a node that has no children, or of the border of another node."""
    return node.evaluate("node => node.getBoundingClientRect().left + (node.children.length === 0 ? parseFloat(getComputedStyle(node).paddingLeft) : 0)")


def font_size_of(node):
    return node.evaluate("node => getComputedStyle(node).fontSize")


class SetupTests(PageTest):
    has_details = False

    def setUp(self):
        """Starts a hub with data, and a new gateway without a remote."""
        self.begin()
        self.hub = self.make_hub()
        self.replica = Daemon(self.work / "replica", "--web", str(self.web))
        for daemon in (self.hub, self.replica):
            self.addCleanup(daemon.stop)
        self.hub.start()
        self.seed()
        self.hub.add("Task", name="Paint", due=day("2031-01-02"))
        self.replica.start()
        self.page, self.watch = self.open()
        # The gateway does not answer while it restarts as a replica.
        self.watch.expect_error("ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE")

    def greeting(self):
        return self.page.get_by_role("heading", name="Welcome to Tidegate")

    def connect(self, *classes):
        self.page.get_by_role("button", name="Connect", exact=True).click()
        self.fill(Address=self.hub.url + "/parse", Application_id="browser-tests")
        self.form().get_by_role("button", name="Check").click()
        expect(self.form().get_by_role("heading", name="Choose the classes to keep here")).to_be_visible()
        for name in classes:
            self.form().get_by_label(name, exact=True).check()
        self.assertEqual(start_of(self.form().locator(".class-choice")), start_of(self.form().locator(".dialog-text")))
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Connect").click()

    def test_new_gateway_is_connected_to_a_server_and_shows_the_chosen_class(self):
        expect(self.greeting()).to_be_visible()
        screenshots.take(self.page, "greeting")
        self.connect("Holiday")
        expect(self.entry("Lantern Night")).to_be_visible()
        expect(self.page.get_by_role("navigation", name="Classes")).to_contain_text("An offline copy of")

    def test_classes_that_are_not_kept_are_listed_and_can_be_kept(self):
        self.connect("Holiday")
        expect(self.entry("Lantern Night")).to_be_visible()
        self.page.get_by_text("Not kept here").click()
        expect(self.page.get_by_text("Not kept here (2)")).to_be_visible()
        kept, other = (self.page.locator(f"#sidebar {row} .class-link-name").first for row in (".class-link", ".remote-class"))
        self.assertEqual((start_of(kept), font_size_of(kept)), (start_of(other), font_size_of(other)))
        screenshots.take(self.page, "not-kept")
        self.page.get_by_role("button", name="Keep Task").click()
        expect(self.page.get_by_text("Not kept here (1)")).to_be_visible()
        expect(self.page.get_by_role("link", name="Task")).to_be_visible()

    def test_wrong_address_is_explained_and_changes_nothing(self):
        self.watch.expect_error("400.*/setup/check")
        self.page.get_by_role("button", name="Connect", exact=True).click()
        self.fill(Address="http://127.0.0.1:9/parse", Application_id="browser-tests")
        self.expect_error_at("Address", "Check the address")
        self.fill(Address="nonsense")
        self.expect_error_at("Address", "Address is not an http or https address")
        self.fill(Address=self.hub.url + "/parse", Application_id="")
        self.expect_error_at("Application id", "needs its application id")
        self.assertEqual([], accessible.problems(self.page))
        self.page.reload()
        expect(self.greeting()).to_be_visible()

    def expect_error_at(self, label, words):
        """Checks the connection, and waits for an error at a field, in the words of the form."""
        self.form().get_by_role("button", name="Check").click()
        field = self.form().get_by_label(label)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(words))
        expect(field).to_be_focused()
        expect(self.form()).not_to_contain_text("--")

    def test_second_form_begins_at_its_first_class(self):
        self.page.get_by_role("button", name="Connect", exact=True).click()
        self.fill(Address=self.hub.url + "/parse", Application_id="browser-tests")
        self.form().get_by_label("Application id").press("Enter")
        expect(self.form().get_by_role("heading", name="Choose the classes to keep here")).to_be_visible()
        expect(self.form().get_by_role("checkbox").first).to_be_focused()

    def test_sample_data_is_loaded(self):
        self.page.get_by_role("button", name="Load the samples").click()
        expect(self.page.get_by_role("link", name=re.compile("Holidays"))).to_be_visible()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Holidays")
        self.page.reload()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Holidays")
        expect(self.greeting()).to_have_count(0)

    def test_gateway_without_a_server_begins_with_a_class(self):
        self.page.get_by_role("button", name="Create a class").click()
        self.fill(Name_of_the_class="Boat")
        self.save("Open it")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Boat")

    def test_greeting_is_accessible(self):
        expect(self.greeting()).to_be_visible()
        self.assertEqual([], accessible.problems(self.page))
