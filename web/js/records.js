// Safe access by names from outside the page, such as class and field names. A plain object inherits members such as
// `constructor`, and gives `__proto__` a special meaning.

/** The own property of an object; undefined for an inherited one. */
export function ownValue(object, name) {
  return object !== null && object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An object without a prototype, with the properties of the sources. */
export function record(...sources) {
  return Object.assign(Object.create(null), ...sources);
}

/** A copy of a map with one entry added or replaced. */
export function withEntry(map, key, value) {
  return new Map(map).set(key, value);
}

/** A copy of a map without one entry. */
export function withoutEntry(map, key) {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
