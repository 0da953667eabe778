// Sends many writes in batches. A write that the gateway refuses does not stop the others.

import { ApiError } from "../api.js";
import { t } from "../texts.js";

/** The maximum number of writes in a batch, and of characters of their JSON. */
const writesMax = 50;
const charactersMax = 2_000_000;
/** Parse's code of a batch with too many requests. */
const tooManyRequests = 107;

/**
 * Sends writes. Resolves to a list with the result of each write:
 * - {isDone: true, answer}
 * - {code, reason, present, isDenied}: the gateway has refused the write. `present` is the object if it has changed.
 * - {isLost: true, reason}: no answer arrived, and the write may be done
 * - {isUnsent: true, reason}
 *
 * @param writes [{method, path, body, ifMatch}]
 * @param tell `(count)`: called with the number of writes that have a result
 * @param isStopped whether to send no further batch
 */
export async function writeAll(api, writes, { tell = () => {}, isStopped = () => false } = {}) {
  const results = [];
  let end = null;
  for (const batch of batchesOf(writes)) {
    if (end === null && isStopped()) end = t("You stopped before this one.");
    if (end !== null) {
      results.push(...batch.map(() => ({ isUnsent: true, reason: end })));
      continue;
    }
    try {
      const answers = await send(api, batch);
      results.push(...batch.map((_, at) => resultOf(answers[at])));
    } catch (error) {
      // An error of the whole batch would meet the following batches too.
      const isAnswer = error instanceof ApiError;
      results.push(...batch.map(() => (isAnswer ? { code: error.code, reason: error.message } : { isLost: true, reason: `${error.message} ${t("It may be done.")}` })));
      end = error.message;
    }
    tell(results.length);
  }
  return results;
}

/** Sends a batch. If the gateway takes only smaller batches, it has executed nothing, and the batch is sent in two parts. */
async function send(api, batch) {
  try {
    return await api.batch(batch);
  } catch (error) {
    const isTooLarge = error instanceof ApiError && (error.status === 413 || error.code === tooManyRequests);
    if (!isTooLarge || batch.length === 1) throw error;
    const half = Math.ceil(batch.length / 2);
    return [...(await send(api, batch.slice(0, half))), ...(await send(api, batch.slice(half)))];
  }
}

function resultOf(answer) {
  if (answer?.success !== undefined) return { isDone: true, answer: answer.success };
  const { code, error, object, denied } = answer?.error ?? {};
  const isDenied = denied === true;
  return { code, reason: isDenied ? t("You may not make this change.") : (error ?? t("The gateway gave no reason.")), present: object, isDenied };
}

/** Divides writes into batches. */
export function batchesOf(writes) {
  const batches = [];
  let characters = 0;
  for (const write of writes) {
    const length = JSON.stringify(write).length;
    if (batches.length === 0 || batches.at(-1).length === writesMax || characters + length > charactersMax) {
      batches.push([]);
      characters = 0;
    }
    batches.at(-1).push(write);
    characters += length;
  }
  return batches;
}

export function pathOf(className, objectId) {
  return ["", "classes", className, objectId].filter((part) => part !== undefined).map(encodeURIComponent).join("/");
}
