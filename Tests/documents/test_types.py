"""Checks the types of `tidegate types` with the tools of their languages, as far as these are installed."""

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "Tests" / "browser"))

from daemon import Daemon, day  # noqa: E402

# Names that are words or types of one of the languages.
names = [
    "default", "String", "Date", "Data", "None", "Target", "ParseDate", "Type", "Protocol", "self", "str", "Any", "list",
    "CodingKeys", "Optional", "number", "Map", "Partial", "Array", "Record", "Double", "Bool", "Sendable", "Foundation",
    "dict", "float", "object", "class_",
]  # fmt: skip
words = [
    "class", "self", "init", "Type", "hashValue", "CodingKeys", "encode", "None", "default", "description", "id", "Self", "in",
]  # fmt: skip
fields = {
    **dict.fromkeys(words, "String"),
    "done": "Boolean", "due": {"type": "Date", "required": True}, "obj": "Object",
    "arr": "Array", "file": "File", "place": "GeoPoint", "bytes": "Bytes", "poly": "Polygon",
    "text": {"type": "Pointer", "targetClass": "String"}, "user": {"type": "Pointer", "targetClass": "_User"},
    "gone": {"type": "Pointer", "targetClass": "Missing"}, "members": {"type": "Relation", "targetClass": "default"},
}  # fmt: skip


class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.directory = Path(directory.name)
        cls.gateway = Daemon(cls.directory / "data", "--log-level", "error")
        cls.addClassCleanup(cls.gateway.stop)
        cls.gateway.start()
        for name in names:
            cls.gateway.make_class(name, title="String")
        cls.gateway.make_class("Everything", n="Number")
        key = (cls.gateway.directory / "master-key").read_text().strip()
        body = {"fields": {name: {"type": kind} if isinstance(kind, str) else kind for name, kind in fields.items()}}
        cls.gateway.send("PUT", "/schemas/Everything", body, {"X-Parse-Master-Key": key})
        cls.object_id = cls.gateway.add("Everything", n=1, due=day("2027-01-01"), init="a", place=place, user=None)

    def types(self, language, *arguments):
        command = [os.environ["TIDEGATE"], "types", "--lang", language, *arguments, "--data", str(self.gateway.directory)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def files(self, language, ending):
        """Files with the types of all classes, of one class, and of one class as read from its objects."""
        for index, arguments in enumerate([[], ["Everything"], ["Everything", "--from-objects"]]):
            path = self.directory / f"types_{index}{ending}"
            path.write_text(self.types(language, *arguments))
            yield str(path)

    def assert_accepts(self, *command):
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_python_reads_the_types(self):
        for path in self.files("python", ".py"):
            tree = ast.parse(Path(path).read_text())
            self.assertIn("Everything", [node.targets[0].id for node in tree.body if isinstance(node, ast.Assign)])
            self.assert_accepts(sys.executable, path)

    @unittest.skipUnless(shutil.which("mypy"), "mypy is not installed")
    def test_mypy_accepts_the_types(self):
        self.assert_accepts("mypy", "--strict", *self.files("python", ".py"))

    @unittest.skipUnless(shutil.which("tsc"), "tsc is not installed")
    def test_the_compiler_of_typescript_accepts_the_types(self):
        self.assert_accepts("tsc", "--noEmit", "--strict", *self.files("typescript", ".ts"))

    @unittest.skipUnless(shutil.which("swiftc"), "swiftc is not installed")
    def test_swift_decodes_an_object_into_its_type(self):
        main = self.directory / "main.swift"
        main.write_text(self.types("swift") + reader)
        program = self.directory / "program"
        self.assert_accepts("swiftc", str(main), "-o", str(program))
        answer = json.dumps(self.gateway.read("Everything", self.object_id))
        run = subprocess.run([program], input=answer, capture_output=True, text=True)
        self.assertEqual(run.stdout.split(), ["1.0", "2027-01-01T00:00:00.000Z", "a", "1.5"], run.stderr)

    @unittest.skipUnless(importlib.util.find_spec("jsonschema"), "jsonschema is not installed")
    def test_schema_describes_the_objects(self):
        from jsonschema import Draft202012Validator

        for path in self.files("json-schema", ".json"):
            Draft202012Validator.check_schema(json.loads(Path(path).read_text()))
        validator = Draft202012Validator(json.loads(self.types("json-schema", "Everything")))
        known = self.gateway.read("Everything", self.object_id)
        validator.validate(known)
        for wrong in ({"n": "1"}, {"due": "2027-01-01"}, {"place": {"__type": "Date"}}, {"objectId": None}):
            self.assertFalse(validator.is_valid({**known, **wrong}), wrong)


place = {"__type": "GeoPoint", "latitude": 1.5, "longitude": 2}
reader = """
let everything = try JSONDecoder().decode(Everything.self, from: FileHandle.standardInput.readDataToEndOfFile())
print(everything.n ?? 0, everything.due.iso, everything.init_ ?? "", everything.place?.latitude ?? 0)
"""

if __name__ == "__main__":
    unittest.main()
