// Parse's routes for users, roles and permissions, as the holder of the master key uses them.

import { containing } from "./filters/pattern.js";

/** The maximum number of users or roles that the page reads. */
export const peopleMax = 1000;
/** The number of objects from which the page learns what a class has in its fields. */
const latestMax = 20;

const userPointer = (objectId) => ({ __type: "Pointer", className: "_User", objectId });
const rolePointer = (objectId) => ({ __type: "Pointer", className: "_Role", objectId });

/** @param call `(method, path, body)`: sends a JSON request */
export function createOwnerApi(call) {
  const part = encodeURIComponent;
  const results = async (path) => (await call("GET", path)).results;
  const members = (className, key, roleId) => {
    const where = { $relatedTo: { object: rolePointer(roleId), key } };
    return results(`classes/${className}?limit=${peopleMax}&where=${part(JSON.stringify(where))}`);
  };

  const schemaOf = (className) => `schemas/${part(className)}`;
  const found = (path, field, text, limit) => {
    const where = text === "" ? "" : `&where=${part(JSON.stringify({ [field]: containing(text) }))}`;
    return results(`${path}?order=${field}&limit=${limit}&keys=${field}${where}`);
  };

  async function endSessions(userId) {
    const where = part(JSON.stringify({ user: userPointer(userId) }));
    const sessions = await results(`sessions?limit=${peopleMax}&where=${where}`);
    for (const { objectId } of sessions) await call("DELETE", `sessions/${part(objectId)}`);
  }

  return {
    users: () => results(`users?order=username&limit=${peopleMax}`),
    /** Adds a user. Ends the session that each new user gets, because no client uses its token. */
    async addUser(fields) {
      const { objectId } = await call("POST", "users", fields);
      await endSessions(objectId);
    },
    changeUser: (objectId, fields) => call("PUT", `users/${part(objectId)}`, fields),
    /** Locks a user out and ends the user's sessions, or lets the user log in again. */
    async setLocked(objectId, isLocked) {
      const ACL = isLocked ? {} : { [objectId]: { read: true, write: true } };
      await call("PUT", `users/${part(objectId)}`, { ACL });
      if (isLocked) await endSessions(objectId);
    },
    async removeUser(objectId) {
      await call("DELETE", `users/${part(objectId)}`);
      await endSessions(objectId);
    },
    /** The users who have signed in at a replica, with the numbers of their waiting changes and decisions. */
    usersOfReplica: () => results("sync/users"),
    roles: () => results(`roles?order=name&limit=${peopleMax}`),
    addRole: (name) => call("POST", "roles", { name, ACL: { "*": { read: true } } }),
    removeRole: (objectId) => call("DELETE", `roles/${part(objectId)}`),
    /** The direct members of a role, and the roles whose direct member it is: {users, roles, parents}. */
    async members(roleId) {
      const where = part(JSON.stringify({ roles: rolePointer(roleId) }));
      const [users, roles, parents] = await Promise.all([
        members("_User", "users", roleId),
        members("_Role", "roles", roleId),
        results(`roles?order=name&limit=${peopleMax}&where=${where}`),
      ]);
      return { users, roles, parents };
    },
    /** @param key `users` or `roles`; a member of a role in `roles` is a member of this role too */
    changeMember: (roleId, key, memberId, adds) => {
      const objects = [key === "users" ? userPointer(memberId) : rolePointer(memberId)];
      return call("PUT", `roles/${part(roleId)}`, { [key]: { __op: adds ? "AddRelation" : "RemoveRelation", objects } });
    },
    /** At most `limit` users, or roles, whose name contains a text. */
    findUsers: (text, limit) => found("users", "username", text, limit),
    findRoles: (text, limit) => found("roles", "name", text, limit),
    /** The users with the given ids. */
    usersOf: (ids) => results(`users?limit=${peopleMax}&keys=username&where=${part(JSON.stringify({ objectId: { $in: ids } }))}`),
    /** The sessions of a user, or of all users, with their users. The latest session comes first. */
    sessions(userId = null) {
      const where = userId === null ? "" : `&where=${part(JSON.stringify({ user: userPointer(userId) }))}`;
      return results(`sessions?limit=${peopleMax}&order=-createdAt&include=user${where}`);
    },
    /** The session of the request. */
    presentSession: () => call("GET", "sessions/me"),
    endSession: (objectId) => call("DELETE", `sessions/${part(objectId)}`),
    schemas: () => results("schemas"),
    schema: (className) => call("GET", schemaOf(className)),
    createClass: (className) => call("POST", schemaOf(className), { className }),
    /** @param change {fields, indexes, classLevelPermissions}: members that are left out stay unchanged */
    changeClass: (className, change) => call("PUT", schemaOf(className), { className, ...change }),
    /** Deletes a class. Parse refuses this while the class has objects. */
    dropClass: (className) => call("DELETE", schemaOf(className)),
    /** Deletes all objects of a class. */
    purge: (className) => call("DELETE", `purge/${part(className)}`),
    /** The latest changed objects of a class with some fields. */
    latest: (className, fields) => results(`classes/${part(className)}?order=-updatedAt&limit=${latestMax}&keys=${part(fields.join())}`),
    /** The number of objects that match a query. */
    async count(className, where = {}) {
      return (await call("GET", `classes/${part(className)}?limit=0&count=1&where=${part(JSON.stringify(where))}`)).count;
    },
  };
}
