"""The dialog that copies an object as JSON, code or a link. The copied code runs here."""

import ast
import json
import os
import subprocess
import sys

from playwright.sync_api import expect
from test_grid import GridTest

import accessible
import screenshots

hostile = "a'b\"c\\d\n`$(id)` ${x} </script> \u202e {0} é 🚢"


class CopyAsTests(GridTest):
    boats = 2

    def seed(self):
        super().seed()
        port = self.replica.add("Port", name="Makkum")
        self.id = self.replica.add(
            "Boat", name=hostile, metres=7, tags=[hostile, None], extra={"it's \"so\"": hostile},
            home={"__type": "Pointer", "className": "Port", "objectId": port})

    def copy(self, choice, verb=None):
        """Copies the object in a format. Returns the copied text."""
        self.form().get_by_label(choice, exact=True).check()
        if verb:
            self.form().get_by_label(verb).check()
        self.form().get_by_role("button", name="Copy", exact=True).click()
        expect(self.form().get_by_role("status")).to_have_text("Copied.")
        return self.page.evaluate("navigator.clipboard.readText()")

    def open_dialog(self, path=None):
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page.goto(self.replica.url + (path or f"/#/Boat/{self.id}"))
        self.pane().get_by_role("button", name="Copy as").click()
        expect(self.form()).to_contain_text("Copy as")

    def run_code(self, command, text):
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment, timeout=60)
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout)

    def test_object_is_copied_as_json_and_as_a_link(self):
        self.open_dialog()
        copied = json.loads(self.copy("JSON"))
        self.assertEqual(self.replica.read("Boat", self.id), copied)
        link = self.copy("Link")
        self.page.goto("about:blank")
        self.page.goto(link)
        expect(self.pane().get_by_label("metres")).to_have_value("7")

    def test_copied_code_reads_the_object(self):
        self.open_dialog()
        stored = self.replica.read("Boat", self.id)
        self.assertEqual(stored, self.run_code(["sh"], self.copy("curl", "Reads the object")))
        python = self.copy("Python").replace("print(json.load(answer))", "print(json.dumps(json.load(answer)))")
        self.assertEqual(stored, self.run_code([sys.executable, "-"], python))

    def test_copied_code_updates_the_object_with_hostile_values(self):
        for index, (choice, command) in enumerate((("curl", ["sh"]), ("Python", [sys.executable, "-"]))):
            with self.subTest(choice):
                self.open_dialog()
                before = self.replica.read("Boat", self.id)
                code = self.copy(choice, "Updates the object").replace("print(json.load(answer))", "print(json.dumps(json.load(answer)))")
                self.replica.change("Boat", self.id, name="Other", tags=[], extra={}, metres=index)
                self.run_code(command, code)
                after = self.replica.read("Boat", self.id)
                for name in ("name", "tags", "extra", "home", "metres"):
                    self.assertEqual(before[name], after[name], name)
                self.page.goto("about:blank")

    def test_code_has_no_key_and_no_token(self):
        self.replica.send("POST", "/users", {"username": "ada", "password": "secret"})
        self.page.get_by_role("button", name="Sign in").click()
        self.fill(Name="ada", Password="secret")
        self.form().get_by_role("button", name="Sign in").click()
        expect(self.form()).to_have_count(0)
        token = self.page.evaluate("JSON.parse(sessionStorage.getItem('tidegate.session') ?? localStorage.getItem('tidegate.session')).token")
        self.assertTrue(token)
        self.open_dialog()
        for choice in ("curl", "JavaScript", "Swift", "Python"):
            code = self.copy(choice)
            self.assertIn("YOUR_SESSION_TOKEN", code)
            self.assertNotIn(token, code)
        ast.parse(code)

    def test_dialog_has_no_accessibility_problems(self):
        self.open_dialog()
        self.form().get_by_label("JavaScript", exact=True).check()
        expect(self.form().get_by_role("region", name="Code")).to_contain_text("Parse.Query")
        screenshots.take(self.page, "copy-as")
        self.assertEqual([], accessible.problems(self.page))

    def test_without_a_clipboard_the_text_is_selected(self):
        self.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        self.page.reload()
        self.page.goto(f"{self.replica.url}/#/Boat/{self.id}")
        self.pane().get_by_role("button", name="Copy as").click()
        self.form().get_by_label("JSON", exact=True).check()
        self.form().get_by_role("button", name="Copy", exact=True).click()
        expect(self.form().get_by_role("status")).to_contain_text("press Ctrl C")
        self.assertIn('"metres": 7', self.page.evaluate("getSelection().toString()"))
