// The choice of the page's language, at the end of the sidebar.

import { el } from "./dom.js";
import { browserLanguage, language, languages } from "./language.js";
import { t } from "./texts.js";

/**
 * The control that chooses the language. The page is loaded again in the chosen language; texts that the user has typed are kept.
 *
 * @param chosen the code of the chosen language; null for the browser's
 * @param choose `(code)`: remembers the choice
 */
export function languageChoice({ chosen, choose }) {
  const control = el(
    "select",
    { class: "input language-choice", id: "language", on: { change: () => (choose(control.value || null), location.reload()) } },
    el("option", { value: "" }, t("As the browser: {language}", { language: languages[browserLanguage].name })),
    Object.entries(languages).map(([code, { name }]) => el("option", { value: code, lang: code }, name)),
  );
  control.value = chosen ?? "";
  return el("div", { class: "sidebar-language" }, el("label", { class: "sidebar-heading", for: control.id }, t("Language")), control);
}

/** Sets the language of the document, and translates the texts of its HTML file. */
export function translateDocument() {
  const { documentElement: root } = document;
  root.lang = language;
  root.dir = languages[language].direction;
  const label = (id, words) => document.getElementById(id).setAttribute("aria-label", words);
  document.getElementById("skip-link").textContent = t("Skip to the list");
  document.querySelector(".brand").setAttribute("aria-label", t("Tidegate, go to the first class"));
  label("sidebar", t("Classes"));
  label("sync-panel", t("Sync details"));
  label("undo-bar", t("Last action"));
  label("notices", t("Notices"));
}
