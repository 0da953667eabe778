// Thumbnails of pictures. The gateway offers pictures only in full size. When a picture's place scrolls into view, the page loads
// the picture, scales it, and caches the thumbnail. The page loads a large picture only if the user asks for it.

import { visuallyHidden } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { formatBytes } from "./byte-size.js";

/** The maximum size in bytes of a picture that is loaded without a click. */
const bytesMax = 2_000_000;
/** The maximum size in bytes of a picture that is shown without scaling. */
const plainBytesMax = 20_000;
const readsMax = 4;
/** The maximum number of cached thumbnails. */
const keptMax = 300;
/** Pictures within this distance of the visible area are loaded in advance. */
const preload = { rootMargin: "300px" };

/** The cache: a map from "<width> <address of the picture>" to the thumbnail's address, least recently used first. */
const kept = new Map();
const queue = [];
let reads = 0;

const starts = new WeakMap();
const visibility = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    visibility.unobserve(target);
    starts.get(target)();
  }
}, preload);

/**
 * A thumbnail, or a placeholder until the picture is loaded.
 *
 * @param side the displayed width in CSS pixels
 * @param name the file's name
 * @param missing builds the node to show if the picture cannot be loaded
 */
export function thumbnail(address, { className, alt, side, name, missing }) {
  const key = `${side} ${address}`;
  const before = keptAt(key);
  if (before) return picture(before);
  const placeholder = el("span", { class: `${className} picture-loading` });
  starts.set(placeholder, () => enqueue(placeholder, () => load(placeholder)));
  visibility.observe(placeholder);
  return placeholder;

  function picture(source) {
    const node = el("img", { class: className, src: source, alt, decoding: "async", on: { error: () => node.replaceWith(missing()) } });
    return node;
  }

  /** @param takesLarge whether to load the picture even if it is larger than `bytesMax` */
  async function load(place, takesLarge = false) {
    try {
      const answer = await fetch(address, { credentials: "omit" });
      const bytes = Number(answer.headers.get("Content-Length") ?? Infinity);
      if (answer.ok && bytes > bytesMax && !takesLarge) {
        await answer.body.cancel();
        return place.replaceWith(offer(bytes));
      }
      if (!answer.ok) return place.replaceWith(missing());
      const source = await scaled(await answer.blob(), side, address);
      keep(key, source);
      place.replaceWith(picture(source));
    } catch {
      place.replaceWith(missing());
    }
  }

  function offer(bytes) {
    const size = bytes === Infinity ? "" : `, ${formatBytes(bytes)}`;
    const words = `Show ${name}${size}`;
    const run = () => enqueue(button, () => load(button, true));
    const button = el(
      "button",
      { class: `${className} picture-large`, type: "button", title: words, on: { click: run } },
      icon("picture"),
      visuallyHidden(words),
      bytes !== Infinity && el("span", { class: "picture-size", "aria-hidden": "true" }, formatBytes(bytes)),
    );
    return button;
  }
}

/**
 * Scales a picture and resolves to the address of the thumbnail. Resolves to the picture's own address if the picture is small,
 * or if the browser cannot scale it. An SVG, for example, cannot be scaled.
 */
async function scaled(blob, side, address) {
  if (blob.size <= plainBytesMax) return address;
  try {
    const width = 2 * side;
    const bitmap = await createImageBitmap(blob, { resizeWidth: width, resizeQuality: "medium" });
    const canvas = el("canvas", { width: bitmap.width, height: bitmap.height });
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    const small = await new Promise((resolve) => canvas.toBlob(resolve, "image/webp", 0.85));
    return small ? URL.createObjectURL(small) : address;
  } catch {
    return address;
  }
}

function enqueue(place, read) {
  queue.push({ place, read });
  next();
}

/** Loads pictures from the queue, at most `readsMax` at a time. Pictures that have left the page are skipped. */
function next() {
  while (reads < readsMax && queue.length > 0) {
    const { place, read } = queue.shift();
    if (!place.isConnected) continue;
    reads += 1;
    read().finally(() => {
      reads -= 1;
      next();
    });
  }
}

function keptAt(key) {
  const source = kept.get(key);
  if (source) keep(key, source);
  return source;
}

function keep(key, source) {
  const before = kept.get(key);
  kept.delete(key);
  kept.set(key, source);
  if (before && before !== source) release(before);
  while (kept.size > keptMax) {
    const [oldest, small] = kept.entries().next().value;
    kept.delete(oldest);
    release(small);
  }
}

function release(source) {
  if (source.startsWith("blob:")) URL.revokeObjectURL(source);
}
