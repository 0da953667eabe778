// The sidebar: links to the classes, with their numbers of objects, waiting changes and open decisions. On a narrow screen, the
// sidebar is a drawer that a button in the header opens.

import { writeAddress } from "./address.js";
import { button, countOf, visuallyHidden } from "./buttons.js";
import { classCounts } from "./class-counts.js";
import { el, fill, fillWhenChanged, reconcile } from "./dom.js";
import { icon } from "./icons.js";
import { shownClasses, titleOf } from "./presentations.js";
import { aboutText } from "./sync-text.js";
import { counted, numberText, plural, t } from "./texts.js";
import { mayOperate } from "./users.js";

/** The number of classes from which the sidebar has a search field. */
const searchFrom = 8;

/**
 * @param menu the place of the button that opens the drawer
 * @param addClass opens the form that adds a class
 * @param goTo shows a class
 * @param more the nodes below the classes
 */
export function showClassSidebar({ sidebar, menu }, state, { addClass, goTo, more }) {
  let wanted = "";
  const about = el("p", { class: "sidebar-about", dir: "auto" });
  const search = el("input", {
    class: "input sidebar-search",
    type: "search",
    placeholder: t("Find a class"),
    "aria-label": t("Find a class"),
    autocomplete: "off",
    on: {
      input() {
        wanted = search.value.trim().toLowerCase();
        state.redraw();
      },
    },
  });
  const list = el("div", { class: "class-links" });
  const none = el("p", { class: "sidebar-none" }, t("No such class."));
  const addButton = button([icon("plus"), t("Add class")], addClass, { className: "button-quiet button-small sidebar-add", focus: "Add class" });
  fill(sidebar, about, search, list, none, addButton, more);
  const menuButton = el(
    "button",
    { class: "icon-button", type: "button", "aria-controls": sidebar.id, "aria-expanded": "false", "aria-label": t("Classes"), on: { click: toggle } },
    icon("menu"),
  );
  fill(menu, menuButton);
  document.addEventListener("keydown", (event) => event.key === "Escape" && isOpen() && (setOpen(false), menuButton.focus()));
  document.addEventListener("pointerdown", ({ target }) => isOpen() && !sidebar.contains(target) && !menu.contains(target) && setOpen(false));

  sidebar.addEventListener("click", ({ target }) => target.closest("a") && setOpen(false));

  const isOpen = () => sidebar.classList.contains("is-open");

  function setOpen(flag) {
    sidebar.classList.toggle("is-open", flag);
    menuButton.setAttribute("aria-expanded", String(flag));
  }

  function toggle() {
    setOpen(!isOpen());
    if (isOpen()) (list.querySelector("[aria-current]") ?? addButton).focus();
  }

  function choose(event, className) {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    goTo(className);
  }

  let seen = null;
  state.show((values) => {
    const counts = classCounts(values);
    const names = shownClasses(values);
    const found = names.filter((name) => `${name} ${titleOf(name)}`.toLowerCase().includes(wanted));
    const rows = found.map((className) => ({ className, isCurrent: values.tool === null && className === values.className, ...counts.get(className) }));
    reconcile(list, rows, {
      key: ({ className }) => className,
      stamp: JSON.stringify,
      build: (row) => classLink(row, (event) => choose(event, row.className)),
    });
    none.hidden = found.length > 0 || names.length === 0;
    search.hidden = names.length < searchFrom && wanted === "";
    addButton.hidden = !mayOperate(values);
    fillWhenChanged(about, aboutText(values), () => aboutText(values));
    const now = JSON.stringify([values.className, names]);
    if (seen !== now) list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    seen = now;
  });
}

function classLink({ className, isCurrent, objects, waiting = 0, decisions = 0 }, choose) {
  const mark = (kind, count, words) =>
    count > 0 && el("span", { class: `class-mark class-mark-${kind}`, title: words }, countOf(count, words), visuallyHidden(", "));
  return el(
    "a",
    {
      class: "class-link",
      href: writeAddress({ className }),
      "aria-current": isCurrent ? "page" : null,
      data: { focus: `class ${className}` },
      on: { click: choose },
    },
    el("span", { class: "class-link-name" }, titleOf(className)),
    visuallyHidden(", "),
    mark("decisions", decisions, t("{count} to decide", { count: numberText(decisions) })),
    mark("waiting", waiting, plural("{count} change waits", "{count} changes wait", { count: waiting })),
    objects !== undefined && el("span", { class: "class-link-count" }, countOf(objects, counted(objects, "object"))),
  );
}

/** Whether a click opens a link in the same tab. */
function isPlainClick({ button: pressed, ctrlKey, metaKey, shiftKey, altKey }) {
  return pressed === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
