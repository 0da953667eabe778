// The sync controls at the top of the page: the Refresh button, the switch "Work offline", the wave, and the status line.

import { countLabel } from "./buttons.js";
import { agoText, formatMoment } from "./dates.js";
import { el, fillWhenChanged } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";
import { mayOperate } from "./users.js";
import { openDecisions, isReplica, isSyncing, statusLine } from "./sync-text.js";

export function showSyncBar({ controls, wave, line }, { state, actions, notices, togglePanel }) {
  let announced = "";

  state.show((values) => {
    const status = statusLine(values);
    wave.dataset.level = status.level;
    drawControls(controls, values, actions);
    drawLine(line, values, status, togglePanel);
    if (status.headline === announced || values.status === null) return;
    if (announced !== "") notices.announce([status.headline, status.sentence].filter(Boolean).join(". "));
    announced = status.headline;
  });
}

function drawControls(container, values, actions) {
  const isShown = isReplica(values) && values.connection !== "locked";
  const isPaused = values.status?.state === "paused";
  const isLost = values.connection === "lost";
  const isBusy = isSyncing(values) && !isPaused && !isLost;
  const isAsked = values.refreshing;
  const mayPause = mayOperate(values);
  const stamp = JSON.stringify([isShown, mayPause, isPaused, isBusy, isAsked, isLost]);
  fillWhenChanged(container, stamp, () =>
    isShown && [mayPause && offlineSwitch({ isPaused, isLost }, actions), refreshButton({ isPaused, isBusy, isAsked, isLost }, actions)],
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
      title: isPaused ? t("Resume syncing") : t("Keep your changes on this device until you switch back"),
      data: { focus: "offline" },
      on: { click: () => actions.setPaused(!isPaused) },
    },
    el("span", { class: "switch-track", "aria-hidden": "true" }, el("span", { class: "switch-knob" })),
    el("span", { class: "switch-label" }, t("Work offline")),
  );
}

function refreshButton({ isPaused, isBusy, isAsked, isLost }, actions) {
  return el(
    "button",
    {
      class: "button refresh",
      type: "button",
      // Until the requested sync ends, a press has no effect. The button is not disabled, so that it keeps the focus.
      "aria-disabled": isAsked ? "true" : null,
      disabled: isPaused || isLost,
      title: isPaused ? t("Not available while you work offline") : t("Sync with the remote now"),
      data: { focus: "refresh" },
      on: { click: actions.refresh },
    },
    isBusy ? el("span", { class: "spinner", "aria-hidden": "true" }) : icon("refresh"),
    el("span", { class: "refresh-label" }, isBusy ? t("Syncing") : t("Refresh")),
  );
}

function drawLine(container, values, { level, icon: iconName, headline, sentence }, togglePanel) {
  const { status, panelOpen } = values;
  const withRemote = isReplica(values);
  const lastSyncAt = status?.lastSyncAt;
  const ago = lastSyncAt ? t("last sync {time}", { time: agoText(lastSyncAt) }) : t("never synced");
  const openItems = (status?.pending ?? 0) + openDecisions(status);
  const progress = level === "syncing" ? status.progress : null;
  const stamp = JSON.stringify([level, headline, sentence, ago, lastSyncAt, openItems, panelOpen, withRemote, progress]);
  fillWhenChanged(container, stamp, () =>
    el(
      "div",
      { class: `sync-line-inner level-${level}` },
      el(
        "p",
        { class: "sync-status" },
        icon(iconName),
        el(
          "span",
          { class: "sync-text" },
          el("strong", { class: "sync-headline" }, headline),
          sentence && [" ", el("span", { class: "sync-sentence", dir: "auto" }, sentence)],
          progress?.total > 0 && meter(progress),
          withRemote && [" ", el("span", { class: "sync-ago" }, lastSyncAt ? relativeTime(lastSyncAt, ago) : ago)],
        ),
      ),
      withRemote && panelToggle({ panelOpen, openItems }, togglePanel),
    ),
  );
}

function meter({ done, total }) {
  return el("progress", { class: "sync-meter", max: total, value: done ?? 0, "aria-label": t("Progress of the sync") });
}

/** A relative time such as "3 minutes ago", with the exact time as tooltip. */
function relativeTime(iso, words) {
  return el("time", { datetime: iso, title: formatMoment(iso) }, words);
}

function panelToggle({ panelOpen, openItems }, togglePanel) {
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
    t("Details"),
    openItems > 0 && countLabel(openItems, "open"),
    icon("chevron"),
  );
}
