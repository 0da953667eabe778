// The editor of a file field. It shows the current file until the user chooses another file. The chosen file is uploaded when
// the form is saved.

import { button, visuallyHidden } from "../buttons.js";
import { formatBytes } from "../byte-size.js";
import { el, fill } from "../dom.js";
import { filePicture, fileLabel, isPicture, pictureAt } from "../files.js";
import { counted, t } from "../texts.js";

const unshowable = t("This browser cannot show this type of picture");

/**
 * @param upload `(file, onProgress, signal)`: uploads a browser `File` and resolves to the File value for the field
 * @param fileBytesMax returns the maximum size of a file in bytes; null if unknown
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
      ? previewAddress && pictureAt(previewAddress, { className: "file-preview", alt: t("Preview of {label}", { label }), otherwise: unshowable })
      : filePicture(kept, { className: "file-preview", alt: label });
    const words = chosen ? `${chosen.name}, ${formatBytes(chosen.size)}` : fileLabel(kept);
    const removeButton = button([t("Remove"), visuallyHidden(` ${label}`)], remove, { className: "button-quiet button-small" });
    fill(shown, picture, el("p", { class: "file-name", dir: "auto" }, words), isEditable && removeButton);
  }

  /** Uploads the chosen file. Meanwhile, shows the progress and a button that stops the upload. */
  async function send() {
    const bar = el("progress", { max: chosen.size, value: 0, "aria-label": t("Uploading {name}", { name: chosen.name }) });
    const words = el("span", { class: "file-sent" });
    const tell = ({ sent, total }) => {
      bar.value = sent;
      words.textContent = `${Math.floor((100 * sent) / total)} %`;
    };
    sending = new AbortController();
    fill(meter, bar, words, button(t("Stop upload"), () => sending.abort(), { className: "button-quiet button-small" }));
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
    hint: isEditable ? hintText(onlyPictures, bytesMax) : t("This value has another type."),
    isEditable,
    isChanged: () => chosen !== null || kept !== value,
    isIncomplete: () => false,
    typed: () => (chosen === null ? { isRemoved: true } : { chosen: chosen.name }),
    restoreText({ isRemoved = false }) {
      if (isRemoved) kept = undefined;
      draw();
    },
    read() {
      if (chosen?.size === 0) return new Error(t("This file is empty."));
      if (onlyPictures && chosen && !isPicture(chosen)) return new Error(t("This file is not a picture."));
      if (chosen && bytesMax !== null && chosen.size > bytesMax) return new Error(tooLarge(chosen, bytesMax));
      return chosen ?? kept;
    },
    /** Resolves to the value to save. The chosen file is uploaded only once, even if saving the object is repeated. */
    async save() {
      if (chosen !== null) uploaded ??= await send();
      return uploaded ?? kept;
    },
    close,
  };
}

function hintText(onlyPictures, bytesMax) {
  const limit = bytesMax === null ? "" : t(", at most {size}", { size: formatBytes(bytesMax) });
  const what = onlyPictures ? t("A picture{limit}.", { limit }) : limit && t("A file{limit}.", { limit });
  return t("{what} It is saved on this device at once, and sent with the next sync.", { what }).trim();
}

function tooLarge({ name, size }, bytesMax) {
  if (formatBytes(size) === formatBytes(bytesMax)) return t("{name} is too large: it has {size}, and the limit is {limit}.", { name, size: counted(size, "byte"), limit: counted(bytesMax, "byte") });
  return t("{name} is too large: it has {size}, and the limit is {limit}.", { name, size: formatBytes(size), limit: formatBytes(bytesMax) });
}
