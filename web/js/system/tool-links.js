// The links to the tools in the sidebar.

import { writeAddress } from "../address.js";
import { el, fillWhenChanged } from "../dom.js";
import { t } from "../texts.js";
import { servesUsers, takesUsers } from "../users.js";

const all = [
  ["schema", t("Schema")],
  ["users", t("Users")],
  ["roles", t("Roles")],
  ["sessions", t("Sessions")],
  ["system", t("System")],
  ["transfer", t("Export and import")],
  ["console", t("API console")],
];

/** A link to a tool. */
export function toolLink(words, tool, isCurrent = false) {
  return el("a", { class: "tool-link", href: writeAddress({ tool }), dir: "auto", "aria-current": isCurrent ? "page" : null, data: { focus: tool.join("/") } }, words);
}

/** The links to the tools that the present user may open. */
export function showToolLinks(state) {
  const heading = el("h2", { class: "sidebar-heading", id: "tools-heading" }, t("Manage"));
  const links = el("div", { class: "sidebar-tool-links" });
  const node = el("div", { class: "sidebar-tools", role: "group", "aria-labelledby": heading.id }, heading, links);
  state.show((values) => {
    const current = values.tool?.[0];
    const shown = all.filter(([name]) => name === current || isOffered(name, values));
    fillWhenChanged(links, JSON.stringify([current, shown, values.className]), () =>
      shown.map(([name, words]) =>
        el(
          "a",
          { class: "sidebar-tool", href: writeAddress({ tool: placeOf(name, values) }), "aria-current": name === current ? "page" : null, data: { focus: `tool ${name}` } },
          words,
        ),
      ),
    );
  });
  return node;
}

/** Where a link leads: exports and imports are those of the shown class. */
const placeOf = (name, { className }) => (name === "transfer" && className !== null ? [name, className] : [name]);

/** The tools that the present user may open: [[name, words]]. */
export function offeredTools(values) {
  return all.filter(([name]) => isOffered(name, values));
}

/** Whether the sidebar links to a tool. An address opens each tool; the tool then asks for a missing key. */
function isOffered(name, { status, isOwner, operates, user }) {
  if (name === "console" || name === "transfer") return true;
  if (status === null) return false;
  if (name === "sessions" && user !== null) return true;
  // Nobody signs in at a replica for one person. Its tools ask for the remote's key themselves.
  if (!takesUsers(status)) return true;
  return isOwner || (name === "system" && operates && servesUsers(status));
}
