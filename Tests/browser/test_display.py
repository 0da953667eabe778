"""What the page shows: live updates, escaped text, long texts, empty states, the first sync, and the lock screen."""

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import day
from page_test import PageTest, desktop, phone

script = "<script>alert(1)</script>"


class LiveTests(PageTest):
    def test_changes_by_another_client_appear_without_a_reload(self):
        self.page.evaluate("window.isTheSamePage = true")
        made = self.replica.add("Holiday", name="From elsewhere", date=day("2031-08-01"))
        self.expect_state("From elsewhere", "Synced")
        self.replica.change("Holiday", made, name="Changed elsewhere")
        expect(self.entry("Changed elsewhere")).to_be_visible()
        self.replica.send("DELETE", f"/classes/Holiday/{made}")
        expect(self.entry("Changed elsewhere")).to_have_count(0)
        self.assertTrue(self.page.evaluate("window.isTheSamePage"))

    def test_idle_page_sends_no_requests(self):
        self.page.clock.install()
        with self.page.expect_response(lambda answer: "event-stream" in answer.headers["content-type"]):
            self.page.reload()
        self.replica.add("Holiday", name="From elsewhere", date=day("2031-08-01"))
        self.expect_state("From elsewhere", "Synced")
        expect(self.headline()).to_contain_text("Synced with")
        # The page may still read earlier changes. A polling page would send several requests in each round.
        for _ in range(50):
            asked = len(self.watch.urls)
            self.page.clock.run_for(10_000)
            expect(self.headline()).to_contain_text("Synced with")
            if self.watch.urls[asked:] == []:
                return
        self.fail(f"the page keeps sending requests: {self.watch.urls[asked:]}")

    def test_page_syncs_when_it_becomes_visible(self):
        self.hub.add("Holiday", name="From the hub", date=day("2031-08-01"))
        for state in ("hidden", "visible"):
            self.page.evaluate(
                """(state) => {
                    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
                    Object.defineProperty(document, "hidden", { value: state === "hidden", configurable: true });
                    document.dispatchEvent(new Event("visibilitychange"));
                }""",
                state)
        expect(self.entry("From the hub")).to_be_visible()

    def test_added_object_is_found_under_its_remote_id(self):
        def answer_late(route):
            answer = route.fetch()
            self.replica.sync()
            route.fulfill(response=answer)

        self.page.route("**/classes/Holiday", answer_late)
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        self.expect_state("Picnic day", "Synced")
        expect(self.page.locator("#announcer")).to_contain_text("Added.")
        expect(self.page.locator("#announcer")).not_to_contain_text("current list does not show")

    def test_focused_row_keeps_the_focus_while_others_change(self):
        button = self.page.get_by_role("button", name="Edit Lantern Night")
        button.focus()
        self.replica.add("Holiday", name="From elsewhere", date=day("2031-08-01"))
        expect(self.entry("From elsewhere")).to_be_visible()
        expect(button).to_be_focused()


class EscapingTests(PageTest):
    classes = ("Holiday", "Birthday", "Note")

    def seed(self):
        fields = {"name": script, "details": f"<img src=x onerror=alert(1)> {script}", "observedBy": [script], "wikipediaLink": "javascript:alert(1)"}
        self.hub.add("Holiday", date=day("2031-07-16"), **fields)
        self.hub.add("Birthday", name=script, date=day("1984-02-11"), facebook="javascript:alert(1)", giftIdeas=script)
        self.hub.add("Note", name=script, extra={script: script}, link="javascript:alert(1)")
        self.hub.make_class("Refusing", name="String", size={"type": "Number"})

    def test_markup_in_objects_is_shown_as_text(self):
        self.page.on("dialog", lambda dialog: self.fail("a script has run"))
        for class_name in ("Holiday", "Birthday", "Note"):
            self.page.goto(f"{self.replica.url}/#/{class_name}")
            expect(self.entry(script)).to_be_visible()
            word = "Open" if class_name == "Note" else "Edit"
            self.page.get_by_role("button", name=f"{word} {script}").click()
            expect(self.form()).to_contain_text(f"Edit {script}")
            self.page.keyboard.press("Escape")
            expect(self.form()).to_have_count(0)
        self.assertEqual(0, self.page.locator("a[href^=javascript]").count())
        self.assertEqual(0, self.page.locator("#main img, script:not([src])").count())
        # An address with an invalid class name shows the first class.
        self.page.goto(f"{self.replica.url}/#/{script}")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Holidays")

    def test_markup_in_a_rejection_is_shown_as_text(self):
        made = self.replica.find("Note", name=script)[0]["objectId"]
        self.replica.change("Note", made, **{"name": 5})
        self.replica.sync()
        self.page.goto(f"{self.replica.url}/#/Note")
        expect(self.page.locator("#sync-panel")).to_contain_text("expected String")


