// The actions for the selected objects of a table.

import { deletionsOf, sendDeletions } from "./delete-objects.js";
import { copy } from "./hand-over.js";
import { runJob } from "./job.js";
import { withProgress } from "./progress-dialog.js";
import { readSelected } from "./read-selected.js";
import { openExport } from "./export-dialog.js";
import { openSetField } from "./set-field-dialog.js";
import { sendField } from "./set-field.js";
import { sortedBy } from "./sorted.js";
import { rowsText } from "./table-text.js";
import { counted, plural, t } from "../texts.js";
import { undoOf } from "./undo-step.js";
import { StoppedError } from "../api.js";
import { ask, isFocusLost } from "../dialog.js";
import { formFields } from "../field-types.js";
import { shownColumns } from "../grid/columns.js";
import { isSearching } from "../lists.js";
import { isFetched } from "../live-form.js";
import { selectedCount, selectionOf } from "../selection/selection.js";
import { tableOf } from "../tables.js";
import { isolated } from "../values.js";

/**
 * Returns the actions: {commands, copyRows}. `commands` are those of the bar for selected objects: [{words, run, write}]. `copyRows` copies the
 * selected objects as lines of a table with the shown columns.
 *
 * @param reload reads everything that an action may have changed
 * @param offerUndo `(words, undo)`: offers to undo an action, see `undo-bar.js`
 */
