"""The table of a class: dense rows, columns, many rows, changes of other clients, and editing in place."""

import re

from playwright.sync_api import expect

import accessible
import screenshots
from daemon import Daemon, day, wait_until
from page_test import PageTest

laptop = {"width": 1440, "height": 900}


class GridTest(PageTest):
    """A standalone gateway with boats."""

    classes = ()
    boats = 150

    def setUp(self):
        self.hub = None
        self.begin()
        self.replica = Daemon(self.work / "alone", "--web", str(self.web))
        self.addCleanup(self.replica.stop)
        self.replica.start()
        self.seed()
        self.page, self.watch = self.open("/#/Boat")
        expect(self.grid()).to_be_visible()

    def seed(self):
        create = [
            {"method": "POST", "path": "/classes/Boat", "body": self.boat(number)} for number in range(self.boats)]
        for first in range(0, len(create), 50):
            self.replica.send("POST", "/batch", {"requests": create[first:first + 50]})

    def boat(self, number):
        return {"name": f"Boat {number:04}", "metres": number / 2, "isSailing": number % 2 == 0, "built": day("2001-02-03"),
                "seen": {"__type": "Date", "iso": "2031-05-17T14:30:00.000Z"}, "tags": ["wood"]}

    def grid(self):
        return self.page.get_by_role("grid")

    def sort_by_name(self, first="Boat 0000"):
        self.page.get_by_role("button", name="name sort ascending").click()
        expect(self.page.locator("th[aria-sort=ascending]")).to_contain_text("name")
        # Another order can show this row, too, but not as the first one.
        expect(self.page.locator(".grid tbody [data-object]").first).to_contain_text(first)

    def cell(self, name, column):
        """The cell of an object in a column, by the column's name."""
        heads = self.page.locator(".grid thead th")
        names = heads.evaluate_all("all => all.map((head) => head.title)")
        return self.entry(name).locator("> *").nth(names.index(column))

    def stored(self, name):
        return self.replica.find("Boat", name=name)[0]


