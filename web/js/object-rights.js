// Opens the form of an object's ACL, and saves the ACL unless another client has changed it meanwhile.

import { openAclForm } from "./acl-form.js";
import { aclText } from "./acl-text.js";
import { t } from "./texts.js";
import { isEqual, isolated } from "./values.js";

/** The maximum number of attempts to save the ACL of an object that keeps changing. */
const triesMax = 5;

/** @param names the store of object names */
export function createObjectRights({ api, state, names, notices, reload }) {
  /** The users and roles to choose from. Only the holder of the master key may list all. */
  async function peopleOf() {
    const { isOwner, user } = state.values;
    if (!isOwner) return { users: user === null ? [] : [user], roles: [], isComplete: false };
    const [users, roles] = await Promise.all([api.owner.users(), api.owner.roles()]);
    return { users, roles, isComplete: true };
  }

  /** Saves an ACL. If another client has changed other parts of the object, tries again with its newer version. */
  async function save(className, { objectId, ACL: before, _sync }, ACL) {
    let tag = _sync?.tag;
    for (let tries = 1; ; tries += 1) {
      try {
        return await api.update(className, objectId, { ACL }, tag);
      } catch (error) {
        if (!error.present || tries === triesMax) throw error;
        if (!isEqual(error.present.ACL, before)) {
          const now = aclText(error.present.ACL);
          throw new Error(t("The rights have changed while you were editing. Now: {now} Close this form and open it again.", { now }), { cause: error });
        }
        tag = error.present._sync?.tag;
      }
    }
  }

  return async function editRights(className, object) {
    try {
      const people = await peopleOf();
      openAclForm({
        title: t("Rights of {name}", { name: isolated(names.of(className, object.objectId)) }),
        acl: object.ACL,
        people,
        save: async (ACL) => {
          await save(className, object, ACL);
          await reload();
          notices.tell(t("The rights are saved."));
        },
      });
    } catch (error) {
      notices.warn(error.message);
    }
  };
}
