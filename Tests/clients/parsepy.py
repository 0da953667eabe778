"""Tests ParsePy, a third-party Parse client, with a replica: online, while the remote is offline, and online again.

ParsePy stores the server's address in a global variable, which is set before its classes are created. The argument is the path of
a built tidegate. Prints the number of passed checks and exits with 0, or prints the first failed check.
"""

import contextlib
import datetime
import pathlib
import sys
import tempfile

from support.gateway import Gateway

checked = 0


def expect(is_right, what):
    global checked
    checked += 1
    if not is_right:
        raise SystemExit(f"ParsePy: failed: {what}")


def refused(error, action):
    try:
        action()
    except error:
        return True
    return False


def online(types, core, Holiday, Country):
    """Checks objects, values of all types, operations and queries while the remote is online."""
    norway = Country(code="NO", place=types.GeoPoint(60.0, 8.0))
    norway.save()
    expect(len(norway.objectId) == 10, "a new object has an id")
    day = datetime.datetime(2027, 5, 17, 10, 30)
    names = ["Constitution day", "Midsummer", "Christmas"]
    made = []
    for number, name in enumerate(names):
        holiday = Holiday(
            name=name, date=day + datetime.timedelta(days=60 * number), country=norway, guests=number,
            tags=["red", name[0]], notes="bring a hat", place=types.GeoPoint(60.0 + number, 8.0))
        holiday.save()
        made.append(holiday)
    first = Holiday.Query.get(objectId=made[0].objectId)
    expect(first.name == names[0] and first.date == day, "a string and a date come back")
    expect(first.tags == ["red", "C"] and first.place.latitude == 60.0, "an array and a place come back")
    expect(first.country.code == "NO", "a pointer resolves to its object")
    expect(first.createdAt is not None and first.updatedAt >= first.createdAt, "createdAt and updatedAt are set")

    first.guests = 7
    first.save()
    first.increment("guests", 3)
    expect(Holiday.Query.get(objectId=first.objectId).guests == 10, "an edit and an increment are kept")
    first.remove("notes")
    expect(Holiday.Query.filter(notes__exists=False).count() == 1, "a removed field is gone")

    expect([h.name for h in Holiday.Query.all().order_by("date", descending=True)] == names[::-1], "order")
    expect([h.name for h in Holiday.Query.all().order_by("date").skip(1).limit(1)] == names[1:2], "skip and limit")
    expect(Holiday.Query.filter(guests__gte=1, guests__lt=10).count() == 2, "numbers are compared")
    expect(Holiday.Query.filter(date__gt=day).count() == 2, "dates are compared")
    expect(Holiday.Query.filter(name__in=names[:2]).count() == 2, "$in")
    expect(Holiday.Query.filter(name__nin=names[:2]).count() == 1, "$nin")
    expect(Holiday.Query.filter(name__ne=names[0]).count() == 2, "$ne")
    expect(Holiday.Query.filter(tags="M").get().name == "Midsummer", "a query matches an element of an array")
    expect(Holiday.Query.filter(tags__all=["red", "C"]).count() == 2, "$all")
    expect(Holiday.Query.filter(country=norway).count() == 3, "a query matches a pointer")
    near = Holiday.Query.filter(place__nearSphere=types.GeoPoint(62.0, 8.0))
    expect([h.name for h in near] == names[::-1], "nearest first")
    included = Holiday.Query.filter(name=names[1]).select_related("country").get()
    expect(included.country.code == "NO", "include")

    norway.addRelation("holidays", "Holiday", [h.objectId for h in made[:2]])
    expect(Holiday.Query.filter(holidays__relatedTo=norway).count() == 2, "members of a relation are found")
    norway.removeRelation("holidays", "Holiday", [made[0].objectId])
    expect(Holiday.Query.filter(holidays__relatedTo=norway).get().name == names[1], "a removed member is no longer found")

    made[2].delete()
    expect(Holiday.Query.all().count() == 2, "a deleted object is gone")
    expect(refused(core.ResourceRequestNotFound, made[2].delete), "deleting a deleted object fails")
    expect(refused(core.ResourceRequestBadRequest, lambda: Holiday.Query.filter(name__in=5).count()), "an invalid query fails")
    return first


def main(tidegate):
    from parse_rest import connection, core

    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as gateways:
        work = pathlib.Path(work)
        hub = Gateway(tidegate, work / "hub")
        replica = Gateway(
            tidegate, work / "replica", "--remote", f"http://127.0.0.1:{hub.port}/parse", "--app-id", "clients",
            "--class", "Holiday", "--class", "Country")
        for gateway in (hub, replica):
            gateways.callback(gateway.stop)
            gateway.start()
        connection.API_ROOT = f"http://127.0.0.1:{replica.port}/1"
        from parse_rest import datatypes as types

        connection.register("clients", "any-key")
        Holiday = type("Holiday", (types.Object,), {})
        Country = type("Country", (types.Object,), {})
        replica.sync()
        first = online(types, core, Holiday, Country)
        replica.sync()
        expect(len(hub.send("GET", "/classes/Holiday")["results"]) == 2, "the remote has the new objects")

        hub.stop()
        there = Holiday.Query.filter(name=first.name).get()
        there.guests = 11
        there.save()
        offline = Holiday(name="Made offline", date=datetime.datetime(2027, 12, 31))
        offline.save()
        expect(Holiday.Query.filter(guests__gt=10).count() == 1, "an edit is seen offline")
        expect(Holiday.Query.all().count() == 3, "an object created offline is found offline")

        hub.start()
        for _ in range(3):
            replica.sync()
        found = {h["name"]: h for h in hub.send("GET", "/classes/Holiday")["results"]}
        expect(found[first.name]["guests"] == 11, "the remote has the edit")
        expect("Made offline" in found, "the remote has the new object")
        expect(replica.send("GET", "/sync")["pending"] == 0, "no changes are pending")
        expect(Holiday.Query.get(objectId=offline.objectId).name == "Made offline", "the local id still works")
    print(f"ParsePy: all {checked} checks passed")


if __name__ == "__main__":
    main(sys.argv[1])