class DenseRowTests(GridTest):
    def test_laptop_shows_more_than_twenty_rows(self):
        self.page.set_viewport_size(laptop)
        self.sort_by_name()
        self.page.wait_for_function("""() => {
            const frame = document.querySelector(".grid-frame").getBoundingClientRect();
            const rows = [...document.querySelectorAll(".grid tbody tr")].map((row) => row.getBoundingClientRect());
            const seen = rows.filter(({ top, bottom }) => top >= frame.top + 28 && bottom <= frame.bottom);
            return seen.length >= 20 && seen.every(({ height }) => height >= 28 && height <= 32);
        }""")
        screenshots.take(self.page, "grid")
        self.assertEqual([], accessible.problems(self.page))

    def test_numbers_are_right_aligned_and_times_local(self):
        page, _ = self.open("/#/Boat", timezone_id="Pacific/Auckland")
        self.page = page
        self.sort_by_name()
        expect(self.cell("Boat 0000", "metres")).to_have_css("text-align", "end")
        seen = self.cell("Boat 0000", "seen")
        expect(seen).to_have_text("18 May 2031, 02:30")
        expect(seen).to_have_attribute("title", "17 May 2031, 14:30 UTC")
        expect(self.cell("Boat 0000", "built")).to_have_text("3 February 2001")
        times = page.get_by_label("Times", exact=True)
        times.select_option(label="Local time and UTC")
        # The UTC day is named, because it is another one.
        expect(seen).to_have_text("18 May 2031, 02:30 17 May 2031, 14:30 UTC")
        expect(self.cell("Boat 0000", "built")).to_have_text("3 February 2001")
        self.assertEqual([], accessible.problems(page))
        times.select_option(label="UTC")
        expect(seen).to_have_text("17 May 2031, 14:30 UTC")
        page.reload()
        expect(seen).to_have_text("17 May 2031, 14:30 UTC")

    def test_time_is_edited_in_the_zone_of_its_cell(self):
        self.page, _ = self.open("/#/Boat", timezone_id="Pacific/Auckland")
        self.sort_by_name()
        seen = self.cell("Boat 0000", "seen")
        seen.dblclick()
        expect(seen.locator("input")).to_have_value("2031-05-18T02:30")
        expect(seen).to_contain_text("GMT+12")
        self.assertGreaterEqual(seen.locator("input").bounding_box()["width"], 19 * 16)
        seen.locator("input").fill("2031-05-18T03:45")
        self.page.keyboard.press("Enter")
        expect(seen).to_have_text("18 May 2031, 03:45")
        # The cell shows the new value before the gateway has answered.
        wait_until(lambda: self.stored("Boat 0000")["seen"]["iso"] == "2031-05-17T15:45:00.000Z")
        # A calendar day is midnight in UTC, also where local times are shown.
        built = self.cell("Boat 0000", "built")
        built.dblclick()
        expect(built.locator("input")).to_have_value("2001-02-03T00:00")
        expect(built).to_contain_text("UTC")
        self.page.keyboard.press("Escape")
        self.page.get_by_label("Times", exact=True).select_option("utc")
        seen.dblclick()
        expect(seen.locator("input")).to_have_value("2031-05-17T15:45")
        expect(seen).to_contain_text("UTC")

    def test_buttons_of_a_row_cover_little_of_the_last_cell_and_move_nothing(self):
        self.page.set_viewport_size({"width": 1024, "height": 800})
        self.sort_by_name()
        frame = self.page.locator(".grid-frame").bounding_box()
        cells = self.entry("Boat 0003").locator("> *")
        before = cells.evaluate_all("all => all.map((cell) => cell.getBoundingClientRect().x)")
        self.entry("Boat 0003").hover(position={"x": 200, "y": 10})
        self.assertEqual(before, cells.evaluate_all("all => all.map((cell) => cell.getBoundingClientRect().x)"))
        expect(self.entry("Boat 0003").get_by_role("button", name="Delete")).to_have_css("opacity", "1")
        # Left of the button, the cell below takes the clicks.
        self.page.mouse.click(frame["x"] + frame["width"] - 50, self.entry("Boat 0003").bounding_box()["y"] + 10)
        expect(self.page.locator("#grid-cursor")).to_have_text("17 May 2031, 14:30")

    def test_foot_tells_the_order_of_the_rows(self):
        order = self.page.locator(".grid-order")
        expect(order).to_have_text("Latest changes first")
        self.sort_by_name()
        expect(order).to_have_text("Sorted by name, ascending")
        self.page.get_by_role("button", name="name sort descending").click()
        expect(order).to_have_text("Sorted by name, descending")
        self.page.goto(f"{self.replica.url}/#/Boat?sort=-createdAt")
        expect(order).to_have_text("Newest objects first")

    def test_ctrl_c_copies_the_cell_or_the_selected_rows(self):
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.sort_by_name()
        self.cell("Boat 0003", "metres").click()
        self.page.keyboard.press("Control+c")
        expect(self.page.locator("#announcer")).to_contain_text("Copied.")
        self.assertEqual("1.5", self.page.evaluate("navigator.clipboard.readText()"))
        for name in ("Boat 0004", "Boat 0002"):
            self.page.get_by_label(f"Select {name}").check()
        self.grid().focus()
        self.page.keyboard.press("Control+c")
        expect(self.page.locator("#notices")).to_contain_text("2 objects copied.")
        rows = [line.split("\t") for line in self.page.evaluate("navigator.clipboard.readText()").split("\n")]
        # name, built, isSailing, metres
        self.assertEqual([("Boat 0002", "1"), ("Boat 0004", "2")], [(row[0], row[3]) for row in rows])

    def test_columns_are_chosen_ordered_resized_and_remembered(self):
        self.sort_by_name()
        expect(self.page.locator(".grid-foot")).to_contain_text("8 of 10 columns")
        self.page.get_by_role("button", name="8 of 10 columns").click()
        screenshots.take(self.page, "columns")
        self.assertEqual([], accessible.problems(self.page))
        for name in ("tags", "built"):
            self.form().get_by_label(name, exact=True).uncheck()
        self.form().get_by_label("ACL", exact=True).check()
        heads = self.page.locator(".grid thead th .sort-name")
        expect(heads).to_have_text(["name", "isSailing", "metres", "seen", "objectId", "updatedAt", "ACL"])
        for _ in range(2):
            self.form().get_by_role("button", name="Move metres up").click()
        self.form().get_by_role("button", name="Done").click()
        wanted = ["metres", "name", "isSailing", "seen", "objectId", "updatedAt", "ACL"]
        expect(heads).to_have_text(wanted)
        expect(self.cell("Boat 0000", "ACL")).to_have_text("Everybody may read and write.")
        self.grid().focus()
        self.page.keyboard.press("Home")
        columns = self.page.locator(".grid thead th[title]")
        before = columns.first.bounding_box()["width"]
        self.page.keyboard.press("Alt+ArrowRight")
        grip = columns.nth(1).locator(".grip").bounding_box()
        self.page.mouse.move(grip["x"] + 3, grip["y"] + 5)
        self.page.mouse.down()
        self.page.mouse.move(grip["x"] + 63, grip["y"] + 5)
        self.page.mouse.up()
        self.page.reload()
        expect(heads).to_have_text(wanted)
        widths = columns.evaluate_all("all => all.map((head) => Math.round(head.getBoundingClientRect().width))")
        self.assertEqual([round(before) + 24, 316], widths[:2])
        # The address has the columns, so that another browser shows them too.
        page, _ = self.open(self.page.url.removeprefix(self.replica.url))
        expect(page.locator(".grid thead th .sort-name")).to_have_text(wanted)


