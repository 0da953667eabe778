// The part of the header that says who uses the page: sign in, sign out, and the master-key area. Only a standalone gateway
// shows it.

import { button } from "./buttons.js";
import { el, fillWhenChanged } from "./dom.js";

/** @param actions {signIn, signOut, manage, leaveManaging} */
export function showAccountBar(container, { state, actions }) {
  state.show(({ status, connection, user, isOwner }) => {
    const isShown = status?.mode === "standalone" && connection !== "locked";
    container.hidden = !isShown;
    fillWhenChanged(container, JSON.stringify([isShown, user, isOwner]), () => isShown && [who(user, isOwner), buttons()]);

    function buttons() {
      if (isOwner) {
        return [
          button("Users and rights", actions.manage, { focus: "manage" }),
          button("Forget the master key", actions.leaveManaging, { className: "button-quiet", focus: "leave" }),
        ];
      }
      return [
        user === null
          ? button("Sign in", actions.signIn, { focus: "session" })
          : button("Sign out", actions.signOut, { focus: "session" }),
        button("Manage", actions.manage, { className: "button-quiet", focus: "manage" }),
      ];
    }
  });
}

function who(user, isOwner) {
  if (isOwner) return el("span", { class: "account-name" }, "With the master key");
  return user !== null && el("span", { class: "account-name", dir: "auto", title: "Signed in" }, user.username);
}
