// The classes of the remote that are not kept here, in the sidebar, each with a button that keeps it.

import { button, visuallyHidden } from "../buttons.js";
import { el, reconcile } from "../dom.js";
import { isReplica } from "../sync-text.js";
import { t } from "../texts.js";
import { mayOperate } from "../users.js";

/**
 * @param names `()`: resolves to the names of the remote's classes; null if the remote does not list them
 * @param keep `(className)`: begins to sync a class
 */
export function showRemoteClasses(state, { names, keep }) {
  const list = el("div", { class: "remote-class-list" });
  const summary = el("summary", {}, t("Not kept here"));
  const node = el("details", { class: "remote-classes", hidden: true, on: { toggle: () => node.open && read() } }, summary, list);
  let known = [];
  let asked = null;

  /** Reads the names. The remote may have new classes each time. */
  async function read() {
    known = (await names().catch(() => null)) ?? known;
    state.redraw();
  }

  state.show((values) => {
    const { status } = values;
    const isAsking = isReplica(values) && mayOperate(values);
    // The names can wait for the rows of the shown class. The first sync shows that the remote can be reached.
    const isShown = values.className === null || values.lists.get(values.className)?.phase === "ready";
    const key = isAsking && status.lastSyncAt !== null && (isShown || asked !== null) ? status.remote?.url : null;
    if (key !== null && key !== asked) read();
    asked = key;
    const kept = new Set(status?.classes?.filter(({ registered }) => registered).map(({ name }) => name));
    const rest = isAsking ? known.filter((name) => !kept.has(name)) : [];
    node.hidden = rest.length === 0;
    summary.textContent = t("Not kept here ({count})", { count: rest.length });
    reconcile(list, rest, {
      key: (name) => name,
      build: (name) =>
        el(
          "div",
          { class: "remote-class" },
          el("span", { class: "class-link-name", dir: "auto" }, name),
          button([t("Keep"), visuallyHidden(` ${name}`)], () => keep(name), { className: "button-small button-quiet", focus: `keep ${name}` }),
        ),
    });
  });
  return node;
}
