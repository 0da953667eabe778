// Shows a notice when a sync has resolved conflicts by the policy of their class. The notice says where the replaced values are.

import { counted, t } from "./texts.js";

export function notifyResolved(state, notices) {
  let told = state.values.history.syncs.at(-1)?.at;
  state.show(({ history }) => {
    const last = history.syncs.at(-1);
    if (!last || last.at === told) return;
    told = last.at;
    if (last.settled) notices.remind(t("{conflicts} resolved automatically. Replaced values are under Resolved conflicts.", { conflicts: counted(last.settled, "conflict") }));
  });
}
