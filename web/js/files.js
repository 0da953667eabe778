// The files of objects: their addresses and previews. The page loads pictures only from its own gateway.

import { visuallyHidden } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";
import { thumbnail } from "./thumbnails.js";

const pictureEndings = /\.(avif|gif|jpe?g|png|svg|webp)$/i;
/** Matches the path of a file on the gateway: `/files/<application id>/<name>`, also after the prefix `/parse` or `/1`. */
const filePath = /^(\/parse|\/1)?\/files\/[^/]+\/[^/]+$/;
const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** The original name of a file, without the random prefix that the server has added. */
export function fileLabel({ name }) {
  return String(name ?? "file").replace(/^[0-9a-f]{32}_/, "");
}

/**
 * The full address of a file, if the file is on this page's gateway; otherwise null. The address is checked, because a client can
 * store any address in an object.
 */
export function ownAddress({ url }) {
  const address = addressIn(url);
  // The page's own origin replaces another loopback name, because the page may load pictures only from its own origin.
  return address && isOwn(address) && filePath.test(address.pathname) ? location.origin + address.pathname : null;
}

/**
 * Whether an address is on this page's gateway. Different loopback names with the same protocol and port, such as
 * `localhost:1338` and `127.0.0.1:1338`, count as the same gateway.
 */
function isOwn({ origin, protocol, hostname, port }) {
  const isSame = protocol === location.protocol && port === location.port && loopback.has(hostname) && loopback.has(location.hostname);
  return origin === location.origin || isSame;
}

/** Whether a text is an http or https address outside of this gateway. */
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

/** Whether a file that the user has chosen is a picture. */
export function isPicture(file) {
  return file.type.startsWith("image/");
}

/**
 * A thumbnail of a picture file on this gateway; null for any other value.
 *
 * @param side the displayed width in CSS pixels
 */
export function filePicture(value, { className, alt, side = 72 }) {
  if (value?.__type !== "File" || !pictureEndings.test(fileLabel(value))) return null;
  const address = ownAddress(value);
  if (address === null) return null;
  // The gateway may lack the picture: the file may be deleted, or not fetched yet.
  return thumbnail(address, { className, alt, side, name: fileLabel(value), missing: () => missingPicture(className, t("This picture is not available")) });
}

/**
 * A picture. If the browser cannot show it, a placeholder replaces it.
 *
 * @param otherwise the text of the placeholder
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
  return el("span", { class: `${className} picture-missing`, title: words }, icon("picture"), visuallyHidden(words));
}

/**
 * A thumbnail of the picture in an object's field `image`, or else in the first field with a picture. Null if no field has a
 * picture on this gateway.
 */
export function pictureOf(object, options) {
  const values = [object.image, ...Object.values(object)];
  for (const value of values) {
    const picture = filePicture(value, options);
    if (picture) return picture;
  }
  return null;
}
