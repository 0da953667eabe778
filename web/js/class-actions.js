// Which classes are kept here: asking for another one, fetching one that is only sent, and letting one go.

import { ask } from "./dialog.js";
import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { isReplica } from "./sync-words.js";

const isClassName = (text) => /^(_User|_Role|_Installation|_Session|[A-Za-z]\w*)$/.test(text);

export function createClassActions({ api, state, notices, gateway, look, goTo }) {
  async function register(className) {
    await api.registerClass(className);
    gateway.forgetTypes(className);
    await look();
    notices.tell(`${className} is kept here from now on.`);
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
    openForm({
      title: withRemote ? "Keep another class" : "Show another class",
      rows: [row],
      body: row.node,
      saveWords: withRemote ? "Keep it" : "Show it",
      async submit() {
        const className = await row.value();
        if (withRemote) await register(className);
        goTo(className);
      },
    });
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
      if (state.values.className === className) goTo("Holiday");
      await look();
      notices.tell(`${className} is no longer kept here.`);
    } catch (error) {
      notices.warn(error.message);
    }
  }

  return { addClass, fetchClass, dropClass };
}
