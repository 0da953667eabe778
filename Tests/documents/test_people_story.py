"""
Tests two users at one replica with curl, in a personal replica and in a site replica. The remote is a standalone gateway, or the Parse Server
of `TIDEGATE_CONTRACT_REMOTE`.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "Tests" / "browser"))

from daemon import Daemon, wait_until  # noqa: E402
from story_remote import story_remote  # noqa: E402


class Answer:
    def __init__(self, status, text):
        self.status = status
        self.text = text

    def __getitem__(self, member):
        return json.loads(self.text)[member]

    def __repr__(self):
        return f"{self.status} {self.text}"


def curl(daemon, method, path, body=None, token=None, key=None, kind="application/json"):
    """Sends a request. A body that is bytes is sent as it is."""
    command = ["curl", "-sS", "-X", method, "-w", "\n%{http_code}", daemon.url + path]
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        command += ["-H", f"Content-Type: {kind}", "--data-binary", data]
    if token:
        command += ["-H", f"X-Parse-Session-Token: {token}"]
    if key:
        command += ["-H", f"X-Parse-Master-Key: {key}"]
    output = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    text, _, status = output.rpartition("\n")
    return Answer(int(status), text)


class Story:
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = Path(directory.name)
        self.remote = story_remote(self.work, f"TidegateContract_{type(self).__name__}")
        # Runs last, when the replica sends nothing any more.
        self.addCleanup(self.remote.clean)
        self.path = f"/classes/{self.remote.class_name}"
        self.replica = Daemon(
            self.work / "replica", "--remote", self.remote.url, "--class", self.remote.class_name, "--web", "none",
            "--session-key-file", str(self.work / "keys" / "session-key"), "--local-master-key", "owner",
            "--people", self.people, *self.remote.replica_options(self.people))
        for daemon in (self.remote, self.replica):
            self.addCleanup(daemon.stop)
        self.remote.start()
        self.remote.add(text="first")
        for name in ("ada", "ben"):
            self.remote.add_user(name)
        self.replica.start()

    def log_in(self, name, password=None):
        credentials = {"username": self.remote.username(name), "password": password or name}
        return curl(self.replica, "POST", "/login", credentials)

    def texts(self, token):
        """The texts of the notes that a user sees at the replica; the Parse code of a refusal."""
        answer = curl(self.replica, "GET", f"{self.path}?order=text", token=token)
        return sorted(note["text"] for note in answer["results"]) if answer.status == 200 else answer["code"]

    def at_remote(self):
        """The notes of the remote with the users who may read them; None for everybody."""
        return {note["text"]: sorted(note["ACL"]) if "ACL" in note else None for note in self.remote.objects()}

    def waiting(self):
        """The numbers of changes, by user, that cannot be sent before the user logs in."""
        users = curl(self.replica, "GET", "/sync/users", key="owner")["results"]
        names = {user_id: name for name, user_id in self.remote.ids.items()}
        return {names[user["objectId"]]: user["pending"] for user in users if user["waitsForLogIn"]}

    def until(self, condition):
        """Syncs until a condition is true."""

        def holds():
            self.sync()
            return condition()

        wait_until(holds)

    def test_each_change_arrives_under_the_rights_of_its_author(self):
        tokens = {name: self.log_in(name)["sessionToken"] for name in ("ada", "ben")}
        self.until(lambda: all(self.texts(token) == ["first"] for token in tokens.values()))
        first = curl(self.replica, "GET", self.path, token=tokens["ada"])["results"][0]["objectId"]

        self.remote.stop()
        for name, token in tokens.items():
            note = {"text": f"{name}'s", "ACL": self.remote.rights(name)}
            made = curl(self.replica, "POST", self.path, note, token)
            self.assertEqual(201, made.status, made)
        edited = curl(self.replica, "PUT", f"{self.path}/{first}", {"text": "by ada"}, tokens["ada"])
        self.assertEqual(200, edited.status, edited)
        upload = curl(self.replica, "POST", "/files/a.txt", b"content", tokens["ben"], kind="text/plain")
        plain = upload["url"].removeprefix(self.replica.url).split("?")[0]
        for token, status in ((tokens["ben"], 200), (tokens["ada"], 404), (None, 404)):
            self.assertEqual(status, curl(self.replica, "GET", plain, token=token).status)
        self.assertEqual(["ada's", "by ada"], self.texts(tokens["ada"]))
        self.assertEqual(self.seen_by_ben, self.texts(tokens["ben"]))
        self.assertEqual(503, self.log_in("ada").status)
        self.assertEqual("{}", curl(self.replica, "POST", "/logout", {}, tokens["ada"]).text)
        self.assertEqual(209, self.texts(tokens["ada"]))

        # The remote changes while the replica cannot reach it.
        self.remote.set_password("ada", "new")
        self.remote.lock("ben")
        self.remote.start()
        self.until(lambda: self.waiting() == {"ada": 2, "ben": 1})
        self.assertEqual({"first": None}, self.at_remote())
        self.assertEqual(209, self.texts(tokens["ben"]))
        self.assertEqual(101, self.log_in("ben")["code"])
        self.assertEqual(101, self.log_in("ada")["code"])

        ada = self.log_in("ada", "new")["sessionToken"]
        self.assertEqual(["ada's", "by ada"], self.texts(ada))
        self.until(lambda: len(self.at_remote()) == 2)
        self.assertEqual({"ada's": [self.remote.ids["ada"]], "by ada": None}, self.at_remote())
        self.assertEqual({"ben": 1}, self.waiting())

        # The remote lets Ben in again. In a site, the replica learns that with the next sync.
        self.remote.unlock("ben")
        self.sync()
        ben = self.log_in("ben")["sessionToken"]
        self.assertEqual(["ben's", "by ada"], self.until_texts(ben, 2))
        self.until(lambda: len(self.at_remote()) == 3)
        self.assertEqual([self.remote.ids["ben"]], self.at_remote()["ben's"])
        self.until(lambda: self.waiting() == {})

    def until_texts(self, token, count):
        """Waits until a user sees this number of notes, and returns their texts. A personal replica pulls the changes of others."""
        self.until(lambda: len(self.texts(token)) == count and "first" not in self.texts(token))
        return self.texts(token)


class PersonalStory(Story, unittest.TestCase):
    people = "personal"
    seen_by_ben = ["ben's", "first"]

    def sync(self):
        for user in ("", *(f"&user={user_id}" for user_id in self.remote.ids.values())):
            curl(self.replica, "POST", f"/sync?wait=true{user}", {}, key="owner")


class SiteStory(Story, unittest.TestCase):
    people = "site"
    seen_by_ben = ["ben's", "by ada"]

    def sync(self):
        curl(self.replica, "POST", "/sync?wait=true", {}, key="owner")


if __name__ == "__main__":
    unittest.main()
