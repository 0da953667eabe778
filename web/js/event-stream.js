// Server-sent events over fetch, which sends the access key along; the browser's EventSource cannot.

/**
 * Reads events to the end of the stream.
 *
 * @param onEvent gets {type, id, data} of each event; data as text
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
  // Comments begin with a colon: they only say that the line is alive.
  const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
  if (field === "event") event.type = value ?? "";
  if (field === "id") event.id = value ?? "";
  if (field === "data") event.data = event.data === null ? (value ?? "") : `${event.data}\n${value ?? ""}`;
}
