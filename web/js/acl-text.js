// Says in words who may read and change an object or the objects of a class.

import { listed, plural, t } from "./texts.js";

const words = [t("no"), t("one"), t("two"), t("three"), t("four"), t("five"), t("six"), t("seven"), t("eight"), t("nine")];

/**
 * The sentence for an object's ACL, for example "Everybody may read; two users and the role editors may write."
 *
 * @param acl the ACL; undefined for an object without one
 */
export function aclText(acl) {
  if (acl === undefined || acl === null) return t("Everybody may read and write.");
  const mayRead = whose(acl, "read");
  const mayWrite = whose(acl, "write");
  if (mayRead === mayWrite) return t("{readers} may read and write.", { readers: capital(mayRead) });
  return t("{readers} may read; {writers} may write.", { readers: capital(mayRead), writers: mayWrite });
}

/** The users and roles to which an ACL grants a right, as text, for example "two users and the role editors". */
function whose(acl, right) {
  const entities = Object.keys(acl).filter((entity) => acl[entity]?.[right] === true);
  if (entities.includes("*")) return t("everybody");
  const roles = entities.filter((entity) => entity.startsWith("role:")).map((entity) => entity.slice(5)).sort();
  const users = entities.length - roles.length;
  const named = roles.length === 0 ? null : plural("the role {names}", "the roles {names}", { count: roles.length, names: listed(roles) });
  const several = plural("{number} user", "{number} users", { count: users, number: words[users] ?? users });
  return listed([users > 0 && several, named].filter(Boolean)) || t("only the master key");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The operations of class permissions, with their labels. */
export const operations = [
  ["find", t("List objects")],
  ["get", t("Read an object by its id")],
  ["count", t("Count objects")],
  ["create", t("Create objects")],
  ["update", t("Change objects")],
  ["delete", t("Delete objects")],
  ["addField", t("Add fields to the class")],
];

/** The users and roles to which class permissions allow one operation, as text. */
export function permissionText(allowed) {
  const entities = Object.keys(allowed ?? {});
  if (entities.length === 0) return t("Only the master key");
  return capital(listed(entities.map(entityText)));
}

function entityText(entity) {
  if (entity === "*") return t("everybody");
  if (entity === "requiresAuthentication") return t("signed-in users");
  if (entity === "pointerFields") return t("users that the object names");
  return entity.startsWith("role:") ? t("the role {name}", { name: entity.slice(5) }) : t("the user {entity}", { entity });
}
