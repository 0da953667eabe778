// The page's entry point: creates the state, the gateway client and the actions, and connects the views to them.

import { createAccessKey } from "./access-key.js";
import { createAccount } from "./account.js";
import { createAccountActions, whoUses } from "./account-actions.js";
import { showAccountBar } from "./account-bar.js";
import { createApi } from "./api.js";
import { createActions } from "./actions.js";
import { createCellEdits } from "./cell-edits.js";
import { createClassActions } from "./class-actions.js";
import { createBulkActions } from "./bulk/bulk-actions.js";
import { languageChoice, translateDocument } from "./language-choice.js";
import { createUndoBar } from "./bulk/undo-bar.js";
import { openCaptionForm } from "./caption-form.js";
import { createCaptionFields, possibleCaptions } from "./captions.js";
import { showClassSidebar } from "./class-sidebar.js";
import { isDeniedInClass } from "./class-rights.js";
import { showClassView } from "./class-view.js";
import { createDecideMany } from "./decide/decide-many.js";
import { createDrafts, hasAddress } from "./drafts.js";
import { createServices } from "./editors/services.js";
import { createFilterBar } from "./filters/filter-bar.js";
import { createSavedFilters } from "./filters/saved-filters.js";
import { shownGrid } from "./class-table.js";
import { closeDialogs } from "./form.js";
import { openGoTo } from "./go-to.js";
import { createGateway } from "./gateway.js";
import { listenToKeys } from "./page-keys.js";
import { usePaneWidth } from "./pane-width.js";
import { closePane, isCovering, isPaneOpen, switchPane } from "./pane.js";
import { createPoller } from "./poller.js";
import { forgetHistory, storedHistory } from "./history.js";
import { createLiveEvents } from "./live-events.js";
import { showLockScreen } from "./lock-screen.js";
import { hasNoObjects } from "./missing-object.js";
import { createNavigation } from "./navigation.js";
import { createNotices } from "./notices.js";
import { createOwnerSession, tokenInAddress } from "./owner-session.js";
import { showObjectCaptions } from "./object-captions.js";
import { createReferences } from "./references.js";
import { createSelecting } from "./selection/selecting.js";
import { showSelectionBar } from "./selection/selection-bar.js";
import { readRemembered } from "./remembered.js";
import { notifyResolved } from "./resolved-notice.js";
import { createSetupActions } from "./setup/setup-actions.js";
import { showRemoteClasses } from "./setup/remote-classes.js";
import { createNames, createState } from "./state.js";
import { createShownRows } from "./shown-rows.js";
import { showSyncBar } from "./sync-bar.js";
import { showSyncPanel } from "./sync-panel.js";
import { isSyncing } from "./sync-text.js";
import { showTools } from "./system/tools.js";
import { showToolLinks } from "./system/tool-links.js";
import { showsUsers } from "./users.js";

const clockMs = 15_000;

const byId = (id) => document.getElementById(id);
const accessKey = createAccessKey();
const account = createAccount();
const api = createApi(accessKey, account, (error) => accountActions.noteEnd(error));
const state = createState();
const captions = createCaptionFields(state);
const names = createNames(captions);
const notices = createNotices(byId("notices"), byId("announcer"));
const gateway = createGateway(api, state, names, (changes) => objectCaptions.changed(changes));
const objectCaptions = showObjectCaptions(document.body, { api, state, captions, knowAll: gateway.knowAll, learn: gateway.learn });
const { referencesTo, relationsTo } = createReferences({ api, state, know: gateway.know, pointerPaths: gateway.pointerPaths });
const services = createServices(api, {
  names, captions, relationsTo,
  classNames: () => (state.values.status?.classes ?? []).map(({ name }) => name),
  hasNoObjects: (className) => hasNoObjects(state.values, className),
  know: gateway.know,
  typesOf: (className) => state.values.types.get(className) ?? {},
  fileBytesMax: () => state.values.status?.fileBytesMax ?? null,
});
const live = createLiveEvents(api, {
  position: gateway.feedPosition,
  onOpen: () => poller.reschedule(),
  onChange: () => poller.now(),
  // The status in the gateway's events has only data that every client may read. A signed-in user, or the master key, may read
  // more.
  onStatus: (status) => (state.values.user || state.values.isOwner ? true : gateway.receiveStatus(status)),
});
/**
 * Whether events report all changes that the page shows, so that the page polls rarely: the event connection is open, the
 * gateway answers requests, and the page does not show the users of a replica. The events do not report the waiting changes
 * of each user.
 */
