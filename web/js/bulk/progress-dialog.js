// The dialog that shows the progress of work on many objects. It has a button that stops the work.

import { button } from "../buttons.js";
import { openDialog } from "../dialog.js";
import { el } from "../dom.js";
import { numberText, t } from "../texts.js";

/** The time in milliseconds after which the dialog opens. Quick work needs no dialog. */
const openMs = 300;

/**
 * Runs work, and shows its progress. The page asks before the user leaves it meanwhile.
 *
 * @param title what is done, such as "Setting done"
 * @param total the number of objects; null if unknown
 * @param work `({tell, isStopped, signal})`: the work. `tell(count)` shows the progress, `isStopped` returns whether the user has
 *   stopped the work, and `signal` aborts its reads.
 */
export async function withProgress({ title, total }, work) {
  const stopping = new AbortController();
  const bar = el("progress", { class: "meter", "aria-label": title, ...(total > 0 && { max: total, value: 0 }) });
  const words = el("p", { class: "bulk-progress", role: "status" });
  const stopButton = button(t("Stop"), stop);
  const tell = (count) => {
    const done = numberText(count);
    if (total !== null) bar.value = count;
    words.textContent = total === null ? done : t("{done} of {total}", { done, total: numberText(total) });
  };
  let frame = null;
  const opening = setTimeout(open, openMs);
  window.addEventListener("beforeunload", keepPage);
  tell(0);
  try {
    return await work({ tell, isStopped: () => stopping.signal.aborted, signal: stopping.signal });
  } finally {
    clearTimeout(opening);
    window.removeEventListener("beforeunload", keepPage);
    frame?.close();
  }

  function open() {
    frame = openDialog({
      title,
      className: "dialog-question",
      content: [el("div", { class: "dialog-text" }, bar, words), el("div", { class: "dialog-actions" }, stopButton)],
      // Escape and the close button stop the work. The dialog closes when the work has ended.
      mayClose: async () => (stop(), false),
    });
    stopButton.focus();
  }

  function stop() {
    stopping.abort();
    stopButton.textContent = t("Stopping");
  }
}

function keepPage(event) {
  event.preventDefault();
}
