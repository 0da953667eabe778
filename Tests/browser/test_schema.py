"""The schema tool: fields and classes on the page of a standalone gateway and of a replica."""

import re

from playwright.sync_api import expect
from test_accounts import AccountTest
from test_replica_users import ReplicaUsersTest

import accessible
import screenshots
from daemon import Daemon, RequestFailed
from page_test import PageTest


class ToolTest(AccountTest):
    """A standalone gateway whose page has the master key."""

    def open_tool(self, address, page=None):
        (page or self.page).goto(f"{self.replica.url}/#/-/{address}")

    def use_key(self):
        """Enters the master key that the shown tool asks for."""
        self.area().get_by_role("button", name="Enter the master key").click()
        self.form().get_by_label("Master key").fill(self.key())
        self.form().get_by_role("button", name="Continue").click()
        expect(self.form()).to_have_count(0)

    def key(self):
        return (self.replica.directory / "master-key").read_text().strip()

    def heading(self):
        return self.page.get_by_role("heading", level=1)

    def rows(self, label):
        return self.page.get_by_role("table", name=label).locator("tbody tr")

    def table_row(self, name):
        return self.area().locator(f'tr[data-name="{name}"]')


class SchemaTests(ToolTest):
    def setUp(self):
        super().setUp()
        fields = {"metres": {"type": "Number", "required": True, "defaultValue": 3}, "owner": {"type": "Pointer", "targetClass": "_User"}}
        self.master("PUT", "/schemas/Boat", {"fields": fields})
        self.open_tool("schema/Boat")
        self.use_key()

    def fields(self, class_name="Boat"):
        return self.master("GET", f"/schemas/{class_name}")["fields"]

    def test_fields_of_a_class_are_shown(self):
        expect(self.heading()).to_have_text("Boat")
        expect(self.table_row("metres")).to_contain_text("Number")
        expect(self.table_row("metres")).to_contain_text("Yes")
        expect(self.table_row("metres").locator("td").nth(2)).to_have_text("3")
        expect(self.table_row("owner")).to_contain_text("Pointer to _User")
        expect(self.table_row("objectId")).to_contain_text("Built in")
        expect(self.table_row("objectId").get_by_role("button")).to_have_count(0)
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "schema-of-a-class")

    def test_field_is_added_changed_and_dropped(self):
        self.area().get_by_role("button", name="Add field").click()
        self.top().get_by_label("Name").fill("sails")
        self.top().get_by_label("Type").select_option("Number")
        self.top().get_by_label("Default value").fill("2")
        self.assertEqual([], accessible.problems(self.page))
        self.send_form("Add field")
        expect(self.table_row("sails")).to_contain_text("Number")
        self.assertEqual({"type": "Number", "required": False, "defaultValue": 2}, self.fields()["sails"])
        self.area().get_by_role("link", name="Show the objects").click()
        expect(self.page.get_by_role("columnheader", name="sails")).to_be_visible()
        self.page.go_back()

        self.table_row("sails").get_by_role("button", name="Change").click()
        self.top().get_by_label("Required").select_option("Yes")
        self.top().get_by_label("Default value").fill("")
        self.send_form("Save")
        expect(self.table_row("sails")).to_contain_text("Yes")
        self.assertEqual({"type": "Number", "required": True}, self.fields()["sails"])

        self.table_row("sails").get_by_role("button", name="Drop").click()
        expect(self.top()).to_contain_text("The gateway has no object with a value in it.")
        self.top().get_by_role("button", name="Cancel").click()
        self.assertIn("sails", self.fields())
        self.table_row("sails").get_by_role("button", name="Drop").click()
        self.send_form("Drop the field")
        expect(self.table_row("sails")).to_have_count(0)
        self.assertNotIn("sails", self.fields())
        self.area().get_by_role("link", name="Show the objects").click()
        expect(self.page.get_by_role("columnheader", name="metres")).to_be_visible()
        expect(self.page.get_by_role("columnheader", name="sails")).to_have_count(0)

    def test_question_before_a_drop_counts_the_lost_values(self):
        self.table_row("name").get_by_role("button", name="Drop").click()
        expect(self.top()).to_contain_text("Its values in 1 object are deleted. This cannot be undone.")

    def test_pointer_and_relation_are_added_with_their_target(self):
        for kind in ("Pointer", "Relation"):
            self.area().get_by_role("button", name="Add field").click()
            self.top().get_by_label("Name").fill(f"my{kind}")
            self.top().get_by_label("Type").select_option(kind)
            self.top().get_by_role("button", name="Add field").click()
            expect(self.top()).to_contain_text("Target class is required.")
            self.top().get_by_label("Target class").fill("Harbour")
            self.send_form("Add field")
            expect(self.table_row(f"my{kind}")).to_contain_text(f"{kind} to Harbour")
            self.assertEqual("Harbour", self.fields()[f"my{kind}"]["targetClass"])

    def test_wrong_name_is_refused_in_the_form_and_changes_nothing(self):
        self.area().get_by_role("button", name="Add field").click()
        for name, words in (("2d", "Start with a letter."), ("metres", "The class has a field with this name."), ("<b>", "Start with a letter.")):
            self.top().get_by_label("Name").fill(name)
            self.top().get_by_role("button", name="Add field").click()
            expect(self.top()).to_contain_text(words)

    def test_refusal_of_the_gateway_is_shown_and_keeps_the_form(self):
        self.watch.expect_error("400")
        self.area().get_by_role("button", name="Add field").click()
        self.top().get_by_label("Name").fill("sails")
        self.top().get_by_label("Default value").fill("two")
        self.master("PUT", "/schemas/Boat", {"fields": {"sails": {"type": "Number"}}})
        self.top().get_by_role("button", name="Add field").click()
        expect(self.top().get_by_role("alert")).to_contain_text("sails")
        expect(self.top().get_by_label("Default value")).to_have_value("two")
        self.assertEqual({"type": "Number"}, self.fields()["sails"])

    def test_class_is_added_and_dropped_while_it_is_empty(self):
        self.page.get_by_role("link", name="Schema", exact=True).first.click()
        expect(self.table_row("Boat")).to_be_visible()
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "schema")
        self.area().get_by_role("button", name="New class").click()
        self.top().get_by_label("Name of the class").fill("Harbour")
        self.send_form("Create")
        expect(self.heading()).to_have_text("Harbour")
        self.expect_address("/#/-/schema/Harbour")
        self.assertIn("objectId", self.fields("Harbour"))
        self.area().get_by_role("button", name="Drop the class").click()
        self.send_form("Drop the class")
        expect(self.heading()).to_have_text("Schema")
        expect(self.table_row("Boat")).to_be_visible()
        expect(self.table_row("Harbour")).to_have_count(0)

    def test_class_with_objects_is_dropped_only_after_two_questions(self):
        self.area().get_by_role("button", name="Drop the class").click()
        expect(self.top()).to_contain_text("Boat has 1 object.")
        self.top().get_by_role("button", name="Continue").click()
        words = "Delete 1 object and the class"
        self.top().get_by_role("textbox").fill("boat")
        self.top().get_by_role("button", name=words).click()
        expect(self.top()).to_contain_text("This is not the name of the class.")
        self.assertEqual(1, len(self.replica.find("Boat")))
        self.top().get_by_role("textbox").fill("Boat")
        self.send_form(words)
        expect(self.heading()).to_have_text("Schema")
        with self.assertRaises(RequestFailed):
            self.fields()
        expect(self.page.get_by_role("navigation", name="Classes").get_by_role("link", name="Boat")).to_have_count(0)

    def test_back_forward_and_reload_keep_the_place(self):
        self.page.get_by_role("navigation", name="Classes").get_by_role("link", name="Boat").click()
        expect(self.entry("Dinghy")).to_be_visible()
        expect(self.area()).to_be_hidden()
        self.expect_address("/#/Boat")
        self.page.go_back()
        expect(self.table_row("metres")).to_be_visible()
        expect(self.entry("Dinghy")).to_be_hidden()
        self.page.reload()
        expect(self.table_row("metres")).to_be_visible()
        self.page.go_forward()
        expect(self.entry("Dinghy")).to_be_visible()

    def test_fields_are_added_by_keyboard_alone(self):
        self.area().get_by_role("button", name="Add field").focus()
        self.page.keyboard.press("Enter")
        self.page.keyboard.type("crew")
        self.page.keyboard.press("Enter")
        expect(self.table_row("crew")).to_be_visible()
        expect(self.page.locator("#main:focus, #main :focus")).to_have_count(1)

    def test_focus_stays_on_a_tab_and_goes_to_the_title_of_another_page(self):
        self.area().get_by_role("link", name="Permissions").focus()
        self.page.keyboard.press("Enter")
        expect(self.area().get_by_role("group", name="List objects")).to_be_visible()
        expect(self.area().get_by_role("link", name="Permissions")).to_be_focused()
        self.area().get_by_role("link", name="Schema").focus()
        self.page.keyboard.press("Enter")
        expect(self.table_row("Boat")).to_be_visible()
        expect(self.heading()).to_be_focused()

    def test_focus_goes_to_the_list_when_a_tool_is_left(self):
        self.area().get_by_role("link", name="Show the objects").focus()
        self.page.keyboard.press("Enter")
        expect(self.entry("Dinghy")).to_be_visible()
        expect(self.page.locator("#main:focus, #main :focus")).to_have_count(1)

    def test_address_of_no_class_is_answered_with_a_message(self):
        self.open_tool("schema/..%2Fusers")
        expect(self.area().get_by_role("alert")).to_contain_text("The address names no class.")
        self.open_tool("%3Cimg%20src=x%3E")
        expect(self.heading()).to_have_text("There is no such page")

    def test_names_of_a_prototype_are_plain_names(self):
        self.master("POST", "/schemas/constructor", {"fields": {"toString": {"type": "Number"}, "hasOwnProperty": {"type": "String"}}})
        self.open_tool("schema/constructor")
        expect(self.heading()).to_have_text("constructor")
        expect(self.table_row("toString").get_by_role("button", name="Drop")).to_be_visible()
        self.area().get_by_role("link", name="Permissions").click()
        expect(self.area().get_by_role("group", name="Everybody").get_by_label("hasOwnProperty")).to_be_visible()
        self.open_tool("constructor")
        expect(self.heading()).to_have_text("There is no such page")

    def test_hostile_default_value_is_shown_as_text(self):
        attack = "<img src=x onerror=alert(1)>"
        self.master("PUT", "/schemas/Boat", {"fields": {"attack": {"type": "String", "defaultValue": attack}}})
        self.page.reload()
        expect(self.table_row("attack")).to_contain_text(attack)
        self.assertEqual(0, self.area().locator("img").count())


