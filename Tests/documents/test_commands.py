"""Runs the commands of README.md and docs/, and compares their output with the documented output."""

import contextlib
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

from blocks import Command, blocks, console_commands, languages, shape, shell_commands
from shell import Shell

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "Tests" / "browser"))

from daemon import DemoHub, DemoReplica  # noqa: E402

pages = [*sorted(root.glob("*.md")), *sorted((root / "docs").glob("*.md"))]

# The beginnings of commands that the test does not run, because they build, install, or need the reader's own server
# or machine.
only_for_readers = (
    "scripts/", "Tests/", ".ci/", "swift ", "sudo ", "strip ", "export ", "git ",
    "npx ", "tidegate why ", "tidegate conflicts ", "tidegate rejections ", "tidegate removals ", "tidegate demo ", "tidegate serve ", "tidegate service ",
    "tidegate doctor ", "tidegate user ", "tidegate role ", "tidegate backup ", "tidegate restore ", "tidegate check ", "tidegate export ", "tidegate import ", "tar ", "podman ",
    "tidegate-0.2.0-linux-x86_64/", "openssl req ", "chmod 600 hub-key.pem", "curl --cacert ", "tidegate list Holiday --url https://", "curl -T items.ndjson ",
    "curl -o out.ndjson ", "grep -E 'VmHWM", "cd parse && ", "done",
    "TIDEGATE_CONTRACT_REMOTE=",
)  # fmt: skip


def commands_of(block):
    """The commands of a block that the test runs."""
    if block.language == "python":
        return [Command("python3 - <<'EOF'\n" + "\n".join(block.lines) + "\nEOF")]
    reader = {"sh": shell_commands, "console": console_commands}.get(block.language)
    return reader(block.lines) if reader else []


class Demo:
    """A hub with sample data, a replica of it, and a shell. The addresses in the documentation are replaced by theirs."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        data = Path(self.directory.name) / "demo"
        self.hub = DemoHub(data)
        self.hub.log = Path(self.directory.name) / "hub.log"
        self.replica = DemoReplica(data, self.hub)
        self.replica.log = Path(self.directory.name) / "replica.log"
        programs = Path(self.directory.name) / "bin"
        programs.mkdir()
        (programs / "tidegate").symlink_to(os.environ["TIDEGATE"])
        self.replaced = {
            "http://127.0.0.1:1337": self.hub.url,
            "http://127.0.0.1:1338": self.replica.url,
            "https://example.org/parse": f"{self.hub.url}/parse",
            "~/.local/share/tidegate-demo": str(data),
        }
        self.hub.start()
        self.replica.start()
        self.replica.sync()
        # The commands of a reader may write files.
        self.shell = Shell({"PATH": f"{programs}:{os.environ['PATH']}"}, self.directory.name)

    def replace(self, text):
        """Replaces the documented addresses and directories in a text by those of this demo."""
        for old, new in self.replaced.items():
            text = text.replace(old, new)
        return text

    def run(self, command):
        """Runs a command of a page. Returns its exit code and output. Two comments are directives, which stop and start the hub."""
        if command.text == "# Stop the hub.":
            self.hub.stop()
        elif command.text == "# Start the hub again.":
            self.hub.start()
        if command.text.startswith("#"):
            return 0, ""
        text = self.replace(command.text)
        # -sS hides curl's progress table. A stream is ended after two seconds, which curl reports as exit code 28.
        is_stream = "curl -N " in text
        text = re.sub(r"\bcurl ", "curl -sS --max-time 2 " if is_stream else "curl -sS ", text)
        code, output = self.shell.run(text)
        return 0 if is_stream and code == 28 else code, output

    def close(self):
        with contextlib.suppress(AttributeError):
            self.shell.close()
        self.replica.stop()
        self.hub.stop()
        self.directory.cleanup()


class Commands(unittest.TestCase):
    def test_each_code_block_says_whether_the_test_runs_it(self):
        for page in pages:
            for block in blocks(page.read_text()):
                with self.subTest(page=page.name, block=block.lines[:1]):
                    self.assertIn(block.language, languages)
                    if block.language != "text":
                        continue
                    for line in block.lines:
                        self.assertTrue(line.startswith((*only_for_readers, "#", " ")), line)

    def test_output_of_another_shape_is_detected(self):
        expected = shape('{"objectId":"xO5TCC3Ntj","createdAt":"2026-11-21T06:06:22.730Z",…,"pulled":0}')
        self.assertTrue(expected.fullmatch('{"objectId":"z3utavFbSX","createdAt":"2026-11-22T15:44:25.128Z","a":1,"pulled":12}'))
        self.assertFalse(expected.fullmatch('{"objectId":"z3utavFbSX","createdAt":"2026-11-22","a":1,"pulled":12}'))
        self.assertFalse(expected.fullmatch('{"code":100,"error":"The remote cannot be reached"}'))

    def run_page(self, page):
        """Runs the blocks of a page in order. Returns the number of commands."""
        demo = Demo()
        self.addCleanup(demo.close)
        count = 0
        for block in blocks(page.read_text()):
            for command in commands_of(block):
                count += 1
                code, output = demo.run(command)
                self.assertEqual(code, 0, f"{page.name}: {command.text}\n{output}")
                if command.output is not None:
                    fits = shape(demo.replace(command.output)).fullmatch(output)
                    self.assertTrue(fits, f"{page.name}: {command.text}\nshown: {command.output}\nanswered: {output}")
                elif block.language == "sh":
                    self.assertNotRegex(output, r'^\{"(?:code|error)":', f"{page.name}: {command.text}")
        return count


def add_test(page):
    name = "test_" + re.sub(r"\W", "_", page.stem.lower())

    def test(self):
        self.assertGreater(self.run_page(page), 0)

    setattr(Commands, name, test)


for page in pages:
    if any(block.language in ("sh", "console", "python") for block in blocks(page.read_text())):
        add_test(page)

if __name__ == "__main__":
    unittest.main()