class LongTests(PageTest):
    def seed(self):
        self.name = "Wordwithoutspaces" * 20
        self.hub.add("Holiday", name=self.name, date=day("2031-07-16"), details="x" * 900, wikipediaLink=f"https://example.org/{'a' * 400}")
        self.hub.add("Birthday", name=self.name, date=day("1984-02-11"), giftIdeas="seeds " * 300)

    def test_long_texts_fit_the_page(self):
        for path in ("Holiday", "Birthday"):
            self.page.goto(f"{self.replica.url}/#/{path}")
            expect(self.entry(self.name)).to_be_visible()
            for size in (phone, desktop):
                self.page.set_viewport_size(size)
                self.assertEqual(0, self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))
                # The sentence above the list is cut off at a few lines.
                self.assertLess(self.page.locator("#main .view-intro").bounding_box()["height"], 110)


class StatesTests(PageTest):
    def seed(self):
        pass

    def test_empty_class_offers_to_add_an_object(self):
        expect(self.page.get_by_text("No holidays yet")).to_be_visible()
        screenshots.take(self.page, "empty", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Add the first holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        expect(self.entry("Picnic day")).to_be_visible()

    def test_deferred_changes_are_reported(self):
        status = self.replica.send("GET", "/sync")
        status |= {"state": "idle", "online": True, "pending": 1, "lastSummary": status["lastSummary"] | {"deferred": 1}}
        self.page.route("**/sync", lambda route: route.fulfill(json=status))
        self.page.route("**/changes*", lambda route: route.fulfill(json={"results": [], "next": 0}))
        self.page.reload()
        expect(self.headline()).to_contain_text("1 pending change The last sync could not send everything.")

    def test_sync_is_listed_while_the_next_one_runs(self):
        status = self.replica.send("GET", "/sync")
        pushed = status["lastSummary"] | {"pushed": 119, "at": "2031-01-01T00:00:00.000Z"}
        status |= {"state": "running", "lastSyncAt": "2031-01-01T00:00:01.000Z", "lastSummary": pushed}
        self.page.route("**/sync", lambda route: route.fulfill(json=status))
        self.page.route("**/changes*", lambda route: route.fulfill(json={"results": [], "next": 0}))
        self.page.reload()
        expect(self.page.locator(".sync-figures").first).to_have_text("119 sent")

    def test_page_reconnects_to_a_restarted_gateway(self):
        self.watch.expect_error("ERR_|503")
        expect(self.page.get_by_text("No holidays yet")).to_be_visible()
        self.replica.stop()
        expect(self.headline()).to_contain_text("Tidegate is not responding")
        screenshots.take(self.page, "lost", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.replica.start()
        expect(self.headline()).to_contain_text("Synced with")


class FirstSyncTests(PageTest):
    def start_replica(self):
        self.hub.stop()
        self.replica.start()
        self.replica.sync()

    def test_page_explains_a_failed_first_sync(self):
        expect(self.page.get_by_text("Nothing fetched yet")).to_be_visible()
        # The message includes the remote's address, which may be wrong.
        expect(self.page.locator("#main")).to_contain_text(f"Tried {self.hub.url}. The remote cannot be reached")
        screenshots.take(self.page, "first-sync", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.hub.start()
        self.refresh()
        expect(self.entry("Lantern Night")).to_be_visible()

    def test_first_sync_shows_progress(self):
        expect(self.page.get_by_text("Nothing fetched yet")).to_be_visible()
        status = self.replica.send("GET", "/sync")
        status |= {"state": "running", "online": True, "progress": {"phase": "pull", "class": "Holiday", "done": 40, "total": 120}}
        self.page.route("**/sync", lambda route: route.fulfill(json=status))
        self.page.route("**/changes*", lambda route: route.fulfill(json={"results": [], "next": 0}))
        self.page.reload()
        expect(self.page.get_by_text("First sync in progress")).to_be_visible()
        expect(self.page.get_by_role("progressbar", name="Progress of the first sync")).to_have_js_property("value", 40)
        screenshots.take(self.page, "first-sync-running", with_details=False)
        self.assertEqual([], accessible.problems(self.page))


class LockedTests(PageTest):
    replica_options = ("--access-key", "a-test-access-key")

    def start_replica(self):
        self.replica.start()

    def setUp(self):
        PageTest.open, opened = lambda self, **_: (None, None), PageTest.open
        try:
            super().setUp()
        finally:
            PageTest.open = opened
        self.page, self.watch = self.open()

    def test_locked_gateway_asks_for_the_access_key(self):
        self.watch.expect_error("403")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("This gateway is locked")
        screenshots.take(self.page, "locked")
        self.page.get_by_label("Access key").fill("wrong")
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_text("This key is not valid.")).to_be_visible()
        self.page.get_by_label("Access key").fill("a-test-access-key")
        self.page.keyboard.press("Enter")
        expect(self.entry("Lantern Night")).to_be_visible()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        expect(self.entry("Picnic day")).to_be_visible()
