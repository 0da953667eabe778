"""The API console of the page."""

import json
import shutil
import subprocess
import sys

from playwright.sync_api import expect
from test_schema import ToolTest

import accessible
import screenshots

hostile = "<img src=x onerror=alert(1)> '\"\\ $(touch hacked) `x` \u05d0 \U0001f6f6"


class ConsoleTests(ToolTest):
    def open_call(self, name):
        self.open_tool(f"console/{name}")
        expect(self.heading()).to_have_text(name)

    def send(self):
        self.area().get_by_role("button", name="Send", exact=True).click()

    def answer(self):
        return self.area().get_by_role("region", name="Body of the answer")

    def status(self):
        return self.area().locator(".answer-status")

    def source(self, language):
        self.area().get_by_role("group", name="Language").get_by_role("button", name=language).click()
        return self.area().get_by_role("region", name="Source text").text_content()

    def test_gateway_without_a_description_of_its_api_says_so(self):
        self.watch.expect_error("404")
        self.page.route("**/openapi.json", lambda route: route.fulfill(status=404, json={"code": 101, "error": "not found"}))
        self.page.get_by_role("link", name="API console").click()
        expect(self.area()).to_contain_text("This gateway has no description of its API installed")
        expect(self.area().get_by_role("alert")).to_have_count(0)

    def test_call_is_found_filled_in_and_sent(self):
        self.page.get_by_role("link", name="API console").click()
        self.area().get_by_role("searchbox", name="Find a call").fill("find classname")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "console")
        self.area().get_by_role("link", name="/classes/{className}", exact=True).first.click()
        expect(self.area().get_by_label("className", exact=True)).to_have_value("Boat")
        self.area().get_by_text("Query (").click()
        self.area().get_by_label("where").first.fill('{"name": "Dinghy"}')
        self.send()
        expect(self.status()).to_contain_text("200")
        expect(self.status()).to_contain_text("ms")
        found = json.loads(self.answer().text_content())
        self.assertEqual([self.boat], [boat["objectId"] for boat in found["results"]])
        self.area().get_by_text("Headers of the answer").click()
        expect(self.area().get_by_role("table", name="Headers of the answer")).to_contain_text("standalone")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "console-answer")

    def test_body_begins_with_an_example_and_creates_an_object(self):
        self.open_call("createObject")
        body = self.area().get_by_label("Body")
        expect(body).not_to_have_value("")
        body.fill("{")
        self.send()
        expect(self.area().get_by_role("alert").filter(has_text="The body is not JSON")).to_be_visible()
        body.fill(json.dumps({"name": hostile}))
        self.send()
        expect(self.status()).to_contain_text("201")
        self.assertEqual(1, len(self.replica.find("Boat", name=hostile)))

    def test_refusal_is_shown_with_its_answer(self):
        self.watch.expect_error("404")
        self.open_call("getObject")
        self.area().get_by_label("objectId").fill("missing")
        self.send()
        expect(self.status()).to_contain_text("404")
        expect(self.answer()).to_contain_text("101")

    def test_missing_parameter_is_named_and_nothing_is_sent(self):
        self.open_call("getObject")
        for text, words in (("", "Enter objectId."), ("..", "objectId cannot be ..")):
            self.area().get_by_label("objectId").fill(text)
            self.send()
            expect(self.area().get_by_role("alert").filter(has_text=words)).to_be_visible()
        expect(self.status()).to_have_count(0)

    def test_delete_asks_before_it_is_sent(self):
        self.open_call("deleteObject")
        self.area().get_by_label("objectId").fill(self.boat)
        self.send()
        expect(self.top()).to_contain_text(f"DELETE /classes/Boat/{self.boat}")
        self.top().get_by_role("button", name="Cancel").click()
        self.assertEqual(1, len(self.replica.find("Boat")))
        self.send()
        self.top().get_by_role("button", name="Send").click()
        expect(self.status()).to_contain_text("200")
        self.assertEqual([], self.replica.find("Boat"))

    def test_history_reopens_a_call_with_its_values(self):
        self.open_call("getObject")
        self.area().get_by_label("objectId").fill(self.boat)
        self.send()
        expect(self.status()).to_contain_text("200")
        self.page.get_by_role("link", name="API console").first.click()
        self.area().get_by_role("button", name=f"/classes/Boat/{self.boat}").click()
        expect(self.heading()).to_have_text("getObject")
        expect(self.area().get_by_label("objectId")).to_have_value(self.boat)
        self.page.reload()
        expect(self.area().get_by_label("objectId")).to_have_value("")

    def test_tokens_and_keys_are_not_shown(self):
        self.master("POST", "/users", {"username": "ada", "password": "sesame"})
        self.page.get_by_role("button", name="Sign in").click()
        self.fill(Name="ada", Password="sesame")
        self.form().get_by_role("button", name="Sign in").click()
        expect(self.form()).to_have_count(0)
        token = json.loads(self.page.evaluate("sessionStorage.getItem('tidegate.session')"))["token"]
        self.open_call("getCurrentUser")
        self.send()
        expect(self.status()).to_contain_text("200")
        expect(self.answer()).to_contain_text("ada")
        expect(self.answer()).to_contain_text("••••")
        for language in ("curl", "JavaScript", "Swift", "Python", "PHP"):
            self.assertIn("YOUR_SESSION_TOKEN", self.source(language))
        self.assertNotIn(token, self.page.content())

    def test_snippets_send_the_same_request(self):
        self.open_call("createObject")
        self.area().get_by_label("Body").fill(json.dumps({"name": hostile}))
        programs = {"curl": ["sh"], "Python": [sys.executable, "-"], "JavaScript": ["node", "--input-type=module", "-"]}
        for language, command in programs.items():
            if shutil.which(command[0]) is None:
                continue
            with self.subTest(language):
                before = len(self.replica.find("Boat", name=hostile))
                subprocess.run(command, input=self.source(language), text=True, check=True, capture_output=True, cwd=self.work)
                self.assertEqual(before + 1, len(self.replica.find("Boat", name=hostile)))
        self.assertFalse((self.work / "hacked").exists())

    def test_large_body_is_shown_in_part_and_downloaded_in_full(self):
        self.replica.add("Boat", name="x" * 1_500_000)
        self.open_call("listObjects")
        self.send()
        expect(self.status()).to_contain_text("Only the first 1.0 MB are shown.")
        self.assertLessEqual(len(self.answer().text_content()), 1_048_576)
        with self.page.expect_download() as download:
            self.area().get_by_role("button", name="Download the body").click()
        self.assertGreater(download.value.path().stat().st_size, 1_500_000)

    def test_stream_of_events_is_shown_when_it_is_stopped(self):
        self.open_call("listChanges")
        self.area().get_by_text("Headers (").click()
        self.area().get_by_label("Accept").select_option("text/event-stream")
        with self.page.expect_response("**/changes"):
            self.send()
        self.area().get_by_role("button", name="Stop").click()
        expect(self.status()).to_contain_text("The body was not read to its end.")
        expect(self.answer()).to_contain_text("event: ")

    def test_console_is_reached_by_keyboard(self):
        expect(self.entry("Dinghy")).to_be_visible()
        self.page.keyboard.press("Control+K")
        self.page.keyboard.type("api")
        self.page.keyboard.press("Enter")
        expect(self.heading()).to_have_text("API console")
        self.expect_address("/#/-/console")
        expect(self.area().get_by_role("link", name="/health")).to_be_visible()
        self.page.keyboard.press("/")
        expect(self.area().get_by_role("searchbox", name="Find a call")).to_be_focused()

    def test_console_works_by_keyboard(self):
        self.open_call("getHealth")
        self.area().get_by_role("button", name="Send", exact=True).focus()
        self.page.keyboard.press("Enter")
        expect(self.status()).to_contain_text("200")
        expect(self.area().get_by_role("button", name="Send", exact=True)).to_be_focused()

    def test_unknown_call_is_answered_with_a_message(self):
        self.open_tool("console/%3Cb%3E")
        expect(self.area().get_by_role("alert")).to_contain_text("The description of the API has no such call.")
