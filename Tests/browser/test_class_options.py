"""How a class is kept: what of it is fetched, which of its files, and who decides where both sides have changed it."""

import hashlib

from playwright.sync_api import expect
from test_files import png

import accessible
import pictures
from daemon import day, until
from story import Story


class ClassOptionsStory(Story):
    def seed(self):
        super().seed()
        for metres in range(6):
            self.hub.add("Boat", name=f"Boat {metres}", metres=metres)
        self.picture = png(40, 90)
        stored = self.hub.send("POST", "/files/cake.png", self.picture, {"Content-Type": "image/png"})
        self.hub.add("Birthday", name="Ada", date=day("1975-12-10"), image={"__type": "File", **stored})

    def open_options(self, class_name):
        self.page.get_by_role("button", name=f"Options {class_name}").click()
        expect(self.form()).to_contain_text(f"How {class_name} is kept")

    def options(self, class_name):
        return self.replica.send("GET", f"/sync/classes/{class_name}")

    def rows(self):
        return self.page.locator("#main tbody tr")

    def keep_small_boats(self):
        self.page.get_by_role("button", name="Another class").click()
        self.fill(Name_of_the_class="Boat")
        self.form().get_by_text("How it is kept").click()
        self.choose(What_is_fetched="What a query finds")
        self.form().get_by_label("Query", exact=True).fill('{"metres": {"$lt": 2}}')
        self.save("Keep it")
        expect(self.rows()).to_have_count(2)

    def test_only_what_a_query_finds_is_fetched(self):
        self.keep_small_boats()
        self.open_options("Boat")
        expect(self.form().get_by_label("Query", exact=True)).to_have_value('{\n  "metres": {\n    "$lt": 2\n  }\n}')
        self.choose(What_is_fetched="Everything")
        self.save()
        expect(self.rows()).to_have_count(6)
        self.open_options("Boat")
        self.choose(What_is_fetched="What several queries find")
        two = '[{"name": "small", "where": {"metres": 0}}, {"name": "large", "where": {"metres": 5}}]'
        self.form().get_by_label("Queries", exact=True).fill(two)
        self.save()
        expect(self.rows()).to_have_count(2)
        self.assertEqual(6, len(self.hub.find("Boat")))
        self.open_options("Boat")
        expect(self.form().get_by_label("What is fetched")).to_have_value("queries")
        self.choose(What_is_fetched="Nothing more: changes are only sent")
        self.save()
        expect(self.page.locator("#main")).to_contain_text("Changes to this class are sent, but it is not fetched")
        self.open_options("Boat")
        self.choose(When_both_sides_have_changed_the_same="Always ask")
        self.save()
        expect(self.page.locator("#main")).to_contain_text("Changes to this class are sent, but it is not fetched")
        self.page.get_by_role("button", name="Fetch Boat").click()
        expect(self.rows()).to_have_count(6)

    def test_a_query_that_means_nothing_is_told(self):
        self.keep_small_boats()
        self.open_options("Boat")
        self.assertEqual([], accessible.problems(self.page))
        self.form().get_by_label("Query", exact=True).fill("small ones")
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("This is not JSON")
        self.watch.expect_error("400")
        self.form().get_by_label("Query", exact=True).fill('{"metres": {"$small": 2}}')
        self.form().get_by_role("button", name="Save").click()
        expect(self.form()).to_contain_text("Not saved. bad constraint: $small")
        self.assertEqual({"metres": {"$lt": 2}}, self.options("Boat")["pulls"][0]["where"])

    def test_other_options_leave_what_is_fetched_as_it_is(self):
        self.keep_small_boats()
        self.open_options("Boat")
        pictures.take(self.page, "options")
        self.choose(When_both_sides_have_changed_the_same="Always ask")
        self.save()
        expect(self.page.locator("#announcer")).to_contain_text("Boat is kept like this from now on.")
        kept = self.options("Boat")
        self.assertEqual(("manual", "lazy"), (kept["policy"], kept["files"]))
        self.assertEqual([("all", {"metres": {"$lt": 2}})], [(pull["name"], pull["where"]) for pull in kept["pulls"]])

    def test_pictures_that_nobody_has_looked_at_are_there_offline(self):
        self.open_options("Birthday")
        self.choose(Pictures_and_other_files="Fetch all, to be seen offline")
        self.save()
        content = hashlib.sha256(self.picture).hexdigest()
        until((self.replica.directory / "files" / content[:2] / content).exists)
        self.go_offline()
        self.page.get_by_role("link", name="Birthdays").click()
        picture = self.entry("Ada").locator("img")
        expect(picture).to_be_visible()
        picture.evaluate("(image) => image.decode()")

    def test_fields_of_files_are_told_apart(self):
        self.replica.send("PUT", "/sync/classes/Birthday", {"files": {"*": "none", "image": "eager"}})
        self.open_options("Birthday")
        expect(self.form().get_by_label("Those of image")).to_have_value("eager")
        self.choose(Pictures_and_other_files="Fetch when first looked at")
        self.save()
        self.assertEqual({"*": "lazy", "image": "eager"}, self.options("Birthday")["files"])
        self.open_options("Birthday")
        self.choose(Those_of_image="As all others")
        self.save()
        self.assertEqual("lazy", self.options("Birthday")["files"])
