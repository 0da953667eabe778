// The row of a field whose value is not here, because the class is kept with some of its fields. It is shown and cannot be
// edited, so that an unknown value is never overwritten.

import { el } from "../dom.js";

let count = 0;

export function unfetchedRow({ name, label }) {
  const id = `unfetched-${++count}`;
  const control = el("input", {
    class: "input",
    type: "text",
    id,
    name,
    value: "Not fetched",
    disabled: true,
    "aria-describedby": `${id}-hint`,
  });
  const hint = "This class is kept here without this field. Its value on the remote stays as it is.";
  return {
    name,
    control,
    check: () => true,
    refuse() {},
    isChanged: () => false,
    read() {},
    typed() {},
    retype() {},
    async value() {},
    close() {},
    node: el(
      "div",
      { class: "field field-unfetched" },
      el("label", { class: "label", for: id }, label),
      control,
      el("p", { class: "hint", id: `${id}-hint` }, hint),
    ),
  };
}
