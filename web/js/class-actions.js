// Which classes are kept here, and how: asking for another one, fetching one that is only sent, its options, and letting
// one go.

import { classOptions } from "./class-options.js";
import { ask } from "./dialog.js";
import { el } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { named } from "./named.js";
import { isReplica } from "./sync-words.js";

const isClassName = (text) => /^(_User|_Role|_Installation|_Session|[A-Za-z]\w*)$/.test(text);

export function createClassActions({ api, state, notices, drafts, gateway, look, goTo }) {
  async function register(className, options, words = `${className} is kept here from now on.`) {
    await api.registerClass(className, options);
    gateway.forgetTypes(className);
    await look();
    notices.tell(words);
  }

  /** Asks for a class by its name and shows it; a replica begins to fetch it. */
  function addClass() {
    const withRemote = isReplica(state.values);
    const hint = withRemote
      ? "As it is called on the remote. Its objects are fetched, and can be read and changed offline."
      : "A class comes into being with its first object.";
    const row = fieldRow({ name: "className", label: "Name of the class", kind: "text", required: true, hint });
    const { check } = row;
    // A name that no class can have is told before the gateway is asked.
    row.check = () => check() && (isClassName(row.control.value.trim()) || row.refuse("Letters, digits and _ only, a letter first."));
    const options = classOptions({});
    openForm({
      title: withRemote ? "Keep another class" : "Show another class",
      rows: withRemote ? [row, ...options.rows] : [row],
      body: [row.node, withRemote && el("details", { class: "form-more" }, el("summary", {}, "How it is kept"), nodesOf(options))],
      saveWords: withRemote ? "Keep it" : "Show it",
      draft: drafts.of("class", null, state.values.className),
      async submit() {
        const className = await row.value();
        if (withRemote) await register(className, await options.changes());
        goTo(className);
      },
    });
  }

  /** Changes how a class is kept. */
  async function editOptions(className) {
    try {
      const kept = await api.classInfo(className);
      const types = named(state.values.types.get(className), kept.fields);
      const options = classOptions(kept, Object.keys(types).filter((name) => types[name].type === "File"));
      openForm({
        title: `How ${className} is kept`,
        rows: options.rows,
        body: nodesOf(options),
        saveWords: "Save",
        draft: drafts.of("options", className, state.values.className),
        submit: async () => register(className, await options.changes(), `${className} is kept like this from now on.`),
      });
    } catch (error) {
      notices.warn(error.message);
    }
  }

  async function fetchClass(className) {
    try {
      await register(className);
    } catch (error) {
      notices.warn(error.message);
    }
  }

  async function dropClass(className) {
    const text = "Its objects are taken away here. The remote keeps them.";
    if (!(await ask({ title: `Keep ${className} no longer?`, text, yes: "Keep no longer", danger: true }))) return;
    try {
      await api.unregisterClass(className);
      await look();
      if (state.values.className === className) goTo(null);
      notices.tell(`${className} is no longer kept here.`);
    } catch (error) {
      notices.warn(error.message);
    }
  }

  /** Opens the form of a draft again. Returns whether it is one of these. */
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
