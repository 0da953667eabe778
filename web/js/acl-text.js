// Says in words who may read and change an object or the objects of a class.

const several = (count, one, many) => `${count === 1 ? "one" : (words[count] ?? count)} ${count === 1 ? one : many}`;
const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/**
 * The sentence for an object's ACL, for example "Everybody may read; two users and the role editors may write."
 *
 * @param acl the ACL; undefined for an object without one
 */
export function aclText(acl) {
  if (acl === undefined || acl === null) return "Everybody may read and write.";
  const mayRead = whose(acl, "read");
  const mayWrite = whose(acl, "write");
  if (mayRead === mayWrite) return `${capital(mayRead)} may read and write.`;
  return `${capital(mayRead)} may read; ${mayWrite} may write.`;
}

/** The users and roles to which an ACL grants a right, as text, for example "two users and the role editors". */
function whose(acl, right) {
  const entities = Object.keys(acl).filter((entity) => acl[entity]?.[right] === true);
  if (entities.includes("*")) return "everybody";
  const roles = entities.filter((entity) => entity.startsWith("role:")).map((entity) => entity.slice(5)).sort();
  const users = entities.length - roles.length;
  const named = roles.length === 0 ? null : `the ${roles.length === 1 ? "role" : "roles"} ${listed(roles)}`;
  return listed([users > 0 && several(users, "user", "users"), named].filter(Boolean)) || "only the master key";
}

function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The operations of class permissions, with their labels. */
export const operations = [
  ["find", "List objects"],
  ["get", "Read an object by its id"],
  ["count", "Count objects"],
  ["create", "Create objects"],
  ["update", "Change objects"],
  ["delete", "Delete objects"],
  ["addField", "Add fields to the class"],
];

/** The users and roles to which class permissions allow one operation, as text. */
export function permissionText(allowed) {
  const entities = Object.keys(allowed ?? {});
  if (entities.length === 0) return "Only the master key";
  return capital(listed(entities.map(entityText)));
}

function entityText(entity) {
  if (entity === "*") return "everybody";
  if (entity === "requiresAuthentication") return "signed-in users";
  if (entity === "pointerFields") return "users that the object names";
  return entity.startsWith("role:") ? `the role ${entity.slice(5)}` : `the user ${entity}`;
}
