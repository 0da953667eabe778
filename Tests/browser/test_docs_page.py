"""The documentation of the API at /docs."""

import re

from playwright.sync_api import expect
from test_accounts import AccountTest

import accessible
import screenshots
from page_test import browser, desktop, phone
from watch import Watch


class DocsTests(AccountTest):
    def setUp(self):
        super().setUp()
        self.docs()

    def docs(self, fragment=""):
        self.page.goto("about:blank")
        self.page.goto(f"{self.replica.url}/docs{fragment}")
        expect(self.article("listObjects")).to_be_attached()

    def article(self, name):
        return self.page.locator(f"article#{name}")

    def navigation(self):
        return self.page.get_by_role("navigation", name="Calls")

    def test_each_call_is_described_with_parameters_body_and_answers(self):
        calls = sum(len(set(item) & {"get", "put", "post", "delete"}) for item in self.replica.send("GET", "/openapi.json")["paths"].values())
        expect(self.page.locator("article:not([id^=schema-])")).to_have_count(calls)
        call = self.article("createSchema")
        expect(call).to_contain_text("POST /schemas")
        expect(call).to_contain_text("Needs the master key.")
        expect(call.get_by_role("heading", name="Answer 200")).to_be_visible()
        expect(call.get_by_role("group", name="Example: Body")).to_contain_text('"className": "Trip"')
        expect(self.article("listObjects").get_by_role("table", name="Parameters")).to_contain_text("where")
        call.get_by_text("Other answers").click()
        expect(call.get_by_role("table", name="Other answers")).to_contain_text("503")

    def test_schemas_are_linked(self):
        self.article("getSchema").get_by_role("link", name="ClassSchema").first.click()
        expect(self.article("schema-ClassSchema")).to_be_in_viewport()
        expect(self.page).to_have_url(re.compile("#schema-ClassSchema$"))
        expect(self.article("schema-ClassSchema")).to_contain_text("className")

    def test_address_of_a_call_shows_it(self):
        self.docs("#purgeClass")
        expect(self.article("purgeClass")).to_be_in_viewport()
        expect(self.article("purgeClass")).to_be_focused()
        self.docs("#%")
        expect(self.article("listObjects")).to_be_visible()

    def test_search_shortens_the_list_and_the_page(self):
        self.page.keyboard.press("/")
        self.page.keyboard.type("session owner")
        expect(self.navigation().get_by_role("link")).to_have_count(3)
        expect(self.article("openOwnerSession")).to_be_visible()
        expect(self.article("listObjects")).to_be_hidden()
        expect(self.page.locator("#docs-status")).to_have_text("3 calls and 0 schemas match.")
        self.page.evaluate("location.hash = '#purgeClass'")
        expect(self.article("purgeClass")).to_be_in_viewport()
        expect(self.article("listObjects")).to_be_visible()

    def test_documentation_is_accessible(self):
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "docs")

    def test_call_is_reached_by_keyboard_and_opens_in_the_console(self):
        link = self.navigation().get_by_role("link", name="GET /health")
        link.focus()
        self.page.keyboard.press("Enter")
        expect(self.article("getHealth")).to_be_focused()
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("Tab")
        expect(self.article("getHealth").get_by_role("link", name="Try it")).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("getHealth")

    def test_print_shows_all_answers_and_no_navigation(self):
        details = self.article("createSchema").locator("details")
        self.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.page.emulate_media(media="print")
        expect(self.article("createSchema").get_by_role("table", name="Other answers")).to_be_visible()
        expect(self.navigation()).to_be_hidden()
        self.page.evaluate("dispatchEvent(new Event('afterprint'))")
        self.page.emulate_media(media="screen")
        expect(details).not_to_have_attribute("open", "")

    def test_text_of_the_description_is_never_markup(self):
        attack = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) `<b>`"
        context = browser().new_context(viewport=desktop)
        self.addCleanup(context.close)
        page = context.new_page()
        watch = Watch(page)
        description = {
            "info": {"title": attack, "version": attack, "description": attack},
            "paths": {f"/{attack}": {"get": {"operationId": "hostile", "summary": attack, "tags": [attack], "responses": {"200": {"description": attack}}}}},
            "components": {"schemas": {"__proto__": {"description": attack, "$ref": "#/components/schemas/__proto__"}}},
        }
        page.route("**/openapi.json", lambda route: route.fulfill(json=description))
        page.goto(f"{self.replica.url}/docs")
        expect(page.locator("article#hostile")).to_contain_text("onerror")
        self.assertEqual(0, page.locator("main img, main a[href^=javascript]").count())
        self.assertEqual([], watch.problems(self.replica.url))

    def test_locked_gateway_asks_for_its_access_key(self):
        def answer(route):
            if route.request.headers.get("x-tidegate-access-key") == "open sesame":
                return route.fulfill(json={"info": {"title": "Unlocked"}, "paths": {}})
            return route.fulfill(status=403, json={"error": "unauthorized"})

        page = self.page.context.new_page()
        page.set_viewport_size(phone)
        page.route("**/openapi.json", answer)
        page.goto(f"{self.replica.url}/docs")
        page.get_by_label("The gateway requires its access key.").fill("wrong")
        page.keyboard.press("Enter")
        page.get_by_label("The gateway did not accept the access key.").fill("open sesame")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Unlocked")