const isLive = () => live.isOpen() && state.values.connection === "connected" && !showsUsers(state.values);
/** Whether events will report the progress of a sync that begins now. */
const listens = () => live.isListening() && !showsUsers(state.values);
const poller = createPoller(gateway.poll, { isLive, isSyncing: () => isSyncing(state.values) });
const drafts = createDrafts();
const references = {
  referencesTo,
  showFiltered: (className, where) => navigation.goTo(className, { where }),
};
/** Reads everything that may have changed after an action of the user. The rows of the shown table may then move. */
const reload = () => {
  gateway.release();
  return poller.now();
};
const ownerSession = createOwnerSession({ api, account, notices });
const undoBar = createUndoBar(byId("undo-bar"), { api, state, notices, reload });
const { decideAll, offerUndoOf } = createDecideMany({ api, state, names, notices, reload, offerUndo: undoBar.offer, dropUndo: undoBar.close });
const rows = createShownRows({ api, state, gateway });
/** Which keys a request of the page has. */
const caller = () => ({ hasSession: state.values.user !== null, isOwner: state.values.isOwner, hasAccessKey: accessKey.get() !== null });
const actions = {
  decideAll,
  ...createActions({
    api, state, names, notices, drafts, services, references, rows, caller, showDecision, reload, offerUndoOf, listens,
    dropUndo: undoBar.close,
    amend: (patch) => navigation.amend(patch),
  }),
  ...createClassActions({ api, state, notices, drafts, gateway, reload, goTo: (className) => navigation.goTo(className) }),
  ...createSetupActions({
    api, state, notices, reload, openOwner: ownerSession.take, goTo: (className) => navigation.goTo(className),
  }),
  ...createCellEdits({ api, gateway, names, notices, poll: poller.now }),
};
const navigation = createNavigation({ state, gateway, notices, open: openPlace, closeDialogs });
const accountActions = createAccountActions({
  api,
  account,
  ownerSession,
  state,
  notices,
  openOwner: () => navigation.goToTool(["users"]),
  forget() {
    closeDialogs({ tells: false });
    drafts.forgetAll();
    names.forgetAll();
    objectCaptions.changed({ all: true });
    forgetHistory();
    tools.forgetAll();
    undoBar.close();
    selecting.forgetAll();
  },
  restart,
});

translateDocument();
const remembered = readRemembered();
usePaneWidth(remembered.paneWidth, (paneWidth) => gateway.remember({ paneWidth }));
state.update({ ...whoUses(account), remembered, panelOpen: remembered.panelOpen, history: storedHistory() });
navigation.begin();
notifyResolved(state, notices);
showClassSidebar({ sidebar: byId("sidebar"), menu: byId("menu") }, state, {
  addClass: actions.addClass,
  goTo: navigation.goTo,
  more: [
    showRemoteClasses(state, { names: api.remoteClasses, keep: actions.fetchClass }),
    showToolLinks(state),
    languageChoice({ chosen: remembered.language, choose: (language) => gateway.remember({ language }) }),
  ],
});
showSyncBar(
  { controls: byId("sync-controls"), wave: byId("wave"), line: byId("sync-line") },
  { state, actions, notices, togglePanel },
);
showAccountBar(byId("account"), { state, actions: accountActions });
const syncPanel = showSyncPanel(byId("sync-panel"), { state, actions, names, close: togglePanel, showResolved: gateway.showResolved, listMore: gateway.listMore });
const saved = createSavedFilters(() => state.values.user?.objectId ?? "");
const filterBar = createFilterBar({ state, gateway, services, saved, notices, captionOf: objectCaptions.textOf });
const selecting = createSelecting({ api, state, notices });
const { commands, copyRows } = createBulkActions({ api, state, names, notices, services, selecting, reload, offerUndo: undoBar.offer });
const selectionBar = showSelectionBar({ state, selecting, commands });
showClassView(byId("main"), {
  state, actions, gateway, names, notices, filterBar, selecting, selectionBar, copyRows, showDecision, answerOffer: navigation.answerOffer,
  captionField: captions.of, chooseCaption: setCaption,
});
const tools = showTools(byId("main"), { state, api, gateway, notices, services, manage: accountActions.manage, poll: poller.now, goToTool: navigation.goToTool });
listenToKeys({
  state,
  remember: gateway.remember,
  commands: {
    search: () => (state.values.tool === null ? byId("search") : document.querySelector(".tool-view [type=search]"))?.focus(),
    add: addObject,
    edit: editCurrent,
    goTo: () => openGoTo({ api, state, goTo: goToList, goToTool: navigation.goToTool }),
    switchPane: () => switchPane(rows.focusList),
    previous: () => stepPane("previous object"),
    next: () => stepPane("next object"),
  },
});
showLockScreen(byId("lock-screen"), [byId("page"), byId("menu"), byId("sync-line")], { state, tryKey });

window.addEventListener("hashchange", () =>
  tokenInAddress(location.hash) !== null ? accountActions.check().then(navigation.resume) : navigation.arrive(),
);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return live.stop();
  if (state.values.connection !== "locked") live.start();
  actions.syncWhenSeen();
});
byId("skip-link").addEventListener("click", (event) => {
  event.preventDefault();
  rows.focusList();
});
// Polling stops while the access key is missing or wrong. `tryKey` starts polling again.
state.show(({ connection }) => connection === "locked" && (poller.stop(), undoBar.close()));
setInterval(state.redraw, clockMs);
start();

