// The objects that point to an object, by the pointers and relations that the page knows of the classes.

/** The maximum numbers of classes that are looked through, and of fields that are counted. */
const classesMax = 200;
const fieldsMax = 300;

const targeted = ["Pointer", "Relation"];

/** The names of the pointers and relations of a class whose target is another class. */
export function fieldsTo(targetClass, types) {
  return Object.keys(types).filter((name) => targeted.includes(types[name].type) && types[name].targetClass === targetClass);
}

/** The names of the arrays of a class. The schema does not say which of them have pointers. */
export function arraysOf(types) {
  return Object.keys(types).filter((name) => types[name].type === "Array");
}

/**
 * @param know `(className)`: resolves when the page knows the field types of a class
 * @param pointerPaths `(className)`: the known pointers inside of the objects of a class: [{path, targetClass}]
 * @returns {referencesTo, relationsTo}
 */
export function createReferences({ api, state, know, pointerPaths }) {
  const typesOf = (className) => state.values.types.get(className) ?? {};

  /** Resolves to the fields of all known classes that `fieldsOf(types, className)` names: [{className, field}]. */
  async function fieldsWhere(fieldsOf) {
    const known = new Set([...(state.values.status?.classes ?? []).map(({ name }) => name), ...state.values.types.keys()]);
    const classNames = [...known].slice(0, classesMax);
    // A class that cannot be read has no known fields.
    await Promise.all(classNames.map((className) => know(className).catch(() => {})));
    return classNames.flatMap((className) => fieldsOf(typesOf(className), className).map((field) => ({ className, field })));
  }

  return {
    /**
     * Resolves to the fields that can point to an object, with the numbers of objects that do: [{className, field, count, where}].
     * An array is among them if it has the object. A field of an object, such as `address.owner`, is among them if the page has seen a
     * pointer there.
     */
    async referencesTo({ className, objectId }) {
      const pointer = { __type: "Pointer", className, objectId };
      const inside = (from) => pointerPaths(from).filter(({ targetClass }) => targetClass === className).map(({ path }) => path);
      const fields = (await fieldsWhere((types, from) => [...fieldsTo(className, types), ...inside(from), ...arraysOf(types)])).slice(0, fieldsMax);
      const counted = await Promise.all(
        fields.map(async ({ className: from, field }) => {
          const where = { [field]: pointer };
          return { className: from, field, where, count: await api.count(from, where) };
        }),
      );
      return counted.filter(({ className: from, field, count }) => count > 0 || typesOf(from)[field]?.type !== "Array");
    },
    /** Resolves to the relations whose members are of a class: [{className, field}]. */
    relationsTo: (className) => fieldsWhere((types) => fieldsTo(className, types).filter((name) => types[name].type === "Relation")),
  };
}
