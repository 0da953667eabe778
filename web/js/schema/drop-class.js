// Drops a class. Parse drops only an empty class, so the page offers to delete its objects first, and asks twice.

import { ask } from "../dialog.js";
import { el } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { openForm } from "../form.js";
import { isReplica } from "../sync-text.js";
import { counted, t } from "../texts.js";

export async function dropClass({ owner, state, perform, forgetClass, goToTool }, className) {
  let count = null;
  await perform(async () => {
    count = await owner.count(className);
  });
  if (count === null) return;
  if (count === 0) return dropEmpty();
  const here = isReplica(state.values) ? t(" in this gateway, and perhaps more on the remote") : "";
  const text = t("{className} has {objects}{here}. Parse drops only an empty class. The objects would be deleted first, for all users. This cannot be undone.", { className, objects: counted(count, "object"), here });
  if (!(await ask({ title: t("Delete the objects of {className}?", { className }), text, yes: t("Continue"), danger: true }))) return;
  confirm(counted(count, "object"));

  async function dropEmpty() {
    const text = t("Its fields, permissions and indexes are deleted. This cannot be undone.");
    if (!(await ask({ title: t("Drop the class {className}?", { className }), text, yes: t("Drop the class"), danger: true }))) return;
    await perform(async () => {
      await owner.dropClass(className);
      done();
    }, t("The class {className} is dropped.", { className }));
  }

  /** Asks a second time: the name of the class is typed. */
  function confirm(objects) {
    const row = fieldRow({ name: "confirm", label: t("Type {className} to delete {objects} and the class", { className, objects }), kind: "text", required: true });
    const { check } = row;
    row.check = () => check() && (row.control.value.trim() === className || row.showError(t("This is not the name of the class.")));
    openForm({
      title: t("Drop {className} with all objects", { className }),
      intro: el("p", { class: "hint" }, t("All objects are deleted, then the class with its fields, permissions and indexes.")),
      rows: [row],
      body: row.node,
      saveLabel: t("Delete {objects} and the class", { objects }),
      failure: t("Not dropped."),
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
