"""What the page shows by itself: news from elsewhere, nothing but text, and its states before there is anything to show."""

from playwright.sync_api import expect

import accessible
import pictures
from daemon import day
from story import Story, desktop, phone

script = "<script>alert(1)</script>"


class LiveStory(Story):
    def test_what_another_client_does_shows_without_a_reload(self):
        self.page.evaluate("window.isTheSamePage = true")
        made = self.replica.add("Holiday", name="From elsewhere", date=day("2031-08-01"))
        self.expect_state("From elsewhere", "Synced")
        self.replica.change("Holiday", made, name="Changed elsewhere")
        expect(self.entry("Changed elsewhere")).to_be_visible()
        self.replica.send("DELETE", f"/classes/Holiday/{made}")
        expect(self.entry("Changed elsewhere")).to_have_count(0)
        self.assertTrue(self.page.evaluate("window.isTheSamePage"))

    def test_the_page_asks_nothing_while_nothing_happens(self):
        self.page.clock.install()
        with self.page.expect_response(lambda answer: answer.url.endswith("since=latest") and "event-stream" in answer.headers["content-type"]):
            self.page.reload()
        self.replica.add("Holiday", name="From elsewhere", date=day("2031-08-01"))
        self.expect_state("From elsewhere", "Synced")
        expect(self.headline()).to_contain_text("In step")
        # Whatever news are on their way are read first. A page that looks by itself would look several times in each round.
        for _ in range(50):
            asked = len(self.watch.urls)
            self.page.clock.run_for(10_000)
            expect(self.headline()).to_contain_text("In step")
            if self.watch.urls[asked:] == []:
                return
        self.fail(f"the page goes on asking: {self.watch.urls[asked:]}")

    def test_a_change_of_the_remote_comes_when_the_page_is_seen_again(self):
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

    def test_events_are_read_however_they_arrive_in_pieces(self):
        text = ': hello\n\nevent: change\nid: 7\ndata: {"className":\ndata: "Café"}\r\n\r\ndata\n\nid: 8\n\nevent: sync\ndata:{}\n\nevent: cut'
        read = """async ([text, size]) => {
            const { readEvents } = await import("/js/event-stream.js");
            const bytes = new TextEncoder().encode(text);
            const events = [];
            const body = new ReadableStream({
                start(out) {
                    for (let at = 0; at < bytes.length; at += size) out.enqueue(bytes.slice(at, at + size));
                    out.close();
                },
            });
            await readEvents(body, (event) => events.push(event));
            return events;
        }"""
        expected = [
            {"type": "change", "id": "7", "data": '{"className":\n"Café"}'}, {"type": "message", "id": None, "data": ""},
            {"type": "sync", "id": None, "data": "{}"},
        ]
        for size in (1, 2, 3, 7, 1000):
            self.assertEqual(expected, self.page.evaluate(read, [text, size]), f"in pieces of {size}")

    def test_what_was_added_is_found_under_the_id_that_the_remote_gives_it(self):
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
        expect(self.page.locator("#announcer")).not_to_contain_text("not among what is shown")

    def test_a_row_that_has_the_focus_keeps_it_while_others_change(self):
        button = self.page.get_by_role("button", name="Edit Lantern Night")
        button.focus()
        self.replica.add("Holiday", name="From elsewhere", date=day("2031-08-01"))
        expect(self.entry("From elsewhere")).to_be_visible()
        expect(button).to_be_focused()


class EscapingStory(Story):
    classes = ("Holiday", "Birthday", "Note")

    def seed(self):
        fields = {"name": script, "details": f"<img src=x onerror=alert(1)> {script}", "observedBy": [script], "wikipediaLink": "javascript:alert(1)"}
        self.hub.add("Holiday", date=day("2031-07-16"), **fields)
        self.hub.add("Birthday", name=script, date=day("1984-02-11"), facebook="javascript:alert(1)", giftIdeas=script)
        self.hub.add("Note", name=script, extra={script: script}, link="javascript:alert(1)")
        self.hub.make_class("Refusing", name="String", size={"type": "Number"})

    def test_markup_in_objects_is_only_text(self):
        self.page.on("dialog", lambda dialog: self.fail("a script has run"))
        for class_name in ("Holiday", "Birthday", "Note"):
            self.page.goto(f"{self.replica.url}/#/{class_name}")
            expect(self.entry(script)).to_be_visible()
            self.page.get_by_role("button", name=f"Edit {script}").click()
            expect(self.form()).to_contain_text(f"Edit {script}")
            self.page.keyboard.press("Escape")
            expect(self.form()).to_have_count(0)
        self.assertEqual(0, self.page.locator("a[href^=javascript]").count())
        self.assertEqual(0, self.page.locator("#main img, script:not([src])").count())
        # What is no name of a class is none of the page's business.
        self.page.goto(f"{self.replica.url}/#/{script}")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Holidays")

    def test_markup_in_a_refusal_is_only_text(self):
        made = self.replica.find("Note", name=script)[0]["objectId"]
        self.replica.change("Note", made, **{"name": 5})
        self.replica.sync()
        self.page.goto(f"{self.replica.url}/#/Note")
        expect(self.page.locator("#sync-panel")).to_contain_text("expected String")


