"""The sync options of a class: objects to fetch, files to download, and conflict policy."""

import hashlib

from playwright.sync_api import expect
from test_files import png

import accessible
import screenshots
from daemon import day, wait_until
from page_test import PageTest


class ClassOptionsTests(PageTest):
    def seed(self):
        super().seed()
        for metres in range(6):
            self.hub.add("Boat", name=f"Boat {metres}", metres=metres)
        self.picture = png(40, 90)
        stored = self.hub.send("POST", "/files/cake.png", self.picture, {"Content-Type": "image/png"})
        self.hub.add("Birthday", name="Ada", date=day("1975-12-10"), image={"__type": "File", **stored})

    def open_options(self, class_name):
        self.page.get_by_role("button", name=f"Options {class_name}").click()
        expect(self.form()).to_contain_text(f"Sync options of {class_name}")

    def options(self, class_name):
        return self.replica.send("GET", f"/sync/classes/{class_name}")

    def rows(self):
        return self.page.locator("#main tbody tr")

    def sync_small_boats(self):
        self.page.get_by_role("button", name="Add class").click()
        self.fill(Name_of_the_class="Boat")
        self.form().get_by_text("Sync options").click()
        self.choose(Objects_to_fetch="Matches of one query")
        self.form().get_by_label("Query", exact=True).fill('{"metres": {"$lt": 2}}')
        self.save("Sync it")
        expect(self.rows()).to_have_count(2)

    def test_hints_are_those_of_the_chosen_options(self):
        self.open_options("Birthday")
        hints = ("This page does not show it.", "Objects outside the queries are removed")
        for words in hints:
            expect(self.form().get_by_text(words)).to_be_hidden()
        self.choose(Objects_to_fetch="Matches of one query", When_the_remote="Mark changes in the field tidegateOps")
        for words in hints:
            expect(self.form().get_by_text(words)).to_be_visible()

    def test_query_of_a_class_limits_the_fetched_objects(self):
        self.sync_small_boats()
        self.open_options("Boat")
        expect(self.form().get_by_label("Query", exact=True)).to_have_value('{\n  "metres": {\n    "$lt": 2\n  }\n}')
        self.choose(Objects_to_fetch="All")
        self.save()
        expect(self.rows()).to_have_count(6)
        self.open_options("Boat")
        self.choose(Objects_to_fetch="Matches of several queries")
        two = '[{"name": "small", "where": {"metres": 0}}, {"name": "large", "where": {"metres": 5}}]'
        self.form().get_by_label("Queries", exact=True).fill(two)
        self.save()
        expect(self.rows()).to_have_count(2)
        self.assertEqual(6, len(self.hub.find("Boat")))
        self.open_options("Boat")
        expect(self.form().get_by_label("Objects to fetch")).to_have_value("queries")
        self.choose(Objects_to_fetch="None: only send changes")
        self.save()
        expect(self.page.locator("#main")).to_contain_text("Your changes to this class are sent. Its objects are not fetched")
        self.open_options("Boat")
        self.choose(When_both_sides_changed_the_same_field="Always ask")
        self.save()
        expect(self.page.locator("#main")).to_contain_text("Your changes to this class are sent. Its objects are not fetched")
        self.page.get_by_role("button", name="Fetch Boat").click()
        expect(self.rows()).to_have_count(6)

    def test_invalid_query_of_a_class_shows_an_error(self):
        self.sync_small_boats()
        self.open_options("Boat")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_label("Query", exact=True).fill("small ones")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("Line 1, column 1: small is not a value.")
        self.watch.expect_error("400")
        self.form().get_by_label("Query", exact=True).fill('{"metres": {"$small": 2}}')
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("Not saved. bad constraint: $small")
        self.assertEqual({"metres": {"$lt": 2}}, self.options("Boat")["pulls"][0]["where"])

    def test_changing_another_option_keeps_the_query(self):
        self.sync_small_boats()
        self.open_options("Boat")
        screenshots.take(self.page, "options")
        expect(self.form()).to_contain_text("At first, your side is kept.")
        expect(self.page.locator("#sync-panel")).to_contain_text("the side of this device is kept, unless the options of the class say otherwise")
        self.choose(When_both_sides_changed_the_same_field="Always ask")
        self.save()
        expect(self.page.locator("#announcer")).to_contain_text("The sync options of Boat are saved.")
        kept = self.options("Boat")
        self.assertEqual(("manual", "lazy"), (kept["policy"], kept["files"]))
        self.assertEqual([("all", {"metres": {"$lt": 2}})], [(pull["name"], pull["where"]) for pull in kept["pulls"]])

    def test_pictures_of_a_class_with_eager_downloads_are_available_offline(self):
        self.open_options("Birthday")
        self.choose(Pictures_and_other_files="Fetch all, for offline use")
        self.save()
        content = hashlib.sha256(self.picture).hexdigest()
        wait_until((self.replica.directory / "files" / content[:2] / content).exists)
        self.go_offline()
        self.page.get_by_role("link", name="Birthdays").click()
        picture = self.entry("Ada").locator("img")
        expect(picture).to_be_visible()
        picture.evaluate("(image) => image.decode()")

    def test_file_fields_have_separate_options(self):
        self.replica.send("PUT", "/sync/classes/Birthday", {"files": {"*": "none", "image": "eager"}})
        self.open_options("Birthday")
        expect(self.form().get_by_label("Files of image")).to_have_value("eager")
        self.choose(Pictures_and_other_files="Fetch when first viewed")
        self.save()
        self.assertEqual({"*": "lazy", "image": "eager"}, self.options("Birthday")["files"])
        self.open_options("Birthday")
        self.choose(Files_of_image="Same as all files")
        self.save()
        self.assertEqual("lazy", self.options("Birthday")["files"])
