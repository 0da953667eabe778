"""Pointers: captions, links, cards, the caption field of a class, and the editor of a pointer."""

import json
import urllib.parse

from playwright.sync_api import expect

import accessible
import screenshots
from page_test import PageTest


def pointer(class_name, object_id):
    return {"__type": "Pointer", "className": class_name, "objectId": object_id}


class PointerTests(PageTest):
    classes = ("Task", "Project")

    def seed(self):
        self.harbour = self.hub.add("Project", name="Harbour", code="HB-1", budget=1200)
        self.bridge = self.hub.add("Project", name="Bridge", code="BR-2", lead=pointer("Project", self.harbour))
        for number in range(40):
            self.hub.add("Project", name=f"Plan {number:02}")
        for number in range(12):
            project = self.harbour if number % 2 == 0 else self.bridge
            self.hub.add("Task", title=f"Task {number:02}", project=pointer("Project", project))
        self.hub.add("Task", title="Lost task", project=pointer("Project", "abcdefghij"))

    def setUp(self):
        super().setUp()
        self.urls = []
        self.page.on("request", lambda request: self.urls.append(request.url))
        self.page.goto(f"{self.replica.url}/#/Task")
        expect(self.entry("Task 00")).to_be_visible()

    def link(self, entry):
        return self.entry(entry).locator("a.value-pointer")

    def test_pointer_shows_the_caption_and_leads_to_its_object(self):
        expect(self.link("Task 00")).to_have_text("Harbour")
        expect(self.link("Task 01")).to_have_text("Bridge")
        screenshots.take(self.page, "pointers", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.link("Task 01").click()
        expect(self.form()).to_contain_text("Edit Bridge")
        self.expect_address(f"/#/Project/{self.bridge}")
        self.page.go_back()
        expect(self.entry("Task 00")).to_be_visible()

    def test_editing_a_pointer_in_the_table_opens_its_field(self):
        cell = self.entry("Task 00").locator("td:has(a.value-pointer)")
        cell.dblclick(position={"x": cell.bounding_box()["width"] - 4, "y": 4})
        expect(self.form()).to_contain_text("Edit Task 00")
        expect(self.form().get_by_label("project", exact=True)).to_be_focused()

    def test_captions_of_a_page_are_read_by_one_request(self):
        expect(self.link("Task 00")).to_have_text("Harbour")
        expect(self.link("Lost task")).to_contain_text("not found")
        asked = [urllib.parse.unquote(url) for url in self.urls if "/classes/Project?keys=" in url]
        found = [url for url in asked if "abcdefghij" in url]
        self.assertEqual(1, len(found), asked)
        self.assertIn(self.bridge, found[0])

    def test_pointer_to_a_missing_object_shows_its_id_and_says_so(self):
        expect(self.link("Lost task")).to_have_text("abcdefghij not found")
        self.link("Lost task").hover()
        expect(self.page.get_by_role("tooltip")).to_contain_text("There is no such object here, or you may not read it.")
        self.watch.expect_error("404")

    def test_changed_caption_is_shown(self):
        expect(self.link("Task 00")).to_have_text("Harbour")
        self.replica.change("Project", self.harbour, name="New Harbour")
        expect(self.link("Task 00")).to_have_text("New Harbour")

    def test_caption_field_is_set_and_remembered(self):
        expect(self.link("Task 00")).to_have_text("Harbour")
        self.page.get_by_role("link", name="Project").click()
        expect(self.page.locator(".grid-range")).to_contain_text("of 42")
        self.page.get_by_role("button", name="Caption: name").click()
        expect(self.form().get_by_label("Caption")).to_have_value("")
        self.form().get_by_label("Caption").select_option("code")
        self.assertEqual([], accessible.problems(self.page))
        self.save()
        self.page.get_by_role("link", name="Task").click()
        expect(self.link("Task 00")).to_have_text("HB-1")
        self.page.reload()
        expect(self.link("Task 00")).to_have_text("HB-1")

    def test_card_is_shown_on_hover_and_on_focus(self):
        card = self.page.get_by_role("tooltip")
        self.link("Task 00").hover()
        expect(card).to_contain_text("Harbour")
        expect(card).to_contain_text("1200")
        self.page.screenshot(path=screenshots.directory / "card.png")
        card.hover()
        expect(card).to_be_visible()
        self.page.mouse.move(0, 0)
        expect(card).to_be_hidden()
        self.link("Task 01").focus()
        expect(card).to_contain_text("Bridge")
        # A pointer on the card shows the caption of its object too.
        expect(card.locator("dd").filter(has_text="Harbour")).to_be_visible()
        expect(self.link("Task 01")).to_have_attribute("aria-describedby", "object-card")
        self.page.keyboard.press("Escape")
        expect(card).to_be_hidden()
        expect(self.link("Task 01")).to_be_focused()

    def test_pointer_in_a_table_is_used_by_keyboard(self):
        self.page.get_by_role("button", name="title sort ascending").click()
        expect(self.page.locator("#main tbody tr").nth(1)).to_contain_text("Task 00")
        grid = self.page.get_by_role("grid")
        grid.focus()
        self.page.keyboard.press("Control+Home")
        self.page.keyboard.press("ArrowDown")
        expect(self.page.locator("#grid-cursor")).to_contain_text("Task 00")
        self.page.keyboard.press("ArrowRight")
        card = self.page.get_by_role("tooltip")
        expect(card).to_contain_text("1200")
        expect(grid).to_be_focused()
        self.assertEqual([], accessible.problems(self.page))
        self.page.keyboard.press("ArrowRight")
        expect(card).to_be_hidden()
        self.page.keyboard.press("Tab")
        expect(self.page.get_by_role("button", name="columns shown, choose columns")).to_be_focused()
        self.page.keyboard.press("Shift+Tab")
        self.page.keyboard.press("ArrowLeft")
        self.page.keyboard.press("Enter")
        expect(self.form()).to_contain_text("Edit Task 00")
        self.page.keyboard.press("Escape")
        expect(self.form()).to_have_count(0)
        grid.focus()
        self.page.keyboard.press("Control+Enter")
        expect(self.form()).to_contain_text("Edit Harbour")
        self.expect_address(f"/#/Project/{self.harbour}")

    def edit(self, name):
        """Opens the form of a task by its address, because the list names only its id."""
        object_id = self.replica.find("Task", title=name)[0]["objectId"]
        self.page.goto(f"{self.replica.url}/#/Task/{object_id}")
        return self.form().get_by_label("project")

    def open_link(self, name):
        return self.form().get_by_role("link", name=f"Open {name}", exact=True)

    def test_form_has_a_link_to_the_object_of_a_pointer(self):
        self.edit("Task 01")
        self.fill(title="Task one")
        self.open_link("Bridge").click()
        expect(self.form()).to_contain_text("Edit Bridge")
        self.expect_address(f"/#/Project/{self.bridge}")
        self.open_link("Harbour").click()
        self.expect_address(f"/#/Project/{self.harbour}")
        self.page.go_back()
        self.page.go_back()
        expect(self.form()).to_contain_text("Edit Task 01")
        expect(self.form().get_by_label("title", exact=True)).to_have_value("Task one")
        # The link leads to the chosen object. A text that names no object has no link.
        editor = self.form().get_by_label("project")
        editor.fill("nothing")
        expect(self.form().locator(".pointer-open a")).to_have_count(0)
        editor.fill("harb")
        expect(self.open_link("Harbour")).to_be_visible()
        self.assertEqual([], accessible.problems(self.page))

    def test_editor_searches_all_objects_by_caption(self):
        editor = self.edit("Task 00")
        expect(editor).to_have_value(f"Harbour · {self.harbour}")
        # The latest 20 objects are suggested at first. The searched object is older.
        editor.fill("brid")
        suggestion = self.form().locator("datalist option")
        expect(suggestion).to_have_count(1)
        expect(suggestion).to_have_attribute("value", f"Bridge · {self.bridge}")
        editor.fill("Bridge")
        self.save()
        expect(self.link("Task 00")).to_have_text("Bridge")
        self.assertEqual(self.bridge, self.replica.find("Task", title="Task 00")[0]["project"]["objectId"])

    def test_editor_accepts_only_an_object_or_a_confirmed_id(self):
        editor = self.edit("Task 00")
        expect(editor).to_have_value(f"Harbour · {self.harbour}")
        self.watch.expect_error("404")
        editor.fill("No such project")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("Choose an object of Project, or enter an id.")
        editor.fill("zzzzzzzzzz")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("There is no object of Project with the id zzzzzzzzzz here.")
        self.form().get_by_label("Use the id zzzzzzzzzz anyway").check()
        self.save()
        expect(self.link("Task 00")).to_have_text("zzzzzzzzzz not found")

    def test_enter_takes_the_only_suggestion(self):
        self.page.get_by_role("button", name="Add filter", exact=True).click()
        self.form().get_by_label("Field", exact=True).select_option("project")
        value = self.form().get_by_label("Value")
        value.fill("brid")
        value.press("Enter")
        expect(self.page.locator(".chip-edit")).to_have_text("project is Bridge")
        editor = self.edit("Task 00")
        editor.fill("Plan 0")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("Several objects of Project match. Choose one from the list.")
        editor.fill("Plan 07")
        self.save()
        expect(self.link("Task 00")).to_have_text("Plan 07")

    def test_pointer_to_a_class_that_is_not_kept_says_so_and_leads_to_the_button_that_keeps_it(self):
        person = self.hub.add("Person", name="Ana")
        self.hub.add("Task", title="Hers", owner=pointer("Person", person))
        self.refresh()
        expect(self.link("Hers")).to_have_text(f"{person} not kept")
        self.link("Hers").hover()
        expect(self.page.get_by_role("tooltip")).to_contain_text("The class Person is not kept here.")
        self.link("Hers").click()
        expect(self.page.locator("#notices")).to_contain_text("The class Person is not kept here")
        self.page.get_by_role("button", name="Sync Person").click()
        expect(self.page.locator("#notices .notice p")).to_have_text(["Person is now synced."])
        expect(self.entry("Ana")).to_be_visible()
        self.page.goto(f"{self.replica.url}/#/Task")
        expect(self.link("Hers")).to_have_text("Ana")

    def test_back_leaves_the_place_of_a_missing_object(self):
        person = self.hub.add("Person", name="Ana")
        self.hub.add("Task", title="Hers", owner=pointer("Person", person))
        self.refresh()
        self.watch.expect_error("404.*abcdefghij|Project/abcdefghij")
        warnings = self.page.locator("#notices .notice-warning")
        for task, place, words in (
            ("Hers", "/#/Person", "The class Person is not kept here"),
            ("Lost task", "/#/Project", "Project has no object with the id"),
        ):
            expect(self.link(task)).to_contain_text("not ")
            self.link(task).click()
            expect(warnings).to_have_count(1)
            expect(warnings).to_contain_text(words)
            self.expect_address(place)
            self.page.go_back()
            self.expect_address("/#/Task")
            expect(self.entry(task)).to_be_visible()
            expect(warnings).to_have_count(0)

    def test_objects_of_a_class_that_is_not_kept_are_not_requested(self):
        self.hub.add("Task", title="Hers", owner=pointer("Person", self.hub.add("Person", name="Ana")))
        self.refresh()
        expect(self.link("Hers")).to_contain_text("not kept")
        self.edit("Hers")
        self.fill(title="Still hers")
        self.save()
        expect(self.entry("Still hers")).to_be_visible()
        self.assertEqual([], [url for url in self.urls if "classes/Person" in url])

    def test_object_that_was_made_here_is_shown_though_its_class_is_not_kept(self):
        person = self.replica.add("Person", name="Ana")
        self.replica.add("Task", title="Hers", owner=pointer("Person", person))
        expect(self.link("Hers")).to_have_text("Ana")
        self.link("Hers").click()
        expect(self.form()).to_contain_text("Edit Ana")

    def test_filter_by_a_pointer_shows_its_caption(self):
        self.page.get_by_role("button", name="Add filter", exact=True).click()
        self.form().get_by_label("Field", exact=True).select_option("project")
        self.form().get_by_label("Value").fill("Bridge")
        self.form().get_by_role("button", name="Add", exact=True).click()
        expect(self.page.locator(".chip-edit")).to_have_text("project is Bridge")
        expect(self.page.locator("#main")).to_contain_text("6 matches.")

    def test_filter_by_the_pointer_of_a_pointer_shows_its_caption(self):
        where = {"project": {"$inQuery": {"className": "Project", "where": {"lead": pointer("Project", self.harbour)}}}}
        self.page.goto(f"{self.replica.url}/#/Task?where={urllib.parse.quote(json.dumps(where))}")
        self.page.get_by_role("button", name="Apply it").click()
        expect(self.page.locator("#main")).to_contain_text("6 matches.")
        expect(self.page.locator(".chip-edit")).to_have_text("project points to an object with (lead is Harbour)")
        self.page.get_by_role("button", name="Save filter").click()
        self.fill(Name="Led by the harbour")
        self.save("Save the filter")
        expect(self.page.locator("#notices")).to_contain_text("The filter “Led by the harbour” is saved in this browser.")
        self.page.get_by_role("button", name="Saved filters").click()
        expect(self.form().locator(".saved-words")).to_have_text("project points to an object with (lead is Harbour)")

    def test_search_finds_captions_and_texts_inside_objects(self):
        search = self.page.get_by_label("Search in this class")
        search.fill("harb")
        expect(self.page.locator("#main")).to_contain_text("6 matches. Searched: ids, title, captions of project.")
        expect(self.link("Task 00")).to_have_text("Harbour")
        expect(self.entry("Task 01")).to_have_count(0)
        self.replica.add("Task", title="Nested", place={"address": {"city": "Bergen"}})
        search.fill("")
        expect(self.entry("Nested")).to_be_visible()
        search.fill("berg")
        expect(self.page.locator("#main")).to_contain_text("1 match.")
        expect(self.page.locator("#main")).to_contain_text("place.address.city")
        expect(self.entry("Nested")).to_be_visible()
