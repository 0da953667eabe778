"""The keys of the page: search, add, edit, help, and going to a class or an object."""

from playwright.sync_api import expect

import accessible
import screenshots
from page_test import PageTest


class PageKeyTests(PageTest):
    classes = ("Boat", "Anchor")
    has_details = False

    def seed(self):
        for name in ("Dinghy", "Ketch"):
            self.hub.add("Boat", name=name)
        self.hub.add("Anchor", name="Bruce")

    def setUp(self):
        super().setUp()
        self.page.goto(f"{self.replica.url}/#/Boat")
        expect(self.entry("Dinghy")).to_be_visible()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def test_single_keys_search_add_and_edit(self):
        self.press("/")
        search = self.page.get_by_label("Search in this class")
        expect(search).to_be_focused()
        # In a text field, the keys are text.
        self.page.keyboard.type("ne")
        expect(search).to_have_value("ne")
        search.fill("")
        expect(self.entry("Ketch")).to_be_visible()
        self.page.get_by_role("grid").focus()
        self.press("n")
        expect(self.form()).to_contain_text("Add an object")
        self.press("Escape")
        expect(self.form()).to_have_count(0)
        self.entry("Ketch").locator("th").click()
        self.press("e")
        expect(self.form()).to_contain_text("Edit Ketch")

    def test_help_lists_the_keys_and_turns_single_keys_off(self):
        self.press("?")
        expect(self.form()).to_contain_text("Search in the class")
        screenshots.take(self.page, "keys")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_label("Use the keys").uncheck()
        self.press("Escape")
        expect(self.form()).to_have_count(0)
        self.press("?", "n")
        self.press("Control+k")
        expect(self.form()).to_contain_text("Go to")

    def test_class_and_object_are_reached_by_name(self):
        self.press("Control+k")
        self.page.keyboard.type("anch")
        expect(self.form().locator(".go-entry")).to_have_count(1)
        self.press("Enter")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Anchor")
        self.press("Control+k")
        self.page.keyboard.type("ketc")
        found = self.form().get_by_role("button", name="Ketch")
        expect(found).to_be_visible()
        screenshots.take(self.page, "go-to")
        self.assertEqual([], accessible.problems(self.page))
        self.press("ArrowDown", "Enter")
        expect(self.form()).to_contain_text("Edit Ketch")
        expect(self.page.locator("#main h1")).to_have_text("Boat")

    def first(self):
        """The entry that the search field marks as the current one."""
        return self.form().locator(f"#{self.form().get_by_role('searchbox').get_attribute('aria-activedescendant')}")

    def test_entry_that_enter_chooses_is_marked(self):
        self.press("Control+k")
        entries = self.form().locator(".go-entry")
        plain = entries.last.evaluate("(node) => getComputedStyle(node).backgroundColor")
        expect(self.first()).to_have_text("Anchor")
        self.page.keyboard.type("t")
        expect(entries.first).to_have_text("Boat")
        expect(self.first()).to_have_text("Boat")
        expect(self.first()).not_to_have_css("background-color", plain)
        screenshots.take(self.page, "go-to-first")
        self.assertEqual([], accessible.problems(self.page))
        # The first entry is the current one already.
        self.press("ArrowDown")
        expect(entries.nth(1)).to_be_focused()
        expect(entries.first).to_have_css("background-color", plain)
        self.press("ArrowUp")
        expect(self.form().get_by_role("searchbox")).to_be_focused()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type("ketch")
        expect(entries).to_have_count(1)
        expect(self.first()).to_contain_text("Ketch")
        self.press("Enter")
        expect(self.pane()).to_contain_text("Edit Ketch")

    def test_tool_closes_the_pane_and_takes_the_focus(self):
        self.page.get_by_role("button", name="Open Ketch").click()
        expect(self.pane()).to_contain_text("Edit Ketch")
        self.go_to("api")
        expect(self.page.get_by_role("heading", level=1, name="API console")).to_be_focused()
        expect(self.pane()).to_have_count(0)
        self.expect_address("/#/-/console")

    def test_tool_takes_the_focus_of_the_hidden_list(self):
        self.page.get_by_role("grid").focus()
        self.go_to("api")
        expect(self.page.get_by_role("heading", level=1, name="API console")).to_be_focused()

    def test_class_takes_the_focus(self):
        self.page.get_by_role("button", name="Open Ketch").click()
        expect(self.pane()).to_contain_text("Edit Ketch")
        self.go_to("anch")
        expect(self.page.get_by_role("grid", name="Anchor")).to_be_focused()
        self.go_to("api")
        self.go_to("boat")
        expect(self.page.get_by_role("grid", name="Boat")).to_be_focused()

    def test_place_of_the_back_button_keeps_the_focus(self):
        self.go_to("anch")
        expect(self.page.get_by_role("grid", name="Anchor")).to_be_focused()
        self.page.go_back()
        expect(self.page.get_by_role("grid", name="Boat")).to_be_visible()
        expect(self.page.locator("#main")).to_be_focused()

    def test_skip_link_leads_to_the_table(self):
        skip = self.page.get_by_role("link", name="Skip to the list")
        skip.focus()
        self.press("Enter")
        expect(self.page.get_by_role("grid", name="Boat")).to_be_focused()
        self.press("ArrowDown", "F2")
        expect(self.page.locator(".cell-input")).to_be_focused()
        self.press("Escape")
        self.go_to("api")
        skip.focus()
        self.press("Enter")
        expect(self.page.locator("#main")).to_be_focused()

    def go_to(self, words):
        self.press("Control+k")
        self.page.keyboard.type(words)
        self.press("Enter")
