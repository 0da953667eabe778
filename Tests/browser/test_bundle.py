"""The bundled page: the one that scripts/build puts beside the program."""

from playwright.sync_api import expect
from test_files import png

from daemon import wait_until
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


class RequestTests(PageTest):
    """The requests of a load, with all that the page reads right after it: captions, pictures, and the objects of a sync."""

    classes = ("Task", "Person", "Project", "Team")
    has_details = False
    requests_max = 10

    def seed(self):
        targets = {name: self.hub.add(name, name=f"{name} of the harbour") for name in self.classes[1:]}
        pointers = {name.lower(): {"__type": "Pointer", "className": name, "objectId": found} for name, found in targets.items()}
        sent = [self.hub.send("POST", f"/files/{shade}.png", png(60, shade), {"Content-Type": "image/png"}) for shade in (40, 200)]
        for number in range(150):
            self.hub.add("Task", name=f"Task {number:03}", photo={"__type": "File", **sent[number % 2]}, **pointers)

    def test_load_with_captions_pictures_and_a_sync_makes_few_requests(self):
        requests = []
        page = self.page.context.new_page()
        page.on("request", lambda request: requests.append(f"{request.method} {request.url.removeprefix(self.replica.url)}"))
        before = self.replica.send("GET", "/sync")["lastSyncAt"]
        page.goto(self.replica.url + "/#/Task")
        for name in self.classes[1:]:
            expect(page.get_by_role("link", name=f"{name} of the harbour").first).to_be_visible()
        expect(page.locator(".cell-picture").first).to_be_visible()
        page.wait_for_function("document.querySelector('.cell-picture').naturalWidth > 0")
        wait_until(lambda: page.wait_for_timeout(20) or "POST /sync" in requests)
        wait_until(lambda: (status := self.replica.send("GET", "/sync"))["state"] == "idle" and status["lastSyncAt"] != before)
        # The page shows a later change by its event, so it has handled the events of the load before.
        loaded = list(requests)
        task = self.replica.find("Task", name="Task 149")[0]["objectId"]
        self.replica.change("Task", task, name="Task 149 is changed")
        expect(self.entry("Task 149 is changed", page)).to_be_visible()
        pictures = [request for request in loaded if request.startswith("GET /files/")]
        # Rows with the same picture share one request.
        self.assertEqual(2, len(pictures), pictures)
        self.assertLessEqual(len(loaded) - len(pictures), self.requests_max, loaded)
        after = [request for request in requests[len(loaded):] if not request.startswith(("GET /changes?since=", "GET /sync", "GET /classes/Task?"))]
        self.assertEqual([], after)


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
