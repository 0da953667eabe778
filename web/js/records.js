// Access to properties by names that come from outside the page, such as field names. A plain object is unsafe for such names: it
// inherits members such as `constructor`, and its key `__proto__` has a special meaning.

/** The value of an object's own property; undefined if it has no such property, or only inherits it. */
export function ownValue(object, name) {
  return object !== null && object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Creates an object without a prototype, and copies the properties of the sources into it. */
export function record(...sources) {
  return Object.assign(Object.create(null), ...sources);
}

/** Returns a copy of a map with one entry added or replaced. */
export function withEntry(map, key, value) {
  return new Map(map).set(key, value);
}

/** Returns a copy of a map with one entry removed. */
export function withoutEntry(map, key) {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