class VisitorTests(ToolTest):
    def test_tool_without_the_key_shows_only_a_question_for_it(self):
        self.open_tool("schema/Boat")
        expect(self.area()).to_contain_text("This page needs the gateway's master key.")
        expect(self.area().get_by_role("table")).to_have_count(0)
        self.assertEqual([], accessible.problems(self.page))
        tools = self.page.get_by_role("group", name="Manage")
        expect(tools.get_by_role("link")).to_have_text(["Schema", "Export and import", "API console"])


class ReplicaSchemaTests(PageTest):
    """The schema tool of a replica for one person: the remote has the schema."""

    def make_hub(self):
        return Daemon(self.work / "hub", "--web", "none", "--local-master-key", "hub-key")

    def test_schema_of_the_remote_is_changed_with_its_key(self):
        self.page.get_by_role("link", name="Schema").click()
        main = self.page.locator("#main")
        expect(main).to_contain_text("This page needs the remote's master key.")
        self.watch.expect_error("403|503")
        main.get_by_role("button", name="Enter the master key").click()
        self.form().get_by_label("Master key").fill("wrong")
        self.form().get_by_role("button", name="Continue").click()
        expect(self.form()).to_contain_text("Not accepted.")
        self.form().get_by_label("Master key").fill("hub-key")
        self.form().get_by_role("button", name="Continue").click()
        main.get_by_role("link", name="Holiday").click()
        expect(main).to_contain_text("The remote has this schema.")
        main.get_by_role("button", name="Add field").click()
        self.fill(Name="country")
        self.save("Add field")
        expect(main.locator('tr[data-name="country"]')).to_be_visible()
        self.assertIn("country", self.hub.send("GET", "/schemas/Holiday", None, {"X-Parse-Master-Key": "hub-key"})["fields"])
        self.assertNotIn("hub-key", self.page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}])"))

        self.go_offline()
        main.get_by_role("button", name="Add field").click()
        self.fill(Name="offline")
        self.form().get_by_role("button", name="Add field").click()
        expect(self.form().get_by_role("alert")).to_contain_text(re.compile("remote|reach", re.I))
        self.page.keyboard.press("Escape")
        self.form().last.get_by_role("button", name="Discard").click()
        main.get_by_role("button", name="Forget the key").click()
        expect(main).to_contain_text("This page needs the remote's master key.")


