// When the page looks for news: often while it is seen, slowly while it is hidden, at once when asked to. One look at a
// time.

const delayMs = { running: 500, visible: 2_000, hidden: 30_000 };
/** While the gateway tells what happens by itself, looking only makes sure. */
const delayLiveMs = 30_000;

/**
 * @param beat one look; resolves when it is over
 * @param isLive whether the gateway's events come in
 * @param isRunning whether a sync runs, whose progress is worth following
 */
export function createHeartbeat(beat, { isLive, isRunning }) {
  let timer = null;
  let current = null;
  let isAskedAgain = false;
  let isStopped = false;

  function schedule() {
    clearTimeout(timer);
    if (isStopped) return;
    const pace = document.hidden ? "hidden" : isRunning() ? "running" : "visible";
    timer = setTimeout(now, isLive() ? delayLiveMs : delayMs[pace]);
  }

  /** Looks at once, or once more after the look that is under way; resolves when that is over. */
  async function now() {
    clearTimeout(timer);
    if (current) {
      isAskedAgain = true;
      return current;
    }
    current = (async () => {
      do {
        isAskedAgain = false;
        await beat();
      } while (isAskedAgain);
    })().finally(() => {
      current = null;
      schedule();
    });
    return current;
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? schedule() : !isStopped && now()));

  return {
    now,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    start() {
      isStopped = false;
      return now();
    },
  };
}
