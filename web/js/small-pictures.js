// Pictures at the size at which they are shown. The gateway has them only as they are, so they are read a few at a time as
// they come into sight, made small once, and kept small. A large one is not read before a person asks for it.

import { unseen } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { bytesWords } from "./bytes-words.js";

/** Larger ones wait for a press. */
const bytesMax = 2_000_000;
/** A picture as small as this is shown as it is. */
const plainBytesMax = 20_000;
const readsMax = 4;
/** As many small ones are kept. */
const keptMax = 300;
/** How far out of sight a picture is read already. */
const ahead = { rootMargin: "300px" };

/** "side address" to the address of the small one, least recently used first. */
const kept = new Map();
const queue = [];
let reads = 0;

const starts = new WeakMap();
const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    starts.get(target)();
  }
}, ahead);

/**
 * A picture, or its placeholder until it is here.
 *
 * @param side how many points wide it is shown
 * @param name the file's name
 * @param missing makes the node that is shown where there is no picture
 */
export function smallPicture(address, { className, alt, side, name, missing }) {
  const key = `${side} ${address}`;
  const before = keptAt(key);
  if (before) return picture(before);
  const waiting = el("span", { class: `${className} picture-waiting` });
  starts.set(waiting, () => enqueue(waiting, () => bring(waiting)));
  sight.observe(waiting);
  return waiting;

  function picture(source) {
    const node = el("img", { class: className, src: source, alt, decoding: "async", on: { error: () => node.replaceWith(missing()) } });
    return node;
  }

  /** @param takesLarge whether a person has asked for it */
  async function bring(place, takesLarge = false) {
    try {
      const answer = await fetch(address, { credentials: "omit" });
      const bytes = Number(answer.headers.get("Content-Length") ?? Infinity);
      if (answer.ok && bytes > bytesMax && !takesLarge) {
        await answer.body.cancel();
        return place.replaceWith(offer(bytes));
      }
      if (!answer.ok) return place.replaceWith(missing());
      const source = await smallOf(await answer.blob(), side, address);
      keep(key, source);
      place.replaceWith(picture(source));
    } catch {
      place.replaceWith(missing());
    }
  }

  function offer(bytes) {
    const size = bytes === Infinity ? "" : `, ${bytesWords(bytes)}`;
    const words = `Show ${name}${size}`;
    const run = () => enqueue(button, () => bring(button, true));
    const button = el(
      "button",
      { class: `${className} picture-large`, type: "button", title: words, on: { click: run } },
      icon("picture"),
      unseen(words),
      bytes !== Infinity && el("span", { class: "picture-size", "aria-hidden": "true" }, bytesWords(bytes)),
    );
    return button;
  }
}

/** The address of a small picture; one that cannot be made small (a drawing, say) is shown as it is. */
async function smallOf(blob, side, address) {
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

/** Pictures that have left the page meanwhile are not read. */
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
