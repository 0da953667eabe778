// Long values without spaces, such as addresses and paths.

import { el } from "../dom.js";

/** The nodes of a text that a line may end after each separator, so that it does not end inside of a name or a number. */
export function breakable(text) {
  return text.split(/(?<=[/\\:,;=&?])/).flatMap((part, at) => (at === 0 ? [part] : [el("wbr"), part]));
}
