// Shows a notice when the policy of a class has resolved conflicts. The user can then restore the replaced values.

import { counted } from "./values.js";

export function notifyResolved(state, notices) {
  let told = state.values.history.syncs.at(-1)?.at;
  state.show(({ history }) => {
    const last = history.syncs.at(-1);
    if (!last || last.at === told) return;
    told = last.at;
    if (last.settled) notices.remind(`${counted(last.settled, "conflict")} resolved automatically. Replaced values are under Resolved conflicts.`);
  });
}
