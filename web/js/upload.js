// Uploads a file with XMLHttpRequest, because `fetch` does not report the progress of an upload.

import { t } from "./texts.js";

/**
 * @param onProgress called with {sent, total} in bytes
 * @param signal an AbortSignal that aborts the upload
 * @returns the answer as a Response; rejects with a TypeError if no answer arrives, and with an AbortError after an abort
 */
export function upload(address, headers, file, onProgress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress({ sent: loaded, total }));
    request.addEventListener("load", () => resolve(new Response(request.responseText, { status: request.status })));
    request.addEventListener("error", () => reject(new TypeError(t("There was no answer."))));
    request.addEventListener("abort", () => reject(new DOMException(t("The upload was aborted."), "AbortError")));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
