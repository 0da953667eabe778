// The tools for users and roles.

import { showRoles } from "../owner-roles.js";
import { showUsers } from "../owner-users.js";
import { t } from "../texts.js";

export const usersTool = {
  key: () => "remote",
  heading: () => ({ title: t("Users") }),
  build: showUsers,
};

export const rolesTool = {
  key: () => "remote",
  heading: () => ({ title: t("Roles") }),
  build: showRoles,
};
