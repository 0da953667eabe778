"""A PostgreSQL with a directory of its own, without a port."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile


class Database:
    def __init__(self):
        self.programs = pathlib.Path(os.environ["POSTGRES"])
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        # PostgreSQL does not run as root.
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.user:
            shutil.chown(self.directory, "postgres")
        self.run("initdb", "--username=parse", "--auth=trust", "--encoding=UTF8", "--locale=C", f"{self.directory}/data")
        options = f"-k {self.directory} -c listen_addresses='' -c timezone=Europe/Oslo -c fsync=off"
        self.run("pg_ctl", "start", "--wait", "-D", f"{self.directory}/data", "-l", f"{self.directory}/log", "-o", options)

    def run(self, program, *arguments):
        subprocess.run([*self.user, self.programs / program, *arguments], check=True, cwd="/", stdout=subprocess.DEVNULL)

    def close(self):
        self.run("pg_ctl", "stop", "-D", f"{self.directory}/data", "-m", "immediate")
        shutil.rmtree(self.directory)

    def psql(self, *arguments, cwd="/"):
        command = [self.programs / "psql", "--no-psqlrc", "--host", self.directory, "--username", "parse", "--dbname", "postgres", "--quiet"]
        return subprocess.run([*command, *arguments], cwd=cwd, capture_output=True, text=True)

    def rows(self, query):
        """The rows of a query as dictionaries."""
        done = self.psql("--tuples-only", "--no-align", "--command", f"SELECT row_to_json(t) FROM ({query}) t")
        if done.returncode:
            raise AssertionError(done.stderr)
        return [json.loads(line, parse_int=float) for line in done.stdout.split("\n") if line]