class ManyRowTests(GridTest):
    boats = 1200

    def test_rows_are_read_while_scrolling(self):
        asked = []
        self.page.on("request", lambda request: "/classes/Boat?" in request.url and asked.append(request.url))
        self.sort_by_name()
        self.assertLess(self.page.locator(".grid tbody tr").count(), 80)
        frame = self.page.locator(".grid-frame")
        for row in range(0, 600, 50):
            frame.evaluate("(frame, top) => { frame.scrollTop = top }", row * 30)
            expect(self.entry(f"Boat {row + 5:04}")).to_be_visible()
        # Rows beside the loaded ones are read by the values of the nearest row.
        self.assertEqual([], [url for url in asked if "skip=" in url and "skip=0" not in url])

    def test_found_rows_are_read_while_scrolling(self):
        self.sort_by_name()
        self.page.get_by_role("button", name="Add filter", exact=True).click()
        self.form().get_by_label("Field", exact=True).select_option("isSailing")
        self.form().get_by_label("Value").select_option(label="Yes")
        self.form().get_by_role("button", name="Add", exact=True).click()
        expect(self.page.locator("#main")).to_contain_text("600 matches.")
        self.page.get_by_label("Search in this class").fill("0")
        found = sum("0" in f"{number:04}" for number in range(0, self.boats, 2))
        expect(self.page.locator("#main")).to_contain_text(f"{found} matches.")
        asked = []
        self.page.on("request", lambda request: "/classes/Boat?" in request.url and asked.append(request.url))
        frame = self.page.locator(".grid-frame")
        for row in range(50, 480, 50):
            frame.evaluate("(frame, top) => { frame.scrollTop = top }", row * 30)
            expect(self.entry(f"Boat {2 * (row + 5):04}")).to_be_visible()
        self.assertTrue(asked)
        self.assertEqual([], [url for url in asked if "skip=" in url or "isSailing" not in url or "regex" not in url])

    def test_row_is_reached_by_its_number_and_kept_in_the_address(self):
        self.sort_by_name()
        self.page.get_by_label("Go to row").fill("1,001")
        self.page.keyboard.press("Enter")
        expect(self.entry("Boat 1000")).to_be_in_viewport()
        self.page.wait_for_url("**at=1001*")
        # Rows above are read backwards from here.
        self.page.locator(".grid-frame").evaluate("(frame) => { frame.scrollTop -= 3000 }")
        expect(self.entry("Boat 0905")).to_be_visible()
        self.page.wait_for_url("**at=901*")
        self.page.reload()
        expect(self.entry("Boat 0900")).to_be_in_viewport()
        expect(self.entry("Boat 0909")).to_be_visible()
        self.assertEqual(
            [f"Boat {number:04}" for number in range(900, 910)],
            self.page.locator(".grid tbody tr").evaluate_all(
                "all => all.map((row) => row.querySelector('.cell-text')?.textContent ?? '').filter((text) => text >= 'Boat 0900').slice(0, 10)"))

    def test_rows_without_a_value_are_reached_too(self):
        for number in range(130):
            self.replica.add("Buoy", name=f"Buoy {number:03}", **({"depth": number} if number < 90 else {}))
        for order, first, last in (("depth", re.compile("Buoy (09|1)"), "Buoy 089"), ("-depth", "Buoy 089", None)):
            self.page.goto(f"{self.replica.url}/#/Buoy?sort={order}")
            expect(self.page.locator(".grid-range")).to_contain_text("of 130")
            # A new list begins at its first row.
            expect(self.page.locator(".grid tbody [data-object]").first).to_contain_text(first)
            self.page.locator(".grid-frame").evaluate("(frame) => { frame.scrollTop = 1e6 }")
            expect(self.page.locator(".grid-range")).to_contain_text("130 of 130")
            expect(self.page.locator(".grid tbody .is-empty")).to_have_count(0)
            if last:
                expect(self.page.locator(".grid tbody tr").last).to_contain_text(last)


