"""The bundled page: the one that scripts/build puts beside the program."""

from playwright.sync_api import expect

from page_test import PageTest, root


class BundleTests(PageTest):
    has_details = False
    requests_max = 10

    def test_page_loads_with_few_requests_and_keeps_its_script(self):
        requests = []
        page = self.page.context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        with page.expect_response(lambda answer: "/classes/Holiday?" in answer.url):
            page.goto(self.replica.url)
        at_first_rows = list(requests)
        self.assertLessEqual(len(at_first_rows), self.requests_max, at_first_rows)
        expect(self.entry("Lantern Night", page)).to_be_visible()
        kept = page.evaluate("""
            performance.getEntriesByType("resource").filter(({ name }) => name.includes("/assets/"))
                .map(({ name, transferSize }) => [name.split(".").at(-1), transferSize])
        """)
        self.assertEqual({"js": 0, "css": 0}, dict(kept))

    def test_bundle_has_no_sources_beside_its_assets(self):
        files = [path.relative_to(self.web) for path in self.web.rglob("*") if path.is_file()]
        code = [path for path in files if path.suffix in (".js", ".css")]
        self.assertTrue(code)
        self.assertEqual([], [path for path in code if path.parent.name != "assets"])


class SourcesTests(PageTest):
    """The page from its sources, as a checkout serves it. The other tests use the bundle."""

    has_details = False
    web = root / "web"

    def test_page_from_its_sources_adds_edits_and_syncs(self):
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.page.get_by_role("button", name="Edit Picnic day").click()
        self.fill(Details="Bring a blanket.")
        self.save()
        self.refresh()
        self.expect_state("Picnic day", "Synced")
        self.assertEqual("Bring a blanket.", self.one_on_hub("Holiday", name="Picnic day")["details"])
