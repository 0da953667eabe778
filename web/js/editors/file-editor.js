// An editor of a file: shows the one that is there, lets another one be chosen, previews pictures, and uploads when the
// form is saved, telling how far that is.

import { button, unseen } from "../buttons.js";
import { bytesWords } from "../bytes-words.js";
import { el, fill } from "../dom.js";
import { filePicture, fileWords, isPicture, pictureAt } from "../files.js";

const unshowable = "This browser cannot show pictures of this kind";

/**
 * @param upload takes a File of the browser, tells its progress, and resolves to the value of the field
 * @param fileBytesMax tells how large it may be; null where that is not known
 */
export function createFileEditor({ label, onlyPictures }, value, attributes, { upload, fileBytesMax }) {
  const bytesMax = fileBytesMax();
  const isEditable = value === undefined || value?.__type === "File";
  let kept = value;
  let chosen = null;
  let uploaded = null;
  let previewAddress = null;
  let sending = null;
  const control = el("input", {
    class: "file-input",
    type: "file",
    accept: onlyPictures ? "image/*" : null,
    disabled: !isEditable,
    ...attributes,
    on: { change: choose },
  });
  const shown = el("div", { class: "file-shown" });
  const meter = el("div", { class: "file-sending", hidden: true });
  const node = el("div", { class: "file-editor" }, shown, meter, control);

  function choose() {
    if (control.files.length > 0) take(control.files[0]);
  }

  function remove() {
    kept = undefined;
    control.value = "";
    take(null);
    control.focus();
  }

  function take(file) {
    sending?.abort();
    chosen = file;
    uploaded = null;
    draw();
  }

  function draw() {
    if (previewAddress) URL.revokeObjectURL(previewAddress);
    previewAddress = chosen && isPicture(chosen) ? URL.createObjectURL(chosen) : null;
    const now = chosen ?? kept;
    shown.hidden = now === undefined;
    if (now === undefined) return fill(shown);
    const picture = chosen
      ? previewAddress && pictureAt(previewAddress, { className: "file-preview", alt: `Preview of ${label}`, otherwise: unshowable })
      : filePicture(kept, { className: "file-preview", alt: label });
    const words = chosen ? `${chosen.name}, ${bytesWords(chosen.size)}` : fileWords(kept);
    const removeButton = button(["Remove", unseen(` ${label}`)], remove, { look: "button-quiet button-small" });
    fill(shown, picture, el("p", { class: "file-name", dir: "auto" }, words), isEditable && removeButton);
  }

  /** Uploads what was chosen, which can be stopped while it lasts. */
  async function send() {
    const bar = el("progress", { max: chosen.size, value: 0, "aria-label": `Storing ${chosen.name}` });
    const words = el("span", { class: "file-sent" });
    const tell = ({ sent, total }) => {
      bar.value = sent;
      words.textContent = `${Math.floor((100 * sent) / total)} %`;
    };
    sending = new AbortController();
    fill(meter, bar, words, button("Stop", () => sending.abort(), { look: "button-quiet button-small" }));
    meter.hidden = false;
    meter.scrollIntoView({ block: "nearest" });
    try {
      return await upload(chosen, tell, sending.signal);
    } finally {
      if (meter.contains(document.activeElement)) control.focus();
      meter.hidden = true;
    }
  }

  function close() {
    sending?.abort();
    if (previewAddress) URL.revokeObjectURL(previewAddress);
  }

  draw();
  return {
    node,
    control,
    hint: isEditable ? hintWords(onlyPictures, bytesMax) : "This value is of another type.",
    isEditable,
    isChanged: () => chosen !== null || kept !== value,
    isIncomplete: () => false,
    typed: () => (chosen === null ? { isRemoved: true } : { chosen: chosen.name }),
    retype({ isRemoved = false }) {
      if (isRemoved) kept = undefined;
      draw();
    },
    read() {
      if (chosen?.size === 0) return new Error("This file is empty.");
      if (onlyPictures && chosen && !isPicture(chosen)) return new Error("This is no picture.");
      if (chosen && bytesMax !== null && chosen.size > bytesMax) return new Error(tooLarge(chosen, bytesMax));
      return chosen ?? kept;
    },
    /** Uploads what was chosen: once, also where saving the object fails and is tried again. */
    async save() {
      if (chosen !== null) uploaded ??= await send();
      return uploaded ?? kept;
    },
    close,
  };
}

function hintWords(onlyPictures, bytesMax) {
  const limit = bytesMax === null ? "" : ` of ${bytesWords(bytesMax)} at most`;
  const what = onlyPictures ? `A picture${limit}.` : limit && `A file${limit}.`;
  return `${what} It is kept here at once, and sent with the next sync.`.trim();
}

function tooLarge({ name, size }, bytesMax) {
  if (bytesWords(size) === bytesWords(bytesMax)) return `${name} is larger than Tidegate takes: it has ${size} bytes, and ${bytesMax} is the limit.`;
  return `${name} is larger than Tidegate takes: it has ${bytesWords(size)}, and ${bytesWords(bytesMax)} is the limit.`;
}
