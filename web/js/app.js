// Puts the page together: state, gateway, actions, and the views that show them.

import { createAccessKey, createApi } from "./api.js";
import { createActions } from "./actions.js";
import { createClassActions } from "./class-actions.js";
import { showClassView } from "./class-view.js";
import { createDrafts } from "./drafts.js";
import { putAside } from "./form.js";
import { createGateway } from "./gateway.js";
import { createHeartbeat } from "./heartbeat.js";
import { keptHistory } from "./history.js";
import { createLive } from "./live.js";
import { showLockScreen } from "./lock-screen.js";
import { createNotices } from "./notices.js";
import { firstClass } from "./presentations.js";
import { tellSettled } from "./settled-notice.js";
import { createNames, createState } from "./state.js";
import { showSyncBar } from "./sync-bar.js";
import { showSyncPanel } from "./sync-panel.js";
import { isRunning } from "./sync-words.js";
import { classIn, goTo, showTabs } from "./tabs.js";

/** From this width on the details stand beside the list, and are open at first. */
const wideLayout = window.matchMedia("(min-width: 68rem)");
const clockMs = 15_000;

const part = (id) => document.getElementById(id);
const accessKey = createAccessKey();
const api = createApi(accessKey);
const state = createState();
const names = createNames();
const notices = createNotices(part("notices"), part("announcer"));
const gateway = createGateway(api, state, names);
const live = createLive(api, {
  onNews: () => heartbeat.now(),
  onStatus: gateway.hear,
});
/** A gateway that does not answer is looked for, also while its line seems to be open. */
const isLive = () => live.isOpen() && state.values.connection === "connected";
const heartbeat = createHeartbeat(gateway.look, { isLive, isRunning: () => isRunning(state.values) });
const drafts = createDrafts();
const actions = {
  ...createActions({ api, state, names, notices, drafts, look: heartbeat.now }),
  ...createClassActions({ api, state, notices, drafts, gateway, look: heartbeat.now, goTo }),
};

state.update({
  className: classIn(location.hash) ?? null,
  panelOpen: wideLayout.matches,
  history: keptHistory(),
});
tellSettled(state, notices);
showTabs(part("tabs"), state, { addClass: actions.addClass });
showSyncBar(
  { controls: part("sync-controls"), waterline: part("waterline"), line: part("sync-line") },
  { state, actions, notices, togglePanel },
);
showSyncPanel(part("sync-panel"), { state, actions, names, close: togglePanel, showSettled: gateway.showSettled });
showClassView(part("main"), { state, actions, gateway, notices, showDecision });
showLockScreen(part("lock-screen"), [part("page"), part("tabs"), part("sync-line")], { state, tryKey });

window.addEventListener("hashchange", async () => {
  const named = classIn(location.hash);
  if (named === undefined) return;
  const className = named ?? firstClass(state.values.status);
  if (className === state.values.className) return;
  putAside();
  // The fields of a form are those that are known of its class.
  await gateway.show(className);
  reopen();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return live.stop();
  if (state.values.connection !== "locked") live.follow();
  actions.syncWhenSeen();
});
part("skip-link").addEventListener("click", (event) => {
  event.preventDefault();
  part("main").focus();
});
// Without a key there is nothing to look for; trying one starts it again.
state.show(({ connection }) => connection === "locked" && heartbeat.stop());
setInterval(state.redraw, clockMs);
start();

async function start() {
  await heartbeat.now();
  if (state.values.connection === "locked") return;
  live.follow();
  await gateway.open(state.values.className);
  reopen();
  await actions.syncWhenSeen();
}

/** Opens the form again that was open when its class was left, with its draft. */
function reopen() {
  const draft = drafts.lastAt(state.values.className);
  if (draft === null || document.querySelector("dialog[open]")) return;
  if (!actions.reopen(draft) && !actions.reopenClassForm(draft)) drafts.forget(draft);
}

async function tryKey(key) {
  accessKey.set(key);
  await heartbeat.start();
  if (state.values.connection !== "locked") {
    await start();
    return true;
  }
  accessKey.forget();
  return false;
}

function togglePanel() {
  const panelOpen = !state.values.panelOpen;
  state.update({ panelOpen });
}

/** Opens the details at what is to be decided about an object. */
function showDecision(className, objectId) {
  state.update({ panelOpen: true });
  // The panel is drawn in the next microtask; a task later its entries are there.
  setTimeout(() => {
    const items = [...part("sync-panel").querySelectorAll(".panel-item")];
    const entry = items.find((node) => node.dataset.object === `${className}/${objectId}`);
    (entry ?? part("sync-panel")).focus();
    entry?.scrollIntoView({ block: "nearest" });
  });
}
