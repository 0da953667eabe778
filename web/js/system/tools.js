// All tools of the page.

import { consoleTool, forgetCalls } from "../console/console-tool.js";
import { forgetUnsaved } from "../schema/permissions-page.js";
import { schemaTool } from "../schema/schema-tool.js";
import { transferTool } from "../transfer/transfer-tool.js";
import { rolesTool, usersTool } from "./people-tools.js";
import { sessionsTool } from "./sessions-tool.js";
import { systemTool } from "./system-tool.js";
import { createToolKeys } from "./tool-keys.js";
import { showToolView } from "./tool-view.js";

const tools = {
  schema: schemaTool,
  users: usersTool,
  roles: rolesTool,
  sessions: sessionsTool,
  system: systemTool,
  transfer: transferTool,
  console: consoleTool,
};

/**
 * Shows the tool that the state names in the main view.
 *
 * @param manage asks for the gateway's master key
 * @param poll reads the sync status again
 * @param goToTool `(tool)`: shows a tool
 * @returns forgetAll: forgets the keys of the tools, the calls of the console and unsaved permissions
 */
export function showTools(main, { state, api, gateway, notices, services, manage, poll, goToTool }) {
  const keys = createToolKeys({ api, state, manage });
  const shared = {
    api,
    services,
    goToTool,
    forgetTypes: gateway.forgetTypes,
    takeFields: gateway.takeFields,
    /** Forgets a dropped class, so that the page does not show it any longer. */
    forgetClass(className) {
      gateway.forgetTypes(className);
      if (state.values.className === className) state.update({ className: null });
      return poll();
    },
  };
  showToolView(main, { state, tools, keys, notices, shared });
  return {
    forgetAll() {
      keys.forgetAll();
      forgetCalls();
      forgetUnsaved();
    },
  };
}
