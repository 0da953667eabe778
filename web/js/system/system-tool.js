// The tool for the gateway itself: settings, log, requests, checks and metrics.

import { buildChecks } from "./checks-page.js";
import { buildLog } from "./log-page.js";
import { buildMetrics } from "./metrics-page.js";
import { buildRequests } from "./requests-page.js";
import { buildSettings } from "./settings-page.js";
import { t } from "../texts.js";

const parts = [
  [null, t("Settings"), buildSettings],
  ["log", t("Log"), buildLog],
  ["requests", t("Requests"), buildRequests],
  ["checks", t("Checks"), buildChecks],
  ["metrics", t("Metrics"), buildMetrics],
];

export const systemTool = {
  key: () => "gateway",
  heading: () => ({ title: t("System"), tabs: parts.map(([name, words]) => [words, ["system", name].filter((part) => part !== null)]) }),
  build(context) {
    const [, name = null, ...rest] = context.path;
    const found = parts.find(([part]) => part === name);
    if (!found || rest.length > 0) throw new Error(t("The address names no page of the system."));
    return found[2](context);
  },
};
