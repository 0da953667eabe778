// How a class is kept, as rows of a form: whose change stands, which files come here, and what of the class is fetched.

import { fieldRow } from "./editors/field-row.js";
import { isEqual } from "./values.js";

const policies = [
  ["merge", "Keep mine, and ask about deletions"],
  ["local", "Always keep mine"],
  ["remote", "Always keep theirs"],
  ["manual", "Always ask"],
];

const downloads = [
  ["lazy", "Fetch when first looked at"],
  ["eager", "Fetch all, to be seen offline"],
  ["none", "Leave on the remote"],
];

const extents = [
  ["all", "Everything"],
  ["query", "What a query finds"],
  ["queries", "What several queries find"],
  ["none", "Nothing more: changes are only sent"],
];

/**
 * @param options {policy, files, pulls} as the gateway tells them; none of them for a class that is not kept yet
 * @param fileFields the fields that are known to hold files
 * @returns {rows, changes}: the rows of a form, and what they change of the options
 */
export function classOptions(
  { policy = "merge", files = "lazy", pulls = [{ name: "all" }], opField, opFieldRefusal },
  fileFields = [],
) {
  const choice = (name, label, options, value, hint, required = true) =>
    fieldRow({ name, label, kind: "choice", options, required, hint }, value);
  const asked = choice("policy", "When both sides have changed the same", policies, policy);
  const names = [...new Set(["tidegateOps", opField].filter(Boolean))];
  const marks = choice(
    "opField",
    "When an answer of the remote gets lost",
    [["", "Ask me whether a change arrived"], ...names.map((name) => [name, `Mark changes in the field ${name}`])],
    opField ?? undefined,
    opFieldRefusal ? `The remote refuses the field: ${opFieldRefusal}` : "The field is added to the class on the remote. It is not shown here.",
    false,
  );
  const fileRows = rowsOfFiles(files, fileFields, choice);
  const fetched = rowsOfPulls(pulls.map(asGiven), choice);

  async function changes() {
    const result = {};
    if (asked.isChanged()) result.policy = await asked.value();
    if (marks.isChanged()) result.opField = (await marks.value()) ?? null;
    if (fileRows.rows.some((row) => row.isChanged())) result.files = await fileRows.read();
    const extent = await fetched.read();
    // A class of which nothing is fetched would be fetched as a whole, were that not said again.
    if (!isEqual(extent, pulls.map(asGiven)) || extent.length === 0) result.pulls = extent;
    return result;
  }

  return { rows: [asked, marks, ...fileRows.rows, ...fetched.rows], changes };
}

/** A choice for all files, and one for each field of them where there are several. */
function rowsOfFiles(files, fileFields, choice) {
  const { "*": standard = "lazy", ...byField } = typeof files === "string" ? { "*": files } : files;
  const all = choice("files", "Pictures and other files", downloads, standard);
  const names = [...new Set([...fileFields, ...Object.keys(byField)])].sort();
  const isOne = names.length < 2 && Object.keys(byField).length === 0;
  const rows = (isOne ? [] : names).map((name) =>
    choice(`files ${name}`, `Those of ${name}`, [["", "As all others"], ...downloads], byField[name], undefined, false),
  );

  async function read() {
    const own = [];
    for (const [at, row] of rows.entries()) {
      const download = await row.value();
      if (download !== undefined) own.push([names[at], download]);
    }
    return own.length === 0 ? all.value() : { "*": await all.value(), ...Object.fromEntries(own) };
  }

  return { rows: [all, ...rows], read };
}

/** What is fetched: all, nothing, or what queries find. */
function rowsOfPulls(pulls, choice) {
  const [first] = pulls;
  const isPlain = pulls.length === 1 && !first.keys;
  const extent = pulls.length === 0 ? "none" : !isPlain ? "queries" : first.where ? "query" : "all";
  const chosen = choice("extent", "What is fetched", extents, extent, "What the queries do not find leaves this machine. The remote keeps it.");
  const query = fieldRow(
    { name: "query", label: "Query", kind: "object", required: true, hint: 'As JSON, like {"name": {"$regex": "^A"}}.' },
    extent === "query" ? first.where : undefined,
  );
  const queries = fieldRow(
    { name: "queries", label: "Queries", kind: "array", required: true, hint: 'As JSON: [{"name": "mine", "where": { … }, "keys": ["name"]}]. Keys are the fields to fetch.' },
    extent === "queries" ? pulls : undefined,
  );
  const shown = { query, queries };

  function show() {
    for (const [name, row] of Object.entries(shown)) row.node.hidden = chosen.control.value !== name;
  }

  // What is not shown is not held to anything.
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
    // A pull that stays what it is goes on where it is; so it keeps its name.
    const kept = isPlain ? first.name : "all";
    return [name === "query" ? { name: kept, where: await query.value() } : { name: kept }];
  }

  return { rows: [chosen, query, queries], read };
}

/** A pull without what the gateway adds to it. */
function asGiven({ name, where, keys }) {
  const isAll = !where || Object.keys(where).length === 0;
  return { name, ...(!isAll && { where }), ...(keys && { keys }) };
}
