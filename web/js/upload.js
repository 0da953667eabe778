// Sends a file and tells how far it has come, which `fetch` cannot.

/**
 * @param onProgress called with {sent, total} in bytes
 * @param signal ends it
 * @returns the answer as a Response; rejects with a TypeError where none came, with an AbortError where it was ended
 */
export function upload(address, headers, file, onProgress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress({ sent: loaded, total }));
    request.addEventListener("load", () => resolve(new Response(request.responseText, { status: request.status })));
    request.addEventListener("error", () => reject(new TypeError("No answer came.")));
    request.addEventListener("abort", () => reject(new DOMException("The upload was ended.", "AbortError")));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
