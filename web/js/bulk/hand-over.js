// Hands a text over to other programs: as a downloaded file, or through the clipboard.

import { el } from "../dom.js";
import { t } from "../texts.js";

/** The time in milliseconds after which the browser has begun a download. */
const downloadMs = 60_000;

/** Downloads a text as a file. The text does not leave the browser. */
export function download(name, type, text) {
  downloadBlob(name, new Blob([text], { type }));
}

/** Downloads a blob as a file. */
export function downloadBlob(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), downloadMs);
}

/**
 * Copies a text. Throws an error if the browser does not allow it: it allows copying only for a few seconds after a key or a click.
 *
 * @param place the node for a temporary text area: the open dialog, because nodes outside of a modal dialog cannot have the focus
 */
export async function copy(text, place) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // At an address without TLS, other than that of this machine, browsers have no `navigator.clipboard`.
    const area = el("textarea", { class: "visually-hidden", "aria-label": t("Copied text") });
    const held = document.activeElement;
    area.value = text;
    place.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    held?.focus({ preventScroll: true });
    if (!isCopied) throw new Error(t("The browser did not allow to copy. Press the button again."));
  }
}
