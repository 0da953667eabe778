// Parse's routes for users, roles and permissions, as the holder of the master key uses them.

/** The maximum number of users or roles that the page reads. */
export const peopleMax = 1000;

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
    schemas: () => results("schemas"),
    setPermissions: (className, classLevelPermissions) =>
      call("PUT", `schemas/${part(className)}`, { className, classLevelPermissions }),
  };
}
