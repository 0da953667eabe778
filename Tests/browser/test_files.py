"""Pictures: choosing, preview, offline storage, and upload to the hub."""

import re
import struct
import urllib.parse
import zlib

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import Daemon
from page_test import PageTest


def png(side, shade):
    """A PNG picture with a noise pattern. Different arguments give different bytes."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = b"".join(b"\0" + bytes((shade, (x * y) % 256, 160)[i] for x in range(side) for i in range(3)) for y in range(side))
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class FileTests(PageTest):
    hub_bytes_max = 3_000_000
    replica_bytes_max = 4_000_000
    replica_options = ("--file-bytes-max", str(replica_bytes_max))

    def make_hub(self):
        return Daemon(self.work / "hub", "--web", "none", "--file-bytes-max", str(self.hub_bytes_max))

    def choose(self, name, content):
        self.form().get_by_label("Picture").set_input_files({"name": name, "mimeType": "image/png", "buffer": content})
        preview = self.form().get_by_role("img", name="Preview of Picture")
        expect(preview).to_be_visible()
        self.assert_drawn(preview)

    def assert_drawn(self, picture):
        expect(picture).to_be_visible()
        picture.evaluate("(image) => image.decode()")
        self.assertGreater(picture.evaluate("(image) => image.naturalWidth"), 0)

    def bytes_on_hub(self, value):
        return self.hub.send("GET", urllib.parse.urlsplit(value["url"]).path)

    def test_picture_added_offline_reaches_the_hub(self):
        content = png(160, 220)
        self.go_offline()
        self.page.get_by_role("link", name="Birthdays").click()
        self.page.get_by_role("button", name="Add birthday").click()
        self.fill(Name="Ada", Birthday="1975-12-10")
        self.choose("Ada am Webstuhl.png", content)
        screenshots.take(self.page, "picture-form")
        self.assertEqual([], accessible.problems(self.page))
        self.save("Add")
        self.expect_state("Ada", "New, pending")
        self.assert_drawn(self.entry("Ada").locator("img"))
        screenshots.take(self.page, "pictures", with_details=False)
        self.come_back()
        self.expect_state("Ada", "Synced")
        found = self.one_on_hub("Birthday", name="Ada")
        self.assertEqual(content, self.bytes_on_hub(found["image"]))
        self.assert_drawn(self.entry("Ada").locator("img"))
        self.page.reload()
        self.page.get_by_role("link", name="Birthdays").click()
        self.assert_drawn(self.entry("Ada").locator("img"))

    def test_picture_is_replaced_and_removed(self):
        first, second = png(60, 40), png(60, 200)
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.choose("first.png", first)
        self.save()
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        expect(self.form().get_by_role("img", name="Picture")).to_be_visible()
        self.choose("second.png", second)
        self.save()
        self.refresh()
        self.expect_state("Lantern Night", "Synced")
        found = self.one_on_hub("Holiday", name="Lantern Night")
        self.assertEqual(second, self.bytes_on_hub(found["image"]))
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.form().get_by_role("button", name="Remove Picture").click()
        self.save()
        expect(self.entry("Lantern Night").locator("img")).to_have_count(0)
        self.refresh()
        self.expect_state("Lantern Night", "Synced")
        self.assertNotIn("image", self.one_on_hub("Holiday", name="Lantern Night"))

    def slow_down(self):
        """Slows uploads down. Detaching the returned session ends that."""
        network = self.page.context.new_cdp_session(self.page)
        slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 20_000}
        network.send("Network.emulateNetworkConditions", slow)
        return network

    def test_large_upload_shows_progress_and_can_be_stopped(self):
        content = png(60, 40) + bytes(2_000_000)
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.choose("large.png", content)
        network = self.slow_down()
        self.form().get_by_role("button", name="Save").click()
        meter = self.form().get_by_role("progressbar", name="Uploading large.png")
        expect(meter).to_be_in_viewport()
        self.page.wait_for_function("() => document.querySelector('.file-sending progress').value > 0")
        expect(self.form().get_by_role("button", name="Saving")).to_be_visible()
        screenshots.take(self.page, "storing")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_role("button", name="Stop upload").click()
        expect(meter).to_be_hidden()
        expect(self.form()).to_contain_text("Not saved. You stopped the upload of large.png.")
        expect(self.form().get_by_label("Picture")).to_be_focused()
        network.detach()
        self.save()
        self.refresh()
        self.expect_state("Lantern Night", "Synced")
        self.assertEqual(content, self.bytes_on_hub(self.one_on_hub("Holiday", name="Lantern Night")["image"]))

    def test_discarding_the_form_aborts_the_upload(self):
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.choose("large.png", png(60, 40) + bytes(2_000_000))
        self.slow_down()
        self.form().get_by_role("button", name="Save").click()
        expect(self.form().get_by_role("progressbar")).to_be_visible()
        with self.page.expect_event("requestfailed", lambda request: "/files/" in request.url):
            self.page.keyboard.press("Escape")
            self.form().get_by_role("button", name="Discard").click()
        expect(self.form()).to_have_count(0)
        self.assertNotIn("image", self.replica.find("Holiday", name="Lantern Night")[0])

    def test_too_large_picture_shows_an_error(self):
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        # The first file exceeds the limit for files, the second also the limit for request bodies.
        for name, size in (("large.png", self.replica_bytes_max), ("huge.png", 25_000_000)):
            self.choose(name, png(60, 40) + bytes(size))
            self.form().get_by_role("button", name="Save").click()
            told = f"{name} is too large: "
            expect(self.form().get_by_label("Picture")).to_have_accessible_description(re.compile(told))
        self.assertEqual([], [url for url in self.watch.urls if "/files/" in url])
        self.form().get_by_role("button", name="Remove Picture").click()
        self.fill(Details="No picture.")
        self.save()
        expect(self.entry("Lantern Night")).to_contain_text("No picture.")

    def test_rejected_picture_is_replaced_by_a_smaller_one(self):
        small = png(60, 40)
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        self.choose("large.png", small + bytes(self.hub_bytes_max))
        self.save()
        expect(self.entry("Lantern Night").locator(".entry-reason")).to_contain_text("The file large.png was refused")
        self.page.get_by_role("button", name="Correct").click()
        self.choose("small.png", small)
        self.save("Send again")
        self.expect_state("Lantern Night", "Synced")
        self.assertEqual(small, self.bytes_on_hub(self.one_on_hub("Holiday", name="Lantern Night")["image"]))

    def test_invalid_picture_shows_an_error(self):
        self.page.get_by_role("button", name="Edit Lantern Night").click()
        picture = self.form().get_by_label("Picture")
        for name, kind, content, words in (
            ("list.pdf", "application/pdf", b"%PDF-1.7", "This file is not a picture."), ("empty.png", "image/png", b"", "This file is empty.")
        ):
            picture.set_input_files({"name": name, "mimeType": kind, "buffer": content})
            self.form().get_by_role("button", name="Save").click()
            expect(picture).to_have_accessible_description(re.compile(words))
        # Phones produce HEIC pictures. Most browsers cannot show them.
        picture.set_input_files({"name": "boats.heic", "mimeType": "image/heic", "buffer": b"not for this browser"})
        expect(self.form().get_by_text("This browser cannot show this type of picture")).to_be_attached()
        self.save()
        expect(self.entry("Lantern Night").get_by_role("link", name="boats.heic")).to_be_visible()

    def test_discarding_a_chosen_file_asks_first(self):
        self.page.get_by_role("button", name="Add holiday").click()
        self.choose("first.png", png(20, 40))
        self.page.keyboard.press("Escape")
        expect(self.form().last).to_contain_text("Discard what you typed?")
