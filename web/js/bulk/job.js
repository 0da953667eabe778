// An action for many objects: sends the writes with their progress, tells the failures, and repeats them as the user wants.

import { openAccount } from "./account-dialog.js";
import { withProgress } from "./progress-dialog.js";
import { plural, t } from "../texts.js";

/**
 * Runs a job. Resolves to its items that are done.
 *
 * @param title such as "Setting done"
 * @param items the items of the job, each with the name of its object
 * @param send `(items, progress)`: resolves to [{item, isDone}] or [{item, reason, isChanged, again}]. `again` is the item to send if
 *   the user wants to overwrite a changed object.
 * @param doneText `(count)`: what was done, such as "done is set on 200 objects"
 * @param overwrite the label of the button that overwrites changed objects
 */
export async function runJob({ title, items, send, doneText, overwrite }) {
  const done = [];
  let left = [];
  let sent = items;
  while (sent.length > 0) {
    const results = await withProgress({ title, total: sent.length }, (progress) => send(sent, progress));
    done.push(...results.filter(({ isDone }) => isDone).map(({ item }) => item));
    left.push(...results.filter(({ isDone }) => !isDone));
    if (left.length === 0) break;
    const failures = left.map((result) => ({ ...result, name: result.item.name }));
    const headline = `${doneText(done.length)}. ${plural("{count} object is left out:", "{count} objects are left out:", { count: left.length })}`;
    const again = await openAccount({ title: t("{title}: not all done", { title }), headline, failures, overwrite });
    if (again === null) break;
    const chosen = new Set(again.map(({ item }) => item));
    left = left.filter(({ item }) => !chosen.has(item));
    sent = again.map(({ item, again }) => again ?? item);
  }
  return done;
}
