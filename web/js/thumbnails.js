// Thumbnails of pictures. The gateway scales a picture, and the browser keeps the thumbnail. A picture that the gateway cannot scale
// is loaded in full, at once if it is small, otherwise only if the user asks for it.

import { visuallyHidden } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { formatBytes } from "./byte-size.js";
import { t } from "./texts.js";

/** The maximum size in bytes of a picture that is loaded in full without a click. */
const bytesMax = 2_000_000;
/** The endings of pictures that the gateway scales. */
const scaledEndings = /\.(gif|jpe?g|png|webp)$/i;

/**
 * A thumbnail, or the whole picture if the gateway does not scale it.
 *
 * @param side the displayed width in CSS pixels
 * @param name the file's name
 * @param missing builds the node to show if the picture cannot be loaded
 */
export function thumbnail(address, { className, alt, side, name, missing }) {
  if (!scaledEndings.test(name)) return whole();
  // Twice the displayed width, for screens with two device pixels to a CSS pixel.
  return picture(`${address}?thumb=${2 * side}x${2 * side}`, whole);

  /** @param otherwise builds the node to show if this source cannot be loaded */
  function picture(source, otherwise) {
    const node = el("img", {
      class: className,
      src: source,
      alt,
      loading: "lazy",
      decoding: "async",
      on: { error: () => node.replaceWith(otherwise()) },
    });
    return node;
  }

  /** A placeholder that the whole picture replaces, or a button that loads the picture if it is large. */
  function whole() {
    const placeholder = el("span", { class: `${className} picture-loading` });
    load(placeholder);
    return placeholder;
  }

  async function load(place) {
    try {
      const answer = await fetch(address, { credentials: "omit" });
      await answer.body.cancel();
      if (!answer.ok) return place.replaceWith(missing());
      const bytes = Number(answer.headers.get("Content-Length") ?? Infinity);
      place.replaceWith(bytes > bytesMax ? offer(bytes) : picture(address, missing));
    } catch {
      place.replaceWith(missing());
    }
  }

  function offer(bytes) {
    const words = bytes === Infinity ? t("Show {name}", { name }) : t("Show {name}, {size}", { name, size: formatBytes(bytes) });
    const button = el(
      "button",
      {
        class: `${className} picture-large`,
        type: "button",
        title: words,
        on: { click: () => button.replaceWith(picture(address, missing)) },
      },
      icon("picture"),
      visuallyHidden(words),
      bytes !== Infinity && el("span", { class: "picture-size", "aria-hidden": "true" }, formatBytes(bytes)),
    );
    return button;
  }
}
