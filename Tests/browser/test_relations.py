"""Relations: the members in the form of an object, and the objects that point to an object."""

from playwright.sync_api import expect

import accessible
import screenshots
from page_test import PageTest


def pointer(class_name, object_id):
    return {"__type": "Pointer", "className": class_name, "objectId": object_id}


class RelationTests(PageTest):
    classes = ("Boat", "Person", "Trip")

    def seed(self):
        self.people = [self.hub.add("Person", name=f"Person {number:02}") for number in range(30)]
        members = [pointer("Person", object_id) for object_id in self.people[:25]]
        self.argo = self.hub.add("Boat", name="Argo", crew={"__op": "AddRelation", "objects": members})
        self.hub.add("Boat", name="Beagle", crew={"__op": "AddRelation", "objects": members[:1]})
        for number in range(3):
            self.hub.add("Trip", title=f"Trip {number}", boat=pointer("Boat", self.argo), captain=pointer("Person", self.people[0]))
        self.hub.add("Trip", title="Trip 3", log={"guide": pointer("Person", self.people[0]), "guests": [pointer("Person", self.people[0])]})

    def edit(self, class_name, object_id):
        self.page.goto(f"{self.replica.url}/#/{class_name}/{object_id}")
        expect(self.form()).to_be_visible()

    def members(self):
        return self.form().get_by_role("listitem").locator(".member-name")

    def crew(self):
        """The names of the crew at the replica."""
        return sorted(found["name"] for found in self.replica.find("Person", **{"$relatedTo": {"object": pointer("Boat", self.argo), "key": "crew"}}))

    def test_members_are_paged_added_and_removed(self):
        self.edit("Boat", self.argo)
        expect(self.members()).to_have_count(20)
        expect(self.members().first).to_have_text("Person 00")
        expect(self.form()).to_contain_text("1–20 of 25 members")
        self.form().get_by_role("button", name="Next members of crew").click()
        expect(self.members()).to_have_text([f"Person {number}" for number in range(20, 25)])
        self.form().get_by_role("button", name="Remove Person 21").click()
        expect(self.form()).to_contain_text("will be removed")
        self.form().get_by_role("button", name="Remove Person 22").click()
        self.form().get_by_role("button", name="Keep Person 22").click()
        crew = self.form().get_by_label("crew", exact=True)
        crew.fill("Person 28")
        crew.press("Enter")
        expect(self.form()).to_contain_text("will be added")
        expect(crew).to_have_value("")
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "relation")
        self.assertEqual(25, len(self.crew()))
        self.save()
        expected = [f"Person {number:02}" for number in [*range(21), *range(22, 25), 28]]
        self.assertEqual(expected, self.crew())

    def test_only_an_existing_object_becomes_a_member(self):
        self.watch.expect_error("404")
        self.edit("Boat", self.argo)
        expect(self.members()).to_have_count(20)
        self.form().get_by_label("crew", exact=True).fill("zzzzzzzzzz")
        self.form().get_by_role("button", name="Add to crew").click()
        expect(self.form()).to_contain_text("There is no object of Person with the id zzzzzzzzzz here.")
        self.form().get_by_label("crew", exact=True).fill("Person 29")
        self.save()
        self.assertIn("Person 29", self.crew())

    def test_new_object_gets_members(self):
        self.page.goto(f"{self.replica.url}/#/Boat")
        expect(self.entry("Argo")).to_be_visible()
        self.page.get_by_role("button", name="Add object").click()
        self.form().get_by_role("textbox", name="name").first.fill("Cutty")
        self.form().get_by_label("crew", exact=True).fill("Person 03")
        self.form().get_by_role("button", name="Add to crew").click()
        expect(self.members()).to_have_text(["Person 03"])
        self.save("Add")
        boat = self.replica.find("Boat", name="Cutty")[0]
        found = self.replica.find("Person", **{"$relatedTo": {"object": pointer("Boat", boat["objectId"]), "key": "crew"}})
        self.assertEqual(["Person 03"], [person["name"] for person in found])

    def test_unsaved_members_survive_a_reload(self):
        self.edit("Boat", self.argo)
        expect(self.members()).to_have_count(20)
        self.form().get_by_role("button", name="Remove Person 01").click()
        self.page.reload()
        expect(self.form()).to_contain_text("Your unsaved text was restored.")
        expect(self.form().get_by_role("button", name="Keep Person 01")).to_be_visible()

    def test_objects_that_point_here_are_counted_and_listed(self):
        self.edit("Person", self.people[0])
        self.form().get_by_text("Objects that point here").click()
        expect(self.form().get_by_role("link", name="Show 2 objects of Boat, crew")).to_be_visible()
        self.assertEqual([], accessible.problems(self.page))
        screenshots.take(self.page, "references")
        self.form().get_by_role("link", name="Show 3 objects of Trip, captain").click()
        expect(self.form()).to_have_count(0)
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Trip")
        expect(self.page.locator(".chip-edit")).to_have_text("captain is Person 00")
        expect(self.page.locator("#main")).to_contain_text("3 matches.")
        self.page.reload()
        expect(self.page.locator("#main")).to_contain_text("3 matches.")
        self.page.go_back()
        expect(self.form()).to_contain_text("Edit Person 00")

    def test_pointers_inside_of_objects_are_counted_and_listed(self):
        self.edit("Person", self.people[0])
        self.form().get_by_text("Objects that point here").click()
        expect(self.form().get_by_role("link", name="Show 1 object of Trip, log.guests")).to_be_visible()
        self.form().get_by_role("link", name="Show 1 object of Trip, log.guide").click()
        expect(self.entry("Trip 3")).to_be_visible()
        expect(self.page.locator("#main")).to_contain_text("1 match.")
        expect(self.page.locator("#main")).not_to_contain_text("no field")

    def test_members_of_a_relation_are_filtered_by_chips(self):
        self.page.goto(f"{self.replica.url}/#/Person")
        expect(self.page.locator(".grid-range")).to_contain_text("of 30")
        self.page.get_by_role("button", name="Add filter", exact=True).click()
        form = self.form()
        form.get_by_label("Field", exact=True).select_option("$relatedTo")
        expect(form.get_by_label("Relation", exact=True).locator("option")).to_have_text(["crew of Boat"])
        form.get_by_role("button", name="Add", exact=True).click()
        expect(form).to_contain_text("Choose the object of Boat that has the relation.")
        form.get_by_label("Object of Boat").fill("arg")
        self.assertEqual([], accessible.problems(self.page))
        form.get_by_role("button", name="Add", exact=True).click()
        expect(self.page.locator("#main")).to_contain_text("25 matches.")
        expect(self.page.locator(".chip-edit")).to_have_text("member of crew of Boat Argo")
        self.page.locator(".chip-edit").click()
        expect(form.get_by_label("Object of Boat")).to_have_value(f"Argo · {self.argo}")
