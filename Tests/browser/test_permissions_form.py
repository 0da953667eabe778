"""The permissions and indexes of a class in the schema tool."""

import json

from playwright.sync_api import expect
from test_schema import ToolTest

import accessible
import screenshots
from daemon import wait_until

hostile = '<img src=x onerror="alert(1)">'


class PermissionsTests(ToolTest):
    def setUp(self):
        super().setUp()
        fields = {"owner": {"type": "Pointer", "targetClass": "_User"}, "crew": {"type": "Array"}, "price": {"type": "Number"}}
        self.master("PUT", "/schemas/Boat", {"fields": fields})
        self.user = self.master("POST", "/users", {"username": hostile, "password": "sesame"})["objectId"]
        self.master("POST", "/users", {"username": "ada", "password": "sesame"})
        self.master("POST", "/roles", {"name": "editors", "ACL": {}})
        self.open_tool("schema/Boat/permissions")
        self.use_key()
        expect(self.heading()).to_have_text("Boat")

    def test_list_of_texts_is_not_offered_for_users(self):
        self.master("POST", "/classes/Boat", {"tags": ["wood"]})
        self.page.reload()
        expect(self.operation("List objects").get_by_label("Users in crew")).to_be_visible()
        expect(self.area().get_by_label("Users in tags")).to_have_count(0)

    def permissions(self):
        return self.master("GET", "/schemas/Boat")["classLevelPermissions"]

    def operation(self, label):
        return self.area().get_by_role("group", name=label, exact=True)

    def add(self, row, text):
        row.get_by_role("button", name="Add").click()
        self.top().get_by_role("searchbox").fill(text)
        self.top().locator(".go-entry").filter(has_text=text).first.click()
        expect(self.page.locator("dialog[open]")).to_have_count(0)

    def save_permissions(self):
        self.area().get_by_role("button", name="Save", exact=True).click()
        expect(self.page.locator("#notices")).to_contain_text("The permissions of Boat are saved.")

    def test_operation_is_given_to_users_roles_and_pointer_fields(self):
        create = self.operation("Create objects")
        expect(create.get_by_label("Everybody")).to_be_checked()
        create.get_by_label("Everybody").uncheck()
        create.get_by_label("Signed-in users").check()
        delete = self.operation("Delete objects")
        delete.get_by_label("Everybody").uncheck()
        self.add(delete, "editors")
        self.add(delete, hostile)
        delete.get_by_label("Users in owner").check()
        expect(delete).to_contain_text(f"User {hostile}")
        self.assertEqual(0, self.area().locator("img").count())
        expect(self.area()).to_contain_text("Not saved yet.")
        self.assertEqual({"*": True}, self.permissions()["create"])
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "permissions-of-a-class")
        self.save_permissions()
        stored = self.permissions()
        self.assertEqual({"requiresAuthentication": True}, stored["create"])
        self.assertEqual({"role:editors": True, self.user: True, "pointerFields": ["owner"]}, stored["delete"])
        self.assertEqual({"*": True}, stored["find"])
        self.page.reload()
        delete.get_by_role("button", name="Remove Role editors").click()
        self.save_permissions()
        self.assertNotIn("role:editors", self.permissions()["delete"])

    def test_fields_are_hidden_from_groups(self):
        self.operation("Everybody").get_by_label("price").check()
        self.area().get_by_role("button", name="Add a group").click()
        expect(self.top().locator(".go-entry.is-first")).to_have_count(1)
        self.top().locator(".go-entry").filter(has_text="Users in owner").click()
        self.operation("Users in owner").get_by_label("crew").check()
        self.operation("Read by pointer").get_by_label("Users in owner").check()
        self.save_permissions()
        stored = self.permissions()
        self.assertEqual({"*": ["price"], "userField:owner": ["crew"]}, stored["protectedFields"])
        self.assertEqual(["owner"], stored["readUserFields"])
        self.page.reload()
        self.area().get_by_role("button", name="Remove the group Users in owner").click()
        self.save_permissions()
        self.assertEqual({"*": ["price"]}, self.permissions()["protectedFields"])

    def test_json_sets_what_the_form_does_not_show(self):
        self.area().get_by_text("As JSON").click()
        text = self.area().get_by_label("classLevelPermissions")
        text.fill("{")
        self.area().get_by_role("button", name="Take the JSON").click()
        expect(self.area()).to_contain_text("Not taken.")
        wanted = {**self.permissions(), "count": {}, "ACL": {"*": {"read": True}}}
        text.fill(json.dumps(wanted))
        self.area().get_by_role("button", name="Take the JSON").click()
        expect(self.operation("Count objects").get_by_label("Everybody")).not_to_be_checked()
        self.operation("List objects").get_by_label("Everybody").uncheck()
        self.save_permissions()
        stored = self.permissions()
        self.assertEqual({}, stored["count"])
        self.assertEqual({}, stored["find"])
        self.assertEqual({"*": {"read": True}}, stored["ACL"])

    def test_permissions_that_another_client_has_changed_are_not_overwritten(self):
        self.operation("List objects").get_by_label("Everybody").uncheck()
        theirs = {**self.permissions(), "count": {}}
        self.master("PUT", "/schemas/Boat", {"classLevelPermissions": theirs})
        self.area().get_by_role("button", name="Save", exact=True).click()
        expect(self.area().get_by_role("alert")).to_contain_text("Another client has changed the permissions")
        self.assertEqual({"*": True}, self.permissions()["find"])
        self.area().get_by_role("button", name="Show theirs").click()
        expect(self.operation("Count objects").get_by_label("Everybody")).not_to_be_checked()
        expect(self.operation("List objects").get_by_label("Everybody")).to_be_checked()

    def test_refused_permissions_stay_in_the_form(self):
        self.watch.expect_error("400")
        self.area().get_by_text("As JSON").click()
        self.area().get_by_label("classLevelPermissions").fill('{"find": {"role:x": "yes"}}')
        self.area().get_by_role("button", name="Take the JSON").click()
        self.area().get_by_role("button", name="Save", exact=True).click()
        expect(self.area().get_by_role("alert").first).to_contain_text("Not saved.")
        expect(self.area()).to_contain_text("Not saved yet.")

    def test_unsaved_changes_survive_another_page_and_are_discarded_on_request(self):
        everybody = self.operation("List objects").get_by_label("Everybody")
        everybody.focus()
        self.page.keyboard.press("Space")
        expect(everybody).to_be_focused()
        expect(everybody).not_to_be_checked()
        self.area().get_by_role("link", name="Indexes").click()
        expect(self.area()).to_contain_text("The class has no indexes.")
        self.page.go_back()
        expect(self.area()).to_contain_text("Not saved yet.")
        expect(everybody).not_to_be_checked()
        self.area().get_by_role("button", name="Discard changes").click()
        expect(everybody).to_be_checked()


