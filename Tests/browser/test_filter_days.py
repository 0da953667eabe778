"""Filters by days: they find the objects on the days that the table shows, in the time zone of the browser and in UTC."""

import json
import urllib.parse

from playwright.sync_api import expect

from page_test import PageTest

dues = {
    "before": "2031-05-16T05:30",  # in Los Angeles 15 May 22:30, in Auckland 16 May 17:30
    "early": "2031-05-16T07:30",  # in Los Angeles 16 May 00:30, in Auckland 16 May 19:30
    "late": "2031-05-17T01:30",  # in Los Angeles 16 May 18:30, in Auckland 17 May 13:30
    "after": "2031-05-17T16:00",  # in Los Angeles 17 May 09:00, in Auckland 18 May 04:00
    # A date at midnight UTC is shown as a day, in all time zones.
    "15 May": "2031-05-15T00:00", "16 May": "2031-05-16T00:00", "17 May": "2031-05-17T00:00"}


class FilterDayTests(PageTest):
    classes = ("Task",)
    has_details = False

    def seed(self):
        for name, due in dues.items():
            self.hub.add("Task", name=name, due={"__type": "Date", "iso": f"{due}:00.000Z"})

    def show(self, zone):
        """Opens the page at noon of 16 May in Los Angeles, which is the morning of 17 May in Auckland."""
        self.page = self.open("/#/Task?columns=name,due&sort=due", timezone_id=zone)[0]
        self.page.clock.set_fixed_time("2031-05-16T19:00:00.000Z")

    def expect_found(self, period, *names):
        where = urllib.parse.quote(json.dumps({"due": {"$period": period}}))
        self.page.goto(f"{self.replica.url}/#/Task?columns=name,due&sort=due&where={where}")
        self.page.get_by_role("button", name="Apply it").click()
        self.expect_names(*names)

    def expect_names(self, *names):
        expect(self.page.locator("#main tbody tr[data-object] th .cell-text")).to_have_text(list(names))

    def test_days_west_of_utc(self):
        self.show("America/Los_Angeles")
        self.expect_found("today", "16 May", "early", "late")
        self.expect_found("yesterday", "15 May", "before")
        self.expect_found("before 2031-05-16", "15 May", "before")
        self.expect_found("after 2031-05-16", "17 May", "after")
        self.expect_found("2031-05-17", "17 May", "after")

    def test_days_east_of_utc(self):
        self.show("Pacific/Auckland")
        self.expect_found("today", "17 May", "late")
        self.expect_found("yesterday", "16 May", "before", "early")
        self.expect_found("before 2031-05-17", "15 May", "16 May", "before", "early")
        self.expect_found("after 2031-05-17", "after")

    def test_days_follow_the_choice_of_utc(self):
        self.show("America/Los_Angeles")
        self.expect_found("today", "16 May", "early", "late")
        self.page.locator(".grid-times").select_option("utc")
        self.expect_names("16 May", "before", "early")
        self.page.locator(".grid-times").select_option("both")
        self.expect_names("16 May", "early", "late")

    def test_chosen_day_is_entered(self):
        self.show("America/Los_Angeles")
        for operator, names in (("is on", ["16 May", "early", "late"]), ("is before the day", ["15 May", "before"])):
            self.page.get_by_role("button", name="Add filter", exact=True).click()
            self.form().get_by_label("Field", exact=True).select_option("due")
            self.form().get_by_label("Operator").select_option(label=operator)
            self.form().get_by_label("Day", exact=True).fill("2031-05-16")
            self.form().get_by_role("button", name="Add", exact=True).click()
            self.expect_names(*names)
            self.page.get_by_role("button", name=f"Remove due {operator} 2031-05-16").click()
            expect(self.page.locator(".grid-range")).to_contain_text("of 7")
