"""The page in German and from right to left, and the translations of its texts."""

import json
import re
import unittest

from accessible import problems
from page_test import PageTest, desktop, expect, phone, root

quoted = r'"((?:[^"\\]|\\.)*)"'
# The argument of `counted` before the noun: an expression with at most two levels of parentheses.
amount = r"(?:[^()\"]|\((?:[^()]|\([^()]*\))*\))*"
single = re.compile(rf"(?<![\w.])(?:t|tNodes)\(\s*{quoted}")
pair = re.compile(rf"(?<![\w.])plural\(\s*{quoted},\s*{quoted}")
noun = re.compile(rf"(?<![\w.])counted\({amount},\s*{quoted}(?:,\s*{quoted})?")
entry = re.compile(rf'^  {quoted}: (?:{quoted}|\{{ one: {quoted}, other: {quoted} \}}),$', re.MULTILINE)
name = re.compile(r"\{(\w+)\}")


def texts_of_sources():
    """The English texts of the page: the names of the values in each, and whether the text has plural forms."""
    texts = {}
    for file in [*root.glob("web/js/**/*.js"), *root.glob("web/demo/*.js")]:
        source = file.read_text(encoding="utf-8")
        for found in single.finditer(source):
            texts[found[1]] = (set(name.findall(found[1])), False)
        for found in pair.finditer(source):
            texts[found[2]] = (set(name.findall(found[1] + found[2])), True)
        if file.name != "texts.js":
            for found in noun.finditer(source):
                texts["{count} " + (found[2] or f"{found[1]}s")] = ({"count"}, True)
    return texts


def translations():
    """The German texts by the English ones, as lists with one text or with one for each plural form."""
    content = (root / "web/texts/de.js").read_text(encoding="utf-8")
    lines = [line for line in content.splitlines() if line.startswith("  ")]
    found = {key: [text for text in forms if text] for key, *forms in entry.findall(content)}
    return found, len(lines)


class TranslationTests(unittest.TestCase):
    def test_each_text_has_one_german_text_and_no_german_text_is_unused(self):
        german, lines = translations()
        self.assertEqual(lines, len(german), "a line of de.js is no entry, or an entry occurs twice")
        self.assertGreater(lines, 1_000)
        self.assertEqual(set(texts_of_sources()), set(german))

    def test_german_texts_have_the_plural_forms_and_only_the_values_of_the_english_texts(self):
        german, _ = translations()
        for text, (values, has_forms) in texts_of_sources().items():
            with self.subTest(text):
                self.assertEqual(2 if has_forms else 1, len(german[text]))
                for translation in german[text]:
                    self.assertLessEqual(set(name.findall(translation)), values)


