import { readEvents } from "../../../web/js/event-stream.js";
import { equal, test } from "./check.js";

const text =
  ': hello\n\nevent: change\nid: 7\ndata: {"className":\ndata: "Café"}\r\n\r\ndata\n\nid: 8\n\nevent: sync\ndata:{}\n\nevent: cut';

/** A response body that delivers bytes in chunks of a size. */
function body(bytes, size) {
  return new ReadableStream({
    start(out) {
      for (let at = 0; at < bytes.length; at += size) out.enqueue(bytes.slice(at, at + size));
      out.close();
    },
  });
}

test("server-sent events are read for every chunk size", async () => {
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 7, 1000]) {
    const events = [];
    await readEvents(body(bytes, size), (event) => events.push(event));
    equal(events, [
      { type: "change", id: "7", data: '{"className":\n"Café"}' },
      { type: "message", id: null, data: "" },
      { type: "sync", id: null, data: "{}" },
    ]);
  }
});
