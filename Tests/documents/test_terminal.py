"""Runs commands on a pseudo-terminal, as a person sees them: the width of tables, colours, and hostile values."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "Tests" / "browser"))

from daemon import Daemon  # noqa: E402

color = re.compile(r"\x1b\[\d+m")


def on_terminal(arguments, columns, **environment):
    """The lines that a command prints on a terminal with a number of columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    variables = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TERM": "xterm", **environment}
    process = subprocess.Popen(
        [os.environ["TIDEGATE"], *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=variables
    )
    os.close(theirs)
    output = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux ends the reading of a closed terminal with an error.
            break
        if not part:
            break
        output += part
    os.close(ours)
    process.wait(60)
    return output.decode().replace("\r\n", "\n").splitlines()


class Terminal(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.gateway = Daemon(Path(directory.name) / "data", "--log-level", "error")
        self.addCleanup(self.gateway.stop)
        self.gateway.start()
        self.gateway.add("Task", name="Buy bread", note="A note that is longer than the terminal is wide " * 3)
        self.gateway.add("Task", name="\x1b[31mred\x07\x9b2J", note="short")

    def list(self, columns, **environment):
        return on_terminal(["list", "Task", "--order", "createdAt", "--url", self.gateway.url], columns, **environment)

    def test_tables_fit_the_width_of_the_terminal(self):
        for columns in (40, 80, 200):
            lines = [color.sub("", line) for line in self.list(columns)]
            self.assertEqual(len(lines), 3)
            self.assertLessEqual(max(map(len, lines)), columns)
        self.assertIn("…", lines[1])
        self.assertNotIn("…", lines[2])

    def test_colors_are_used_on_a_terminal_that_wants_them(self):
        self.assertTrue(self.list(80)[0].startswith("\x1b[1mobjectId"))
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
            self.assertNotIn("\x1b", "".join(self.list(80, **variables)))

    def test_escape_sequences_in_values_do_not_reach_the_terminal(self):
        for arguments in (["list", "Task"], ["list", "Task", "--json"]):
            output = "".join(on_terminal([*arguments, "--url", self.gateway.url], 200))
            self.assertIn(r"\u001b[31mred\u0007\u009b2J", output)
            self.assertNotRegex(color.sub("", output), r"[\x00-\x1f\x7f-\x9f]")


if __name__ == "__main__":
    unittest.main()
