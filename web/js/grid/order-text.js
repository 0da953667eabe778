// The sort order of a table as text. The column of the order can be outside the visible part of the table, or hidden.

import { t } from "../texts.js";
import { isolated } from "../values.js";

const byTime = {
  "-updatedAt": t("Latest changes first"),
  updatedAt: t("Oldest changes first"),
  "-createdAt": t("Newest objects first"),
  createdAt: t("Oldest objects first"),
};

/** @param order the sort order, such as "-due" */
export function orderText(order) {
  if (Object.hasOwn(byTime, order)) return byTime[order];
  const field = isolated(order.replace(/^-/, ""));
  return order.startsWith("-") ? t("Sorted by {field}, descending", { field }) : t("Sorted by {field}, ascending", { field });
}
