// The editor of the conditions on the objects of another class, as chips, in the form of a condition on a pointer or a relation.

import { button } from "../buttons.js";
import { createFilterChips } from "./filter-chips.js";
import { el } from "../dom.js";
import { isEmpty } from "./filter.js";
import { fromWhere, toWhere } from "./filter-where.js";
import { t } from "../texts.js";

/**
 * @param className the class of the objects
 * @param where the conditions before the edit, as a `where`; undefined for none
 * @param services {fieldTypes, typesOf, captionOf, openCondition}. `fieldTypes(className)` resolves to the known field types of a class,
 *   `openCondition(form)` opens the form of one condition
 */
export function createConditionsEditor(className, where, attributes, { fieldTypes, typesOf, captionOf, openCondition }) {
  let types = {};
  let filter = fromWhere(where ?? null, types);
  const addButton = button(t("Add a condition"), () => ready.then(() => chips.add([])), { className: "button-small chip-add" });
  // A button cannot be required.
  const { "aria-required": _, ...ofButton } = attributes;
  for (const [name, value] of Object.entries(ofButton)) addButton.setAttribute(name, value);
  // A label of a button replaces its text.
  addButton.setAttribute("aria-label", t("Add a condition on {className}", { className }));
  const chips = createFilterChips({
    label: t("Conditions on {className}", { className }),
    addButton,
    present: () => filter,
    change,
    types: () => types,
    typesOf,
    captionOf,
    openCondition: (form) => openCondition({ className, types, ...form }),
    openRaw: null,
  });
  const node = el("div", {}, chips.node, addButton);

  function change(next) {
    filter = next;
    draw();
    // A change of the chips clears the message that a condition is missing.
    addButton.dispatchEvent(new Event("input"));
  }

  function draw() {
    chips.node.hidden = isEmpty(filter);
    chips.show(isEmpty(filter) ? null : filter, () => false, JSON.stringify([filter, types]));
  }

  async function readTypes() {
    types = await fieldTypes(className);
    // The conditions of a query have their operators only with the types of the fields.
    filter = fromWhere(toWhere(filter), types);
    draw();
  }

  draw();
  const ready = readTypes().catch(() => {});
  return {
    node,
    control: addButton,
    hint: undefined,
    isEditable: true,
    isChanged: () => true,
    isIncomplete: () => false,
    typed: () => JSON.stringify(toWhere(filter)),
    restoreText(text) {
      filter = fromWhere(JSON.parse(text), types);
      draw();
    },
    /** Returns the conditions as a `where`; undefined for none. */
    read: () => toWhere(filter) ?? undefined,
    save: async () => toWhere(filter) ?? undefined,
  };
}