class IndexTests(ToolTest):
    def test_index_of_the_gateway_is_shown_with_its_use(self):
        for start in range(0, 1000, 50):
            creates = [{"method": "POST", "path": "/classes/Boat", "body": {"berth": place % 200}} for place in range(start, start + 50)]
            self.master("POST", "/batch", {"requests": creates})
        # The gateway creates an index after 20 queries that have lacked it.
        for _ in range(20):
            self.master("GET", "/classes/Boat?where=%7B%22berth%22:5%7D")
        wait_until(lambda: self.master("GET", "/system/indexes")["indexes"])
        for _ in range(2):
            self.master("GET", "/classes/Boat?where=%7B%22berth%22:5%7D")
        self.open_tool("schema/Boat/indexes")
        self.use_key()
        expect(self.table_row("berth")).to_contain_text("2")
        self.assertEqual([], accessible.problems(self.page))

    def test_index_is_added_and_dropped(self):
        self.master("PUT", "/schemas/Boat", {"fields": {"price": {"type": "Number"}}})
        self.open_tool("schema/Boat/indexes")
        self.use_key()
        expect(self.area()).to_contain_text("The gateway has made no indexes for this class.")
        sizes = [self.heading(), self.area().get_by_role("heading", name="Indexes for queries of this gateway")]
        title, section = (float(head.evaluate("(node) => getComputedStyle(node).fontSize").removesuffix("px")) for head in sizes)
        self.assertLess(section, title)
        self.area().get_by_role("button", name="Add index").click()
        self.top().get_by_label("Name").fill("byPrice")
        self.top().get_by_label("Fields").fill("name, -price")
        self.send_form("Add index")
        expect(self.table_row("byPrice")).to_contain_text("name, ascending; price, descending")
        self.assertEqual({"name": 1, "price": -1}, self.master("GET", "/schemas/Boat")["indexes"]["byPrice"])
        expect(self.table_row("_id_")).to_contain_text("Built in")
        self.assertEqual([], accessible.problems(self.page))
        self.watch.expect_error("400")
        self.area().get_by_role("button", name="Add index").click()
        self.top().get_by_label("Name").fill("broken")
        self.top().get_by_label("Fields").fill("nothing")
        self.top().get_by_role("button", name="Add index").click()
        expect(self.top().get_by_role("alert")).to_contain_text("nothing does not exist")
        self.page.keyboard.press("Escape")
        self.top().get_by_role("button", name="Discard").click()
        self.table_row("byPrice").get_by_role("button", name="Drop").click()
        self.send_form("Drop the index")
        expect(self.table_row("byPrice")).to_have_count(0)
