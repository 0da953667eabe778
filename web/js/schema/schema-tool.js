// The tool for the schema: all classes, and the fields, permissions and indexes of one class.

import { isClassName } from "./built-in.js";
import { buildClassList } from "./class-list.js";
import { buildFields } from "./fields-page.js";
import { buildIndexes } from "./indexes-page.js";
import { buildPermissions } from "./permissions-page.js";

const parts = [
  [null, "Fields", buildFields],
  ["permissions", "Permissions", buildPermissions],
  ["indexes", "Indexes", buildIndexes],
];

export const schemaTool = {
  key: () => "remote",
  heading: ([, className]) =>
    className === undefined
      ? { title: "Schema" }
      : {
          title: className,
          trail: [["Schema", ["schema"]]],
          tabs: parts.map(([name, words]) => [words, ["schema", className, name].filter((part) => part !== null)]),
        },
  build(context) {
    const [, className, name = null] = context.path;
    if (className === undefined) return buildClassList(context);
    const found = parts.find(([part]) => part === name);
    if (!isClassName(className) || !found || context.path.length > 3) throw new Error("The address names no class.");
    return found[2](context, className);
  },
};
