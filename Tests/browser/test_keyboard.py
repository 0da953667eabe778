"""Using the page with the keyboard only."""

from playwright.sync_api import expect

import accessible
import screenshots
from page_test import PageTest


class KeyboardTests(PageTest):
    tabs_max = 60

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, name, role="button"):
        """Presses Tab until a control has the focus, and checks that the focus is visible."""
        wanted = self.page.get_by_role(role, name=name, exact=True)
        for _ in range(self.tabs_max):
            self.press("Tab")
            if wanted.evaluate_all("(nodes) => nodes.includes(document.activeElement)"):
                outline = wanted.evaluate("(node) => getComputedStyle(node).outlineStyle")
                self.assertNotEqual("none", outline, f"{name} does not show that it has the focus")
                return
        self.fail(f"{name} cannot be reached by Tab")

    def test_objects_are_added_edited_deleted_and_synced_by_keyboard(self):
        self.press("Tab")
        expect(self.page.get_by_role("link", name="Skip to the list")).to_be_focused()
        self.press("Enter")
        expect(self.page.locator("#main [data-object]").first).to_be_focused()

        self.tab_to("Add holiday")
        self.press("Enter")
        expect(self.form().get_by_label("Name")).to_be_focused()
        self.page.keyboard.type("Picnic day")
        self.press("Tab")
        self.page.keyboard.type("16072031")
        self.press("Enter")
        expect(self.form()).to_have_count(0)
        expect(self.entry("Picnic day")).to_be_visible()

        self.tab_to("Edit Picnic day")
        self.press("Enter")
        expect(self.form().get_by_label("Name")).to_be_focused()
        self.page.keyboard.type("Rainy ")
        self.press("Enter")
        expect(self.entry("Rainy Picnic day").or_(self.entry("Rainy "))).to_be_visible()
        expect(self.form()).to_have_count(0)
        # The focused entry is rebuilt, perhaps with a new id. The focus stays in the list.
        expect(self.page.locator("#main:focus, #main :focus")).to_have_count(1)

        self.press("Home")
        self.page.locator("#main").focus()
        self.tab_to("Delete Harvest Supper")
        self.page.clock.install()
        self.press("Enter")
        undo = self.page.get_by_role("button", name="Undo deleting Harvest Supper")
        expect(undo).to_be_focused()
        self.press("Enter")
        expect(self.page.get_by_role("button", name="Delete Harvest Supper")).to_be_focused()
        self.press("Enter")
        expect(undo).to_be_focused()
        self.page.clock.fast_forward(10_000)
        expect(self.entry("Harvest Supper")).to_have_count(0)
        expect(self.page.locator("#main :focus")).to_have_count(1)

        self.page.get_by_role("link", name="Tidegate").focus()
        self.tab_to("Work offline", role="switch")
        self.press("Space")
        expect(self.headline()).to_contain_text("Working offline")
        self.press("Space")
        expect(self.headline()).not_to_contain_text("Working offline")
        expect(self.page.get_by_role("button", name="Refresh")).to_be_enabled()
        self.tab_to("Refresh")
        self.press("Enter")
        expect(self.page.locator("#announcer")).to_contain_text("Synced")
        self.assertEqual([], self.hub.find("Holiday", name="Harvest Supper"))

    def test_focus_stays_on_the_button_of_an_object_that_gets_a_new_id_from_the_remote(self):
        self.go_offline()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-12-07")
        self.save("Add")
        entry = self.entry("Picnic day")
        local_id = entry.get_attribute("data-object")
        edit = self.page.get_by_role("button", name="Edit Picnic day")
        edit.focus()
        self.hub.start()
        self.replica.sync()
        expect(self.page.locator(f'#main [data-object="{local_id}"]')).to_have_count(0)
        expect(edit).to_be_focused()
        self.press("Enter")
        expect(self.form().get_by_label("Name")).to_have_value("Picnic day")

    def test_focus_moves_to_the_panel_when_its_entry_is_removed(self):
        panel = self.page.locator("#sync-panel")
        self.page.get_by_role("switch", name="Work offline").click()
        for name in ("Lantern Night", "Harvest Supper"):
            self.page.get_by_role("button", name=f"Edit {name}").click()
            self.fill(Details="Edited.")
            self.save()
        self.page.get_by_role("button", name="Undo (Lantern Night)").focus()
        self.press("Enter")
        expect(panel).to_be_focused()
        self.tab_to("Undo (Harvest Supper)")
        self.press("Enter")
        expect(panel).to_contain_text("No pending changes")
        expect(panel).to_be_focused()

    def test_escape_closes_a_form_and_asks_before_discarding(self):
        add = self.page.get_by_role("button", name="Add holiday")
        add.focus()
        self.press("Enter", "Escape")
        expect(self.form()).to_have_count(0)
        expect(add).to_be_focused()
        self.press("Enter")
        self.page.keyboard.type("Half a na")
        self.press("Escape")
        expect(self.form().last).to_contain_text("Discard what you typed?")
        self.press("Enter")
        expect(self.form().get_by_label("Name")).to_have_value("Half a na")

    def test_form_error_is_shown_at_its_field(self):
        self.page.get_by_role("button", name="Add holiday").click()
        self.form().get_by_role("button", name="Add", exact=True).click()
        name = self.form().get_by_label("Name")
        expect(name).to_be_focused()
        expect(name).to_have_attribute("aria-invalid", "true")
        expect(name).to_have_accessible_description("Name is required.")
        screenshots.take(self.page, "form")
        self.assertEqual([], accessible.problems(self.page))
