"""Requests from other web sites: the gateway blocks them, except from allowed origins."""

import json
import re
import urllib.parse

from playwright.sync_api import expect

import accessible
from daemon import wait_until
from other_site import Site
from page_test import PageTest, browser

# A sort order that is expensive to run, and a condition whose running time depends on the content of objects.
heavy = "order=a.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0"
prying = "where=" + urllib.parse.quote(json.dumps({"$or": [{"pin": {"$regex": "^1"}}, {"details": {"$regex": "(a+)+$"}}]}))


class OtherSiteTests(PageTest):
    def setUp(self):
        # For the gateway at 127.0.0.1, "localhost" is another site, and another port of 127.0.0.1 is another origin of the same site.
        self.sites = [Site("localhost"), Site("127.0.0.1")]
        self.allowed = Site("localhost")
        for site in [*self.sites, self.allowed]:
            self.addCleanup(site.close)
        self.replica_options = ("--allowed-origin", self.allowed.url)
        super().setUp()
        # The page is closed. The loop waits until the gateway has answered its last requests.
        self.page.close()
        counts = []
        wait_until(lambda: counts.append(self.answered("listObjects")) or len(counts) > 9 and len(set(counts[-9:])) == 1)

    def visit(self, site):
        """Opens a page of the site in a new browser context."""
        context = browser().new_context()
        context.set_default_timeout(30_000)
        self.addCleanup(context.close)
        page = context.new_page()
        page.goto(site.url)
        return page

    def answered(self, route):
        """The number of requests to a route that the gateway did not reject with 403."""
        text = self.replica.send("GET", "/metrics").decode()
        counts = re.findall(r'^tidegate_http_requests_total\{(.*)\} (\S+)$', text, re.MULTILINE)
        return sum(float(count) for labels, count in counts if f'route="{route}"' in labels and 'status="403"' not in labels)

    def test_link_from_another_site_to_a_query_is_blocked(self):
        before = self.answered("listObjects")
        for site in self.sites:
            for path in (f"/classes/Holiday?{heavy}", f"/parse/classes/Holiday?{prying}", f"/1/classes/Birthday?{prying}"):
                page = self.visit(site)
                with page.expect_navigation() as navigation:
                    page.evaluate("(url) => { location = url }", self.replica.url + path)
                self.assertEqual(403, navigation.value.status)
                self.assertEqual(["there is no live region"], [words.partition(" (")[0] for words in accessible.problems(page)])
                expect(page.get_by_role("heading")).to_have_text("Not from another site")
        self.assertEqual(before, self.answered("listObjects"))
        page.get_by_role("link", name="Open Tidegate").click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page).to_have_title(re.compile("Tidegate"))

    def test_other_site_cannot_run_a_query_by_any_request(self):
        before = self.answered("listObjects")
        made = len(self.replica.find("Holiday"))
        attack = """async ([gateway, query]) => {
            const url = `${gateway}/classes/Holiday?${query}`;
            const done = (node, name) => new Promise((end) => {
                node.onload = node.onerror = end;
                setTimeout(end, 2000);
                node[name] = url;
                document.body.append(node);
            });
            const make = (tag, more = {}) => Object.assign(document.createElement(tag), more);
            await done(make("img"), "src");
            await done(make("script"), "src");
            await done(make("link", { rel: "stylesheet" }), "href");
            await done(make("link", { rel: "prefetch" }), "href");
            await done(make("iframe"), "src");
            await done(make("object"), "data");
            await done(make("video"), "src");
            for (const mode of ["no-cors", "cors"]) await fetch(url, { mode }).catch(() => {});
            await fetch(`${gateway}/classes/Holiday`, { method: "POST", mode: "no-cors", body: "{}" }).catch(() => {});
            navigator.sendBeacon(`${gateway}/classes/Holiday`, "{}");
            const form = make("form", { method: "post", action: `${gateway}/classes/Holiday`, target: "result", enctype: "text/plain" });
            document.body.append(make("iframe", { name: "result" }), form);
            form.submit();
            window.opened = window.open(url);
        }"""
        for site in self.sites:
            page = self.visit(site)
            page.evaluate(attack, [self.replica.url, prying])
            # The gateway isolates the new window, so its opener sees it as closed once the answer is there.
            page.wait_for_function("window.opened.closed")
        self.assertEqual(before + 1, self.answered("listObjects"), "the gateway has answered a request of another site")
        self.assertEqual(made, len(self.replica.find("Holiday")))

    def test_no_address_of_the_page_starts_a_search_or_a_write(self):
        tails = ("", f"?{heavy}", f"?{prying}", f"/{heavy}", "/search=a", "?search=a", "/../sync/pause", "%3F" + prying)
        names = ("Holiday", "Birthday", "..", "%2e%2e", "a%2Fb", "%00")
        addresses = [f"#/{name}{tail}" for name in names for tail in tails] + [f"#{prying}", f"?{prying}", "?search=a#/Holiday"]
        page = self.visit(self.sites[0])
        requests = []
        page.on("request", lambda request: requests.append(request))
        page.evaluate("(url) => { location = url }", self.replica.url + "/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        for address in addresses:
            page.goto(f"{self.replica.url}/{address}")
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            expect(page.get_by_label("Search in this class")).to_have_value("")
        for way in (page.reload, page.go_back, page.go_forward):
            way()
            expect(page.get_by_role("heading", level=1)).to_be_visible()
        for request in requests:
            parts = urllib.parse.urlsplit(request.url)
            if request.is_navigation_request():
                continue
            self.assertNotIn("where", parts.query)
            self.assertNotIn("a.0.0", parts.query)
            # Opening the page requests a plain sync, which does not depend on the address.
            is_sync = (request.method, parts.path, parts.query, request.post_data) == ("POST", "/sync", "", None)
            self.assertTrue(request.method == "GET" or is_sync, f"{request.method} {request.url}")

    def test_link_to_the_page_does_not_end_a_pause(self):
        self.replica.send("POST", "/sync/pause")
        page = self.visit(self.sites[0])
        methods = []
        page.on("request", lambda request: methods.append(request.method))
        page.evaluate("(url) => { location = url }", self.replica.url + "/#/Holiday")
        expect(page.locator("#sync-line")).to_contain_text("Working offline")
        expect(self.entry("Lantern Night", page)).to_be_visible()
        self.assertEqual({"GET"}, set(methods))

    def test_allowed_origin_can_use_the_api(self):
        page = self.visit(self.allowed)
        use = """async (gateway) => {
            const headers = { "Content-Type": "application/json", "X-Parse-Application-Id": "app" };
            const send = (method, path, body) => fetch(gateway + path, { method, headers, body: body && JSON.stringify(body) });
            const made = await (await send("POST", "/classes/Holiday", { name: "By another page" })).json();
            const path = `/classes/Holiday/${made.objectId}`;
            const changed = await send("PUT", path, { details: "Changed." });
            const read = await send("GET", path);
            const again = await fetch(gateway + path, { headers: { ...headers, "If-None-Match": read.headers.get("ETag") } });
            const large = await send("POST", "/classes/Holiday", { details: "a".repeat(21 << 20) });
            const unknown = await send("GET", "/nowhere");
            return [changed.status, await read.json(), again.status, large.status, await large.json(), unknown.status];
        }"""
        changed, read, again, large, reason, unknown = page.evaluate(use, self.replica.url)
        self.assertEqual(("By another page", "Changed."), (read["name"], read["details"]))
        self.assertEqual([200, 304, 413, 404], [changed, again, large, unknown])
        self.assertIn("error", reason)
        # Pages of other origins are still rejected.
        elsewhere = self.visit(self.sites[0])
        refused = "(gateway) => fetch(gateway + '/classes/Holiday').then(() => 'read', () => 'refused')"
        self.assertEqual("refused", elsewhere.evaluate(refused, self.replica.url))

    def test_other_site_can_show_a_file(self):
        file = self.replica.send("POST", "/files/dot.svg", b"<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>", {"Content-Type": "image/svg+xml"})
        show = "(url) => new Promise((end) => { const image = new Image(); image.onload = () => end(image.width); image.onerror = () => end(0); image.src = url; })"
        for site in self.sites:
            self.assertEqual(7, self.visit(site).evaluate(show, file["url"]))
