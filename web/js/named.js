// Values by names that come from elsewhere: of classes, fields and kinds. A plain object inherits members,
// such as `constructor`, and treats `__proto__` in its own way.

/** The own member of an object; undefined for an inherited one. */
export function own(object, name) {
  return object !== null && object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An object that inherits nothing, with the members of others. */
export function named(...sources) {
  return Object.assign(Object.create(null), ...sources);
}

/** A copy of a map with one entry more, or another one. */
export function withEntry(map, key, value) {
  return new Map(map).set(key, value);
}

/** A copy of a map without an entry. */
export function withoutEntry(map, key) {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
