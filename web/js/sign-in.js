// The forms that ask for a user's name and password, and for the master key.

import { el } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { t } from "./texts.js";

/** Makes the control of a row hide what is typed. */
export function hideTyping(row, autocomplete) {
  row.control.setAttribute("type", "password");
  row.control.setAttribute("autocomplete", autocomplete);
  row.control.setAttribute("spellcheck", "false");
  return row;
}

/** @param signIn `({username, password}, stays)`: signs the user in; an error keeps the form open */
export function openSignIn(signIn) {
  const name = fieldRow({ name: "username", label: t("Name"), kind: "text", required: true });
  name.control.setAttribute("autocomplete", "username");
  const password = hideTyping(
    fieldRow({ name: "password", label: t("Password"), kind: "text", required: true }),
    "current-password",
  );
  const stays = el("input", { type: "checkbox", id: "stay-signed-in" });
  openForm({
    title: t("Sign in"),
    rows: [name, password],
    body: [
      name.node,
      password.node,
      el("p", { class: "check-row" }, stays, el("label", { for: "stay-signed-in" }, t("Stay signed in on this device"))),
    ],
    saveLabel: t("Sign in"),
    failure: t("Not signed in."),
    submit: async () =>
      signIn({ username: (await name.value()).trim(), password: password.control.value }, stays.checked),
  });
}

const masterKeyHint =
  t("The key is in the file master-key of the gateway's data directory. It is another key than the master key of a remote Parse Server. This tab remembers it until you close it.") +
  ` ${t("To operate a replica without the key, open the link that it prints when it starts.")}`;

/** @param useKey `(key)`: resolves if the gateway accepts the key; an error keeps the form open */
export function openMasterKeyForm(useKey, { title = t("Enter the master key of this gateway"), hint = masterKeyHint } = {}) {
  const row = hideTyping(fieldRow({ name: "masterKey", label: t("Master key"), kind: "text", required: true, hint }), "off");
  openForm({
    title,
    rows: [row],
    body: row.node,
    saveLabel: t("Continue"),
    failure: t("Not accepted."),
    submit: async () => useKey(row.control.value.trim()),
  });
}