class ReplicaUsersSchemaTests(ReplicaUsersTest):
    """The tools of a replica with users. The gateway and the remote have different master keys."""

    def main(self):
        return self.page.locator("#main")

    def test_tools_of_the_remote_ask_for_its_key_also_with_the_key_of_the_gateway(self):
        self.page.get_by_role("button", name="Manage").click()
        self.fill(Master_key="owner")
        self.form().get_by_role("button", name="Continue").click()
        self.watch.expect_error("403")
        self.page.get_by_role("link", name="Schema").click()
        expect(self.main()).to_contain_text("This page needs the remote's master key.")
        self.main().get_by_role("button", name="Enter the master key").click()
        self.fill(Master_key="hub")
        self.form().get_by_role("button", name="Continue").click()
        self.main().get_by_role("link", name="Holiday").click()
        expect(self.main().locator('tr[data-name="name"]')).to_be_visible()
        self.page.get_by_role("link", name="Users").click()
        expect(self.main().locator('.owner-row[data-name="ada"]')).to_be_visible()
        self.page.get_by_role("link", name="System").click()
        expect(self.main().locator('tr[data-name="remote"]')).to_contain_text(self.hub.url)

    def test_user_of_a_replica_sees_the_own_sessions(self):
        self.sign_in("ada")
        self.page.get_by_role("link", name="Sessions").click()
        rows = self.page.get_by_role("table", name="Sessions").locator("tbody tr")
        expect(rows.filter(has_text="this session")).to_have_count(1)
        expect(rows).to_have_count(2)
