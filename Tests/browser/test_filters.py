"""The filter above a list: chips, groups, the query as JSON, saved filters, and a read that is stopped."""

import json
import urllib.parse

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import day, wait_until
from page_test import PageTest, desktop, phone


class FilterTests(PageTest):
    classes = ("Boat", "Country", "Holiday")

    def seed(self):
        self.norway, self.peru = (self.hub.add("Country", name=name) for name in ("Norway", "Peru"))
        for number in range(60):
            home = self.norway if number % 3 == 0 else self.peru
            self.hub.add(
                "Boat", name=f"Boat {number:02}", metres=number, isSailing=number % 2 == 0, launched=day(f"20{number + 10}-05-17"),
                tags=["wood", f"slip-{number:02}"], engine={"kind": "diesel" if number < 5 else "none"},
                home={"__type": "Pointer", "className": "Country", "objectId": home})
        self.hub.add("Holiday", name="Lantern Night", date=day("2031-12-05"))
        self.hub.add("Holiday", name="Picnic", date=day("2031-10-02"))

    def setUp(self):
        super().setUp()
        self.page.goto(f"{self.replica.url}/#/Boat")
        self.main = self.page.locator("#main")
        self.expect_all()
        self.chips = self.page.locator(".chips")

    def names(self):
        """The first cells of the rows: the names, because `name` is the first column."""
        return self.page.locator("#main tbody tr[data-object] th .cell-text")

    def expect_all(self):
        expect(self.page.locator(".grid-range")).to_contain_text("of 60")

    def add_condition(self, field, operator, button="Add filter", **values):
        self.page.get_by_role("button", name=button, exact=True).click()
        form = self.form()
        form.get_by_label("Field", exact=True).select_option(field)
        form.get_by_label("Operator").select_option(label=operator)
        for label, value in values.items():
            control = form.get_by_label(label.replace("_", " "), exact=True)
            if isinstance(value, list):
                for one in value:
                    control.fill(one)
                    control.press("Enter")
                expect(form.locator(".value-chips .chip-text")).to_have_text(value)
            elif control.evaluate("(node) => node.localName") == "select":
                control.select_option(label=value)
            else:
                control.fill(value)
        form.get_by_role("button", name="Add", exact=True).click()
        expect(form).to_have_count(0)

    def chip(self, words):
        return self.chips.get_by_role("button", name=words, exact=True)

    def expect_matches(self, count):
        expect(self.main).to_contain_text("1 match." if count == 1 else f"{count} matches.")

    def expect_names(self, *numbers):
        expect(self.names()).to_have_text([f"Boat {number:02}" for number in numbers])

    def sort_by_name(self):
        self.page.get_by_role("button", name="name sort ascending").click()
        expect(self.names().first).to_have_text("Boat 00")

    def test_chips_narrow_the_list_and_are_edited_and_removed(self):
        self.sort_by_name()
        self.add_condition("metres", "is at least", Value="10")
        self.expect_matches(50)
        self.add_condition("isSailing", "is", Value="Yes")
        self.expect_matches(25)
        self.add_condition("tags", "has one of", Values=["slip-12", "slip-13", "slip-14"])
        self.expect_names(12, 14)
        self.expect_matches(2)
        self.chip("metres is at least 10").click()
        self.form().get_by_label("Value").fill("13")
        self.form().get_by_role("button", name="Apply").click()
        self.expect_names(14)
        screenshots.take(self.page, "filter", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Remove metres is at least 13").click()
        self.expect_names(12, 14)
        self.chip("isSailing is Yes").click()
        self.form().get_by_role("button", name="Remove").click()
        self.expect_names(12, 13, 14)
        self.page.get_by_role("button", name="Clear filter").click()
        self.expect_all()
        expect(self.main).not_to_contain_text("match")

    def test_chips_are_used_by_keyboard(self):
        add = self.page.get_by_role("button", name="Add filter", exact=True)
        add.press("Enter")
        expect(self.form().get_by_label("Field", exact=True)).to_be_focused()
        self.form().get_by_label("Field", exact=True).select_option("name")
        self.form().get_by_label("Value").fill("boat 0")
        self.page.keyboard.press("Enter")
        self.expect_matches(10)
        self.add_condition("metres", "is less than", Value="3")
        self.expect_matches(3)
        name, metres = self.chip("name contains boat 0"), self.chip("metres is less than 3")
        name.focus()
        self.page.keyboard.press("ArrowRight")
        expect(metres).to_be_focused()
        self.page.keyboard.press("ArrowLeft")
        expect(name).to_be_focused()
        self.page.keyboard.press("Delete")
        expect(name).to_have_count(0)
        expect(metres).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(self.form().get_by_label("Value")).to_be_focused()
        self.page.keyboard.press("Escape")
        expect(self.form()).to_have_count(0)
        metres.focus()
        self.page.keyboard.press("Backspace")
        expect(add).to_be_focused()
        self.expect_all()

    def test_group_matches_any_of_its_conditions(self):
        self.sort_by_name()
        self.add_condition("metres", "is less than", Value="20")
        self.add_condition("name", "ends with", "Add group", Value="3")
        self.expect_names(3, 13)
        self.add_condition("name", "ends with", "Add filter to group 2", Value="7")
        self.expect_names(3, 7, 13, 17)
        group = self.page.get_by_role("group", name="Group 2: any of")
        group.get_by_label("Objects must match").select_option("none")
        self.expect_matches(16)
        self.page.get_by_role("button", name="Remove the group").click()
        self.expect_matches(20)

    def test_types_have_their_operators(self):
        self.sort_by_name()
        self.add_condition("launched", "is on", Day="2031-05-17")
        self.expect_names(21)
        self.page.get_by_role("button", name="Clear filter").click()
        self.add_condition("updatedAt", "is in the last", Amount="2", Unit="hours")
        self.expect_matches(60)
        self.add_condition("createdAt", "is today, this week, last month …", Period="this month")
        self.expect_matches(60)
        self.add_condition("createdAt", "is today, this week, last month …", Period="next week")
        expect(self.main).to_contain_text("No object matches the filter")
        self.page.get_by_role("button", name="Show all").click()
        self.expect_all()
        self.add_condition("$path", "is", Path="engine.kind", Value="diesel")
        self.expect_names(0, 1, 2, 3, 4)
        self.page.get_by_role("button", name="Clear filter").click()
        self.add_condition("home", "is", Value=self.norway)
        self.expect_matches(20)

    def test_values_of_a_list_are_chips(self):
        self.sort_by_name()
        self.add_condition("metres", "is one of", Values=["3", "7"])
        self.expect_names(3, 7)
        self.chip("metres is one of 3, 7").click()
        form = self.form()
        form.get_by_role("button", name="Remove 3").click()
        values = form.get_by_label("Values", exact=True)
        values.fill("seven")
        values.press("Enter")
        expect(form.get_by_role("alert")).to_contain_text("Enter a number")
        values.evaluate("""(node) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "5\\n6\\n");
            node.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }""")
        expect(form.locator(".value-chips .chip-text")).to_have_text(["7", "5", "6"])
        screenshots.take(self.page, "filter-values")
        self.assertEqual([], accessible.problems(self.page))
        values.press("Backspace")
        expect(form.locator(".value-chips .chip-text")).to_have_text(["7", "5"])
        # The typed value is a value of the list too.
        values.fill("9")
        form.get_by_role("button", name="Apply").click()
        self.expect_names(5, 7, 9)
        expect(self.chip("metres is one of 7, 5, 9")).to_be_visible()

    def test_objects_of_a_list_are_found_by_caption(self):
        self.page.get_by_role("button", name="Add filter", exact=True).click()
        form = self.form()
        form.get_by_label("Field", exact=True).select_option("home")
        form.get_by_label("Operator").select_option(label="is one of")
        objects = form.get_by_label("Objects", exact=True)
        self.watch.expect_error("404")
        objects.fill("atlantis")
        objects.press("Enter")
        expect(form.get_by_role("alert")).to_contain_text("There is no object of Country with the id atlantis here.")
        for part, name in (("norw", "Norway"), ("per", "Peru")):
            objects.fill(part)
            objects.press("Enter")
            expect(form.locator(".value-chips .chip-text").last).to_have_text(name)
        form.get_by_role("button", name="Add", exact=True).click()
        self.expect_matches(60)
        self.assertEqual([self.norway, self.peru], [pointer["objectId"] for pointer in self.where()["home"]["$in"]])
        expect(self.chip("home is one of Norway, Peru")).to_be_visible()
        expect(self.chips.get_by_role("button", name="Remove home is one of Norway, Peru")).to_be_visible()
        # The question of a link names the objects, too.
        page, _ = self.open()
        where = urllib.parse.quote(json.dumps(self.where()))
        page.goto(f"{self.replica.url}/#/Boat?where={where}")
        expect(page.locator("#main .message")).to_contain_text("home is one of Norway Peru")

    def test_conditions_on_the_object_of_a_pointer_have_the_same_form(self):
        self.sort_by_name()
        self.page.get_by_role("button", name="Add filter", exact=True).click()
        outer = self.form()
        outer.get_by_label("Field", exact=True).select_option("home")
        outer.get_by_label("Operator").select_option(label="points to an object with")
        outer.get_by_role("button", name="Add", exact=True).click()
        expect(outer).to_contain_text("Conditions on Country is required.")
        add = outer.get_by_role("button", name="Add a condition on Country")
        self.add_inner(add, "begins with", "Nor")
        screenshots.take(self.page, "filter-conditions")
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
        self.expect_matches(20)
        chip = self.chips.locator(".chip-edit")
        expect(chip).to_have_text("home points to an object with (name begins with Nor)")
        self.page.reload()
        expect(chip).to_have_text("home points to an object with (name begins with Nor)")
        chip.click()
        self.page.get_by_role("dialog").locator(".chip-edit").click()
        self.form().get_by_label("Value").fill("Pe")
        self.form().get_by_role("button", name="Apply").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Apply").click()
        self.expect_matches(40)
        self.assertEqual({"className": "Country", "where": {"name": {"$regex": "^Pe", "$options": "i"}}}, self.where()["home"]["$inQuery"])

    def add_inner(self, add, operator, value):
        """Adds a condition on the objects of another class, in a second form above the first."""
        add.click()
        expect(self.page.get_by_role("dialog")).to_have_count(2)
        inner = self.form()
        expect(inner.get_by_label("Field", exact=True)).to_have_value("name")
        inner.get_by_label("Operator").select_option(label=operator)
        inner.get_by_label("Value").fill(value)
        inner.get_by_role("button", name="Add", exact=True).click()
        expect(self.page.get_by_role("dialog")).to_have_count(1)

    def test_query_is_shown_and_entered_as_json(self):
        self.add_condition("metres", "is at least", Value="58")
        self.expect_matches(2)
        self.page.get_by_role("button", name="Query").click()
        query = self.page.get_by_label("Query (where) as JSON")
        self.assertEqual({"metres": {"$gte": 58}}, json.loads(query.input_value()))
        query.fill('{"metres": {"$lt": 3}, "tags": {"$size": 2}')
        self.page.get_by_role("button", name="Apply").click()
        editor = self.page.locator(".where-editor")
        expect(editor).to_contain_text("This is not JSON")
        self.watch.expect_error("400")
        query.fill('{"metres": {"$lt": 3}, "tags": {"$size": 2}}')
        self.page.get_by_role("button", name="Apply").click()
        expect(editor).to_contain_text("bad constraint: $size")
        expect(self.chip("metres is less than 3")).to_be_visible()
        expect(self.chip('{"tags":{"$size":2}}')).to_be_visible()
        screenshots.take(self.page, "filter-query", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name='Remove {"tags":{"$size":2}}').click()
        self.expect_matches(3)
        expect(editor).not_to_contain_text("bad constraint")

    def test_filter_is_saved_under_a_name_and_used_again(self):
        self.add_condition("metres", "is less than", Value="5")
        self.expect_matches(5)
        self.page.get_by_role("button", name="Save filter").click()
        self.form().get_by_label("Name").fill("Short boats")
        self.save("Save the filter")
        self.page.get_by_role("button", name="Clear filter").click()
        self.expect_all()
        self.page.reload()
        self.expect_all()
        self.page.get_by_role("button", name="Saved filters").click()
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Use the filter Short boats").click()
        self.expect_matches(5)
        self.page.get_by_role("link", name="Country").click()
        expect(self.entry("Peru")).to_be_visible()
        expect(self.page.get_by_role("button", name="Saved filters")).to_be_hidden()
        self.page.get_by_role("link", name="Boat").click()
        self.expect_all()
        self.page.get_by_role("button", name="Saved filters").click()
        self.form().get_by_role("button", name="Delete the filter Short boats").click()
        expect(self.form()).to_contain_text("No filter of this class is saved")

    def where(self):
        """The filter in the page's address."""
        parts = urllib.parse.parse_qs(urllib.parse.urlsplit(self.page.url).fragment.partition("?")[2])
        return json.loads(parts["where"][0]) if "where" in parts else None

    def test_address_has_the_filter(self):
        self.add_condition("metres", "is less than", Value="5")
        self.expect_matches(5)
        self.assertEqual({"metres": {"$lt": 5}}, self.where())
        self.add_condition("createdAt", "is today, this week, last month …", Period="this month")
        self.expect_matches(5)
        self.assertEqual({"metres": {"$lt": 5}, "createdAt": {"$period": "this month"}}, self.where())
        self.page.get_by_role("button", name="Remove metres is less than 5").click()
        self.expect_matches(60)
        self.page.go_back()
        self.expect_matches(5)
        expect(self.chip("createdAt is this month")).to_be_visible()
        self.page.go_back()
        expect(self.chip("createdAt is this month")).to_have_count(0)
        self.expect_matches(5)
        self.page.go_forward()
        expect(self.chip("createdAt is this month")).to_be_visible()
        self.page.reload()
        self.expect_matches(5)
        expect(self.chip("metres is less than 5")).to_be_visible()
        expect(self.chip("createdAt is this month")).to_be_visible()

    def test_filter_of_a_link_is_applied_after_a_click(self):
        asked = []
        page, _ = self.open()
        page.on("request", lambda request: "where=" in request.url and "/classes/Boat" in request.url and asked.append(request.url))
        where = urllib.parse.quote(json.dumps({"metres": {"$lt": 5}, "tags": {"$all": ["wood"]}, "name": {"$regex": 7}}))
        page.goto(f"{self.replica.url}/#/Boat?where={where}")
        apply = page.get_by_role("button", name="Apply it")
        expect(apply).to_be_visible()
        # A link shows the same chips as for the person who made it, which cannot be used yet.
        self.expect_chips(page, "metres is less than 5", "tags has all of wood", '{"name":{"$regex":7}}')
        expect(page.locator(".chips")).to_have_js_property("inert", True)
        expect(page.get_by_role("button", name="Add filter")).to_be_hidden()
        expect(page.locator("#main .message")).to_contain_text("metres is less than 5, tags has all of wood")
        expect(page.get_by_role("heading", name="This link has a filter", exact=True)).to_be_visible()
        self.assertEqual([], asked)
        where = urllib.parse.quote(json.dumps({"metres": {"$lt": 5}, "tags": ["wood", "slip-04"]}))
        page.goto(f"{self.replica.url}/#/Boat?where={where}")
        apply.click()
        self.expect_chips(page, "metres is less than 5", '{"tags":["wood","slip-04"]}')
        expect(page.locator("#main")).to_contain_text("1 match.")

    def test_search_of_a_link_is_in_the_search_field(self):
        page, _ = self.open("/#/Boat?q=boat%2007")
        field = page.get_by_label("Search in this class")
        expect(field).to_have_value("boat 07")
        expect(field).not_to_be_editable()
        expect(page.get_by_role("heading", name="This link has a search", exact=True)).to_be_visible()
        page.get_by_role("button", name="Apply it").click()
        expect(page.locator("#main")).to_contain_text("1 match.")
        expect(field).to_have_value("boat 07")
        expect(field).to_be_editable()

    def test_new_condition_on_a_boolean_begins_with_yes(self):
        self.page.get_by_role("button", name="Add filter", exact=True).click()
        self.form().get_by_label("Field", exact=True).select_option("isSailing")
        self.form().get_by_role("button", name="Add", exact=True).click()
        expect(self.chip("isSailing is Yes")).to_be_visible()

    def test_new_condition_on_a_date_begins_with_this_week(self):
        self.page.get_by_role("button", name="Add filter", exact=True).click()
        self.form().get_by_label("Field", exact=True).select_option("launched")
        expect(self.form().get_by_label("Operator").locator("option:checked")).to_have_text("is today, this week, last month …")
        expect(self.form().get_by_label("Period")).to_have_value("this week")
        self.form().get_by_role("button", name="Add", exact=True).click()
        expect(self.chip("launched is this week")).to_be_visible()

    def test_add_filter_stays_in_its_place(self):
        button = self.page.get_by_role("button", name="Add filter", exact=True)

        # The place in the document: a click that has to be repeated scrolls the window.
        def place():
            return button.evaluate("(node) => { const { x, y } = node.getBoundingClientRect(); return [x + scrollX, y + scrollY]; }")

        for size in (desktop, {"width": 1440, "height": 900}, phone):
            self.page.set_viewport_size(size)
            before = place()
            self.add_condition("metres", "is less than", Value="5")
            self.expect_matches(5)
            self.assertEqual(before, place())
            self.page.get_by_role("button", name="Clear filter").click()
            self.expect_all()
            self.assertEqual(before, place())
            expect(button).to_be_focused()

    def expect_chips(self, page, *words):
        expect(page.locator(".chip-edit")).to_have_text(list(words))

    def test_any_of_two_conditions_matches_either(self):
        self.sort_by_name()
        self.add_condition("metres", "is", Value="3")
        self.add_condition("metres", "is", Value="7")
        expect(self.main).to_contain_text("No object matches the filter")
        self.page.get_by_label("Objects must match").select_option("any")
        self.expect_names(3, 7)
        expect(self.page.get_by_label("Objects must match")).to_have_value("any")
        self.page.get_by_role("button", name="Remove metres is 3").click()
        self.expect_names(7)
        expect(self.page.get_by_label("Objects must match")).to_have_count(0)

    def test_filter_and_search_are_combined(self):
        self.add_condition("metres", "is less than", Value="20")
        self.expect_matches(20)
        self.page.get_by_label("Search in this class").fill("slip-07")
        self.expect_names(7)
        self.page.get_by_label("Search in this class").fill("slip-27")
        expect(self.main).to_contain_text("No matches for “slip-27”")

    def test_filter_narrows_a_list_by_date(self):
        self.page.goto(f"{self.replica.url}/#/Holiday")
        expect(self.entry("Picnic")).to_be_visible()
        self.add_condition("name", "contains", Value="lantern")
        expect(self.entry("Picnic")).to_have_count(0)
        expect(self.entry("Lantern Night")).to_be_visible()
        self.expect_matches(1)

    def test_running_read_hides_the_old_count_and_is_stopped(self):
        held = []
        self.page.route(lambda url: "/classes/Boat" in url and "where" in url, lambda route: held.append(route))
        self.add_condition("metres", "is less than", Value="5")
        expect(self.main).to_contain_text("Searching")
        wait_until(lambda: self.page.wait_for_timeout(20) or held)
        expect(self.page.locator(".grid-range")).to_be_hidden()
        self.page.get_by_role("button", name="Stop", exact=True).click()
        expect(self.main).to_contain_text("You stopped this read.")
        expect(self.names()).to_have_count(0)
        expect(self.page.get_by_role("button", name="Stop", exact=True)).to_be_hidden()
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.get_by_role("button", name="Read again").click()
        self.expect_matches(5)

    def test_condition_waits_for_the_fields_of_its_class(self):
        held, is_holding = [], True
        self.page.goto("about:blank")
        self.page.route(lambda url: "/classes" in url, lambda route: held.append(route) if is_holding else route.continue_())
        self.page.goto(f"{self.replica.url}/#/Boat")
        self.page.get_by_role("button", name="Add filter", exact=True).dblclick()
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        is_holding = False
        for route in held:
            route.continue_()
        self.form().get_by_label("Field", exact=True).select_option("metres")
        expect(self.page.get_by_role("dialog")).to_have_count(1)

    def test_chips_fit_on_a_phone(self):
        self.page.set_viewport_size(phone)
        self.add_condition("name", "contains", Value="a very long text that does not fit on a phone in one line of the chip")
        self.add_condition("metres", "is between", From="3", To="12")
        self.add_condition("name", "ends with", "Add group", Value="3")
        expect(self.main).to_contain_text("No object matches the filter")
        width = self.page.evaluate("document.documentElement.scrollWidth")
        self.assertEqual(phone["width"], width)
