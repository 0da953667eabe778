// The form row of a field that is not fetched from the remote, because the class is synced with only a part of its fields. The
// row is read-only, so that the page never overwrites the remote's value.

import { el } from "../dom.js";
import { t } from "../texts.js";

let count = 0;

export function unfetchedRow({ name, label }) {
  const id = `unfetched-${++count}`;
  const control = el("input", {
    class: "input",
    type: "text",
    id,
    name,
    value: t("Not fetched"),
    disabled: true,
    "aria-describedby": `${id}-hint`,
  });
  const hint = t("This field is not fetched for this class. Its value on the remote stays unchanged.");
  return {
    name,
    control,
    check: () => true,
    showError() {},
    isChanged: () => false,
    read() {},
    typed() {},
    restoreText() {},
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
