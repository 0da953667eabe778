// The user to whom an entry of the details panel belongs. With the master key, the panel also lists the entries of other users.

import { t } from "./texts.js";
import { isolated } from "./values.js";

const ownWords = {
  your: t("your"),
  Your: t("Your"),
  Yours: t("Yours"),
  mine: t("mine"),
  Mine: t("Mine"),
  theirs: t("theirs"),
  Theirs: t("Theirs"),
  Their: t("Their"),
};

/** An entry with the name of its user in `author`, or the id if the name is unknown. An entry without a user stays unchanged. */
export function withAuthor(entry, users) {
  if (entry.user === undefined) return entry;
  const known = users.find(({ objectId }) => objectId === entry.user);
  return { ...entry, author: known?.username ?? entry.user };
}

/**
 * A text that identifies an entry among the entries of its kind. An entry in the data of a user has the user's id in `space`.
 * The ids of entries are unique only within the data of one user.
 */
export function entryKey({ id, space }) {
  return space === undefined ? id : `${space} ${id}`;
}

/** The words for the owner of the local version in texts about a conflict: "your", or the name of the user. */
export function wordsFor({ author }) {
  if (author === undefined) return ownWords;
  const name = t("{name}'s", { name: isolated(author) });
  return {
    your: name,
    Your: name,
    Yours: name,
    mine: name,
    Mine: name,
    theirs: t("the remote's"),
    Theirs: t("The remote's"),
    Their: t("The remote's"),
  };
}
