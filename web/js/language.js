// The language of the page: the one that the user has chosen on the page, otherwise the browser's.

import { readRemembered } from "./remembered.js";
import germanSettings from "../texts/de-settings.js";
import german from "../texts/de.js";

/**
 * The languages of the page by their codes: {name, direction, texts, settings}. The sources have the English texts. `texts` are
 * their translations by the English text, `settings` those of the gateway's texts about its settings.
 */
export const languages = {
  en: { name: "English", direction: "ltr", texts: {}, settings: {} },
  de: { name: "Deutsch", direction: "ltr", texts: german, settings: germanSettings },
};

const wanted = navigator.languages?.length > 0 ? navigator.languages : [navigator.language ?? "en"];
const codeOf = (tag) => tag.split("-")[0];

/** The code of the browser's first language that the page has. */
export const browserLanguage = wanted.map(codeOf).find((code) => Object.hasOwn(languages, code)) ?? "en";

const chosen = readRemembered().language;

/** The code of the page's language. It is the same until the page is loaded again. */
export const language = Object.hasOwn(languages, chosen) ? chosen : browserLanguage;

/** The locale of dates and numbers: the user's variant of the language. For English without a variant of the user, it is British. */
export const locale = wanted.find((tag) => codeOf(tag) === language) ?? (language === "en" ? "en-GB" : language);
