"""Runs the program 'tables-server': an Azure Mobile Apps server with the tables Holiday and Birthday in memory."""

import json
import os
import subprocess
import urllib.request


class TablesServer:
    def __init__(self):
        self.process = subprocess.Popen([os.environ["TIDEGATE_TABLES_SERVER"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def stop(self):
        self.process.communicate()

    def send(self, method, path, body=None):
        """Sends a request as another client of the tables. Returns the answer as JSON."""
        headers = {"Content-Type": "application/json", "ZUMO-API-VERSION": "2.0.0"}
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers, method=method), timeout=60) as answer:
            return json.load(answer)

    def add(self, table, **columns):
        """Inserts a row. Returns its id."""
        return self.send("POST", f"/tables/{table}", columns)["id"]

    def change(self, table, row_id, **columns):
        return self.send("PATCH", f"/tables/{table}/{row_id}", columns)

    def rows(self, table):
        """The rows of a table by their names."""
        return {row["name"]: row for row in self.send("GET", f"/tables/{table}")}
