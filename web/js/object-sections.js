// The folded sections below the fields of an object in its pane: rights, times, waiting changes, decisions, and the objects that
// point to it.

import { aclText } from "./acl-text.js";
import { button, visuallyHidden } from "./buttons.js";
import { conflictText, resolutionText } from "./conflict-text.js";
import { comparison } from "./conflict-view.js";
import { agoText, formatMoment, formatUtcMoment } from "./dates.js";
import { descriptionList } from "./description-list.js";
import { el, fill, fillWhenChanged } from "./dom.js";
import { readResolved } from "./entries.js";
import { pendingReason } from "./pending-reason.js";
import { referenceSection } from "./reference-section.js";
import { isFetched } from "./live-form.js";
import { isReplica } from "./sync-text.js";
import { t } from "./texts.js";

const kindLabels = { create: t("New"), update: t("Edited"), delete: t("Deleted") };

/**
 * @param services {state, names, api, references, undo, showDecision}
 * @param onRights `(object)`: opens the form of the object's ACL; null if the user may not change it
 * @returns {node, show, close}: `show` draws a newer version of the object
 */
export function objectSections(className, object, { state, names, api, references, undo, showDecision, onRights }) {
  const place = { className, objectId: object.objectId };
  const rights = section(t("Who may read and write"));
  const times = section(t("Times and id"));
  const waiting = section(t("Pending changes"));
  const decided = section(t("Decisions"));
  const isOfObject = (item) => item.className === className && item.objectId === place.objectId && item.space === undefined;

  function show(present) {
    place.objectId = present.objectId;
    if (!isFetched(present, "ACL")) fill(rights.body, el("p", { class: "hint" }, t("The rights of this object are not fetched.")));
    else fill(rights.body, rightsOf(present));
    fill(times.body, descriptionList([["objectId", present.objectId], ...timeRows("createdAt", present), ...timeRows("updatedAt", present)]));
  }

  /** The rights in words, and the button that changes them. */
  function rightsOf(present) {
    const change = onRights && button(t("Change rights"), () => onRights(present), { className: "button-small", focus: "change rights" });
    return [el("p", { class: "acl-sentence", dir: "auto" }, aclText(present.ACL)), change];
  }

  /** Draws the entries of a section again if they have changed. Shows their number beside the title. */
  function drawList(part, items, stamp, row, none) {
    fill(part.count, items.length > 0 ? ` (${items.length})` : "");
    fillWhenChanged(part.body, JSON.stringify([items, stamp]), () =>
      items.length > 0 ? el("ul", { class: "section-rows" }, items.map((item) => el("li", {}, row(item)))) : el("p", { class: "hint" }, none),
    );
  }

  function waitingRow(values) {
    return (change) => {
      const fields = change.kind === "delete" ? "" : (change.fields ?? []).join(", ");
      const words = [kindLabels[change.kind] ?? change.kind, fields, agoText(change.madeAt)].filter(Boolean).join(" · ");
      const reason = [change.error, pendingReason(change, values, names)].filter(Boolean).join(" ");
      const undoing = change.phase === "pending" && button([t("Undo"), visuallyHidden(t(" this change: {words}", { words }))], () => undo(change), { className: "button-small", focus: `undo ${change.id}` });
      return [el("span", { class: "section-text", dir: "auto" }, words, reason && el("span", { class: "hint section-note" }, reason)), undoing];
    };
  }

  function decisionRow(item) {
    if (item.resolvedAt) {
      const words = `${conflictText(item).title}. ${resolutionText(item)}, ${agoText(item.resolvedAt)}.`;
      return el("div", { class: "section-text" }, el("p", { dir: "auto" }, words), item.kind === "fields" && comparison(item));
    }
    const words = item.error === undefined ? conflictText(item).title : t("Rejected: {error}", { error: item.error });
    const decide = button([t("Decide"), visuallyHidden(`: ${words}`)], () => showDecision(className, place.objectId), { className: "button-small", focus: `decide ${item.id}` });
    return [el("span", { class: "section-text", dir: "auto" }, words), decide];
  }

  let resolved = null;
  let problem = null;
  /** The number of open decisions when the section was drawn last. */
  let openCount = 0;

  async function readDecided() {
    try {
      resolved = (await readResolved(api.resolvedConflicts, state.values)).filter(isOfObject);
      problem = null;
    } catch (error) {
      problem = error.message;
    }
    draw(state.values);
  }

  function draw(values) {
    for (const part of [waiting, decided]) part.node.hidden = !isReplica(values);
    if (!isReplica(values)) return;
    drawList(waiting, values.pending.filter(isOfObject), values.conflicts.length, waitingRow(values), t("No change of this object waits to be sent."));
    const open = [...values.conflicts, ...values.rejections].filter(isOfObject);
    const none = problem ?? (resolved === null ? t("Reading …") : t("The gateway has no conflict and no rejected change of this object."));
    // An entry that is no longer open was decided.
    if (open.length < openCount && decided.node.open) readDecided();
    openCount = open.length;
    drawList(decided, [...open, ...(resolved ?? [])], none, decisionRow, none);
  }

  decided.node.addEventListener("toggle", () => decided.node.open && readDecided());
  show(object);
  const stop = state.show(draw);
  const pointing = referenceSection(place, references);
  return { node: [rights.node, waiting.node, decided.node, pointing, times.node], show, close: stop };
}

function section(title) {
  const count = el("span", {});
  const body = el("div", { class: "section-body" });
  return { count, body, node: el("details", { class: "form-more object-section" }, el("summary", {}, title, count), body) };
}

/** A time of an object in the time zone of the browser, and in UTC. */
function timeRows(name, object) {
  const iso = object[name];
  if (typeof iso !== "string") return [];
  return [[name, [formatMoment(iso), el("br"), el("span", { class: "hint" }, formatUtcMoment(iso))]]];
}
