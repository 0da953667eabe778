import { createAccount } from "../../../web/js/account.js";
import { aclText, permissionText } from "../../../web/js/acl-text.js";
import { equal, test } from "./check.js";

function storage() {
  const items = new Map();
  return {
    items,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => items.set(name, value),
    removeItem: (name) => items.delete(name),
  };
}

const ada = { sessionToken: "r:1", objectId: "a", username: "ada", email: "ada@example.org" };

test("a session lasts as long as the tab, or longer", () => {
  const [tab, lasting] = [storage(), storage()];
  const account = createAccount({ tab, lasting });
  equal(account.headers(), {});
  account.signIn(ada, false);
  equal([tab.items.size, lasting.items.size], [1, 0]);
  equal(account.session(), { token: "r:1", objectId: "a", username: "ada" });
  account.signIn(ada, true);
  equal([tab.items.size, lasting.items.size], [0, 1]);
  equal(account.headers(), { "X-Parse-Session-Token": "r:1" });
  account.signOut();
  equal([account.session(), lasting.items.size], [null, 0]);
});

test("the master key replaces the session and is forgotten with the tab", () => {
  const [tab, lasting] = [storage(), storage()];
  const account = createAccount({ tab, lasting });
  account.signIn(ada, true);
  account.setMasterKey("key");
  equal(account.headers(), { "X-Parse-Master-Key": "key" });
  equal([...lasting.items.values()].join().includes("key"), false);
  account.forgetMasterKey();
  equal(account.headers(), { "X-Parse-Session-Token": "r:1" });
});

test("an unreadable stored session is ignored", () => {
  const [tab, lasting] = [storage(), storage()];
  tab.setItem("tidegate.session", "{");
  equal(createAccount({ tab, lasting }).session(), null);
  equal(tab.items.size, 0);
});

test("an ACL is shown as a sentence", () => {
  const all = { read: true, write: true };
  equal(aclText(undefined), "Everybody may read and write.");
  equal(aclText({}), "Only the master key may read and write.");
  equal(aclText({ "*": { read: true } }), "Everybody may read; only the master key may write.");
  equal(
    aclText({ "*": { read: true }, a: all, b: all, "role:editors": all }),
    "Everybody may read; two users and the role editors may write.",
  );
  equal(aclText({ a: all }), "One user may read and write.");
  equal(aclText({ "role:b": all, "role:a": all }), "The roles a and b may read and write.");
});

test("permissions of a class are shown as words", () => {
  equal(permissionText({ "*": true }), "Everybody");
  equal(permissionText(undefined), "Only the master key");
  equal(permissionText({ requiresAuthentication: true, "role:editors": true }), "Signed-in users and the role editors");
});

test("a session that another tab has changed is noticed", () => {
  const heard = new Map();
  const page = { addEventListener: (name, listener) => heard.set(name, listener) };
  let changes = 0;
  createAccount({ tab: storage(), lasting: storage() }).onChange(() => (changes += 1), page);
  heard.get("storage")({ key: "other" });
  heard.get("pageshow")({ persisted: false });
  equal(changes, 0);
  heard.get("storage")({ key: "tidegate.session" });
  // A storage event without a key reports that all items were removed.
  heard.get("storage")({ key: null });
  // The Back button has restored the page from the browser's cache.
  heard.get("pageshow")({ persisted: true });
  equal(changes, 3);
});
