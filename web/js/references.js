// The objects that point to an object, by the pointers and relations that the page knows of the classes.

/** The maximum number of classes that are looked through. */
const classesMax = 200;

/** The pointers and relations of a class whose target is another class: the names of the fields. */
export function fieldsTo(targetClass, types) {
  return Object.keys(types).filter((name) => ["Pointer", "Relation"].includes(types[name].type) && types[name].targetClass === targetClass);
}

/** @param know `(className)`: resolves when the page knows the field types of a class */
export function createReferences({ api, state, know }) {
  /** Resolves to the fields of a class that point to a class. A class that cannot be read has none. */
  async function fieldsOf(className, targetClass) {
    await know(className).catch(() => {});
    return fieldsTo(targetClass, state.values.types.get(className) ?? {}).map((field) => ({ className, field }));
  }

  /** Resolves to the fields that can point to an object, with the numbers of objects that do: [{className, field, count, where}]. */
  return async function referencesTo({ className, objectId }) {
    const pointer = { __type: "Pointer", className, objectId };
    const known = new Set([...(state.values.status?.classes ?? []).map(({ name }) => name), ...state.values.types.keys()]);
    const fields = (await Promise.all([...known].slice(0, classesMax).map((name) => fieldsOf(name, className)))).flat();
    return Promise.all(
      fields.map(async ({ className: from, field }) => {
        const where = { [field]: pointer };
        return { className: from, field, where, count: await api.count(from, where) };
      }),
    );
  };
}
