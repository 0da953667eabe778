// The tools for users and roles.

import { showRoles } from "../owner-roles.js";
import { showUsers } from "../owner-users.js";

export const usersTool = {
  key: () => "remote",
  heading: () => ({ title: "Users" }),
  build: showUsers,
};

export const rolesTool = {
  key: () => "remote",
  heading: () => ({ title: "Roles" }),
  build: showRoles,
};
