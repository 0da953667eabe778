// The tool for the gateway itself: settings, log, requests, checks and metrics.

import { buildChecks } from "./checks-page.js";
import { buildLog } from "./log-page.js";
import { buildMetrics } from "./metrics-page.js";
import { buildRequests } from "./requests-page.js";
import { buildSettings } from "./settings-page.js";

const parts = [
  [null, "Settings", buildSettings],
  ["log", "Log", buildLog],
  ["requests", "Requests", buildRequests],
  ["checks", "Checks", buildChecks],
  ["metrics", "Metrics", buildMetrics],
];

export const systemTool = {
  key: () => "gateway",
  heading: () => ({ title: "System", tabs: parts.map(([name, words]) => [words, ["system", name].filter((part) => part !== null)]) }),
  build(context) {
    const [, name = null, ...rest] = context.path;
    const found = parts.find(([part]) => part === name);
    if (!found || rest.length > 0) throw new Error("The address names no page of the system.");
    return found[2](context);
  },
};
