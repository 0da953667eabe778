// Tells of conflicts that a class's policy has settled: somebody's value is gone from sight, and can be had back.

import { counted } from "./values.js";

export function tellSettled(state, notices) {
  let told = state.values.history.syncs.at(-1)?.at;
  state.show(({ history }) => {
    const last = history.syncs.at(-1);
    if (!last || last.at === told) return;
    told = last.at;
    if (last.settled) notices.remind(`${counted(last.settled, "conflict")} settled. What was replaced is under Settled conflicts.`);
  });
}