async function start() {
  await accountActions.check();
  navigation.resume();
  await poller.now();
  if (state.values.connection === "locked") return;
  live.start();
  // The poll has read the list, unless it failed.
  if (!state.values.lists.has(state.values.className)) await gateway.open(state.values.className);
  await openPlace(state.values.opened, true);
  await actions.syncWhenSeen();
}

/**
 * Opens the object or the conflict that the page's address names, with the text that the user has typed in its form. Without
 * either, reopens the form of the latest draft. The form of a draft with an address of its own reopens only after a reload, so
 * that the Back button can leave the form.
 */
async function openPlace(opened, isReload = false) {
  if (state.values.tool !== null) return;
  const draft = opened === null ? drafts.lastAt(state.values.className) : drafts.lastOf(opened);
  if (opened === null) return draft !== null && (isReload || !hasAddress(draft)) ? reopen(draft) : undefined;
  if (draft !== null) return reopen(draft);
  if (opened.conflict !== null) return actions.openConflict(opened.conflict);
  await actions.openById(opened);
}

/** Reads everything again after a change of the user or of the master key. */
async function restart() {
  live.stop();
  gateway.forgetAll();
  await poller.now();
  live.start();
  if (!state.values.lists.has(state.values.className)) await gateway.open(state.values.className);
}

/** Reopens the form of the current class's latest draft. Deletes a draft whose form cannot be reopened. */
function reopen(draft) {
  if (isPaneOpen() || document.querySelector("dialog[open]")) return;
  if (!actions.reopen(draft) && !actions.reopenClassForm(draft)) drafts.forget(draft);
}

async function tryKey(key) {
  accessKey.set(key);
  await poller.start();
  if (state.values.connection !== "locked") {
    await start();
    return true;
  }
  accessKey.forget();
  return false;
}

/** Opens the form of a new object, if the user may add one. */
function addObject() {
  const { tool, className } = state.values;
  if (tool !== null || className === null || isDeniedInClass(state.values, className, "create")) return false;
  actions.add(className);
}

/** Edits the object at the cursor of the table, or the one whose entry has the focus. */
function editCurrent() {
  const { tool, className, lists } = state.values;
  if (tool !== null) return;
  const focused = document.activeElement?.closest("#main [data-object]")?.dataset.object;
  const listed = lists.get(className)?.objects.find(({ objectId }) => objectId === focused);
  const object = listed ?? shownGrid(document.querySelector(".view-body"))?.current();
  if (object) actions.edit(className, object);
}

/** Moves the pane to the previous or the next object of the list. Returns false without a pane. */
function stepPane(button) {
  if (!isPaneOpen()) return false;
  document.querySelector(`.object-pane [data-focus="${button}"]`).click();
  return true;
}

/** Opens the form that sets the caption field of the shown class. */
function setCaption() {
  const { className, types } = state.values;
  const save = (field) => {
    captions.choose(className, field);
    objectCaptions.changed({ classNames: [className] });
    return gateway.open(className);
  };
  const names = possibleCaptions(types.get(className) ?? {});
  openCaptionForm({ className, names, guess: captions.guess(className), chosen: captions.chosen(className), save });
}

/** Shows a class, and moves the focus to its list. The pane of an object takes the focus itself. */
async function goToList(className, options) {
  const main = byId("main");
  const shown = navigation.goTo(className, options);
  main.focus({ preventScroll: true });
  await shown;
  // The user may have moved the focus while the list was loading.
  if (document.activeElement === main) rows.focusList();
}

function togglePanel() {
  const panelOpen = !state.values.panelOpen;
  gateway.remember({ panelOpen });
  state.update({ panelOpen });
}

/** Opens the details panel and scrolls to the conflict or rejected change of an object, as soon as the panel shows it. */
function showDecision(className, objectId) {
  if (isCovering()) closePane();
  state.update({ panelOpen: true });
  syncPanel.showEntry(className, objectId);
  const panel = byId("sync-panel");
  const find = () => [...panel.querySelectorAll(".panel-item")].find((node) => node.dataset.object === `${className}/${objectId}`);
  const show = (entry) => {
    entry.focus();
    entry.scrollIntoView({ block: "nearest" });
  };
  // Waits until the panel is drawn, which happens in a microtask.
  setTimeout(() => {
    const entry = find();
    if (entry) return show(entry);
    panel.focus();
    // The page may not have read the open decisions yet. If the user has moved the focus meanwhile, the focus stays there.
    const drawn = new MutationObserver(() => {
      const entry = find();
      const isWaiting = document.activeElement === panel;
      if (isWaiting && !entry) return;
      drawn.disconnect();
      if (isWaiting) show(entry);
    });
    drawn.observe(panel, { childList: true, subtree: true });
  });
}