class SparseFieldTests(GridTest):
    """A field that one of many objects has, and that is not among the loaded rows."""

    def setUp(self):
        super().setUp()
        self.replica.change("Boat", self.stored("Boat 0149")["objectId"], legacy="clipper", sails=12)
        self.page, self.watch = self.open("/#/Boat?sort=name")

    def test_sparse_field_is_a_column(self):
        expect(self.page.locator(".grid-foot")).to_contain_text("of 12 columns")
        expect(self.page.get_by_role("columnheader", name="legacy")).to_have_count(1)

    def test_search_looks_through_a_sparse_field(self):
        self.page.get_by_label("Search in this class").fill("clipper")
        expect(self.entry("Boat 0149")).to_be_visible()


class OutsideChangeTests(GridTest):
    def test_changes_of_others_do_not_move_the_rows_under_the_pointer(self):
        self.sort_by_name()
        self.entry("Boat 0003").hover()
        self.replica.add("Boat", name="Ark")
        self.replica.change("Boat", self.stored("Boat 0004")["objectId"], metres=99)
        gone = self.stored("Boat 0005")["objectId"]
        self.replica.send("DELETE", f"/classes/Boat/{gone}")
        show = self.page.get_by_role("button", name="3 new changes, show")
        expect(show).to_be_visible()
        # The values of the rows are the present ones, and their places are the old ones.
        expect(self.cell("Boat 0004", "metres")).to_have_text("99")
        expect(self.page.locator("tr.is-deleting")).to_contain_text("Boat 0005")
        expect(self.entry("Ark")).to_have_count(0)
        self.assertEqual([], accessible.problems(self.page))
        show.click()
        expect(self.entry("Ark")).to_be_visible()
        expect(self.entry("Boat 0005")).to_have_count(0)
        expect(show).to_have_count(0)

    def test_own_changes_are_not_announced_as_new_ones(self):
        self.sort_by_name()
        for name in ("Boat 0003", "Boat 0004", "Boat 0005"):
            self.cell(name, "name").dblclick()
            self.page.keyboard.press("Control+a")
            self.page.keyboard.type(f"Z {name}")
            self.page.keyboard.press("Enter")
            expect(self.entry(f"Z {name}")).to_be_visible()
        self.entry("Boat 0007").hover()
        self.replica.change("Boat", self.stored("Boat 0006")["objectId"], name="Ark")
        expect(self.page.locator(".grid-held")).to_have_text("1 new change, show")
        # Another client changes an object that the page has written before.
        self.replica.change("Boat", self.stored("Z Boat 0003")["objectId"], name="Bark")
        expect(self.page.locator(".grid-held")).to_have_text("2 new changes, show")

    def test_own_change_on_its_way_is_not_announced_as_a_new_one(self):
        self.sort_by_name()
        own = self.stored("Boat 0003")["objectId"]
        held = []
        self.page.route(f"**/classes/Boat/{own}", lambda route: held.append(route), times=1)
        self.cell("Boat 0003", "name").dblclick()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type("Z Boat 0003")
        self.page.keyboard.press("Enter")
        expect(self.entry("Z Boat 0003")).to_be_visible()
        self.entry("Boat 0007").hover()
        # The page reads the object as it was before the change, because another client changes another object.
        self.replica.change("Boat", self.stored("Boat 0006")["objectId"], name="Ark")
        expect(self.page.locator(".grid-held")).to_have_text("1 new change, show")
        held[0].continue_()
        wait_until(lambda: self.replica.find("Boat", name="Z Boat 0003"))
        self.replica.change("Boat", self.stored("Boat 0005")["objectId"], name="Bark")
        expect(self.page.locator(".grid-held")).to_have_text("2 new changes, show")

    def test_row_that_another_client_moves_away_is_one_change(self):
        self.sort_by_name()
        self.entry("Boat 0003").hover()
        # The row moves out of the rows that the page has read, and the row after them moves in.
        self.replica.change("Boat", self.stored("Boat 0004")["objectId"], name="Yawl")
        expect(self.page.locator(".grid-held")).to_have_text("1 new change, show")

    def test_changes_of_others_appear_at_once_elsewhere(self):
        self.sort_by_name()
        self.page.mouse.move(5, 5)
        self.replica.add("Boat", name="Ark")
        expect(self.entry("Ark")).to_be_visible()


