// The tool for the schema: all classes, and the fields, permissions and indexes of one class.

import { isClassName } from "./built-in.js";
import { buildClassList } from "./class-list.js";
import { buildFields } from "./fields-page.js";
import { buildIndexes } from "./indexes-page.js";
import { buildPermissions } from "./permissions-page.js";
import { t } from "../texts.js";

const parts = [
  [null, t("Fields"), buildFields],
  ["permissions", t("Permissions"), buildPermissions],
  ["indexes", t("Indexes"), buildIndexes],
];

export const schemaTool = {
  key: () => "remote",
  heading: ([, className]) =>
    className === undefined
      ? { title: t("Schema") }
      : {
          title: className,
          trail: [[t("Schema"), ["schema"]]],
          tabs: parts.map(([name, words]) => [words, ["schema", className, name].filter((part) => part !== null)]),
        },
  build(context) {
    const [, className, name = null] = context.path;
    if (className === undefined) return buildClassList(context);
    const found = parts.find(([part]) => part === name);
    if (!isClassName(className) || !found || context.path.length > 3) throw new Error(t("The address names no class."));
    return found[2](context, className);
  },
};
