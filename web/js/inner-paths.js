// The paths of the texts and pointers inside of objects, such as `address.city`. A query reaches a value inside of an object only by its path.

/** The maximum depth of a path, and the maximum number of paths of a class. */
const depthMax = 4;
export const pathsMax = 30;

/** The paths to texts, and to lists of texts, in the object fields of some objects. */
export function textPaths(objects, types) {
  const found = new Set();
  visitInner(objects, types, (path, value) => isText(value) && found.add(path));
  return [...found];
}

/** The paths to pointers, and to lists of pointers, in the object fields of some objects: [{path, targetClass}]. */
export function pointerPaths(objects, types) {
  const found = new Map();
  visitInner(objects, types, (path, value) => {
    if (value?.__type === "Pointer") found.set(`${path} ${value.className}`, { path, targetClass: value.className });
  });
  return [...found.values()];
}

const isText = (value) => typeof value === "string";

/** Calls `visit(path, value)` with each value, and with each item of a list, inside of the object fields of some objects. */
function visitInner(objects, types, visit) {
  const fields = Object.keys(types).filter((name) => types[name].type === "Object");
  for (const object of objects) for (const name of fields) visitMembers(name, object[name], 1, visit);
}

function visitMembers(path, value, depth, visit) {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value.__type !== undefined || depth >= depthMax) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!/^\w+$/.test(name)) continue;
    for (const item of Array.isArray(inner) ? inner : [inner]) visit(`${path}.${name}`, item);
    visitMembers(`${path}.${name}`, inner, depth + 1, visit);
  }
}
