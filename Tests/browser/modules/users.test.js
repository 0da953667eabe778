import { keepsUsersApart, mayOperate, servesUsers, takesUsers, userNote } from "../../../web/js/users.js";
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
});

test("the note says what waits, and until when one can work offline", () => {
  equal(userNote({ people }), "3 changes wait for their author to log in.");
  equal(userNote({ people: { ...people, waitingForLogIn: 1 } }), "1 change waits for its author to log in.");
  equal(userNote({ people: { ...people, waitingForLogIn: 0 } }), "");
  equal(userNote({ user }), "");
  equal(userNote({ user: { ...user, waitsForLogIn: true } }), "Your changes wait until you sign in again.");
  equal(userNote({ user: { ...user, offlineUntil: "2026-12-02T20:21:26.829Z" } }).startsWith("You can work offline until "), true);
});
