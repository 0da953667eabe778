// Reads and writes the fragment of the page's address, such as `#/Task/xO5TCC3Ntj?view=table&sort=-due&q=harbour`.
//
// The path names a class and an object. The parameters name the rest of a place:
//
// - `view`: the view of the class, "table" or "almanac"
// - `where`: the filter, a Parse query as JSON
// - `q`: the search text
// - `sort`: the sort order, such as `-due`
// - `columns`: the shown columns, separated by commas
// - `at`: the number of the first visible row, counted from 1
// - `panel`: "sync" if the details panel is open
// - `conflict`: the open conflict
//
// A part that is left out has its standard value.
//
// The path `#/-/schema/Boat` names a tool in place of a class. No class can have the name `-`.

/** The place that an address without any part names. */
export const nowhere = {
  tool: null,
  className: null,
  objectId: null,
  view: null,
  where: null,
  search: "",
  sort: null,
  columns: null,
  at: 0,
  panel: false,
  conflict: null,
};

/**
 * The place that the fragment of an address names, and the parts of the address that it cannot read: {place, unreadable}.
 * Undefined for an anchor such as `#main`.
 */
export function readAddress(hash) {
  if (hash !== "" && !hash.startsWith("#/")) return undefined;
  const [path, query = ""] = splitOnce(hash.slice(2), "?");
  const unreadable = [];
  const place = { ...nowhere, ...readPath(path, unreadable), ...readParts(new URLSearchParams(query), unreadable) };
  return { place, unreadable };
}

/** The fragment of the address of a place. Parts with their standard value are left out. */
export function writeAddress(place) {
  const { tool, panel } = { ...nowhere, ...place };
  if (tool !== null) return `#/-/${tool.map(encodeURIComponent).join("/")}${panel ? "?panel=sync" : ""}`;
  const { className, objectId, view, where, search, sort, columns, at, conflict } = { ...nowhere, ...place };
  const path = [className ?? "", objectId].filter((part) => part !== null).map(encodeURIComponent).join("/");
  const parts = [
    view && ["view", view],
    where && ["where", JSON.stringify(where)],
    search && ["q", search],
    sort && ["sort", sort],
    columns && ["columns", columns.join(",")],
    at > 0 && ["at", String(at + 1)],
    panel && ["panel", "sync"],
    conflict && ["conflict", conflict],
  ].filter(Boolean);
  return `#/${path}${parts.length > 0 ? "?" : ""}${parts.map(([name, value]) => `${name}=${readable(value)}`).join("&")}`;
}

/** Whether two places differ only in parts that change all the time, and so make no new entry in the browser's history. */
export function isSamePlace(one, other) {
  const lasting = (place) => writeAddress({ ...place, search: "", at: 0, columns: null });
  return lasting(one) === lasting(other);
}

function readPath(path, unreadable) {
  try {
    const [className, ...rest] = path.split("/").map(decodeURIComponent);
    if (className === "-" && rest.length > 0) return { tool: rest };
    const objectId = rest.join("/");
    // Only a plain class name is accepted, because a link on another site can contain any text.
    if (/^[A-Za-z_]\w*$/.test(className)) return { className, objectId: objectId === "" ? null : objectId };
  } catch {
    // The path has a percent sign that encodes nothing.
  }
  if (path !== "") unreadable.push("class");
  return {};
}

function readParts(query, unreadable) {
  const readers = {
    view: (text) => (/^(table|almanac)$/.test(text) ? { view: text } : null),
    where: (text) => ({ where: objectOf(text) }),
    q: (text) => ({ search: text }),
    sort: (text) => (/^-?[A-Za-z_]\w*$/.test(text) ? { sort: text } : null),
    columns: (text) => ({ columns: [...new Set(text.split(",").filter((name) => /^[A-Za-z_]\w*$/.test(name)))] }),
    at: (text) => (/^[1-9]\d{0,8}$/.test(text) ? { at: Number(text) - 1 } : null),
    panel: (text) => (text === "sync" ? { panel: true } : null),
    conflict: (text) => ({ conflict: text }),
  };
  const place = {};
  for (const [name, reader] of Object.entries(readers)) {
    const text = query.get(name);
    if (text === null || text === "") continue;
    const part = reader(text);
    if (part === null || Object.values(part).includes(undefined)) unreadable.push(name);
    else Object.assign(place, part);
  }
  return place;
}

/** A JSON object; undefined for any other text. */
function objectOf(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Encodes a value of a parameter, and leaves the characters that need no encoding in a fragment. */
function readable(text) {
  return encodeURIComponent(text).replace(/%(2C|3A|40|24|2F)/g, (code) => decodeURIComponent(code));
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
