"""A shell session that runs all commands of a page, so that later commands see the variables of earlier ones."""

import os
import select
import subprocess
import time

seconds_max = 60


class Shell:
    def __init__(self, environment, directory):
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=directory,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **environment},
        )
        self.number = 0

    def run(self, command):
        """The exit code and the output of a command."""
        self.number += 1
        mark = f"--- end of command {self.number} ---"
        self.process.stdin.write(f"{command}\nprintf '\\n%s %d\\n' '{mark}' $?\n".encode())
        self.process.stdin.flush()
        output, deadline = b"", time.monotonic() + seconds_max
        while mark.encode() not in output or not output.endswith(b"\n"):
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not select.select([self.process.stdout], [], [], remaining)[0]:
                raise AssertionError(f"no end after {seconds_max} s: {command}\n{output.decode()}")
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                raise AssertionError(f"the shell has ended: {command}\n{output.decode()}")
            output += part
        text, _, code = output.decode().rpartition(mark)
        return int(code), text.strip("\n")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
