// Form rows for the sync options of a class: conflict policy, field for operation ids, files to download, and objects to fetch.

import { fieldRow } from "./editors/field-row.js";
import { t } from "./texts.js";
import { isEqual } from "./values.js";

const policies = [
  ["merge", t("Keep mine, and ask about deletions")],
  ["local", t("Always keep mine")],
  ["remote", t("Always keep theirs")],
  ["manual", t("Always ask")],
];

const downloads = [
  ["lazy", t("Fetch when first viewed")],
  ["eager", t("Fetch all, for offline use")],
  ["none", t("Leave on the remote")],
];

const extents = [
  ["all", t("All")],
  ["query", t("Matches of one query")],
  ["queries", t("Matches of several queries")],
  ["none", t("None: only send changes")],
];

/**
 * @param options the gateway's options of the class: {policy, files, pulls, opField, opFieldRefusal}; {} for a class that is not
 *   synced yet; `opFieldRefusal` is the remote's message if it refused the field `opField`
 * @param fileFields the names of the fields that hold files
 * @returns {rows, changes}: the form rows, and a function that resolves to the changed options
 */
export function classOptions(
  { policy = "merge", files = "lazy", pulls = [{ name: "all" }], opField, opFieldRefusal },
  fileFields = [],
) {
  const choice = (name, label, options, value, hint, required = true) =>
    fieldRow({ name, label, kind: "choice", options, required, hint }, value);
  const asked = choice("policy", t("When both sides changed the same field"), policies, policy, t("At first, your side is kept. Resolved conflicts in the sync details list each such field with both values."));
  const names = [...new Set(["tidegateOps", opField].filter(Boolean))];
  const marks = choice(
    "opField",
    t("When the remote's answer is lost"),
    [["", t("Ask me whether my change was applied")], ...names.map((name) => [name, t("Mark changes in the field {name}", { name })])],
    opField ?? undefined,
    opFieldRefusal ? t("The remote rejected this field: {opFieldRefusal}", { opFieldRefusal }) : t("Tidegate adds this field to the class on the remote. This page does not show it."),
    false,
  );
  showsHintFor(marks, (value) => value !== "");
  const fileRows = rowsOfFiles(files, fileFields, choice);
  const fetched = rowsOfPulls(pulls.map(withoutDefaults), choice);

  async function changes() {
    const result = {};
    if (asked.isChanged()) result.policy = await asked.value();
    if (marks.isChanged()) result.opField = (await marks.value()) ?? null;
    if (fileRows.rows.some((row) => row.isChanged())) result.files = await fileRows.read();
    const extent = await fetched.read();
    // An empty list of pulls is always sent. Without `pulls`, the gateway would fetch all objects of a new class.
    if (!isEqual(extent, pulls.map(withoutDefaults)) || extent.length === 0) result.pulls = extent;
    return result;
  }

  return { rows: [asked, marks, ...fileRows.rows, ...fetched.rows], changes };
}

/** Shows the hint of a choice only while an option is chosen that it concerns. */
function showsHintFor({ control, node }, isConcerned) {
  const hint = node.querySelector(".hint");
  const show = () => (hint.hidden = !isConcerned(control.value));
  control.addEventListener("change", show);
  show();
}

/**
 * The rows that choose when files are downloaded: a row for all files of a class, and a row for each field with files. If only
 * one field has files, it gets a row only if it already has a choice of its own.
 */
function rowsOfFiles(files, fileFields, choice) {
  const { "*": standard = "lazy", ...byField } = typeof files === "string" ? { "*": files } : files;
  const all = choice("files", t("Pictures and other files"), downloads, standard);
  const names = [...new Set([...fileFields, ...Object.keys(byField)])].sort();
  const isOne = names.length < 2 && Object.keys(byField).length === 0;
  const rows = (isOne ? [] : names).map((name) =>
    choice(`files ${name}`, t("Files of {name}", { name }), [["", t("Same as all files")], ...downloads], byField[name], undefined, false),
  );

  async function read() {
    const byFieldNow = [];
    for (const [at, row] of rows.entries()) {
      const download = await row.value();
      if (download !== undefined) byFieldNow.push([names[at], download]);
    }
    return byFieldNow.length === 0 ? all.value() : { "*": await all.value(), ...Object.fromEntries(byFieldNow) };
  }

  return { rows: [all, ...rows], read };
}

/** The rows that choose the objects to fetch: all, none, or the matches of queries. */
function rowsOfPulls(pulls, choice) {
  const [first] = pulls;
  const isPlain = pulls.length === 1 && !first.keys;
  const extent = pulls.length === 0 ? "none" : !isPlain ? "queries" : first.where ? "query" : "all";
  const chosen = choice("extent", t("Objects to fetch"), extents, extent, t("Objects outside the queries are removed from this device. They stay on the remote."));
  showsHintFor(chosen, (value) => value === "query" || value === "queries");
  const query = fieldRow(
    { name: "query", label: t("Query"), kind: "object", required: true, hint: t("As JSON, for example {\"name\": {\"$regex\": \"^A\"}}.") },
    extent === "query" ? first.where : undefined,
  );
  const queries = fieldRow(
    { name: "queries", label: t("Queries"), kind: "array", required: true, hint: t("As JSON: [{\"name\": \"mine\", \"where\": { … }, \"keys\": [\"name\"]}]. The keys are the fields to fetch.") },
    extent === "queries" ? pulls : undefined,
  );
  const shown = { query, queries };

  function show() {
    for (const [name, row] of Object.entries(shown)) row.node.hidden = chosen.control.value !== name;
  }

  // Hidden rows are always valid.
  for (const row of Object.values(shown)) {
    const { check } = row;
    row.check = () => row.node.hidden || check();
  }
  chosen.control.addEventListener("change", show);
  show();

  async function read() {
    const name = await chosen.value();
    if (name === "none") return [];
    if (name === "queries") return queries.value();
    // Keeps the pull's name, because a pull with an unchanged name and query continues at its cursor.
    const kept = isPlain ? first.name : "all";
    return [name === "query" ? { name: kept, where: await query.value() } : { name: kept }];
  }

  return { rows: [chosen, query, queries], read };
}

/** Copies `name`, `where` and `keys` of a pull. Leaves out an empty `where` and absent `keys`. */
function withoutDefaults({ name, where, keys }) {
  const isAll = !where || Object.keys(where).length === 0;
  return { name, ...(!isAll && { where }), ...(keys && { keys }) };
}
