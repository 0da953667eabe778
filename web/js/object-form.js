// The form that adds or edits an object: one input for each field, checked before it is saved; only changed fields are
// sent.

import { button } from "./buttons.js";
import { el } from "./dom.js";
import { ask, openDialog } from "./dialog.js";
import { fieldKinds } from "./field-kinds.js";
import { fieldChanges, userFields } from "./values.js";

/**
 * Opens the form.
 *
 * @param fields what can be edited: {name, label, kind, required, hint}
 * @param object the object to edit; null for a new one
 * @param save gets the fields of the new object, or the changes; the form stays open when it throws
 * @param onJson opens the same object as JSON; null where that is not offered
 */
export function openObjectForm({ title, fields, object, save, onJson = null }) {
  const before = object === null ? {} : userFields(object);
  const rows = fields.map((field) => fieldRow(field, before[field.name]));
  form(title, rows, {
    saveWords: object === null ? "Add" : "Save",
    onJson,
    async submit() {
      const after = { ...before };
      for (const row of rows) if (row.isChanged()) after[row.name] = row.value();
      const changes = fieldChanges(before, after);
      if (object === null || Object.keys(changes).length > 0) await save(changes);
    },
  });
}

/** Opens an object as JSON: for classes that the page has no form for, and for values that an input cannot hold. */
export function openJsonForm({ title, object, save }) {
  const before = object === null ? {} : userFields(object);
  const hint = "Fields by name. Dates, pointers and the like as Parse writes them.";
  const row = fieldRow({ name: "fields", label: "Fields", kind: "json", required: true, hint }, before);
  form(title, [row], {
    saveWords: object === null ? "Add" : "Save",
    className: "dialog-json",
    async submit() {
      const changes = fieldChanges(before, row.value());
      if (object === null || Object.keys(changes).length > 0) await save(changes);
    },
  });
}

/** Opens a change that was refused as JSON: what it sets, and operations in place of values. A field taken out is null. */
export function openOperationsForm({ title, operations, save }) {
  const hint = "What the change sets, by field. Take a field out to leave it as it is on the remote.";
  const row = fieldRow({ name: "fields", label: "Fields", kind: "json", required: true, hint }, operations);
  const takenOut = Object.fromEntries(Object.keys(operations).map((name) => [name, null]));
  const corrections = (fields) => ({ ...takenOut, ...fields });
  form(title, [row], { saveWords: "Send again", className: "dialog-json", submit: () => save(corrections(row.value())) });
}

const discard = {
  title: "Discard what you typed?",
  text: "It has not been saved.",
  yes: "Discard",
  no: "Keep editing",
  danger: true,
};

function form(title, rows, { saveWords, submit, onJson, className }) {
  const problem = el("p", { class: "form-problem", role: "alert", hidden: true });
  const saveButton = el("button", { class: "button button-primary", type: "submit" }, saveWords);
  const jsonButton = onJson && button("Edit as JSON", openAsJson, { look: "button-quiet" });
  const body = el(
    "form",
    {
      class: "object-form",
      novalidate: true,
      on: {
        async submit(event) {
          event.preventDefault();
          const wrong = rows.filter((row) => !row.check());
          if (wrong.length > 0) return wrong[0].control.focus();
          saveButton.disabled = true;
          problem.hidden = true;
          try {
            await submit();
            frame.close();
          } catch (error) {
            problem.textContent = `Not saved. ${error.message}`;
            problem.hidden = false;
          } finally {
            saveButton.disabled = false;
          }
        },
      },
    },
    el("div", { class: "form-rows" }, problem, rows.map((row) => row.node)),
    el(
      "div",
      { class: "dialog-actions" },
      jsonButton,
      button("Cancel", () => frame.leave()),
      saveButton,
    ),
  );
  const isTouched = () => rows.some((row) => row.isChanged());
  const mayClose = async () => !isTouched() || ask(discard);
  const frame = openDialog({ title, content: body, className, mayClose });
  const first = (rows.find((row) => !row.control.disabled) ?? rows[0]).control;
  first.focus();
  // A long text is read from its beginning.
  if (first.localName === "textarea") {
    first.setSelectionRange(0, 0);
    first.scrollTop = 0;
  }

  async function openAsJson() {
    if (!(await mayClose())) return;
    frame.close();
    onJson();
  }
}

/** One labelled input, its hint and its problem. A value that the kind cannot hold is shown, but not edited here. */
function fieldRow({ name, label, kind: kindName, required = false, hint }, value) {
  const kind = fieldKinds[kindName];
  const isEditable = value === undefined || kind.accepts(value);
  const inputId = `field-${name}`;
  const text = value === undefined ? "" : isEditable ? kind.write(value) : JSON.stringify(value);
  const problem = el("p", { class: "field-problem", id: `${inputId}-problem`, hidden: true });
  const words = isEditable ? hint : "This value is of another type. It can be edited as JSON.";
  const control = el(kind.control, {
    ...(isEditable ? kind.attributes : {}),
    class: "input",
    id: inputId,
    name,
    autocomplete: "off",
    disabled: !isEditable,
    "aria-required": required ? "true" : null,
    "aria-describedby": [words && `${inputId}-hint`, problem.id].filter(Boolean).join(" "),
    on: { input: () => !problem.hidden && check() },
  });
  control.value = text;
  // What the control makes of the text counts as untouched, also where it writes line ends its own way.
  const untouched = control.value;
  const isChanged = () => control.value !== untouched;

  function check() {
    const words = wrong();
    problem.textContent = words ?? "";
    problem.hidden = words === null;
    control.setAttribute("aria-invalid", String(words !== null));
    return words === null;
  }

  function wrong() {
    if (!isEditable) return null;
    if (control.validity.badInput) return `${label} is not complete.`;
    const entered = kind.read(control.value);
    if (entered === undefined) return required ? `${label} is needed.` : null;
    // A value that was here before may break a rule of this form; only what is typed now is held to it.
    return isChanged() || kindName === "json" ? (kind.problem?.(entered) ?? null) : null;
  }

  const optional = !required && el("span", { class: "label-note" }, " optional");
  return {
    name,
    control,
    check,
    isChanged,
    value: () => kind.read(control.value),
    node: el(
      "div",
      { class: `field field-${kindName}` },
      el("label", { class: "label", for: inputId }, label, optional),
      control,
      problem,
      words && el("p", { class: "hint", id: `${inputId}-hint` }, words),
    ),
  };
}
