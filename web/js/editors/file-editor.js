// An editor of a file: shows the one that is there, lets another one be chosen, previews pictures, and uploads when the
// form is saved.

import { button, unseen } from "../buttons.js";
import { el, fill } from "../dom.js";
import { filePicture, fileWords, isPicture } from "../files.js";
import { bytesWords } from "../values.js";

/** @param upload takes a File of the browser and resolves to the value of the field */
export function createFileEditor({ label, onlyPictures }, value, attributes, upload) {
  const isEditable = value === undefined || value?.__type === "File";
  let kept = value;
  let chosen = null;
  let uploaded = null;
  let previewAddress = null;
  const control = el("input", {
    class: "file-input",
    type: "file",
    accept: onlyPictures ? "image/*" : null,
    disabled: !isEditable,
    ...attributes,
    on: { change: choose },
  });
  const shown = el("div", { class: "file-shown" });
  const node = el("div", { class: "file-editor" }, shown, control);

  function choose() {
    if (control.files.length === 0) return;
    chosen = control.files[0];
    uploaded = null;
    draw();
  }

  function remove() {
    chosen = null;
    uploaded = null;
    kept = undefined;
    control.value = "";
    draw();
    control.focus();
  }

  function draw() {
    if (previewAddress) URL.revokeObjectURL(previewAddress);
    previewAddress = chosen && isPicture(chosen) ? URL.createObjectURL(chosen) : null;
    const now = chosen ?? kept;
    shown.hidden = now === undefined;
    if (now === undefined) return fill(shown);
    const picture = chosen
      ? previewAddress && el("img", { class: "file-preview", src: previewAddress, alt: `Preview of ${label}` })
      : filePicture(kept, { className: "file-preview", alt: label });
    const words = chosen ? `${chosen.name}, ${bytesWords(chosen.size)}` : fileWords(kept);
    const removeButton = button(["Remove", unseen(` ${label}`)], remove, { look: "button-quiet button-small" });
    fill(shown, picture, el("p", { class: "file-name" }, words), isEditable && removeButton);
  }

  draw();
  return {
    node,
    control,
    hint: isEditable ? (onlyPictures ? "A picture. It is kept here at once, and sent with the next sync." : null) : "This value is of another type.",
    isEditable,
    isChanged: () => chosen !== null || kept !== value,
    isIncomplete: () => false,
    read: () => chosen ?? kept,
    /** Uploads what was chosen: once, also where saving the object fails and is tried again. */
    async save() {
      if (chosen !== null) uploaded ??= await upload(chosen);
      return uploaded ?? kept;
    },
    close: () => previewAddress && URL.revokeObjectURL(previewAddress),
  };
}
