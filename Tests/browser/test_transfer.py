"""The tool that exports a class as a file and imports a file into a class."""

import json

from playwright.sync_api import expect
from test_accounts import AccountTest

import accessible
import screenshots
from page_test import PageTest, phone

hostile = ["=cmd|' /C calc'!A1", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>"]


def exported(page):
    """The objects of an export as NDJSON."""
    page.get_by_label("Format").first.select_option("ndjson")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export", exact=True).click()
    return [json.loads(line) for line in download.value.path().read_text().splitlines()]


class TransferTest(PageTest):
    classes = ("Boat",)

    def seed(self):
        for number, text in enumerate(hostile):
            self.hub.add("Boat", name=text, metres=number)

    def setUp(self):
        super().setUp()
        self.page.goto(self.replica.url + "/#/-/transfer/Boat")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Export and import Boat")

    def export(self, label):
        self.page.get_by_label("Format").first.select_option(label=label)
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Export", exact=True).click()
        expect(self.page.get_by_text("Exported: 3 objects, ")).to_be_visible()
        return download.value

    def rows(self):
        return exported(self.page)

    def choose(self, name, text):
        file = self.work / name
        file.write_text(text)
        self.page.get_by_label("File", exact=True).set_input_files(file)
        return file

    def check(self):
        self.page.get_by_role("button", name="Check the file").click()
        expect(self.page.get_by_text("Checked. Nothing is changed yet.")).to_be_visible()

    def result(self):
        return self.page.get_by_role("table", name="Result").locator("tbody tr")

    def expect_result(self, *numbers):
        labels = ("New", "Changed", "Unchanged", "Refused")
        expect(self.result()).to_have_text([f"{label}{number}" for label, number in zip(labels, numbers, strict=True)])


class ExportToolTests(TransferTest):
    def test_each_format_is_exported_and_imported_without_a_change(self):
        for label, extension in (("NDJSON: one object a line, exact", "ndjson"), ("JSON: the class export of Parse Server, exact", "json"), ("CSV: a table for spreadsheets", "csv")):
            with self.subTest(extension):
                download = self.export(label)
                self.assertEqual(f"Boat.{extension}", download.suggested_filename)
                text = download.path().read_text()
                for name in hostile[1:]:
                    self.assertIn(name, text)
                if extension == "csv":
                    self.assertIn("'=cmd", text)
                self.choose(download.suggested_filename, text)
                self.check()
                self.expect_result(0, 0, 3, 0)
                expect(self.page.get_by_role("button", name="Import ")).to_have_count(0)

    def test_the_objects_of_the_present_filter_are_exported(self):
        self.page.goto(self.replica.url + '/#/Boat?where={"metres":1}')
        self.page.get_by_role("button", name="Apply it").click()
        expect(self.page.locator(".grid tbody tr .cell-text").first).to_contain_text("img")
        self.page.get_by_role("link", name="Export and import").click()
        expect(self.page.get_by_label("Objects", exact=True)).to_have_value("shown")
        self.assertEqual([1], [row["metres"] for row in self.rows()])


    def test_the_objects_that_match_the_search_are_exported(self):
        self.page.goto(self.replica.url + "/#/Boat")
        self.page.get_by_label("Search in this class").fill("onload")
        expect(self.page.locator("#main")).to_contain_text("1 match.")
        self.page.get_by_role("link", name="Export and import").click()
        expect(self.page.get_by_label("Objects", exact=True).locator("option")).to_have_text(["All", "The objects that match “onload”"])
        self.assertEqual([2], [row["metres"] for row in self.rows()])
        self.page.get_by_label("Objects", exact=True).select_option("All")
        self.assertEqual([0, 1, 2], sorted(row["metres"] for row in self.rows()))
        # With a filter too, both are applied.
        self.page.goto(self.replica.url + '/#/Boat?where={"metres":{"$lt":2}}&q=x')
        self.page.get_by_role("button", name="Apply it").click()
        expect(self.page.locator("#main")).to_contain_text("1 match.")
        self.page.get_by_role("link", name="Export and import").click()
        expect(self.page.get_by_label("Objects", exact=True).locator("option").last).to_have_text("The objects of the present filter that match “x”")
        self.assertEqual([1], [row["metres"] for row in self.rows()])


class ClassChoiceTests(TransferTest):
    classes = ("Boat", "Holiday")

    def test_class_is_chosen_by_keyboard_and_by_link(self):
        choice = self.page.get_by_label("Class", exact=True)
        expect(choice.locator("option")).to_have_text(list(self.classes))
        expect(choice).to_have_value("Boat")
        self.assertEqual([], accessible.problems(self.page))
        choice.focus()
        self.page.keyboard.press("ArrowDown")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Export and import Holiday")
        expect(choice).to_be_focused()
        expect(choice).to_have_value("Holiday")
        self.page.keyboard.press("ArrowUp")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Export and import Boat")
        self.page.get_by_role("navigation", name="Above this page").get_by_role("link", name="Export and import").click()
        expect(self.page.locator(".tool-body")).to_contain_text("Choose the class whose objects you want to export, or into which you want to import.")
        self.assertEqual([], accessible.problems(self.page))
        self.page.locator(".tool-body").get_by_role("link", name="Holiday").click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Export and import Holiday")
        self.page.reload()
        expect(choice).to_have_value("Holiday")


class AccountTransferTests(AccountTest):
    """Exports and imports at a gateway with users: with no session, as a user, and with the master key."""

    def setUp(self):
        super().setUp()
        ada = self.master("POST", "/users", {"username": "ada", "password": "sesame"})["objectId"]
        self.hidden = self.master("POST", "/classes/Boat", {"name": "Hidden", "ACL": {}})["objectId"]
        self.master("POST", "/classes/Boat", {"name": "Of Ada", "ACL": {ada: {"read": True, "write": True}}})
        self.page.goto(self.replica.url + "/#/-/transfer/Boat")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Export and import Boat")

    def names(self):
        return sorted(row["name"] for row in exported(self.page))

    def import_change(self):
        """Imports a file that renames the hidden boat and adds one. Returns the numbers of new, changed, unchanged and refused objects."""
        file = self.work / "boats.ndjson"
        file.write_text(json.dumps({"objectId": self.hidden, "name": "Seen"}) + "\n" + json.dumps({"name": "Raft"}) + "\n")
        self.page.get_by_label("File", exact=True).set_input_files(file)
        self.page.get_by_label("Import the other objects").check()
        self.page.get_by_role("button", name="Check the file").click()
        expect(self.page.get_by_text("Checked. Nothing is changed yet.")).to_be_visible()
        return [int(row.locator("td").last.text_content()) for row in self.page.get_by_role("table", name="Result").locator("tbody tr").all()]

    def hint(self):
        return self.page.get_by_text("You are not signed in. An export has the objects that everyone may read")

    def test_export_and_import_have_the_rights_of_the_user(self):
        expect(self.hint()).to_be_visible()
        self.assertEqual(["Dinghy"], self.names())
        self.assertEqual([1, 0, 0, 1], self.import_change())
        self.page.get_by_role("button", name="Sign in").click()
        self.fill(Name="ada", Password="sesame")
        self.form().get_by_role("button", name="Sign in").click()
        expect(self.hint()).to_have_count(0)
        self.assertEqual(["Dinghy", "Of Ada"], self.names())
        self.assertEqual([1, 0, 0, 1], self.import_change())
        self.page.get_by_role("button", name="Import 1 object").click()
        expect(self.page.get_by_text("Imported.", exact=True).first).to_be_visible()
        self.assertEqual("Hidden", self.master("GET", f"/classes/Boat/{self.hidden}")["name"])
        self.assertEqual(["Dinghy", "Of Ada", "Raft"], self.names())

    def test_export_is_not_offered_for_a_class_that_the_user_may_not_read(self):
        permissions = {"find": {}, "get": {}, "count": {}, "create": {"*": True}}
        self.master("POST", "/schemas/Secret", {"fields": {"name": {"type": "String"}}, "classLevelPermissions": permissions})
        self.page.goto(self.replica.url + "/#/-/transfer/Secret")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Export and import Secret")
        expect(self.page.get_by_text("There is no class Secret here that you may read, so there is nothing to export.")).to_be_visible()
        expect(self.page.get_by_role("button", name="Export", exact=True)).to_have_count(0)
        expect(self.page.get_by_role("button", name="Check the file")).to_be_visible()
        self.manage()
        self.page.goto(self.replica.url + "/#/-/transfer/Secret")
        expect(self.page.get_by_role("button", name="Export", exact=True)).to_be_visible()

    def test_master_key_exports_and_changes_every_object(self):
        self.manage()
        self.page.goto(self.replica.url + "/#/-/transfer/Boat")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Export and import Boat")
        expect(self.hint()).to_have_count(0)
        self.assertEqual(["Dinghy", "Hidden", "Of Ada"], self.names())
        self.assertEqual([1, 1, 0, 0], self.import_change())
        self.page.get_by_role("button", name="Import 2 objects").click()
        expect(self.page.get_by_text("Imported.", exact=True).first).to_be_visible()
        self.assertEqual("Seen", self.master("GET", f"/classes/Boat/{self.hidden}")["name"])


class ImportToolTests(TransferTest):
    def test_a_table_is_checked_renamed_typed_and_imported(self):
        self.choose("boats.csv", "Title,metres,built,Remark\nDinghy,3,2030-01-02T00:00:00.000Z,x\n<svg onload=alert(1)>,4,2031-01-02T00:00:00.000Z,y\n")
        expect(self.page.get_by_label("Format").last).to_have_value("csv")
        self.page.get_by_label("Rename fields").fill("Title=name, Remark=")
        self.page.get_by_label("Types of fields").fill("built=Date, metres=Number")
        self.check()
        self.expect_result(2, 0, 0, 0)
        self.assertEqual(3, len(self.replica.find("Boat")))
        screenshots.take(self.page, "import")
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Import 2 objects").click()
        expect(self.page.get_by_text("Imported.", exact=True).first).to_be_visible()
        (dinghy,) = self.replica.find("Boat", name="Dinghy")
        self.assertEqual((3, "Date"), (dinghy["metres"], dinghy["built"]["__type"]))
        self.assertNotIn("Remark", dinghy)
        self.assertEqual(5, len(self.replica.find("Boat")))

    def test_a_misspelt_field_is_told_by_the_check(self):
        self.choose("boats.csv", "Title,metres\nDinghy,3\n")
        self.page.get_by_label("Rename fields").fill("Titel=name")
        self.check()
        expect(self.page.get_by_text("No object of the file has these fields: Titel.", exact=True)).to_be_visible()
        self.page.get_by_label("Rename fields").fill("Title=name")
        self.check()
        expect(self.page.get_by_text("No object of the file has")).to_have_count(0)
        self.expect_result(1, 0, 0, 0)

    def test_refused_lines_are_told_with_their_reason_on_a_phone(self):
        self.page.set_viewport_size(phone)
        self.choose("boats.ndjson", '{"name":"Dinghy"}\n{"name":7}\n')
        self.check()
        self.expect_result(1, 0, 0, 1)
        refused = self.page.get_by_role("table", name="Refused objects").locator("tbody tr")
        expect(refused).to_have_count(1)
        expect(refused).to_contain_text("2")
        expect(refused).to_contain_text("name")
        expect(self.page.get_by_role("button", name="Import ")).to_have_count(0)
        self.assertEqual(375, self.page.evaluate("document.documentElement.scrollWidth"))
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_label("Import the other objects").check()
        self.check()
        self.page.get_by_role("button", name="Import 1 object").click()
        expect(self.page.get_by_text("Imported.", exact=True).first).to_be_visible()
        self.assertEqual(1, len(self.replica.find("Boat", name="Dinghy")))

    def test_a_file_that_cannot_be_read_is_refused_with_the_reason(self):
        self.choose("boats.csv", "a,a\n1,2\n")
        self.page.get_by_role("button", name="Check the file").click()
        expect(self.page.locator("#import-title ~ .form-problem")).to_contain_text('Two columns have the name "a".')
        self.assertEqual(3, len(self.replica.find("Boat")))
