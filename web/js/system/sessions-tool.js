// The tool for sessions: of all users, of one user, or of the signed-in user. Sessions are ended one by one or all together.

import { button } from "../buttons.js";
import { formatMoment } from "../dates.js";
import { ask } from "../dialog.js";
import { el } from "../dom.js";
import { peopleMax } from "../owner-api.js";
import { ownValue } from "../records.js";
import { counted, plural, t, tNodes } from "../texts.js";
import { excerpt, isolated, userFields, valueText } from "../values.js";
import { toolLink } from "./tool-links.js";
import { toolTable } from "./tool-table.js";

/** The fields of a session that the table shows in columns of their own, or not at all. */
const known = ["user", "expiresAt", "createdWith", "restricted", "sessionToken", "installationId", "ACL"];
const textMax = 80;
const actions = { login: t("Log-in"), signup: t("Sign-up"), create: t("Another session"), upgrade: t("Upgrade") };

/** Whether the tool shows the own sessions of the signed-in user. */
const isOwn = ([, userId], { user, isOwner }) => user !== null && !isOwner && userId === undefined;

export const sessionsTool = {
  key: (path, values) => (isOwn(path, values) ? null : "remote"),
  heading: ([, userId]) => (userId === undefined ? { title: t("Sessions") } : { title: t("Sessions of a user"), trail: [[t("Users"), ["users"]], [t("All sessions"), ["sessions"]]] }),
  build: buildSessions,
};

async function buildSessions({ path, owner, state, perform, reload }) {
  const [, userId = null] = path;
  const own = isOwn(path, state.values);
  const [sessions, present] = await Promise.all([owner.sessions(userId), own ? owner.presentSession() : null]);
  const others = sessions.filter(({ objectId }) => objectId !== present?.objectId);
  const withUser = userId === null && !own;
  const columns = [
    { words: withUser ? t("User") : t("Opened"), kind: "name" },
    withUser && { words: t("Opened") },
    { words: t("Ends") }, { words: t("By") }, { words: t("Device") }, { words: t("Actions"), kind: "actions" },
  ].filter(Boolean);
  const name = sessions.find(({ user }) => user?.username)?.user.username ?? userId;
  return [
    userId !== null && el("p", {}, tNodes("The sessions of {name}.", { name: el("strong", { dir: "auto" }, name) })),
    sessions.length >= peopleMax && el("p", { class: "hint" }, t("Only the latest {sessions} are shown.", { sessions: counted(peopleMax, "session") })),
    others.length > 1 && (own || userId !== null) && el(
      "p",
      {},
      button(own ? t("End all other sessions") : t("End all sessions"), endAll, { className: "button-danger-quiet", focus: "end all" }),
    ),
    sessions.length === 0 ? el("p", { class: "hint" }, t("There are no sessions.")) : toolTable(t("Sessions"), columns, sessions.map(row)),
  ].filter(Boolean);

  function row(session) {
    const { objectId, user, createdAt, expiresAt, createdWith } = session;
    const isPresent = objectId === present?.objectId;
    const opened = [formatMoment(createdAt), isPresent && el("span", { class: "tool-mark" }, t(" this session"))];
    const who = user?.username ?? user?.objectId ?? "";
    const hidden = el("span", { class: "visually-hidden" }, t(" the session {objectId}", { objectId }));
    const cells = [
      withUser && (user ? toolLink(who, ["sessions", user.objectId]) : t("no user")),
      opened,
      expiresAt?.iso ? formatMoment(expiresAt.iso) : t("never"),
      [ownValue(actions, createdWith?.action) ?? createdWith?.action, createdWith?.authProvider].filter(Boolean).map((part) => excerpt(String(part), textMax)).join(", "),
      el("span", { dir: "auto" }, deviceText(session)),
      button([t("End"), hidden], () => end(objectId, who, isPresent), { className: "button-small button-danger-quiet", focus: `end ${objectId}` }),
    ].filter((cell) => cell !== false);
    return { name: objectId, cells };
  }

  async function end(objectId, who, isPresent) {
    const text = isPresent ? t("This page uses the session. You are then signed out.") : t("The device with this session must sign in again.");
    const title = own ? t("End the session?") : t("End the session of {who}?", { who: isolated(who) });
    if (!(await ask({ title, text, yes: t("End the session"), danger: true }))) return;
    await perform(() => owner.endSession(objectId), t("The session has ended."));
  }

  async function endAll() {
    const text = plural("{count} session ends. The devices must sign in again.", "{count} sessions end. The devices must sign in again.", { count: others.length });
    if (!(await ask({ title: own ? t("End all other sessions?") : t("End all sessions of {name}?", { name: isolated(name) }), text, yes: t("End the sessions"), danger: true }))) return;
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
        throw new Error(`${t("{sessions} of {all} ended.", { sessions: counted(ended, "session"), all: others.length })} ${error.message}`, { cause: error });
      }
    }, t("The sessions have ended."));
  }
}

/** The device of a session: the id of its installation, and the fields that the client has stored in it. */
function deviceText(session) {
  const { installationId } = session;
  const extra = Object.entries(userFields(session)).filter(([name]) => !known.includes(name)).map(([name, value]) => `${name}: ${valueText(value)}`);
  return excerpt([installationId && t("installation {installationId}", { installationId }), ...extra].filter(Boolean).join(", "), 200);
}
