// Drops a class. Parse drops only an empty class, so the page offers to delete its objects first, and asks twice.

import { ask } from "../dialog.js";
import { el } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { openForm } from "../form.js";
import { isReplica } from "../sync-text.js";
import { counted } from "../values.js";

export async function dropClass({ owner, state, perform, forgetClass, goToTool }, className) {
  let count = null;
  await perform(async () => {
    count = await owner.count(className);
  });
  if (count === null) return;
  if (count === 0) return dropEmpty();
  const here = isReplica(state.values) ? " in this gateway, and perhaps more on the remote" : "";
  const text = `${className} has ${counted(count, "object")}${here}. Parse drops only an empty class. The objects would be deleted first, for all users. This cannot be undone.`;
  if (!(await ask({ title: `Delete the objects of ${className}?`, text, yes: "Continue", danger: true }))) return;
  confirm(counted(count, "object"));

  async function dropEmpty() {
    const text = "Its fields, permissions and indexes are deleted. This cannot be undone.";
    if (!(await ask({ title: `Drop the class ${className}?`, text, yes: "Drop the class", danger: true }))) return;
    await perform(async () => {
      await owner.dropClass(className);
      done();
    }, `The class ${className} is dropped.`);
  }

  /** Asks a second time: the name of the class is typed. */
  function confirm(objects) {
    const row = fieldRow({ name: "confirm", label: `Type ${className} to delete ${objects} and the class`, kind: "text", required: true });
    const { check } = row;
    row.check = () => check() && (row.control.value.trim() === className || row.showError("This is not the name of the class."));
    openForm({
      title: `Drop ${className} with all objects`,
      intro: el("p", { class: "hint" }, "All objects are deleted, then the class with its fields, permissions and indexes."),
      rows: [row],
      body: row.node,
      saveLabel: `Delete ${objects} and the class`,
      failure: "Not dropped.",
      async submit() {
        await owner.purge(className);
        await owner.dropClass(className);
        done();
      },
    });
  }

  function done() {
    forgetClass(className);
    goToTool(["schema"]);
  }
}