class LongStory(Story):
    def seed(self):
        self.name = "Wordwithoutspaces" * 20
        self.hub.add("Holiday", name=self.name, date=day("2031-07-16"), details="x" * 900, wikipediaLink=f"https://example.org/{'a' * 400}")
        self.hub.add("Birthday", name=self.name, date=day("1984-02-11"), giftIdeas="seeds " * 300)

    def test_long_texts_stay_within_the_page(self):
        for path in ("Holiday", "Birthday"):
            self.page.goto(f"{self.replica.url}/#/{path}")
            expect(self.entry(self.name)).to_be_visible()
            for size in (phone, desktop):
                self.page.set_viewport_size(size)
                self.assertEqual(0, self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))
                # The sentence above the list tells what comes next; it is not the list.
                self.assertLess(self.page.locator("#main .view-lede").bounding_box()["height"], 110)


class StatesStory(Story):
    def seed(self):
        pass

    def test_an_empty_class_says_so_and_offers_to_begin(self):
        expect(self.page.get_by_text("No holidays yet")).to_be_visible()
        pictures.take(self.page, "empty", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.page.get_by_role("button", name="Add the first holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        expect(self.entry("Picnic day")).to_be_visible()

    def test_what_a_sync_could_not_send_yet_is_told(self):
        status = self.replica.send("GET", "/sync")
        status |= {"state": "idle", "online": True, "pending": 1, "lastSummary": status["lastSummary"] | {"deferred": 1}}
        self.page.route("**/sync", lambda route: route.fulfill(json=status))
        self.page.route("**/changes*", lambda route: route.fulfill(json={"results": [], "next": 0}))
        self.page.reload()
        expect(self.headline()).to_contain_text("1 change waiting to be sent The last sync could not send everything yet.")

    def test_a_gateway_that_has_gone_is_told_and_found_again(self):
        self.watch.expect_error("ERR_|503")
        expect(self.page.get_by_text("No holidays yet")).to_be_visible()
        self.replica.stop()
        expect(self.headline()).to_contain_text("Tidegate does not answer")
        pictures.take(self.page, "lost", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.replica.start()
        expect(self.headline()).to_contain_text("In step")


class FirstSyncStory(Story):
    def start_replica(self):
        self.hub.stop()
        self.replica.start()
        self.replica.sync()

    def test_before_the_first_sync_the_page_says_what_will_come(self):
        expect(self.page.get_by_text("Nothing has been fetched yet")).to_be_visible()
        # Perhaps it has never been the right address.
        expect(self.page.locator("#main")).to_contain_text(f"{self.hub.url} was asked. The remote cannot be reached")
        pictures.take(self.page, "first-sync", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        self.hub.start()
        self.refresh()
        expect(self.entry("Lantern Night")).to_be_visible()

    def test_the_first_sync_shows_how_far_it_is(self):
        expect(self.page.get_by_text("Nothing has been fetched yet")).to_be_visible()
        status = self.replica.send("GET", "/sync")
        status |= {"state": "running", "online": True, "progress": {"phase": "pull", "class": "Holiday", "done": 40, "total": 120}}
        self.page.route("**/sync", lambda route: route.fulfill(json=status))
        self.page.route("**/changes*", lambda route: route.fulfill(json={"results": [], "next": 0}))
        self.page.reload()
        expect(self.page.get_by_text("The first sync is under way")).to_be_visible()
        expect(self.page.get_by_role("progressbar", name="Progress of the first sync")).to_have_js_property("value", 40)
        pictures.take(self.page, "first-sync-running", with_details=False)
        self.assertEqual([], accessible.problems(self.page))


class LockedStory(Story):
    replica_options = ("--access-key", "a-key-of-this-story")

    def start_replica(self):
        self.replica.start()

    def setUp(self):
        Story.open, opened = lambda self, **_: (None, None), Story.open
        try:
            super().setUp()
        finally:
            Story.open = opened
        self.page, self.watch = self.open()

    def test_a_locked_gateway_asks_for_its_key(self):
        self.watch.expect_error("403")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("This gateway is locked")
        pictures.take(self.page, "locked")
        self.page.get_by_label("Access key").fill("wrong")
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_text("This key does not open it.")).to_be_visible()
        self.page.get_by_label("Access key").fill("a-key-of-this-story")
        self.page.keyboard.press("Enter")
        expect(self.entry("Lantern Night")).to_be_visible()
        self.page.get_by_role("button", name="Add holiday").click()
        self.fill(Name="Picnic day", Date="2031-07-16")
        self.save("Add")
        expect(self.entry("Picnic day")).to_be_visible()
