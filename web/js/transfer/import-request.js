// Sends a file to the gateway's import, and reads the progress and the result.

import { errorText } from "./formats.js";
import { t } from "../texts.js";

/**
 * @param options the parameters of the import: {format, rename, type, skipRefused, dryRun}. Empty ones are left out.
 * @param onProgress called with {pass, objects, bytes, bytesTotal}; `pass` is "check" or "write"
 * @returns the result: {made, changed, unchanged, refused, refusals, written, error}
 */
export async function sendImport(api, { className, file, options, maintenanceKey, onProgress, signal }) {
  const given = Object.entries(options).filter(([, value]) => value !== "" && value !== false);
  const path = `import/${encodeURIComponent(className)}?${new URLSearchParams(given)}`;
  const headers = {
    Accept: "application/x-ndjson",
    "Content-Type": "application/octet-stream",
    ...(maintenanceKey !== "" && { "X-Parse-Maintenance-Key": maintenanceKey }),
  };
  const response = await api.request("POST", path, { headers, body: file, signal });
  if (!response.ok) throw new Error(await errorText(response));
  let last = null;
  for await (const line of linesOf(response.body)) {
    last = JSON.parse(line);
    if (last.progress !== undefined) onProgress(last.progress);
  }
  if (last === null || last.progress !== undefined) throw new Error(t("The connection ended before the import. Run it again."));
  // An error without a report is about the whole file.
  if (last.made === undefined) throw new Error(last.error);
  return last;
}

/** The lines of a stream of text, without empty ones. */
async function* linesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "\n")).split("\n");
    rest = lines.pop();
    yield* lines.filter((line) => line !== "");
    if (done) return;
  }
}
