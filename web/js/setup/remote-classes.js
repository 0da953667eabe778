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
  const none = el("p", { class: "hint", role: "status" });
  const summary = el("summary", {});
  const node = el("details", { class: "remote-classes", hidden: true, on: { toggle: () => node.open && read() } }, summary, list, none);
  /** The names of the remote's classes; null before they are read, and if the remote does not list them. */
  let known = null;
  let isRead = false;

  /** Reads the names. The remote may have new classes each time. */
  async function read() {
    isRead = true;
    none.textContent = known === null ? t("Reading …") : "";
    known = (await names().catch(() => null)) ?? known;
    none.textContent = known === null ? t("The remote does not list its classes. Add a class by its name.") : "";
    state.redraw();
  }

  state.show((values) => {
    const { status } = values;
    const kept = new Set(status?.classes?.filter(({ registered }) => registered).map(({ name }) => name));
    const rest = known?.filter((name) => !kept.has(name)) ?? [];
    // The first sync shows that the remote can be reached.
    node.hidden = !isReplica(values) || !mayOperate(values) || status.lastSyncAt === null;
    // Without a class, the page has nothing else to show. Otherwise the names can wait until the user opens the list.
    if (!node.hidden && kept.size === 0 && !isRead) node.open = true;
    summary.textContent = known === null ? t("Not kept here") : t("Not kept here ({count})", { count: rest.length });
    if (known !== null) none.textContent = rest.length === 0 ? t("All classes of the remote are kept here.") : "";
    none.hidden = none.textContent === "";
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
