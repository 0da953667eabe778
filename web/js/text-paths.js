// The paths of the texts inside of objects, such as `address.city`. A query reaches a text inside of an object only by its path.

/** The maximum depth of a path, and the maximum number of paths of a class. */
const depthMax = 4;
export const pathsMax = 30;

/** The paths to texts, and to lists of texts, in the object fields of some objects. */
export function textPaths(objects, types) {
  const found = new Set();
  const fields = Object.keys(types).filter((name) => types[name].type === "Object");
  for (const object of objects) for (const name of fields) collect(found, name, object[name], 1);
  return [...found];
}

function collect(found, path, value, depth) {
  if (typeof value !== "object" || value === null || value.__type !== undefined || depth >= depthMax) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!/^\w+$/.test(name)) continue;
    const isText = (item) => typeof item === "string";
    if (isText(inner) || (Array.isArray(inner) && inner.some(isText))) found.add(`${path}.${name}`);
    else if (!Array.isArray(inner)) collect(found, `${path}.${name}`, inner, depth + 1);
  }
}
