"""Copies and exports of the selected objects."""

import csv
import io
import json

from playwright.sync_api import expect
from test_selection import SelectionTest

import accessible
import screenshots
from page_test import phone

hostile = ["=HYPERLINK(\"http://evil.test\")", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "a,b;\"c\"\nd", "<img src=x onerror=alert(1)>", "שלום"]


class ExportTests(SelectionTest):
    boats = 3

    def seed(self):
        super().seed()
        for at, text in enumerate(hostile):
            self.replica.add("Boat", name=text, metres=-at, tags=[text], place={"__type": "GeoPoint", "latitude": 1, "longitude": 2})

    def setUp(self):
        super().setUp()
        self.sort_by_name(first="=1")
        self.page.keyboard.press("Control+a")

    def open_dialog(self, verb):
        self.bar().get_by_role("button", name=verb).click()

    def run_export(self, verb="Export"):
        with self.page.expect_download() as download:
            self.form().get_by_role("button", name=verb, exact=True).click()
        return download.value

    def test_csv_has_a_typed_head_and_no_formulas(self):
        self.open_dialog("Export")
        screenshots.take(self.page, "export")
        self.assertEqual([], accessible.problems(self.page))
        file = self.run_export()
        self.assertRegex(file.suggested_filename, r"^Boat-\d{4}-\d\d-\d\d\.csv$")
        with open(file.path(), encoding="utf-8", newline="") as content:
            text = content.read()
        self.assertTrue(text.startswith("\ufeff"))
        head, *rows = csv.reader(io.StringIO(text[1:], newline=""))
        self.assertEqual(["name:String", "built:Date"], head[:2])
        self.assertEqual(set(), {"isSailing:Boolean", "metres:Number", "place:GeoPoint", "objectId:String"} - set(head))
        self.assertEqual(len(hostile) + 3, len(rows))
        by_metres = {row[head.index("metres:Number")]: row for row in rows}
        for at, text in enumerate(hostile[1:6], 1):
            self.assertEqual("'" + text, by_metres[str(-at)][0])
        self.assertEqual(hostile[6], by_metres["-6"][0])
        self.assertFalse([cell for row in rows for cell in row if cell[:1] in "=+@\t\r" and cell])
        self.assertEqual(json.dumps([hostile[8]], ensure_ascii=False), by_metres["-8"][head.index("tags:Array")])
        # The rows have the order of the table.
        shown = self.page.locator(".grid tbody tr .cell-text").all_text_contents()
        self.assertEqual([text for text in shown if text.startswith("Boat")], [row[0] for row in rows if row[0].startswith("Boat")])

    def test_ndjson_has_the_objects_as_parse_json(self):
        self.open_dialog("Export")
        self.form().get_by_label("NDJSON").check()
        self.form().get_by_label("All fields").check()
        file = self.run_export()
        with open(file.path(), encoding="utf-8", newline="\n") as content:
            lines = content.read().splitlines()
        stored = {boat["objectId"]: boat for boat in self.replica.find("Boat")}
        self.assertEqual(stored, {boat["objectId"]: boat for boat in map(json.loads, lines)})

    def test_text_for_spreadsheets_and_json_are_copied(self):
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.open_dialog("Copy")
        self.assertEqual([], accessible.problems(self.page))
        # By keyboard alone.
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#notices")).to_contain_text("12 objects copied.")
        text = self.page.evaluate("navigator.clipboard.readText()")
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t"))
        self.assertEqual(["name", "built"], rows[0][:2])
        self.assertIn("'+1", [row[0] for row in rows])
        self.page.set_viewport_size(phone)
        self.open_dialog("Copy")
        self.form().get_by_label("JSON").check()
        self.form().get_by_role("button", name="Copy", exact=True).click()
        expect(self.form()).to_have_count(0)
        copied = json.loads(self.page.evaluate("navigator.clipboard.readText()"))
        self.assertEqual(set(hostile), {boat["name"] for boat in copied} & set(hostile))
