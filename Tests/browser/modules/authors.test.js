import { entryKey, withAuthor, wordsFor } from "../../../web/js/authors.js";
import { conflictText, resolutionText } from "../../../web/js/conflict-text.js";
import { readEntries, readResolved } from "../../../web/js/entries.js";
import { removalText } from "../../../web/js/removal-text.js";
import { equal, test } from "./check.js";

const users = [
  { objectId: "a", username: "ada", pending: 0, rejections: 1, conflicts: 0, removals: 0 },
  { objectId: "b", username: null, pending: 1, rejections: 1, conflicts: 0, removals: 0 },
  { objectId: "c", username: "cyd", pending: 0, rejections: 0, conflicts: 0, removals: 0 },
];
const personal = { status: { people: { mode: "personal" } }, users };
const site = { status: { people: { mode: "site" } }, users };

test("an entry has the name of its user, or the id", () => {
  equal(withAuthor({ id: 1 }, users), { id: 1 });
  equal(withAuthor({ id: 1, user: "a" }, users), { id: 1, user: "a", author: "ada" });
  equal(["b", "d"].map((user) => withAuthor({ id: 1, user }, users).author), ["b", "d"]);
});

test("an entry in the data of a user is known by the user and the id", async () => {
  const own = { id: 1, className: "Boat", objectId: "x" };
  // The own data of a former site has an entry of a user, with the id of an entry in the user's space.
  const ofSite = { ...own, objectId: "y", user: "a" };
  const spaces = { a: [{ ...own, objectId: "z" }], b: [{ ...own, objectId: "z" }] };
  const asked = [];
  const list = async (space) => {
    asked.push(space);
    if (space !== undefined) return spaces[space];
    return [own, ofSite, ...["a", "b"].flatMap((user) => spaces[user].map((entry) => ({ ...entry, user })))];
  };
  const entries = await readEntries(list, personal);
  equal(asked, [undefined, "a", "b"]);
  equal(entries.map(({ objectId }) => objectId), ["x", "y", "z", "z"]);
  equal(entries.map(({ author }) => author), [undefined, "ada", "ada", "b"]);
  equal(entries.map(({ space }) => space), [undefined, undefined, "a", "b"]);
  equal(entries.map(entryKey), [1, 1, "a 1", "b 1"]);
});

test("all entries of a site are in its own data", async () => {
  const list = async () => [{ id: 1, user: "a" }, { id: 2, user: "b" }];
  equal((await readEntries(list, site)).map(entryKey), [1, 2]);
});

test("the latest resolved conflict is the first", async () => {
  const list = async () => [{ id: 1, user: "a", resolvedAt: "2031-01-01" }, { id: 1, user: "b", resolvedAt: "2031-01-02" }];
  equal((await readResolved(list, personal)).map(entryKey), ["b 1", "a 1"]);
});

test("the texts about a user's entry name the user", () => {
  equal(wordsFor({}).your, "your");
  equal(conflictText({ kind: "fields" }).choices.map(({ label }) => label), ["Keep mine", "Keep theirs"]);
  equal(conflictText({ kind: "fields", author: "ada" }).choices.map(({ label }) => label), ["Keep ada's", "Keep the remote's"]);
  equal(resolutionText({ resolution: "local", author: "ada" }), "ada's version was kept");
  equal(removalText({ className: "Boat", objects: 1, of: 1, reason: "neverShown", author: "ada" }).keep, "Send ada's again");
});
