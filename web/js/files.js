// Files of objects: where this gateway serves them, and pictures among them. Pictures of other servers are not shown:
// the page asks nobody but its own gateway.

import { unseen } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";

const pictureEndings = /\.(avif|gif|jpe?g|png|svg|webp)$/i;
const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** The name that a person gave a file: without what a server puts before it to tell files apart. */
export function fileWords({ name }) {
  return String(name ?? "file").replace(/^[0-9a-f]{32}_/, "");
}

/** The address of a file at this page's own gateway; null where another server has it. */
export function ownAddress({ url }) {
  try {
    const { origin, hostname, port, pathname } = new URL(url, document.baseURI);
    // The gateway may be reached by another of its names than the one that the page was opened with.
    const isOwn = origin === location.origin || (loopback.has(hostname) && loopback.has(location.hostname) && port === location.port);
    return isOwn ? pathname : null;
  } catch {
    return null;
  }
}

/** Whether a File of the browser can be shown. */
export function isPicture(file) {
  return file.type.startsWith("image/");
}

/** A picture that this gateway has; null for other files. */
export function filePicture(value, { className, alt }) {
  if (value?.__type !== "File" || !pictureEndings.test(fileWords(value))) return null;
  const address = ownAddress(value);
  // It may not be here yet, or gone.
  return address && pictureAt(address, { className, alt, otherwise: "This picture is not here" });
}

/**
 * A picture whose place is marked where it cannot be shown.
 *
 * @param otherwise what is said there
 */
export function pictureAt(address, { className, alt, otherwise }) {
  const missing = () => el("span", { class: `${className} picture-missing`, title: otherwise }, icon("picture"), unseen(otherwise));
  const picture = el("img", {
    class: className,
    src: address,
    alt,
    loading: "lazy",
    decoding: "async",
    on: { error: () => picture.replaceWith(missing()) },
  });
  return picture;
}

/** The picture of an object: its field `image`, else the first file that is one. */
export function pictureOf(object, options) {
  const values = [object.image, ...Object.values(object)];
  for (const value of values) {
    const picture = filePicture(value, options);
    if (picture) return picture;
  }
  return null;
}
