// Polls the gateway: often while the page is visible, rarely while the page is hidden or receives events, and at once on request.
// Only one poll runs at a time.

const delayMs = { running: 500, visible: 2_000, hidden: 30_000 };
/** The polling interval in milliseconds while the page receives events. Polling then finds changes whose events were lost. */
const delayLiveMs = 30_000;

/**
 * @param poll runs one poll
 * @param isLive returns whether the page receives the gateway's events
 * @param isSyncing returns whether a sync is running; a visible page then polls more often
 */
export function createPoller(poll, { isLive, isSyncing }) {
  let timer = null;
  let current = null;
  let isRequestedAgain = false;
  let isStopped = false;

  function schedule() {
    clearTimeout(timer);
    if (isStopped) return;
    const pace = document.hidden ? "hidden" : isSyncing() ? "running" : "visible";
    timer = setTimeout(now, isLive() ? delayLiveMs : delayMs[pace]);
  }

  /** Polls at once. If a poll is already running, another poll follows it. Resolves when the last poll has finished. */
  async function now() {
    clearTimeout(timer);
    if (current) {
      isRequestedAgain = true;
      return current;
    }
    current = (async () => {
      do {
        isRequestedAgain = false;
        await poll();
      } while (isRequestedAgain);
    })().finally(() => {
      current = null;
      schedule();
    });
    return current;
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? schedule() : !isStopped && now()));

  return {
    now,
    /** Chooses the time of the next poll again, because the page receives events now. */
    reschedule: () => void (current ?? schedule()),
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
