"""The base class of the page's tests: it starts a hub, a replica of it, and a browser that shows the replica's page."""

import atexit
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from playwright.sync_api import expect, sync_playwright

from daemon import Daemon, day
from watch import Watch

root = pathlib.Path(__file__).resolve().parents[2]
desktop = {"width": 1280, "height": 800}
phone = {"width": 375, "height": 812}
leave_details_open = """
    if (location.protocol === "http:" && localStorage.getItem("tidegate.choices") === null)
        localStorage.setItem("tidegate.choices", '{"panelOpen": true}');
"""
expect.set_options(timeout=30_000)

_browser = None


def browser():
    """The browser of all tests. Each test uses a separate browser context with separate storage."""
    global _browser
    if _browser is None:
        driver = sync_playwright().start()
        _browser = driver.chromium.launch(executable_path=os.environ["TIDEGATE_BROWSER"], args=["--no-sandbox"])
        atexit.register(driver.stop)
    return _browser


class PageTest(unittest.TestCase):
    classes = ("Holiday", "Birthday")
    """The classes that the replica syncs from the start."""
    # The mode of the replica: by default, the page serves one person. `test_replica_users.py` has the replicas with users.
    people = "off"
    replica_options = ()
    web = pathlib.Path(os.environ.get("TIDEGATE_TESTED_PAGE", root / "web"))
    """The directory of the page: the bundle that `Tests/browser/run` makes, or the sources."""
    has_details = True
    """Whether the browser remembers that the user has left the details panel open."""

    def begin(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="tidegate-browser-"))
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)

    def setUp(self):
        self.begin()
        self.hub = self.make_hub()
        kept = [option for name in self.classes for option in ("--class", name)]
        self.replica = Daemon(
            self.work / "replica", "--remote", self.remote_url(), "--app-id", "browser-tests", "--web", str(self.web), *kept,
            "--people", self.people, "--remote-livequery-url", "off", *self.replica_options)
        for daemon in (self.hub, self.replica):
            self.addCleanup(daemon.stop)
        self.hub.start()
        self.seed()
        self.start_replica()
        self.page, self.watch = self.open(waits_for_sync=True)

    def make_hub(self):
        return Daemon(self.work / "hub", "--web", "none")

    def remote_url(self):
        """The remote URL of the replica."""
        return self.hub.url

    def seed(self):
        """Creates the hub's objects before the first sync of the replica."""
        self.hub.add("Holiday", name="Lantern Night", date=day("2031-12-05"), details="Paper boats.", observedBy=["Ghent"])
        self.hub.add("Holiday", name="Harvest Supper", date=day("2031-10-02"))
        self.hub.add("Birthday", name="Mirela", date=day("1984-02-11"), giftIdeas="Tomato seeds")

    def start_replica(self):
        self.replica.start()
        self.replica.sync()

    def open(self, path="/", size=desktop, waits_for_sync=False, **options):
        """Opens the page in a new browser context. The test fails at its end if the page had errors."""
        context = browser().new_context(**{"viewport": size, "locale": "en-GB", **options})
        context.set_default_timeout(30_000)
        self.addCleanup(context.close)
        if self.has_details:
            context.add_init_script(leave_details_open)
        page = context.new_page()
        watch = Watch(page)
        self.addCleanup(lambda: self.assertEqual([], watch.problems(self.replica.url)))
        if waits_for_sync:
            # The page requests a sync when it opens. Waiting for it keeps that sync from interfering with the test.
            with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/sync")):
                page.goto(self.replica.url + path)
        else:
            page.goto(self.replica.url + path)
        return page, watch

    # Actions of a user

    def entry(self, name, page=None):
        """The list entry that contains a text."""
        return (page or self.page).locator("#main [data-object]").filter(has_text=name)

    def pane(self, page=None):
        """The pane of an object, beside the list."""
        return (page or self.page).locator("section.object-pane").and_((page or self.page).get_by_role("region"))

    def form(self, page=None):
        """The topmost dialog. Without a dialog, the pane of an object."""
        return (page or self.page).get_by_role("dialog").or_(self.pane(page)).last

    def fill(self, **texts):
        for label, text in texts.items():
            self.form().get_by_label(label.replace("_", " ")).fill(text)

    def save(self, words="Save"):
        self.form().get_by_role("button", name=words, exact=True).click()
        expect(self.form()).to_have_count(0)

    def delete(self, name):
        """Deletes an object and advances the clock past the undo period."""
        self.page.clock.install()
        self.page.get_by_role("button", name=f"Delete {name}").click()
        expect(self.page.get_by_role("button", name=f"Undo deleting {name}")).to_be_visible()
        self.page.clock.fast_forward(10_000)
        expect(self.entry(name)).to_have_count(0)

    def sync_class(self, class_name, **choices):
        """Starts to sync another class. `choices` are sync options by their labels."""
        self.page.get_by_role("button", name="Add class").click()
        self.form().get_by_label("Name of the class").fill(class_name)
        if choices:
            self.form().get_by_text("Sync options").click()
        self.choose(**choices)
        self.save("Sync it")
        expect(self.page.get_by_role("heading", level=1)).to_have_text(class_name)

    def choose(self, **choices):
        for label, words in choices.items():
            self.form().get_by_label(label.replace("_", " ")).select_option(words)

    def refresh(self, page=None):
        (page or self.page).locator(".refresh").click()

    def go_offline(self):
        """Stops the hub and waits until the page shows that."""
        self.hub.stop()
        self.replica.sync()
        expect(self.headline()).to_contain_text("Cannot reach")

    def come_back(self):
        """Restarts the hub and syncs."""
        self.hub.start()
        self.refresh()
        expect(self.headline()).not_to_contain_text("Cannot reach")

    def expect_address(self, address, page=None):
        """Waits until the page's address has a path, such as `/#/Boat`. The parameters of the address are not compared."""
        expect(page or self.page).to_have_url(re.compile(f"^{re.escape(self.replica.url + address)}($|\\?)"))

    def headline(self):
        return self.page.locator("#sync-line")

    def badge(self, name):
        return self.entry(name).locator(".badge")

    def expect_state(self, name, words):
        expect(self.badge(name)).to_have_text(words)

    def one_on_hub(self, class_name, **where):
        found = self.hub.find(class_name, **where)
        self.assertEqual(1, len(found), f"{class_name} {where} on the hub")
        return found[0]
