// Runs requests for many items, a few at the same time.

/** The maximum number of requests that run at the same time. */
const requestsMax = 6;

/** Calls a function for each item. */
export async function inParallel(items, run) {
  let next = 0;
  const work = async () => {
    while (next < items.length) await run(items[next++]);
  };
  await Promise.all(Array.from({ length: requestsMax }, work));
}
