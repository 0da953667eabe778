// Reads server-sent events from the body of a `fetch` response. EventSource is not used, because it cannot send the access key.

/**
 * Reads events until the stream ends.
 *
 * @param onEvent called with {type, id, data} for each event; `data` is text
 */
export async function readEvents(body, onEvent) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let event = blank();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split(/\r?\n/);
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (event.data !== null) onEvent(event);
        event = blank();
      } else {
        take(line, event);
      }
    }
  }
}

function blank() {
  return { type: "message", id: null, data: null };
}

function take(line, event) {
  // A line that begins with a colon is a comment. Its field name is empty, so this code ignores the line.
  const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
  if (field === "event") event.type = value ?? "";
  if (field === "id") event.id = value ?? "";
  if (field === "data") event.data = event.data === null ? (value ?? "") : `${event.data}\n${value ?? ""}`;
}
