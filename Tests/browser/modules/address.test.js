import { isSamePlace, nowhere, readAddress, writeAddress } from "../../../web/js/address.js";
import { equal, test } from "./check.js";

const read = (hash) => readAddress(hash).place;
const place = (parts) => ({ ...nowhere, ...parts });

test("an address names a class, an object, or neither", () => {
  equal(read("#/Boat"), place({ className: "Boat" }));
  equal(read("#/Boat/"), place({ className: "Boat" }));
  equal(read("#/Boat/xO5TCC3Ntj"), place({ className: "Boat", objectId: "xO5TCC3Ntj" }));
  equal(read("#/Boat/a%2Fb%3Fc"), place({ className: "Boat", objectId: "a/b?c" }));
  equal(read(""), nowhere);
  equal(read("#/"), nowhere);
  equal(readAddress("#main"), undefined);
});

test("an address names a tool in place of a class", () => {
  equal(read("#/-/schema/Boat"), place({ tool: ["schema", "Boat"] }));
  equal(read("#/-/console?panel=sync"), place({ tool: ["console"], panel: true }));
  equal(writeAddress({ tool: ["schema", "a/b"], className: "Boat" }), "#/-/schema/a%2Fb");
  equal(read("#/-/schema/a%2Fb"), place({ tool: ["schema", "a/b"] }));
  equal(read("#/Boat").tool, null);
  equal(readAddress("#/-"), { place: nowhere, unreadable: ["class"] });
});

test("a written address is read as the same place", () => {
  const full = place({
    className: "Task",
    objectId: "xO5TCC3Ntj",
    view: "table",
    where: { $or: [{ title: "a & b = 100 % #1" }, { done: false }] },
    search: "Überfahrt ? 5",
    sort: "-due",
    columns: ["title", "due"],
    at: 41,
    panel: true,
    conflict: "user 17",
  });
  equal(read(writeAddress(full)), full);
  equal(readAddress(writeAddress(full)).unreadable, []);
});

test("an address leaves out the standard parts", () => {
  equal(writeAddress({ className: "Boat" }), "#/Boat");
  equal(writeAddress({ className: "Boat", objectId: "a/b" }), "#/Boat/a%2Fb");
  equal(writeAddress({ className: "Boat", sort: "-due", columns: ["a", "b"], at: 0 }), "#/Boat?sort=-due&columns=a,b");
});

test("the parts of an address that cannot be read are named", () => {
  equal(readAddress("#/no%20class/x"), { place: nowhere, unreadable: ["class"] });
  equal(readAddress("#/%"), { place: nowhere, unreadable: ["class"] });
  const unreadable = readAddress('#/Boat?where={"a":&sort=a b&at=0&panel=x&view=%3Cb%3E&q=1');
  equal(unreadable, { place: place({ className: "Boat", search: "1" }), unreadable: ["view", "where", "sort", "at", "panel"] });
  equal(readAddress("#/Boat?where=[1]").unreadable, ["where"]);
});

test("typing, scrolling and the choice of columns stay at the same place", () => {
  const here = place({ className: "Boat", search: "a", at: 3, columns: ["a"] });
  equal(isSamePlace(here, place({ className: "Boat" })), true);
  equal(isSamePlace(here, place({ className: "Boat", sort: "a" })), false);
  equal(isSamePlace(here, place({ className: "Boat", objectId: "a" })), false);
});