class LanguageTests(PageTest):
    classes = ("Task",)
    has_details = False

    def seed(self):
        for number in range(1, 13):
            self.hub.add("Task", name=f"Task {number}", points=number, notes="A text " * 6, done=False)

    def german_page(self, size=desktop, path="/#/Task", **options):
        return self.open(path, size=size, locale="de-DE", **options)[0]

    def choice(self, page):
        return page.locator("#language")

    def test_the_page_is_in_the_language_of_the_browser(self):
        page = self.german_page()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.get_by_role("button", name="Klasse hinzufügen")).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("Task ?, 12 Objekte"))).to_be_visible()
        expect(page.get_by_role("link", name="Zur Liste springen")).to_be_attached()
        expect(self.page.locator("html")).to_have_attribute("lang", "en")
        expect(self.page.get_by_role("button", name="Add class")).to_be_visible()

    def test_a_browser_with_another_language_shows_english_with_british_dates(self):
        page = self.open("/#/Task", locale="fr-FR")[0]
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.get_by_role("button", name="Add class")).to_be_visible()

    def test_a_chosen_language_is_kept_when_the_page_is_loaded_again(self):
        page = self.german_page()
        self.choice(page).select_option("en")
        expect(page.get_by_role("button", name="Add class")).to_be_visible()
        page.reload()
        expect(page.get_by_role("button", name="Add class")).to_be_visible()
        expect(self.choice(page)).to_have_value("en")
        self.choice(page).select_option("")
        expect(page.get_by_role("button", name="Klasse hinzufügen")).to_be_visible()

    def test_numbers_dates_and_plurals_follow_the_language(self):
        page = self.german_page()
        page.get_by_role("button", name="Task 1 öffnen", exact=True).click()
        pane = page.locator("section.object-pane")
        pane.get_by_text("Zeiten und Id").click()
        expect(pane.locator("dd").filter(has_text=re.compile(r"\d{1,2}\. \w+ 20\d\d"))).not_to_have_count(0)
        page.get_by_label("Task 2 auswählen").check()
        expect(page.get_by_text("1 Objekt ausgewählt", exact=True)).to_be_visible()
        page.get_by_label("Task 3 auswählen").check()
        expect(page.get_by_text("2 Objekte ausgewählt", exact=True)).to_be_visible()

    def test_the_german_page_shows_no_text_that_has_a_translation_in_english(self):
        german, _ = translations()
        english = {text for text, forms in german.items() if forms != [text]}
        page = self.german_page(path="/#/Task?panel=sync")
        page.get_by_role("button", name="Filter hinzufügen").click()
        seen = self.words(page)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Task 1 öffnen", exact=True).click()
        expect(page.locator("section.object-pane")).to_be_visible()
        seen |= self.words(page)
        for tool in ("schema", "schema/Task", "console", "system/log"):
            page.goto(f"{self.replica.url}/#/-/{tool}")
            expect(page.locator(".tool-view h1")).to_be_visible()
            seen |= self.words(page)
        page.goto(f"{self.replica.url}/#/-/system")
        expect(page.get_by_text("Standard", exact=True).first).to_be_visible()
        self.assertIn("Klasse hinzufügen", seen)
        self.assertEqual(set(), seen & english)

    def test_each_setting_has_a_german_meaning_and_no_german_meaning_is_unused(self):
        key = (self.replica.directory / "master-key").read_text().strip()
        settings = self.replica.send("GET", "/system/settings", headers={"X-Parse-Master-Key": key})["settings"]
        content = (root / "web/texts/de-settings.js").read_text(encoding="utf-8")
        german = {text: translation for text, translation, *_ in entry.findall(content)}
        self.assertEqual({text for setting in settings for text in (setting["about"], setting["group"])}, set(german))
        page = self.german_page(path="/#/-/system")
        expect(page.get_by_role("heading", name="Gegenstelle", exact=True)).to_be_visible()
        expect(page.get_by_role("row").filter(has=page.get_by_text("data", exact=True))).to_contain_text("Das Datenverzeichnis mit der SQLite-Datei.")
        page.get_by_role("searchbox").fill("datenverzeichnis")
        expect(page.get_by_role("row").filter(has=page.get_by_text("data", exact=True))).to_be_visible()
        expect(page.get_by_role("row").filter(has=page.get_by_text("listen", exact=True))).to_have_count(0)

    def words(self, page):
        """The texts of the page's nodes, and of the attributes that people read."""
        return set(page.evaluate("""() => {
            const words = [];
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) words.push(walker.currentNode.textContent);
            for (const name of ["aria-label", "title", "placeholder"]) {
                for (const node of document.querySelectorAll(`[${name}]`)) words.push(node.getAttribute(name));
            }
            return words.filter((text) => text.trim() !== "");
        }"""))

    def test_numbers_have_the_decimal_separator_and_times_fit_their_columns(self):
        self.hub.add("Task", name="Half", points=1234.5)
        # The second time is one of another day in New York.
        for name, iso in (("Seen", "2031-12-28T22:44:55.000Z"), ("Seen at night", "2031-12-28T02:44:55.000Z")):
            self.hub.add("Task", name=name, seen={"__type": "Date", "iso": iso})
        self.replica.sync()
        for language in ("de-DE", "en-US"):
            page = self.open("/#/Task", locale=language, timezone_id="America/New_York")[0]
            expect(self.entry("Half", page)).to_contain_text("1234,5" if language == "de-DE" else "1234.5")
            for times in ("local", "both", "utc"):
                page.locator(".grid-times").select_option(times)
                cut = page.locator(".grid td.cell-date").evaluate_all("all => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length")
                self.assertEqual(0, cut, f"{language} {times}")

    def test_numbers_are_typed_with_the_decimal_separator(self):
        self.hub.add("Task", name="Half", points=96.1)
        self.replica.sync()
        page = self.open("/#/Task", locale="de-DE")[0]
        points = page.get_by_label("points", exact=True)
        self.entry("Half", page).locator("td").filter(has_text="96,1").dblclick()
        expect(points).to_have_value("96,1")
        with page.expect_request(lambda request: request.method == "PUT") as asked:
            points.fill("12,5")
            page.keyboard.press("Enter")
        self.assertEqual({"points": 12.5}, json.loads(asked.value.post_data))
        expect(self.entry("Half", page)).to_contain_text("12,5")
        page.get_by_role("button", name="Half öffnen").click()
        pane = page.locator("section.object-pane")
        expect(points).to_have_value("12,5")
        # The untouched field is no change, so the pane closes without a question.
        pane.get_by_role("button", name="Abbrechen").click()
        expect(pane).to_have_count(0)
        page.get_by_role("button", name="Half öffnen").click()
        points.fill("1.234")
        pane.get_by_role("button", name="Speichern", exact=True).click()
        expect(pane).to_contain_text("1.234 kann 1234 oder 1,234 bedeuten.")
        points.fill("1,234")
        with page.expect_request(lambda request: request.method == "PUT") as asked:
            pane.get_by_role("button", name="Speichern", exact=True).click()
        self.assertEqual({"points": 1.234}, json.loads(asked.value.post_data))
        page.get_by_label("In dieser Klasse suchen").fill("1,234")
        expect(page.locator("#main tbody tr[data-object]")).to_have_count(1)
        expect(self.entry("Half", page)).to_be_visible()

    def test_the_german_page_is_accessible_and_fits_a_phone(self):
        for size in (desktop, phone):
            with self.subTest(size["width"]):
                page = self.german_page(size)
                expect(page.get_by_text("Task 12").first).to_be_visible()
                self.assertEqual([], problems(page))
                self.assertEqual(0, page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                self.assertGreater(self.room_beside_the_placeholder(page), 0)

    def room_beside_the_placeholder(self, page):
        return page.locator(".grid-jump").evaluate("""(input) => {
            const style = getComputedStyle(input);
            const context = document.createElement("canvas").getContext("2d");
            context.font = style.font;
            const width = input.offsetWidth || parseFloat(style.width);
            const room = width - ["paddingLeft", "paddingRight", "borderLeftWidth", "borderRightWidth"].reduce((sum, name) => sum + parseFloat(style[name]), 0);
            return room - context.measureText(input.placeholder).width;
        }""")


class RightToLeftTests(PageTest):
    classes = ("Task",)
    has_details = False

    def seed(self):
        for number in range(1, 13):
            fields = {f"field{at}": f"value {at}" for at in range(14)}
            self.hub.add("Task", name=f"Task {number}", **fields)

    def mirrored(self, size=desktop):
        page = self.open("/#/Task", size=size)[0]
        page.emulate_media(reduced_motion="reduce")
        expect(page.get_by_text("Task 12").first).to_be_visible()
        page.evaluate("document.documentElement.dir = 'rtl'")
        return page

    def box(self, page, selector):
        return page.locator(selector).first.bounding_box()

    def test_the_sidebar_is_on_the_right_and_the_pane_on_the_left(self):
        page = self.mirrored()
        page.get_by_role("button", name="Open Task 3", exact=True).click()
        sidebar, main, pane = (self.box(page, selector) for selector in ("#sidebar", "#main", "section.object-pane"))
        self.assertEqual(desktop["width"], sidebar["x"] + sidebar["width"])
        self.assertEqual(sidebar["x"], main["x"] + main["width"])
        self.assertEqual(0, pane["x"])
        self.assertEqual(0, page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
        self.assertEqual([], problems(page))

    def test_the_first_column_stays_at_the_right_edge_while_the_table_is_scrolled(self):
        page = self.mirrored()
        page.locator(".grid-frame").evaluate("(frame) => frame.scrollLeft = -400")
        frame, cell = self.box(page, ".grid-frame"), self.box(page, ".grid tbody th")
        self.assertAlmostEqual(frame["x"] + frame["width"] - 40, cell["x"] + cell["width"], delta=20)

    def test_arrow_keys_move_the_cursor_in_the_direction_that_they_show(self):
        page = self.mirrored()
        page.locator(".grid").focus()
        for _ in range(5):
            page.keyboard.press("ArrowLeft")
        expect(page.locator(".grid .is-cursor")).to_have_attribute("aria-colindex", "7")
        frame, cell = self.box(page, ".grid-frame"), self.box(page, ".grid .is-cursor")
        self.assertGreaterEqual(cell["x"], frame["x"])
        page.keyboard.press("ArrowRight")
        expect(page.locator(".grid .is-cursor")).to_have_attribute("aria-colindex", "6")

    def test_dates_numbers_and_ids_keep_their_order(self):
        self.hub.add("Depth", name="Channel", metres=-5, seen={"__type": "Date", "iso": "2031-05-17T14:30:00.000Z"})
        self.replica.send("PUT", "/sync/classes/Depth", {})
        self.replica.sync()
        page = self.open("/#/Depth", locale="de-DE", timezone_id="UTC")[0]
        expect(page.get_by_text("Channel")).to_be_visible()
        page.evaluate("document.documentElement.dir = 'rtl'")
        for words, first, last in (("-5", "-", "5"), ("17. Mai 2031, 14:30", "17", "30")):
            cell = page.get_by_role("gridcell", name=words, exact=True)
            self.assertLess(self.left_of(cell, first), self.left_of(cell, last, last=True))
        foot = page.get_by_role("button", name="Spalten")
        self.assertLess(self.left_of(foot, "5"), self.left_of(foot, "Spalten"))
        # A narrow column cuts off the end of an id, which is on the right.
        expect(page.locator(".grid tbody td.cell-code")).to_have_css("direction", "ltr")

    def left_of(self, cell, text, last=False):
        """The left edge of the first or last occurrence of a text in a cell."""
        return cell.evaluate("""(cell, [text, last]) => {
            const node = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
            const range = document.createRange();
            const at = last ? node.data.lastIndexOf(text) : node.data.indexOf(text);
            range.setStart(node, at);
            range.setEnd(node, at + text.length);
            return range.getBoundingClientRect().left;
        }""", [text, last])

    def test_the_drawer_of_a_phone_opens_from_the_right(self):
        page = self.mirrored(phone)
        page.get_by_role("button", name="Classes").click()
        expect(page.get_by_role("link", name="Task")).to_be_in_viewport()
        sidebar = self.box(page, "#sidebar")
        self.assertEqual(phone["width"], sidebar["x"] + sidebar["width"])
