// The tool for sessions: of all users, of one user, or of the signed-in user. Sessions are ended one by one or all together.

import { button } from "../buttons.js";
import { formatMoment } from "../dates.js";
import { ask } from "../dialog.js";
import { el } from "../dom.js";
import { peopleMax } from "../owner-api.js";
import { ownValue } from "../records.js";
import { counted, excerpt, isolated, userFields, valueText } from "../values.js";
import { toolLink } from "./tool-links.js";
import { toolTable } from "./tool-table.js";

/** The fields of a session that the table shows in columns of their own, or not at all. */
const known = ["user", "expiresAt", "createdWith", "restricted", "sessionToken", "installationId", "ACL"];
const textMax = 80;
const actions = { login: "Log-in", signup: "Sign-up", create: "Another session", upgrade: "Upgrade" };

/** Whether the tool shows the own sessions of the signed-in user. */
const isOwn = ([, userId], { user, isOwner }) => user !== null && !isOwner && userId === undefined;

export const sessionsTool = {
  key: (path, values) => (isOwn(path, values) ? null : "remote"),
  heading: ([, userId]) => (userId === undefined ? { title: "Sessions" } : { title: "Sessions of a user", trail: [["Users", ["users"]], ["All sessions", ["sessions"]]] }),
  build: buildSessions,
};

async function buildSessions({ path, owner, state, perform, reload }) {
  const [, userId = null] = path;
  const own = isOwn(path, state.values);
  const [sessions, present] = await Promise.all([owner.sessions(userId), own ? owner.presentSession() : null]);
  const others = sessions.filter(({ objectId }) => objectId !== present?.objectId);
  const withUser = userId === null && !own;
  const columns = [
    { words: withUser ? "User" : "Opened", kind: "name" },
    withUser && { words: "Opened" },
    { words: "Ends" }, { words: "By" }, { words: "Device" }, { words: "Actions", kind: "actions" },
  ].filter(Boolean);
  const name = sessions.find(({ user }) => user?.username)?.user.username ?? userId;
  return [
    userId !== null && el("p", {}, "The sessions of ", el("strong", { dir: "auto" }, name), "."),
    sessions.length >= peopleMax && el("p", { class: "hint" }, `Only the latest ${counted(peopleMax, "session")} are shown.`),
    others.length > 1 && (own || userId !== null) && el(
      "p",
      {},
      button(own ? "End all other sessions" : "End all sessions", endAll, { className: "button-danger-quiet", focus: "end all" }),
    ),
    sessions.length === 0 ? el("p", { class: "hint" }, "There are no sessions.") : toolTable("Sessions", columns, sessions.map(row)),
  ].filter(Boolean);

  function row(session) {
    const { objectId, user, createdAt, expiresAt, createdWith } = session;
    const isPresent = objectId === present?.objectId;
    const opened = [formatMoment(createdAt), isPresent && el("span", { class: "tool-mark" }, " this session")];
    const who = user?.username ?? user?.objectId ?? "";
    const hidden = el("span", { class: "visually-hidden" }, ` the session ${objectId}`);
    const cells = [
      withUser && (user ? toolLink(who, ["sessions", user.objectId]) : "no user"),
      opened,
      expiresAt?.iso ? formatMoment(expiresAt.iso) : "never",
      [ownValue(actions, createdWith?.action) ?? createdWith?.action, createdWith?.authProvider].filter(Boolean).map((part) => excerpt(String(part), textMax)).join(", "),
      el("span", { dir: "auto" }, deviceText(session)),
      button(["End", hidden], () => end(objectId, who, isPresent), { className: "button-small button-danger-quiet", focus: `end ${objectId}` }),
    ].filter((cell) => cell !== false);
    return { name: objectId, cells };
  }

  async function end(objectId, who, isPresent) {
    const text = isPresent ? "This page uses the session. You are then signed out." : "The device with this session must sign in again.";
    const title = own ? "End the session?" : `End the session of ${isolated(who)}?`;
    if (!(await ask({ title, text, yes: "End the session", danger: true }))) return;
    await perform(() => owner.endSession(objectId), "The session has ended.");
  }

  async function endAll() {
    const text = `${counted(others.length, "session")} ${others.length === 1 ? "ends" : "end"}. The devices must sign in again.`;
    if (!(await ask({ title: own ? "End all other sessions?" : `End all sessions of ${isolated(name)}?`, text, yes: "End the sessions", danger: true }))) return;
    let ended = 0;
    await perform(async () => {
      try {
        for (const { objectId } of others) {
          // Another client may have ended the session meanwhile.
          await owner.endSession(objectId).catch((error) => {
            if (!error.isGone) throw error;
          });
          ended += 1;
        }
      } catch (error) {
        await reload();
        throw new Error(`${counted(ended, "session")} of ${others.length} ended. ${error.message}`, { cause: error });
      }
    }, "The sessions have ended.");
  }
}

/** The device of a session: the id of its installation, and the fields that the client has stored in it. */
function deviceText(session) {
  const { installationId } = session;
  const extra = Object.entries(userFields(session)).filter(([name]) => !known.includes(name)).map(([name, value]) => `${name}: ${valueText(value)}`);
  return excerpt([installationId && `installation ${installationId}`, ...extra].filter(Boolean).join(", "), 200);
}
