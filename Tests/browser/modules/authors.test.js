import { entryKey, withAuthor, wordsFor } from "../../../web/js/authors.js";
import { conflictText, resolutionText } from "../../../web/js/conflict-text.js";
import { readEntries, readResolved } from "../../../web/js/entries.js";
import { removalText } from "../../../web/js/removal-text.js";
import { equal, test } from "./check.js";

const users = [
  { objectId: "a", username: "ada" },
  { objectId: "b", username: null },
];

test("an entry has the name of its user, or the id", () => {
  equal(withAuthor({ id: 1 }, users), { id: 1 });
  equal(withAuthor({ id: 1, user: "a" }, users), { id: 1, user: "a", author: "ada" });
  equal(["b", "d"].map((user) => withAuthor({ id: 1, user }, users).author), ["b", "d"]);
});

test("an entry in the data of a user is known by the user and the id", async () => {
  // The gateway's own data, kept from a former site replica, has an entry of user a. An entry in the user's data has
  // the same id.
  const list = async () => [{ id: 1 }, { id: 1, user: "a" }, { id: 1, user: "a", space: "a" }, { id: 1, user: "b", space: "b" }];
  const entries = await readEntries(list, { users });
  equal(entries.map(({ author }) => author), [undefined, "ada", "ada", "b"]);
  equal(entries.map(entryKey), [1, 1, "a 1", "b 1"]);
});

test("the latest resolved conflict is the first", async () => {
  const list = async () => [{ id: 1, user: "a", resolvedAt: "2031-01-01" }, { id: 2, user: "b", resolvedAt: "2031-01-02" }];
  equal((await readResolved(list, { users })).map(entryKey), [2, 1]);
});

test("texts about a user's entry name the user", () => {
  equal(wordsFor({}).your, "your");
  equal(conflictText({ kind: "fields" }).choices.map(({ label }) => label), ["Keep mine", "Keep theirs"]);
  equal(conflictText({ kind: "fields", author: "ada" }).choices.map(({ label }) => label), ["Keep ada's", "Keep the remote's"]);
  equal(resolutionText({ resolution: "local", author: "ada" }), "ada's version was kept");
  equal(removalText({ className: "Boat", objects: 1, of: 1, reason: "neverShown", author: "ada" }).keep, "Send ada's again");
});
