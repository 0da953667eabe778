// The top of the page: the Refresh button, the "work offline" switch, the waterline, and the line that says where
// things stand.

import { countMark } from "./buttons.js";
import { agoWords, momentWords } from "./dates.js";
import { el, fillWhenChanged } from "./dom.js";
import { icon } from "./icons.js";
import { decisionsOpen, isReplica, isRunning, tideOf } from "./sync-words.js";

export function showSyncBar({ controls, waterline, line }, { state, actions, notices, togglePanel }) {
  let announced = "";

  state.show((values) => {
    const tide = tideOf(values);
    waterline.dataset.tide = tide.tide;
    drawControls(controls, values, actions);
    drawLine(line, values, tide, togglePanel);
    if (tide.headline === announced || values.status === null) return;
    if (announced !== "") notices.announce([tide.headline, tide.sentence].filter(Boolean).join(". "));
    announced = tide.headline;
  });
}

function drawControls(container, values, actions) {
  const isShown = isReplica(values) && values.connection !== "locked";
  const isPaused = values.status?.state === "paused";
  const isLost = values.connection === "lost";
  const isBusy = isRunning(values) && !isPaused && !isLost;
  const isAsked = values.refreshing;
  const stamp = JSON.stringify([isShown, isPaused, isBusy, isAsked, isLost]);
  fillWhenChanged(container, stamp, () =>
    isShown && [offlineSwitch({ isPaused, isLost }, actions), refreshButton({ isPaused, isBusy, isAsked, isLost }, actions)],
  );
}

function offlineSwitch({ isPaused, isLost }, actions) {
  return el(
    "button",
    {
      class: "switch",
      type: "button",
      role: "switch",
      "aria-checked": String(isPaused),
      disabled: isLost,
      title: isPaused ? "Sync again" : "Keep everything here until you switch back",
      data: { focus: "offline" },
      on: { click: () => actions.setPaused(!isPaused) },
    },
    el("span", { class: "switch-track", "aria-hidden": "true" }, el("span", { class: "switch-knob" })),
    el("span", { class: "switch-label" }, "Work offline"),
  );
}

function refreshButton({ isPaused, isBusy, isAsked, isLost }, actions) {
  return el(
    "button",
    {
      class: "button refresh",
      type: "button",
      // Not disabled once it was pressed: the button keeps the focus, and a press does nothing.
      "aria-disabled": isAsked ? "true" : null,
      disabled: isPaused || isLost,
      title: isPaused ? "Not while you work offline" : "Sync with the remote now",
      data: { focus: "refresh" },
      on: { click: actions.refresh },
    },
    isBusy ? el("span", { class: "spinner", "aria-hidden": "true" }) : icon("refresh"),
    el("span", { class: "refresh-label" }, isBusy ? "Syncing" : "Refresh"),
  );
}

function drawLine(container, values, { tide, icon: sign, headline, sentence }, togglePanel) {
  const { status, panelOpen } = values;
  const withRemote = isReplica(values);
  const lastSyncAt = status?.lastSyncAt;
  const ago = lastSyncAt ? `synced ${agoWords(lastSyncAt)}` : "never synced";
  const waiting = (status?.pending ?? 0) + decisionsOpen(status);
  const progress = tide === "running" ? status.progress : null;
  const stamp = JSON.stringify([tide, headline, sentence, ago, lastSyncAt, waiting, panelOpen, withRemote, progress]);
  fillWhenChanged(container, stamp, () =>
    el(
      "div",
      { class: `sync-line-inner tide-${tide}` },
      el(
        "p",
        { class: "sync-words" },
        icon(sign),
        el(
          "span",
          { class: "sync-text" },
          el("strong", { class: "sync-headline" }, headline),
          sentence && [" ", el("span", { class: "sync-sentence", dir: "auto" }, sentence)],
          progress?.total > 0 && meter(progress),
          withRemote && [" ", el("span", { class: "sync-ago" }, lastSyncAt ? exactly(lastSyncAt, ago) : ago)],
        ),
      ),
      withRemote && panelToggle({ panelOpen, waiting }, togglePanel),
    ),
  );
}

function meter({ done, total }) {
  return el("progress", { class: "sync-meter", max: total, value: done ?? 0, "aria-label": "Progress of the sync" });
}

/** A moment in rough words, with the exact time for those who point at it. */
function exactly(iso, words) {
  return el("time", { datetime: iso, title: momentWords(iso) }, words);
}

function panelToggle({ panelOpen, waiting }, togglePanel) {
  return el(
    "button",
    {
      class: "button button-quiet panel-toggle",
      type: "button",
      "aria-expanded": String(panelOpen),
      "aria-controls": "sync-panel",
      data: { focus: "panel" },
      on: { click: togglePanel },
    },
    "Details",
    waiting > 0 && countMark(waiting, "waiting"),
    icon("chevron"),
  );
}
