"""Right-to-left text, forced colours, and picture sizes."""

import hashlib
import urllib.parse

from playwright.sync_api import expect
from test_files import png

import accessible
import screenshots
from daemon import DemoHub, DemoReplica, day, wait_until
from page_test import PageTest

hebrew = "חג האורות"


class DirectionTests(PageTest):
    classes = ("Holiday", "Birthday", "Note")

    def seed(self):
        self.hub.add("Holiday", name=hebrew, date=day("2031-12-05"), details=f"{hebrew}!", observedBy=[hebrew])
        self.hub.add("Birthday", name=hebrew, date=day("1984-02-11"), giftIdeas=hebrew)
        self.hub.add("Note", name=hebrew, text="plain")

    def directions(self, name):
        """The text direction of each element that directly contains a text."""
        return self.page.evaluate(
            """(text) => [...document.querySelectorAll("#main *, dialog *")]
                .filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.startsWith(text)))
                .map((node) => getComputedStyle(node).direction)""",
            name)

    def test_right_to_left_text_keeps_its_direction(self):
        for name in self.classes:
            self.page.goto(f"{self.replica.url}/#/{name}")
            expect(self.page.locator("#main [data-object]")).to_have_count(1)
            found = self.directions(hebrew)
            self.assertTrue(found)
            self.assertEqual({"rtl"}, set(found), name)
        screenshots.take(self.page, "right-to-left")

    def test_right_to_left_names_keep_english_sentences_left_to_right(self):
        self.page.get_by_role("button", name=f"Edit {hebrew}").click()
        for label in ("Name", "Details", "Observed by"):
            expect(self.form().get_by_label(label)).to_have_css("direction", "rtl")
        expect(self.form().get_by_label("Wikipedia address")).to_have_css("direction", "ltr")
        # An English sentence with a right-to-left name keeps its direction.
        expect(self.form().get_by_role("heading", level=2)).to_have_css("direction", "ltr")
        expect(self.form().get_by_role("heading", level=2)).to_have_text(f"Edit \u2068{hebrew}\u2069")


class ForcedColoursTests(PageTest):
    def open(self, path="/", **options):
        return super().open(path, forced_colors="active", **options)

    def styles(self, selector, *names):
        return self.page.locator(selector).first.evaluate("(node, names) => names.map((name) => getComputedStyle(node)[name])", names)

    def test_forced_colours_replace_backgrounds_by_lines(self):
        switch = self.page.get_by_role("switch", name="Work offline")
        track = "#sync-controls .switch-track"
        off = self.styles(track, "backgroundColor")
        switch.click()
        expect(switch).to_be_checked()
        expect(self.headline()).to_contain_text("Working offline")
        self.page.emulate_media(forced_colors="active", reduced_motion="reduce")
        ink = self.styles("body", "color")
        self.assertNotEqual(off, self.styles(track, "backgroundColor"))
        self.assertNotEqual(self.styles(track, "backgroundColor"), self.styles("#sync-controls .switch-knob", "backgroundColor"))
        for selector in (".button-primary", ".icon-button", ".badge", ".switch-track"):
            style, width = self.styles(f"{selector} >> visible=true", "borderTopStyle", "borderTopWidth")
            self.assertEqual("solid", style, selector)
            self.assertNotEqual("0px", width, selector)
        # The system draws the background behind text, so text must use the system's text colour.
        for selector in (".button-primary span", ".notice p", "h1"):
            self.assertEqual(ink, self.styles(selector, "color"), selector)
        self.assertIn("underline", self.styles(".class-link[aria-current]", "textDecorationLine")[0])
        # The chart uses the system's colours.
        self.assertEqual(ink, self.page.evaluate(
            """() => { const probe = document.createElement("p"); probe.style.color = "var(--sea)"; document.body.append(probe);
                       const { color } = getComputedStyle(probe); probe.remove(); return [color]; }"""))
        self.page.screenshot(path=screenshots.directory / "forced-colours.png")
        self.page.get_by_role("button", name="Add holiday").click()
        self.page.screenshot(path=screenshots.directory / "forced-colours-form.png")


class PictureSizeTests(PageTest):
    def seed(self):
        self.small, self.large = png(600, 90), png(600, 90) + bytes(3_000_000)
        # The gateway does not scale AVIF.
        for name, ending, content in (("Small", "png", self.small), ("Large", "png", self.large), ("Whole", "avif", self.large)):
            stored = self.hub.send("POST", f"/files/{name}.{ending}", content, {"Content-Type": f"image/{ending}"})
            self.hub.add("Holiday", name=f"{name} picture", date=day("2031-05-01"), image={"__type": "File", **stored})

    def test_pictures_are_scaled_and_other_large_ones_load_on_request(self):
        for name in ("Small", "Large"):
            picture = self.entry(f"{name} picture").locator("img")
            expect(picture).to_be_visible()
            self.assertLessEqual(picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)"), 144)
        show = self.page.get_by_role("button", name="Show Whole.avif, 3.1 MB")
        expect(show).to_be_visible()
        expect(self.entry("Whole picture").locator("img")).to_have_count(0)
        screenshots.take(self.page, "picture-sizes", with_details=False)
        self.assertEqual([], accessible.problems(self.page))
        show.click()
        expect(self.entry("Whole picture").locator("img")).to_be_visible()

    def test_thumbnail_is_loaded_once(self):
        expect(self.entry("Small picture").locator("img")).to_be_visible()
        self.asked = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.replica.change("Holiday", self.replica.find("Holiday", name="Small picture")[0]["objectId"], details="Again.")
        expect(self.entry("Again.").locator("img")).to_be_visible()
        self.assertEqual([], [url for url in self.asked if "Small.png" in url])


class DemoPicturesTests(PageTest):
    """Tests with the demo's replica, as `tidegate demo --without-hub` runs it."""

    def make_hub(self):
        return DemoHub(self.work / "demo")

    def seed(self):
        pass

    def setUp(self):
        self.begin()
        self.hub = self.make_hub()
        self.replica = DemoReplica(self.work / "demo", self.hub)
        for daemon in (self.hub, self.replica):
            self.addCleanup(daemon.stop)
        self.hub.start()
        self.replica.start()
        self.replica.sync()

    def test_demo_pictures_are_available_without_the_hub(self):
        for name in self.classes:
            self.assertEqual("eager", self.replica.send("GET", f"/sync/classes/{name}")["files"])
            for found in self.hub.find(name):
                if "image" in found:
                    wait_until(self.content_of(found["image"]).exists)
        self.hub.stop()
        self.page, self.watch = self.open()
        self.entry("Diwali").scroll_into_view_if_needed()
        expect(self.entry("Diwali").locator("img")).to_be_visible()

    def content_of(self, picture):
        """The path of a picture in the replica's data directory."""
        content = self.hub.send("GET", urllib.parse.urlsplit(picture["url"]).path)
        digest = hashlib.sha256(content).hexdigest()
        return self.work / "demo" / "replica" / "files" / digest[:2] / digest
