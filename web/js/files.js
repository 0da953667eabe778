// Files of objects: where this gateway serves them, and pictures among them. Pictures of other servers are not shown:
// the page asks nobody but its own gateway.

import { unseen } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { smallPicture } from "./small-pictures.js";

const pictureEndings = /\.(avif|gif|jpe?g|png|svg|webp)$/i;
/** Where the gateway serves files: at each of its mounts. */
const filePath = /^(\/parse|\/1)?\/files\/[^/]+\/[^/]+$/;
const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** The name that a person gave a file: without what a server puts before it to tell files apart. */
export function fileWords({ name }) {
  return String(name ?? "file").replace(/^[0-9a-f]{32}_/, "");
}

/**
 * The whole address of a file at this page's own gateway; null where another server has it, and for an address of the
 * gateway that is not one of a file: an object may name any.
 */
export function ownAddress({ url }) {
  const address = addressIn(url);
  // A path alone may begin with two slashes, and would then name a host.
  return address && isOwn(address) && filePath.test(address.pathname) ? location.origin + address.pathname : null;
}

/** Whether an address is one of this page's own gateway, by whichever of its names it was opened with. */
function isOwn({ origin, protocol, hostname, port }) {
  const isSame = protocol === location.protocol && port === location.port && loopback.has(hostname) && loopback.has(location.hostname);
  return origin === location.origin || isSame;
}

/** An address of the web that leads out of this gateway; the gateway's own are for programs, and not for links. */
export function isOutside(text) {
  if (typeof text !== "string" || !/^https?:\/\//i.test(text)) return false;
  const address = addressIn(text);
  return address !== null && !isOwn(address);
}

function addressIn(text) {
  try {
    return new URL(text, document.baseURI);
  } catch {
    return null;
  }
}

/** Whether a File of the browser can be shown. */
export function isPicture(file) {
  return file.type.startsWith("image/");
}

/**
 * A picture that this gateway has, at the size at which it is shown; null for other files.
 *
 * @param side how many points wide it is shown
 */
export function filePicture(value, { className, alt, side = 72 }) {
  if (value?.__type !== "File" || !pictureEndings.test(fileWords(value))) return null;
  const address = ownAddress(value);
  if (address === null) return null;
  // It may not be here yet, or gone.
  return smallPicture(address, { className, alt, side, name: fileWords(value), missing: () => missingPicture(className, "This picture is not here") });
}

/**
 * A picture whose place is marked where it cannot be shown.
 *
 * @param otherwise what is said there
 */
export function pictureAt(address, { className, alt, otherwise }) {
  const picture = el("img", {
    class: className,
    src: address,
    alt,
    decoding: "async",
    on: { error: () => picture.replaceWith(missingPicture(className, otherwise)) },
  });
  return picture;
}

function missingPicture(className, words) {
  return el("span", { class: `${className} picture-missing`, title: words }, icon("picture"), unseen(words));
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
