// The account part of the header: the name of the user, and the buttons for signing in, signing out and the master key. A
// standalone gateway and a replica with users show it. In a replica, the master-key area has no users and rights, because the
// users are those of the remote.

import { button } from "./buttons.js";
import { el, fillWhenChanged } from "./dom.js";
import { t } from "./texts.js";
import { servesUsers, takesUsers, userNote, waitingNotes } from "./users.js";

/** @param actions {signIn, signOut, manage, leaveManaging, stopOperating} */
export function showAccountBar(container, { state, actions }) {
  state.show(({ status, connection, user, users, isOwner, operates }) => {
    const isShown = takesUsers(status) && connection !== "locked";
    const isReplica = servesUsers(status);
    const notes = isOwner ? waitingNotes(users) : [isReplica && userNote(status)];
    container.hidden = !isShown;
    container.classList.toggle("account-row", isReplica);
    const stamp = JSON.stringify([isShown, isReplica, user, isOwner, operates, notes]);
    fillWhenChanged(container, stamp, () => isShown && [who(user, isOwner, notes), notes.filter(Boolean).map(noteNode), buttons()]);

    function buttons() {
      if (isOwner) {
        return [
          !isReplica && button(t("Users and rights"), actions.manage, { focus: "manage" }),
          button(t("Forget the master key"), actions.leaveManaging, { className: "button-quiet", focus: "leave" }),
        ];
      }
      return [
        user === null
          ? button(t("Sign in"), actions.signIn, { focus: "session" })
          : button(t("Sign out"), actions.signOut, { focus: "session" }),
        button(t("Manage"), actions.manage, { className: "button-quiet", focus: "manage" }),
        operates && endButton(actions.stopOperating),
      ];
    }
  });
}

/** The button of the person who has opened the link of the owner. */
function endButton(stop) {
  const control = button(t("End owner session"), stop, { className: "button-quiet", focus: "operate" });
  control.title = t("This browser has opened the link of the owner, so it may work offline and choose the classes for all users. The button ends that.");
  return control;
}

function who(user, isOwner, notes) {
  const title = notes.filter(Boolean).join(" ");
  if (isOwner) return el("span", { class: "account-name", title: title || null }, t("With the master key"));
  return user !== null && el("span", { class: "account-name", dir: "auto", title: [user.username, title].filter(Boolean).join(". ") }, user.username);
}

function noteNode(note) {
  return el("span", { class: "account-note", title: note }, note);
}