class PushedObjectTests(PageTest):
    """Objects that were created offline get the ids of the remote when they are pushed."""

    def test_new_ids_are_not_announced_as_changes(self):
        self.hub.stop()
        ids = [self.replica.add("Holiday", name=name) for name in ("Ark Day", "Boat Day")]
        self.page.goto(f"{self.replica.url}/#/Holiday?view=table&sort=name")
        expect(self.entry("Boat Day").locator(".badge-created")).to_have_count(1)
        self.entry("Ark Day").hover()
        self.hub.start()
        self.hub.add("Holiday", name="Aft Day")
        self.replica.sync()
        expect(self.entry("Boat Day").locator(".badge-synced")).to_have_count(1)
        # Only the object of the other client is new.
        expect(self.page.locator(".grid-held")).to_have_text("1 new change, show")
        self.assertFalse(set(ids) & {holiday["objectId"] for holiday in self.replica.find("Holiday")})
        # An object that another client creates here is one change before and after its push.
        self.replica.add("Holiday", name="Barge Day")
        expect(self.page.locator(".grid-held")).to_have_text("2 new changes, show")
        self.replica.sync()
        wait_until(lambda: self.hub.find("Holiday", name="Barge Day"))
        self.replica.add("Holiday", name="Canoe Day")
        expect(self.page.locator(".grid-held")).to_have_text("3 new changes, show")
        # The row leads to the object under its new id.
        self.page.get_by_role("button", name="Open Boat Day").click()
        expect(self.pane()).to_contain_text("Boat Day")

    def test_edit_of_a_cell_goes_on_when_its_object_gets_another_id(self):
        self.hub.stop()
        before = self.replica.add("Holiday", name="Ark Day", details="Boats")
        self.page.goto(f"{self.replica.url}/#/Holiday?view=table&sort=name&columns=name,details")
        self.entry("Ark Day").get_by_text("Boats").dblclick()
        self.page.locator(".cell-input").fill("Large")
        self.hub.start()
        with self.page.expect_response(lambda answer: "/classes/Holiday?" in answer.url):
            self.replica.sync()
        pushed = self.one_on_hub("Holiday", name="Ark Day")["objectId"]
        self.assertNotEqual(before, pushed)
        self.page.keyboard.type(" boats")
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".cell-input")).to_have_count(0)
        expect(self.entry("Ark Day")).to_contain_text("Large boats")
        expect(self.page.locator(f"[data-object={pushed}]")).to_have_count(1)
        self.assertEqual("Large boats", self.replica.read("Holiday", pushed)["details"])


