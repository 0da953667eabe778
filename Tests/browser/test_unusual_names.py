"""Class and field names that JavaScript objects inherit, unsafe addresses in objects, and gateways with other classes or none."""

from playwright.sync_api import expect

import screenshots
from daemon import day
from page_test import PageTest

odd_names = ("constructor", "toString", "hasOwnProperty", "valueOf")


class NameTests(PageTest):
    classes = odd_names

    def seed(self):
        for name in odd_names:
            self.hub.add(name, name=f"One of {name}", valueOf="built", count=1)
            self.hub.add(name, name=f"Another of {name}", toString="said")

    def test_classes_named_like_javascript_members_work(self):
        for name in odd_names:
            self.page.get_by_role("link", name=name, exact=True).or_(self.page.locator(f".class-link[href='#/{name}']")).first.click()
            expect(self.page.get_by_role("heading", level=1)).to_have_text(name)
            expect(self.entry(f"One of {name}")).to_contain_text("built")
            expect(self.entry(f"Another of {name}")).not_to_contain_text("function")
            self.page.get_by_role("button", name="count sort ascending").click()
            expect(self.page.locator("th[aria-sort=ascending]")).to_contain_text("count")
            self.page.get_by_label("Search in this class").fill("built")
            expect(self.page.locator("#main")).to_contain_text("1 match.")
            self.page.get_by_role("button", name=f"Open One of {name}").click()
            expect(self.form().get_by_label("toString")).to_have_value("")
            self.form().get_by_label("valueOf").fill("rebuilt")
            self.form().get_by_label("toString").fill("new")
            self.save()
            found = self.replica.find(name, name=f"One of {name}")[0]
            self.assertEqual(("rebuilt", "new", 1), (found["valueOf"], found["toString"], found["count"]))

    def test_address_with_an_invalid_class_shows_a_message(self):
        self.watch.expect_error("400")
        self.page.goto(f"{self.replica.url}/#/__proto__")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("__proto__")
        expect(self.page.locator("#main .message-title")).to_be_visible()
        expect(self.page.locator("#main .skeleton")).to_have_count(0)

    def test_value_of_unknown_type_is_shown_as_json(self):
        self.replica.add("toString", name="Odd", extra={"x": 1})
        # An older server may have stored such a value.
        self.page.route(
            "**/classes/toString?*",
            lambda route: route.fulfill(body=route.fetch().text().replace('{"x":1}', '{"__type":"constructor","x":1}'), content_type="application/json"))
        self.page.goto(f"{self.replica.url}/#/toString")
        expect(self.entry("Odd")).to_contain_text('"x":1')
        self.page.get_by_role("button", name="Open Odd").click()
        self.form().get_by_label("name", exact=True).fill("Odder")
        self.save()
        expect(self.entry("Odder")).to_be_visible()


class LinkTests(PageTest):
    classes = ("Holiday", "Note")

    def seed(self):
        pass

    def links(self):
        return self.page.locator("#main").evaluate("(main) => [...main.querySelectorAll('[href], [src]')].map((node) => node.href || node.src)")

    def test_unsafe_addresses_do_not_become_links(self):
        self.watch.expect_error("403|404|503")
        own = self.replica.url
        addresses = [
            f"{own}//elsewhere.example/files/x/a.png", f"{own}/\\elsewhere.example/a.png", "//elsewhere.example/a.png", "\\\\elsewhere.example\\a.png",
            "javascript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,<script>alert(1)</script>", "blob:x", "file:///etc/passwd",
            f"{own}/sync/pause", f"{own}/classes/Holiday", f"{own}/files/a/../../metrics", f"{own}/classes/Q?order=a.0.0",
            "https://elsewhere.example/fine",
        ]
        for index, address in enumerate(addresses):
            file = {"__type": "File", "name": f"{index}.png", "url": address}
            self.hub.add("Note", name=f"Note {index}", link=address, file=file)
            self.hub.add("Holiday", name=f"Day {index}", date=day("2031-05-01"), wikipediaLink=address, image=file)
        self.replica.sync()
        for name in ("Note", "Holiday"):
            self.page.goto(f"{own}/#/{name}")
            expect(self.page.locator("#main [data-object]")).to_have_count(len(addresses))
            for link in self.links():
                self.assertRegex(link, "^(https?:)//")
                self.assertTrue(link.startswith((f"{own}/files/", "https://elsewhere.example/fine")), link)
            # The harmless address stays a link.
            self.assertIn("https://elsewhere.example/fine", self.links())
        screenshots.take(self.page, "links")


class OwnClassesTests(PageTest):
    classes = ("Boat", "Anchor")

    def seed(self):
        self.hub.add("Boat", name="Dinghy")
        self.hub.add("Anchor", name="Bruce")

    def test_page_opens_on_the_first_class_of_the_gateway(self):
        first = self.page.locator(".class-link").first
        expect(first).to_have_attribute("aria-current", "page")
        self.assertIn(first.get_attribute("href"), ("#/Boat", "#/Anchor"))
        expect(self.page.get_by_role("link", name="Holidays")).to_have_count(0)
        expect(self.page.get_by_role("link", name="Birthdays")).to_have_count(0)
        self.assertEqual(0, len([url for url in self.watch.urls if "Holiday" in url or "Birthday" in url]))
        for name in ("Boat", "Anchor"):
            self.page.get_by_role("link", name=name).click()
            expect(self.page.get_by_role("heading", level=1)).to_have_text(name)
        self.page.get_by_role("link", name="Tidegate").click()
        expect(first).to_have_attribute("aria-current", "page")
        for name in ("Boat", "Anchor"):
            self.page.get_by_role("button", name=f"Stop syncing {name}").click()
            self.form().get_by_role("button", name="Stop syncing").click()
            expect(self.page.get_by_role("link", name=name)).to_have_count(0)
        expect(self.page.get_by_role("heading", level=2).first).to_be_visible()


class NoClassTests(PageTest):
    classes = ()

    def seed(self):
        self.hub.add("Boat", name="Dinghy")

    def test_page_without_classes_offers_to_add_one(self):
        expect(self.page.locator("#main")).to_contain_text("No class is synced yet")
        screenshots.take(self.page, "no-class", with_details=False)
        self.page.get_by_role("button", name="Sync a class").click()
        self.form().get_by_label("Name of the class").fill("Boat")
        self.save("Sync it")
        expect(self.entry("Dinghy")).to_be_visible()
