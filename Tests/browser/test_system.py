"""The tool for the gateway itself: settings, log, requests, checks and metrics."""

from playwright.sync_api import expect
from test_owner_link import OwnerLinkTests as Links
from test_replica_users import ReplicaUsersTest
from test_schema import ToolTest

import accessible
import screenshots

hostile = "<img src=x onerror=alert(1)> \u05d0\u05d1"


class SystemTests(ToolTest):
    def tab(self, name):
        self.area().get_by_role("navigation", name="Parts").get_by_role("link", name=name).click()

    def test_settings_are_shown_with_their_sources(self):
        self.open_tool("system")
        expect(self.table_row("web")).to_contain_text("--web")
        expect(self.table_row("log-level")).to_contain_text("default")
        expect(self.table_row("access-key")).to_contain_text("not set")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "system-settings")
        self.area().get_by_label("Only settings that are set").check()
        expect(self.table_row("log-level")).to_have_count(0)
        expect(self.table_row("web")).to_be_visible()
        self.area().get_by_role("searchbox").fill("no such setting")
        expect(self.area()).to_contain_text("No setting matches.")

    def test_line_of_a_value_ends_at_a_separator(self):
        long = "/srv/tidegate/a-directory/another-directory/a-long-name-of-a-directory/data"
        settings = [
            {"name": name, "group": "Gateway", "about": "Words. " * 60, "value": value, "source": "a-long-source-of-the-value"}
            for name, value in (("listen", "127.0.0.1:28338"), ("data", long))]
        self.page.route("**/system/settings", lambda route: route.fulfill(json={"settings": settings}))
        self.page.set_viewport_size({"width": 700, "height": 800})
        self.open_tool("system")
        self.assertEqual(["127.0.0.1:28338"], self.lines("listen"))
        lines = self.lines("data")
        self.assertEqual(long, "".join(lines))
        self.assertEqual([], [line for line in lines[:-1] if not line.endswith(("/", "-"))])

    def lines(self, name):
        """The lines of a value, as the page breaks it."""
        return self.table_row(name).locator(".tool-code").evaluate("""(node) => {
            const lines = new Map();
            const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) for (let at = 0; at < walker.currentNode.length; at += 1) {
                const range = document.createRange();
                range.setStart(walker.currentNode, at);
                range.setEnd(walker.currentNode, at + 1);
                const { top } = [...range.getClientRects()].at(-1);
                lines.set(top, (lines.get(top) ?? "") + range.toString());
            }
            return [...lines.values()];
        }""")

    def test_boxes_have_the_colours_of_the_dark_page(self):
        page, _ = self.open("/#/-/system", color_scheme="dark")
        box = page.get_by_label("Only settings that are set")
        field = page.get_by_role("searchbox", name="Find a setting")
        look = "(node) => [getComputedStyle(node).backgroundColor, getComputedStyle(node).borderTopColor]"
        expect(box).to_be_visible()
        self.assertEqual(field.evaluate(look), box.evaluate(look))
        self.assertEqual("none", box.evaluate("(node) => getComputedStyle(node).appearance"))
        self.assertEqual([24, 24], box.evaluate("(node) => [node.offsetWidth, node.offsetHeight]"))
        box.check()
        self.assertEqual("auto", box.evaluate("(node) => getComputedStyle(node).appearance"))

    def test_secret_setting_is_named_and_not_shown(self):
        settings = [{"name": "access-key", "group": hostile, "about": hostile, "value": None, "secret": True, "source": hostile}]
        self.page.route("**/system/settings", lambda route: route.fulfill(json={"settings": settings}))
        self.open_tool("system")
        expect(self.table_row("access-key")).to_contain_text("set, not shown")
        self.assertEqual(0, self.area().locator("img").count())

    def test_new_lines_of_the_log_appear_and_are_filtered(self):
        def line(number, level="info"):
            return {"number": number, "at": "2031-12-05T10:00:00.000Z", "level": level, "message": f"{hostile} line {number}"}

        lines = [line(1), line(2, "warning")]

        def answer(route):
            after = int(route.request.url.split("after=")[1])
            route.fulfill(json={"lines": [each for each in lines if each["number"] > after], "last": len(lines)})

        self.page.route("**/system/log?after=*", answer)
        self.open_tool("system/log")
        shown = self.area().get_by_role("list", name="Lines of the log").get_by_role("listitem")
        expect(shown).to_have_count(2)
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "system-log")
        lines.append(line(3, "error"))
        expect(shown).to_have_count(3)
        self.area().get_by_label("From the level").select_option("warning")
        expect(shown).to_have_count(2)
        self.area().get_by_role("searchbox").fill("LINE 3")
        expect(shown).to_have_count(1)
        lines[:] = [line(1, "critical")]
        self.area().get_by_role("searchbox").fill("")
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text(f"critical{hostile} line 1")
        self.assertEqual(0, self.area().locator("img").count())

    def test_log_of_the_gateway_is_read(self):
        self.open_tool("system/log")
        expect(self.area().get_by_role("list", name="Lines of the log")).to_be_attached()

    def test_latest_requests_are_shown(self):
        self.watch.expect_error("404")
        self.page.evaluate("fetch('/classes/Boat/missing')")
        self.open_tool("system/requests")
        expect(self.rows("Requests").filter(has_text="/classes/Boat/missing")).to_contain_text("404")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "system-requests")
        self.area().get_by_label("Only errors").check()
        expect(self.rows("Requests")).to_have_count(1)
        self.replica.send("GET", "/health")
        self.area().get_by_role("button", name="Read again").click()
        expect(self.rows("Requests").filter(has_text="/health").first).to_contain_text("no session")

    def test_checks_are_run(self):
        self.open_tool("system/checks")
        expect(self.area()).to_contain_text("Healthy")
        expect(self.area()).to_contain_text("The file was not checked for damage.")
        expect(self.area()).to_contain_text("The gateway writes no backups")
        self.assertEqual([], accessible.problems(self.page))
        self.area().get_by_role("button", name="Also check the file").click()
        expect(self.area()).to_contain_text("The file is not damaged.")

    def test_findings_are_shown_with_their_hints(self):
        answer = {
            "healthy": False, "dataDirectory": "/data", "damage": ["a page is torn"], "remote": "https://example.org", "notes": [hostile],
            "findings": [{"name": "address", "state": "failed", "text": hostile, "hint": "Check the address."}],
            "rights": [], "users": [], "people": [], "replacedIds": [],
            "backups": {
                "directory": "/backup", "everySeconds": 86400, "keep": 7, "failures": 1, "lastError": "the disk is full",
                "last": {"name": "tidegate-20270102T030405Z.tar", "at": "2027-01-02T03:04:05.000Z", "bytes": 348160},
            },
        }
        self.page.route("**/system/checks", lambda route: route.fulfill(json=answer))
        self.open_tool("system/checks")
        for words in ("Needs attention", "a page is torn", "Failed", "Check the address.", hostile, "tidegate-20270102T030405Z.tar", "written", "2027", "the disk is full"):
            expect(self.area()).to_contain_text(words)
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "system-checks")
        self.assertEqual(0, self.area().locator("img").count())

    def test_metrics_are_shown_as_tables(self):
        self.open_tool("system/metrics")
        expect(self.rows("tidegate_objects").filter(has_text="class Boat")).to_contain_text("1")
        expect(self.page.get_by_role("table", name="tidegate_http_request_duration_seconds")).to_contain_text("95% within")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "system-metrics")

    def test_gateway_with_users_asks_for_the_key(self):
        self.master("POST", "/users", {"username": "ada", "password": "sesame"})
        self.watch.expect_error("403")
        self.open_tool("system")
        expect(self.area()).to_contain_text("This page needs the gateway's master key.")
        self.use_key()
        expect(self.table_row("web")).to_be_visible()
        self.page.go_back()
        self.page.go_forward()
        expect(self.table_row("web")).to_be_visible()
        self.tab("Metrics")
        self.expect_address("/#/-/system/metrics")
        self.tab("Log")
        self.expect_address("/#/-/system/log")

    def test_error_of_the_gateway_is_shown_with_a_way_to_try_again(self):
        self.watch.expect_error("500")
        self.page.route("**/system/settings", lambda route: route.fulfill(status=500, json={"error": "The disk is full."}))
        self.open_tool("system")
        expect(self.area().get_by_role("alert")).to_contain_text("The disk is full.")
        self.page.unroute("**/system/settings")
        self.area().get_by_role("button", name="Try again").click()
        expect(self.table_row("web")).to_be_visible()


class OwnerSystemTests(ReplicaUsersTest):
    link = Links.link

    def test_owner_of_a_replica_sees_the_system_without_a_key(self):
        tools = self.page.get_by_role("group", name="Manage")
        expect(tools.get_by_role("link")).to_have_text(["Export and import", "API console"])
        self.page.goto(self.link())
        tools.get_by_role("link", name="System").click()
        main = self.page.locator("#main")
        expect(main.locator('tr[data-name="local-master-key"]')).to_contain_text("set, not shown")
        self.assertNotIn(">owner<", self.page.content())
        main.get_by_role("link", name="Checks").click()
        expect(main).to_contain_text(self.hub.url)
        self.page.goto(f"{self.replica.url}/#/-/schema")
        expect(main).to_contain_text("This page needs the remote's master key.")
        self.page.get_by_role("button", name="End owner session").click()
        expect(self.page.get_by_role("button", name="End owner session")).to_have_count(0)
        self.page.goto(f"{self.replica.url}/#/-/system")
        expect(main).to_contain_text("This page needs the gateway's master key.")


del Links