class EditInPlaceTests(GridTest):
    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def setUp(self):
        super().setUp()
        self.sort_by_name()
        self.page.keyboard.press("ArrowDown")

    def cursor(self):
        return self.page.locator("#grid-cursor")

    def replace(self, text):
        self.page.locator(".cell-input").fill(text)

    def test_table_is_one_tab_stop_with_a_cursor(self):
        expect(self.grid()).to_be_focused()
        expect(self.cursor()).to_contain_text("Boat 0000")
        expect(self.grid()).to_have_attribute("aria-activedescendant", "grid-cursor")
        self.press("ArrowRight", "ArrowDown")
        expect(self.entry("Boat 0001").locator("#grid-cursor")).to_have_count(1)
        self.press("Control+End")
        expect(self.page.locator(".grid-range")).to_contain_text("150 of 150")
        self.press("Control+Home")
        expect(self.cursor()).to_contain_text("Boat 0000")
        self.press("Tab")
        expect(self.page.get_by_label("Go to row")).to_be_focused()
        self.press("Shift+Tab")
        expect(self.grid()).to_be_focused()

    def test_values_are_edited_in_their_cells_by_type(self):
        self.press("Enter")
        self.replace("Bark")
        self.press("Tab")
        expect(self.entry("Bark").locator("td#grid-cursor")).to_have_count(1)
        self.cell("Bark", "isSailing").click()
        self.press("Enter")
        self.page.locator(".cell-input").select_option("false")
        self.press("Enter")
        expect(self.cell("Bark", "isSailing")).to_have_text("No")
        self.cell("Bark", "metres").dblclick()
        self.replace("7.5")
        self.page.screenshot(path=screenshots.directory / "cell-editor.png")
        self.press("Enter")
        expect(self.cell("Bark", "metres")).to_have_text("7.5")
        self.cell("Bark", "built").dblclick()
        self.page.locator(".cell-input").fill("2002-03-04T05:06")
        self.press("Enter")
        expect(self.cell("Bark", "built")).to_contain_text("4 Mar 2002")
        self.cell("Bark", "seen").dblclick()
        self.press("Alt+n")
        # The gateway leaves out a null in its answers.
        expect(self.cell("Bark", "seen")).to_have_text("–")
        # The values are sent one after the other, and the row stays in its place.
        expect(self.page.locator("#announcer")).to_contain_text("Saved.")
        self.page.wait_for_function("""async () => {
            const answer = await fetch("classes/Boat?where=" + encodeURIComponent('{"name":"Bark"}'), { headers: { "X-Tidegate-Page": "1" } });
            const [boat] = (await answer.json()).results;
            return boat.metres === 7.5 && boat.isSailing === false && boat.built.iso === "2002-03-04T05:06:00.000Z" && boat.seen === undefined;
        }""")
        expect(self.page.locator(".grid tbody tr").first).to_contain_text("Bark")

    def test_escape_leaves_the_value_and_an_invalid_one_keeps_the_editor(self):
        self.press("Enter")
        self.replace("Half")
        self.press("Escape")
        expect(self.cursor()).to_contain_text("Boat 0000")
        expect(self.grid()).to_be_focused()
        self.assertEqual(1, len(self.replica.find("Boat", name="Boat 0000")))

    def test_caret_is_at_the_end_of_the_edited_text(self):
        self.press("Enter")
        self.page.keyboard.insert_text("!")
        expect(self.page.locator(".cell-input")).to_have_value("Boat 0000!")
        self.press("Escape")
        self.cell("Boat 0001", "metres").dblclick()
        self.page.keyboard.insert_text("25")
        expect(self.page.locator(".cell-input")).to_have_value("0.525")

    def test_reason_of_an_invalid_value_is_shown_at_its_editor(self):
        metres = self.cell("Boat 0001", "metres")
        metres.dblclick()
        self.replace("9007199254740993")
        self.press("Enter")
        reason = metres.get_by_role("alert")
        expect(reason).to_contain_text("It would become 9007199254740992.")
        expect(self.page.locator(".cell-input")).to_be_focused()
        expect(self.page.locator(".cell-input")).to_have_accessible_description(re.compile("more digits than Parse stores"))
        self.page.screenshot(path=screenshots.directory / "cell-problem.png")
        self.assertEqual([], accessible.problems(self.page))
        self.replace("12,5")
        expect(reason).to_be_hidden()
        self.press("Tab")
        expect(reason).to_have_text("The decimal separator is a point, as in 12.5.")
        self.replace("12.5")
        self.press("Enter")
        expect(metres).to_have_text("12.5")

    def test_reason_is_visible_as_a_whole_at_the_edges_of_the_table(self):
        self.press("Control+End", "ArrowLeft")
        name = self.cursor().locator("xpath=..").locator("th .cell-text").text_content()
        cell = self.cell(name, "metres")
        cell.dblclick()
        self.replace("1,234")
        self.press("Enter")
        expect(cell.get_by_role("alert")).to_be_visible()
        box, frame = cell.get_by_role("alert").bounding_box(), self.page.locator(".grid-frame").bounding_box()
        self.assertGreaterEqual(frame["y"] + frame["height"], box["y"] + box["height"])
        self.assertGreaterEqual(frame["x"] + frame["width"], box["x"] + box["width"])

    def test_invalid_value_is_reported_when_the_focus_leaves(self):
        metres = self.cell("Boat 0001", "metres")
        metres.dblclick()
        self.replace("9007199254740993")
        self.page.get_by_label("Search in this class").click()
        expect(metres).to_have_text("0.5")
        notice = self.page.locator(".notice")
        expect(notice).to_contain_text("metres of Boat 0001 keeps its value. This number has more digits than Parse stores.")
        self.assertEqual(0.5, self.stored("Boat 0001")["metres"])

    def test_value_without_a_one_line_editor_opens_the_form(self):
        self.cell("Boat 0000", "tags").dblclick()
        expect(self.form()).to_contain_text("Edit Boat 0000")

    def test_edited_cell_is_undone(self):
        self.press("Enter")
        self.replace("Bark")
        self.press("Enter")
        expect(self.page.locator("#announcer")).to_contain_text("Saved.")
        self.press("Control+z")
        expect(self.entry("Boat 0000")).to_be_visible()
        expect(self.page.locator("#announcer")).to_contain_text("name of Boat 0000 has its earlier value again.")
        self.assertEqual([], self.replica.find("Boat", name="Bark"))

    def test_edit_does_not_overwrite_a_value_that_was_not_shown(self):
        self.press("Enter")
        self.replica.change("Boat", self.stored("Boat 0000")["objectId"], name="Theirs")
        self.replace("Mine")
        self.press("Enter")
        expect(self.form()).to_contain_text("name is now: Theirs. Replace it?")
        self.form().get_by_role("button", name="Keep it").click()
        expect(self.entry("Theirs")).to_be_visible()


