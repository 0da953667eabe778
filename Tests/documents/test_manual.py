"""What must agree with the program: the manual pages, the completions, and the version in the names of packages."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

root = pathlib.Path(__file__).resolve().parents[2]
program = os.environ["TIDEGATE"]


def output(*arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


class ManualTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.command = json.loads(output("--experimental-dump-help"))["command"]
        cls.commands = [one for one in cls.command["subcommands"] if one["shouldDisplay"] and one["commandName"] != "help"]
        serve = next(one for one in cls.commands if one["commandName"] == "serve")
        cls.settings = sorted(name["name"] for one in serve["arguments"] if one["shouldDisplay"] for name in one.get("names", []) if name["kind"] == "long")
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([root / "packaging" / "manual", program, directory], check=True)
            cls.pages = {path.name: path.read_text() for path in pathlib.Path(directory).iterdir()}

    def test_each_command_has_a_page_that_the_main_page_names(self):
        self.assertEqual({"tidegate.1", *(f"tidegate-{one['commandName']}.1" for one in self.commands)}, set(self.pages))
        for one in self.commands:
            self.assertIn(f"\\fBtidegate\\-{one['commandName']}\\fP(1)", self.pages["tidegate.1"])

    def test_page_of_serve_describes_each_documented_setting(self):
        documented = set(re.findall(r"^- `--([a-z-]+)", (root / "docs" / "configuration.md").read_text(), re.MULTILINE))
        self.assertGreater(len(documented), 60)
        page = self.pages["tidegate-serve.1"].replace("\\-", "-")
        self.assertEqual([], [name for name in sorted(documented) if f"\\fB--{name}\\fP" not in page])

    def test_completions_know_each_command_and_setting(self):
        for shell in ("bash", "zsh", "fish"):
            script = output("--generate-completion-script", shell)
            missing = [one["commandName"] for one in self.commands if one["commandName"] not in script]
            # Fish writes the name of a long option without dashes.
            missing += [name for name in self.settings if not re.search(rf"(--|-l '?){re.escape(name)}\b", script)]
            with self.subTest(shell):
                self.assertEqual([], missing)

    def test_packages_in_the_documents_have_the_version_of_the_program(self):
        version = output("--version").strip()
        names = set()
        for path in (root / "README.md", root / "docs" / "operations.md"):
            text = path.read_text()
            # The upgrade shows the name of a later package.
            text = text[: text.find("## Upgrade")] if "## Upgrade" in text else text
            names |= set(re.findall(r"tidegate[-_:](\d+\.\d+\.\d+)", text))
        self.assertEqual({version}, names)


if __name__ == "__main__":
    unittest.main()