export function createBulkActions({ api, state, names, notices, services, selecting, reload, offerUndo }) {
  /** What the actions are about: the class, the selection, and the conditions and number of objects of the list. */
  function subject() {
    const { className, lists } = state.values;
    const list = lists.get(className);
    const selection = selectionOf(state.values);
    return { className, list, selection, conditions: list?.conditions ?? null, count: selectedCount(selection, list?.total ?? 0) };
  }

  const offer = (words, done) => offerUndo(words, undoOf(done, names.keysOf(done.className)));
  const namesIn = (className) => (objectId) => isolated(names.of(className, objectId));

  /** Reads the selected objects: {objects, missing}. */
  async function readAll({ className, selection, conditions }, { keys = null, signal, tell = () => {} }) {
    const objects = [];
    const missing = await readSelected(api, className, { selection, conditions, keys, signal }, (page) => {
      names.learn(className, page);
      objects.push(...page);
      tell(objects.length);
    });
    if (missing.length > 0) selecting.drop(missing);
    return { objects, missing };
  }

  /** Reads the selected objects, and shows the progress. Resolves to null if the user stops it, or after an error. */
  async function readShowing(about, keys) {
    try {
      return await withProgress({ title: t("Reading"), total: about.count }, ({ tell, signal }) => readAll(about, { keys, tell, signal }));
    } catch (error) {
      if (!(error instanceof StoppedError)) notices.warn(error.message);
      return null;
    }
  }

  /** Runs a job, reads the changed objects, and moves a lost focus back to the table. */
  async function run(job) {
    const done = await runJob(job);
    await reload();
    if (isFocusLost() || document.activeElement.id === "main") document.querySelector("#main .grid")?.focus({ preventScroll: true });
    return done;
  }

  function setField() {
    const about = subject();
    const { className, list } = about;
    const sample = list.objects[0];
    const fields = formFields(state.values.types.get(className) ?? {}, list.objects).filter(({ name }) => isFetched(sample, name));
    if (fields.length === 0) return notices.warn(t("{className} has no field that can be set.", { className }));
    openSetField({
      count: about.count,
      fields,
      services,
      nameOf: namesIn(className),
      read: (field, signal) => readAll(about, { keys: [field, ...names.keysOf(className)], signal }),
      start: (planned) => set(className, planned),
    });
  }

  async function set(className, { field, value, items, same }) {
    const isRemoval = value === undefined;
    const doneText = (count) =>
      isRemoval
        ? t("{field} is removed from {objects}", { field, objects: counted(count, "object") })
        : t("{field} is set on {objects}", { field, objects: counted(count, "object") });
    const done = await run({
      title: isRemoval ? t("Removing {field}", { field }) : t("Setting {field}", { field }),
      items,
      send: (sent, progress) => sendField(api, { className, field, value }, sent, progress),
      doneText,
      overwrite: isRemoval ? t("Remove anyway") : t("Set anyway"),
    });
    const already = isRemoval
      ? plural("{count} had no value", "{count} had no value", { count: same })
      : plural("{count} had the value already", "{count} had the value already", { count: same });
    if (done.length > 0) offer(`${doneText(done.length)}${same > 0 ? `; ${already}` : ""}.`, { kind: "set", className, field, value, items: done });
  }

  async function remove() {
    const about = subject();
    const { className } = about;
    const read = await readShowing(about, null);
    if (read === null) return;
    const { items, denied } = deletionsOf(read.objects, namesIn(className));
    if (items.length === 0) return notices.warn(t("None of the selected objects can be deleted."));
    const left = denied > 0 ? t(" You may not delete {others}.", { others: counted(denied, "other") }) : "";
    const isWanted = await ask({
      title: t("Delete {objects} of {className}?", { objects: counted(items.length, "object"), className }),
      text: `${t("The page then offers to undo it.")}${left}`,
      yes: t("Delete {objects}", { objects: counted(items.length, "object") }),
      danger: true,
    });
    if (!isWanted) return;
    const doneText = (count) => plural("{count} object of {className} is deleted", "{count} objects of {className} are deleted", { count, className });
    const done = await run({
      title: t("Deleting"),
      items,
      send: (sent, progress) => sendDeletions(api, className, sent, progress),
      doneText,
      overwrite: t("Delete anyway"),
    });
    // Objects that match later are not selected.
    if (about.selection.isAll) selecting.clear();
    else selecting.drop(done.map(({ objectId }) => objectId));
    if (done.length > 0) offer(`${doneText(done.length)}.`, { kind: "delete", className, items: done });
  }

  function hand(verb, kinds) {
    const about = subject();
    const { className, list, count } = about;
    const types = state.values.types.get(className) ?? {};
    const columns = shownColumns(types, tableOf(state.values, className).columns).map(({ name }) => name);
    const read = async () => (await readShowing(about, null))?.objects ?? null;
    openExport({ verb, kinds, className, count, columns, types, order: list.order, read, notices });
  }

  async function copyRows() {
    const about = subject();
    const names = shownColumns(state.values.types.get(about.className) ?? {}, tableOf(state.values, about.className).columns).map(({ name }) => name);
    const read = await readShowing(about, null);
    if (read === null) return;
    try {
      await copy(rowsText(sortedBy(read.objects, about.list.order), names), document.getElementById("main"));
      notices.tell(t("{objects} copied.", { objects: counted(read.objects.length, "object") }));
    } catch {
      // The browser allows copying only for a few seconds after the key.
      hand(t("Copy"), ["text", "json"]);
    }
  }

  /**
   * Runs an action if the shown list is that of the present search and filter. Otherwise the action would concern other objects.
   *
   * @param write the write that the action makes, see `isDeniedInClass`; null for none
   */
  function command(words, run, write = null) {
    const runWhenRead = () => {
      const { className, lists } = state.values;
      const list = lists.get(className);
      const isRead = list?.phase === "ready" && !isSearching(state.values, list);
      return isRead ? run() : notices.warn(t("The list is still being read. Try again when it is shown."));
    };
    return { words, run: runWhenRead, write };
  }

  return {
    commands: [
      command(t("Set a field"), setField, "update"),
      command(t("Delete"), remove, "delete"),
      command(t("Copy"), () => hand(t("Copy"), ["text", "json"])),
      command(t("Export"), () => hand(t("Export"), ["csv", "ndjson"])),
    ],
    copyRows: command(t("Copy"), copyRows).run,
  };
}