class WideTableTests(GridTest):
    boats = 30
    names = [f"f{number:03}" for number in range(200)]

    def boat(self, number):
        return {"name": f"Boat {number:04}", **{name: number for name in self.names}}

    def setUp(self):
        super().setUp()
        self.page.goto(f"{self.replica.url}/#/Boat?sort=name&columns=name,{','.join(self.names)}")
        expect(self.entry("Boat 0000")).to_be_visible()
        expect(self.page.locator(".grid-foot")).to_contain_text("201 of 205 columns")

    def heads(self):
        return [head for head in self.page.locator(".grid thead th").evaluate_all("all => all.map((head) => head.title)") if head]

    def test_only_the_visible_columns_have_cells(self):
        self.assertEqual(["name", "f000", "f001"], self.heads()[:3])
        self.assertLess(self.page.locator(".grid tbody tr").first.locator("> *").count(), 40)
        expect(self.grid()).to_have_attribute("aria-colcount", "203")
        self.page.locator(".grid-frame").evaluate("(frame) => { frame.scrollLeft = 100 * 104 }")
        expect(self.page.locator(".grid thead th[title=f100]")).to_be_in_viewport()
        expect(self.page.locator(".grid thead th[title=f000]")).to_have_count(0)
        self.assertEqual("name", self.heads()[0])
        row = self.entry("Boat 0007")
        expect(row.locator("[aria-colindex='103']")).to_have_text("7")
        # A cell is below the head of its column.
        boxes = [self.page.locator(".grid thead th[title=f100]").bounding_box(), row.locator("[aria-colindex='103']").bounding_box()]
        self.assertEqual(boxes[0]["x"], boxes[1]["x"])
        self.assertEqual(boxes[0]["width"], boxes[1]["width"])
        self.assertEqual([], accessible.problems(self.page))

    def test_keys_reach_the_columns_without_cells(self):
        self.grid().focus()
        cursor = self.page.locator("#grid-cursor")
        for key, index in (("End", "203"), ("ArrowLeft", "202"), ("ArrowDown", "202"), ("Home", "2"), ("ArrowRight", "3")):
            self.page.keyboard.press(key)
            expect(cursor).to_have_attribute("aria-colindex", index)
            expect(cursor).to_be_in_viewport()
        for _ in range(30):
            self.page.keyboard.press("ArrowRight")
        expect(cursor).to_have_attribute("aria-colindex", "33")
        expect(cursor).to_be_in_viewport()
        self.page.keyboard.press("Enter")
        self.page.locator(".cell-input").fill("99")
        self.page.keyboard.press("Tab")
        expect(cursor).to_have_attribute("aria-colindex", "34")
        expect(self.entry("Boat 0001").locator("[aria-colindex='33']")).to_have_text("99")
        self.page.keyboard.press("Alt+ArrowRight")
        expect(self.page.locator(".grid thead th[title=f031]")).to_have_css("width", "128px")
        wait_until(lambda: self.stored("Boat 0001")["f030"] == 99)
