import { keepsUsersApart, mayOperate, servesUsers, showsUsers, takesUsers, userNote, waitingNotes, withUsers } from "../../../web/js/users.js";
import { equal, test } from "./check.js";

const people = { mode: "personal", users: 2, waitingForLogIn: 3 };
const user = { objectId: "a", username: "ada", waitsForLogIn: false, offlineUntil: null };

test("users sign in at a standalone gateway and at a replica that keeps them apart", () => {
  equal([takesUsers(null), takesUsers({ mode: "replica" }), takesUsers({ mode: "standalone" })], [false, false, true]);
  equal([takesUsers({ mode: "replica", people }), takesUsers({ mode: "replica", user })], [true, true]);
  equal([servesUsers({ mode: "standalone" }), servesUsers({ mode: "replica", user })], [false, true]);
  equal([keepsUsersApart({ mode: "replica", people }), keepsUsersApart({ mode: "replica", people: { mode: "site" } })], [true, false]);
  equal([mayOperate({ status: null }), mayOperate({ status: { mode: "replica", people } })], [true, false]);
  equal(mayOperate({ status: { mode: "replica", people }, isOwner: true }), true);
  equal([true, false].map((isOwner) => showsUsers({ status: { mode: "replica", people }, isOwner })), [true, false]);
  equal(showsUsers({ status: { mode: "standalone" }, isOwner: true }), false);
});

test("the note counts waiting changes, and says until when the user can work offline", () => {
  equal(userNote({ people }), "3 changes wait for their author to log in.");
  equal(userNote({ people: { ...people, waitingForLogIn: 1 } }), "1 change waits for its author to log in.");
  equal(userNote({ people: { ...people, waitingForLogIn: 0 } }), "");
  equal(userNote({ user }), "");
  equal(userNote({ user: { ...user, waitsForLogIn: true } }), "Your changes wait until you sign in again.");
  equal(userNote({ user: { ...user, offlineUntil: "2026-12-02T20:21:26.829Z" } }).startsWith("You can work offline until "), true);
});

test("the master key sees for whom changes wait, and the counts of all users", () => {
  const counts = { rejections: 1, conflicts: 0, removals: 0 };
  const ada = { objectId: "a", username: "ada", waitsForLogIn: true, pending: 1, ...counts };
  const ben = { objectId: "b", username: null, waitsForLogIn: true, pending: 2, ...counts };
  const eve = { objectId: "e", username: "eve", waitsForLogIn: false, pending: 4, ...counts };
  equal(waitingNotes([ada, ben, eve]), ["1 change waits for ada to log in.", "2 changes wait for b to log in."]);
  equal(waitingNotes([{ ...ada, stalled: 1 }, { ...eve, stalled: 2 }, { ...eve, stalled: 0 }]), [
    "1 change waits for ada to log in.", "2 changes of eve are stalled.",
  ]);
  const status = { people, pending: 1, rejections: 0, conflicts: 2, removals: 0 };
  equal(withUsers(status, [ada, ben, eve]), { people, pending: 8, rejections: 3, conflicts: 2, removals: 0 });
  const ofSite = { ...status, people: { ...people, mode: "site" } };
  equal(withUsers(ofSite, [ada]), ofSite);
});
