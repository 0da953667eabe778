"""Tests `tidegate export --format postgres` with a PostgreSQL of Debian."""

import datetime
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

from database import Database
from support.gateway import Gateway

# A hash by bcrypt, which Parse Server can check.
hash = "$2y$10$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK"
texts = ["", "a", "\\N", "\\", "\\.", "tab\there", "two\nlines", "return\r", "'quoted'", '"double"', "ü 漢字 🏖", "{a,b}", "null", "\u2028\x01"]
numbers = [0, -1, 1.5, 1e300, -2.5e-8, 9007199254740993, 12345678901234567890, 0.1, 2147483648]
times = ["1969-12-31T23:59:59.999Z", "2027-01-02T03:04:05.678Z", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00.001Z"]
pointer = {"__type": "Pointer", "className": "Team", "objectId": "team000001"}
nested = {"at": {"__type": "Date", "iso": times[0]}, "who": pointer, "nothing": None, "list": [1, None, {"ü": "\\n"}]}
values = {
    "text": lambda r: r.choice(texts),
    "number": lambda r: r.choice(numbers),
    "flag": lambda r: r.random() < 0.5,
    "at": lambda r: {"__type": "Date", "iso": r.choice(times)},
    "team": lambda r: pointer,
    "picture": lambda r: {"__type": "File", "name": "abc_picture.png"},
    "place": lambda r: {"__type": "GeoPoint", "latitude": r.randint(-90, 90), "longitude": r.random() * 180},
    "area": lambda r: {"__type": "Polygon", "coordinates": [[0, 0.5], [0, 1], [1.25, 1], [0, 0.5]]},
    "bytes": lambda r: {"__type": "Bytes", "base64": "AAEC/w=="},
    "list": lambda r: [r.choice(texts), r.choice(numbers[:4]), nested, None],
    "object": lambda r: nested,
}
# The types of the columns by which Parse Server stores the fields.
columns = {
    "objectId": "text", "createdAt": "timestamp with time zone", "updatedAt": "timestamp with time zone", "_rperm": "ARRAY",
    "_wperm": "ARRAY", "text": "text", "number": "double precision", "flag": "boolean", "at": "timestamp with time zone",
    "team": "text", "picture": "text", "place": "point", "area": "polygon", "bytes": "jsonb", "list": "jsonb", "object": "jsonb",
}


def milliseconds(iso):
    at = datetime.datetime.fromisoformat(iso.replace("Z", "+00:00")) - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    return at // datetime.timedelta(milliseconds=1)


def stored(field, value):
    """A value of Parse in the form in which the queries of the tests read it."""
    if value is None:
        return None
    if field in ("createdAt", "updatedAt"):
        return milliseconds(value)
    kind = value.get("__type") if isinstance(value, dict) else None
    if kind == "Date":
        return milliseconds(value["iso"])
    if kind == "Pointer":
        return value["objectId"]
    if kind == "File":
        return value["name"]
    if kind == "GeoPoint":
        return [float(value["longitude"]), float(value["latitude"])]
    if kind == "Polygon":
        return [[float(longitude), float(latitude)] for latitude, longitude in value["coordinates"]]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return value


def read(field, value):
    """A value of a row in the same form."""
    if value is None:
        return None
    kind = columns[field]
    if kind == "point":
        return json.loads(value.replace("(", "[").replace(")", "]"))
    if kind == "polygon":
        return json.loads("[" + value[1:-1].replace("(", "[").replace(")", "]") + "]")
    if kind == "double precision":
        return float(value)
    return value


class PostgresTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = pathlib.Path(tempfile.mkdtemp(prefix="transfer-"))
        cls.addClassCleanup(shutil.rmtree, cls.work)
        cls.database = Database()
        cls.addClassCleanup(cls.database.close)
        cls.gateway = Gateway(os.environ["TIDEGATE"], cls.work / "data", "--local-master-key", "master", "--local-maintenance-key", "times")
        cls.gateway.start()
        cls.addClassCleanup(cls.gateway.stop)
        cls.fill()
        cls.export("all", "--with-password-hashes")
        done = cls.database.psql("--file", "load.sql", cwd=cls.work / "all")
        if done.returncode:
            raise AssertionError(done.stderr)

    @classmethod
    def send(cls, method, path, body=None):
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        headers = {"X-Parse-Master-Key": "master", "Content-Type": "application/json"}
        if path.startswith("/import"):
            headers = {"X-Parse-Maintenance-Key": "times"}
        request = urllib.request.Request(f"http://127.0.0.1:{cls.gateway.port}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read()[:400]) from error

    @classmethod
    def fill(cls):
        chance = random.Random(50)
        things = []
        for number in range(400):
            made, changed = sorted([chance.choice(times), chance.choice(times)])
            thing = {"objectId": f"thing{number:05}", "createdAt": made, "updatedAt": changed}
            thing |= {field: value(chance) if chance.random() < 0.8 else None for field, value in values.items() if chance.random() < 0.8}
            if chance.random() < 0.5:
                thing["ACL"] = chance.choice([{}, {"*": {"read": True}}, {"role:the \"best\" \\ {a,b}": {"read": True, "write": True}, "u1": {"write": True}}])
            things.append(thing)
        lines = b"".join(json.dumps(thing).encode() + b"\n" for thing in things)
        result = cls.send("POST", "/import/Thing", lines)
        assert result["made"] == len(things), result
        cls.send("POST", "/classes/Old", {"at": {"__type": "Date", "iso": "0000-01-01T00:00:00.000Z"}})
        user = json.dumps({"objectId": "user000001", "username": "ada", "email": "ada@example.org", "_hashed_password": hash})
        cls.send("POST", "/import/_User", user.encode())
        cls.send("POST", "/users", {"username": "bob", "password": "sesame"})
        members = {"__op": "AddRelation", "objects": [{"__type": "Pointer", "className": "_User", "objectId": "user000001"}]}
        cls.send("POST", "/roles", {"name": "editors", "ACL": {"*": {"read": True}}, "users": members})
        permissions = {"find": {"requiresAuthentication": True}, "get": {"*": True}, "create": {"role:editors": True}}
        fields = {"size": {"type": "Number", "required": True, "defaultValue": 3}, "fans": {"type": "Relation", "targetClass": "_User"}}
        cls.send("POST", "/schemas/Club", {"className": "Club", "fields": fields, "classLevelPermissions": permissions})

    @classmethod
    def export(cls, name, *arguments):
        command = [os.environ["TIDEGATE"], "export", "--format", "postgres", "--to", f"{cls.work / name}/", "--url", f"http://127.0.0.1:{cls.gateway.port}"]
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, env={**os.environ, "TIDEGATE_LOCAL_MASTER_KEY": "master"})
        if done.returncode:
            raise AssertionError(done.stderr)
        return done.stderr

    def all_objects(self, class_name):
        return self.send("GET", f"/classes/{class_name}?limit=1000")["results"]

    def test_columns_have_the_types_of_parse_server(self):
        found = self.database.rows("SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'Thing'")
        self.assertEqual(columns, {row["column_name"]: row["data_type"] for row in found})
        (key,) = self.database.rows("SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = '\"Thing\"'::regclass")
        self.assertEqual('PRIMARY KEY ("objectId")', key["key"])
        (array,) = self.database.rows("SELECT udt_name FROM information_schema.columns WHERE table_name = 'Thing' AND column_name = '_rperm'")
        self.assertEqual("_text", array["udt_name"])

    def test_rows_have_the_values_of_all_types(self):
        dates = [name for name, kind in columns.items() if kind.startswith("timestamp")]
        parts = [f'(extract(epoch FROM "{name}") * 1000)::bigint AS "{name}"' if name in dates else f'"{name}"' for name in columns]
        rows = {row["objectId"]: row for row in self.database.rows(f'SELECT {", ".join(parts)} FROM "Thing"')}
        objects = self.all_objects("Thing")
        self.assertEqual(400, len(objects))
        self.assertEqual({thing["objectId"] for thing in objects}, set(rows))
        for thing in objects:
            row = rows[thing["objectId"]]
            for field in columns:
                if not field.startswith("_"):
                    self.assertEqual(stored(field, thing.get(field)), read(field, row[field]), (thing["objectId"], field))
            for column, right in (("_rperm", "read"), ("_wperm", "write")):
                acl = thing.get("ACL")
                entities = None if acl is None else sorted(entity for entity, rights in acl.items() if rights.get(right))
                self.assertEqual(entities, None if row[column] is None else sorted(row[column]))

    def test_the_year_0000_is_the_first_before_christ(self):
        self.assertEqual([{"at": -62167219200000}], self.database.rows('SELECT (extract(epoch FROM "at") * 1000)::bigint AS at FROM "Old"'))

    def test_users_have_the_hashes_that_parse_server_can_check(self):
        rows = {row["username"]: row for row in self.database.rows('SELECT * FROM "_User"')}
        self.assertEqual({"ada": hash, "bob": None}, {name: row["_hashed_password"] for name, row in rows.items()})
        self.assertEqual("ada@example.org", rows["ada"]["email"])
        self.assertIn("_email_verify_token_expires_at", rows["ada"])
        self.assertIn("Left out the passwords of 1 user", self.export("again", "_User", "--with-password-hashes"))

    def test_relations_have_tables_of_members(self):
        (role,) = self.all_objects("_Role")
        self.assertEqual([{"relatedId": "user000001", "owningId": role["objectId"]}], self.database.rows('SELECT * FROM "_Join:users:_Role"'))
        self.assertEqual([], self.database.rows('SELECT * FROM "_Join:fans:Club"'))

    def test_schemas_have_fields_permissions_and_options(self):
        rows = {row["className"]: row for row in self.database.rows('SELECT * FROM "_SCHEMA"')}
        self.assertLessEqual({"Thing", "Club", "_User", "_Role"}, set(rows))
        self.assertNotIn("_Session", rows)
        schema = rows["Club"]["schema"]
        self.assertTrue(rows["Club"]["isParseClass"])
        self.assertEqual({"type": "Number", "required": True, "defaultValue": 3}, schema["fields"]["size"])
        self.assertEqual({"type": "Relation", "targetClass": "_User"}, schema["fields"]["fans"])
        self.assertEqual({"type": "Array", "contents": {"type": "String"}}, schema["fields"]["_rperm"])
        self.assertEqual({"role:editors": True}, schema["classLevelPermissions"]["create"])
        self.assertNotIn("ACL", schema["fields"])
        self.assertNotIn("password", rows["_User"]["schema"]["fields"])
        self.assertIn("_hashed_password", rows["_User"]["schema"]["fields"])

    def test_a_second_load_changes_nothing(self):
        done = self.database.psql("--file", "load.sql", cwd=self.work / "all")
        self.assertNotEqual(0, done.returncode)
        self.assertIn("already exists", done.stderr)
        self.assertEqual([{"count": 400}], self.database.rows('SELECT count(*) FROM "Thing"'))
