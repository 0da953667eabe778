// The actions on classes: start to sync a class, change its sync options, and stop syncing it.

import { classOptions } from "./class-options.js";
import { ask } from "./dialog.js";
import { el } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { subjectOf } from "./notices.js";
import { record } from "./records.js";
import { isReplica } from "./sync-text.js";
import { t } from "./texts.js";

const isClassName = (text) => /^(_User|_Role|_Installation|_Session|[A-Za-z]\w*)$/.test(text);

export function createClassActions({ api, state, notices, drafts, gateway, reload, goTo }) {
  async function register(className, options, words = t("{className} is now synced.", { className })) {
    await api.registerClass(className, options);
    gateway.forgetTypes(className);
    await reload();
    notices.tell(words, { about: subjectOf(className) });
  }

  /** Opens a form for a class name. Saving the form shows the class. On a replica, saving also starts to sync the class. */
  function addClass() {
    const withRemote = isReplica(state.values);
    const hint = withRemote
      ? t("The name of the class on the remote. Its objects are fetched, and you can read and change them offline.")
      : t("A class is created with its first object.");
    const row = fieldRow({ name: "className", label: t("Name of the class"), kind: "text", required: true, hint });
    const { check } = row;
    // An invalid name is reported at once, without a request to the gateway.
    row.check = () => check() && (isClassName(row.control.value.trim()) || row.showError(t("Start with a letter. Use only letters, digits and _.")));
    const options = classOptions({});
    openForm({
      title: withRemote ? t("Sync another class") : t("Open another class"),
      rows: withRemote ? [row, ...options.rows] : [row],
      body: [row.node, withRemote && el("details", { class: "form-more" }, el("summary", {}, t("Sync options")), nodesOf(options))],
      saveLabel: withRemote ? t("Sync it") : t("Open it"),
      draft: drafts.of("class", null, state.values.className),
      async submit() {
        const className = await row.value();
        if (withRemote) await register(className, await options.changes());
        goTo(className);
      },
    });
  }

  /** Opens a form for the sync options of a class. */
  async function editOptions(className) {
    try {
      const kept = await api.classInfo(className);
      const types = record(state.values.types.get(className), kept.fields);
      const options = classOptions(kept, Object.keys(types).filter((name) => types[name].type === "File"));
      openForm({
        title: t("Sync options of {className}", { className }),
        rows: options.rows,
        body: nodesOf(options),
        saveLabel: t("Save"),
        draft: drafts.of("options", className, state.values.className),
        submit: async () => register(className, await options.changes(), t("The sync options of {className} are saved.", { className })),
      });
    } catch (error) {
      notices.warn(error.message, { about: subjectOf(className) });
    }
  }

  async function fetchClass(className) {
    try {
      await register(className);
    } catch (error) {
      notices.warn(error.message, { about: subjectOf(className) });
    }
  }

  async function dropClass(className) {
    const text = t("Its objects are removed from this device. They stay on the remote.");
    if (!(await ask({ title: t("Stop syncing {className}?", { className }), text, yes: t("Stop syncing"), danger: true }))) return;
    try {
      await api.unregisterClass(className);
      await reload();
      if (state.values.className === className) goTo(null);
      notices.tell(t("{className} is no longer synced.", { className }), { about: subjectOf(className) });
    } catch (error) {
      notices.warn(error.message, { about: subjectOf(className) });
    }
  }

  /** Reopens the form of a draft that adds a class or changes sync options. Returns false for any other draft. */
  function reopenClassForm({ kind, subject }) {
    if (kind === "class") addClass();
    if (kind === "options") editOptions(subject);
    return kind === "class" || kind === "options";
  }

  return { addClass, editOptions, fetchClass, dropClass, reopenClassForm };
}

function nodesOf({ rows }) {
  return el("div", { class: "form-more-rows" }, rows.map((row) => row.node));
}
