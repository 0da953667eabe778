// The forms that an operator's condition can have in a `where`. A form writes the condition on a field for a value, and reads the
// value of a condition that has the form.

/** Whether a condition has operators such as `$gt`. Any other condition is a value that the field equals. */
export function hasOperators(condition) {
  return isObject(condition) && Object.keys(condition).some((name) => name.startsWith("$"));
}

/** Whether the keys of a condition are exactly `names`. */
export function hasOnly(condition, ...names) {
  return hasOperators(condition) && Object.keys(condition).length === names.length && names.every((name) => Object.hasOwn(condition, name));
}

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * An operator. `words` stand on the chip, and in the list of operators if there is no property `listed`. `input` names the input of its value in `inputs.js`.
 *
 * @param write `(value)`: the condition on the field
 * @param read `(condition)`: the value; undefined if the condition has another form
 */
export function operator(id, words, input, write, read) {
  return { id, words, input, write, read };
}

/** The equality of a field with a value that `accepts` accepts. */
export function equality(words, input, accepts) {
  const read = (condition) => {
    const value = hasOnly(condition, "$eq") ? condition.$eq : condition;
    return !hasOperators(value) && accepts(value) ? value : undefined;
  };
  return operator("equal", words, input, (value) => value, read);
}

/** An operator with one key, such as `$lt`, whose operand is the value. */
export function keyed(id, words, input, key, accepts) {
  const read = (condition) => (hasOnly(condition, key) && accepts(condition[key]) ? condition[key] : undefined);
  return operator(id, words, input, (value) => ({ [key]: value }), read);
}

/** An operator without a value. Its value is null. */
export function constant(id, words, condition, isIt) {
  return operator(id, words, "none", () => condition, (read) => (isIt(read) ? null : undefined));
}

/** A function that accepts lists of the values that `accepts` accepts. */
export function listOf(accepts) {
  return (value) => Array.isArray(value) && value.length > 0 && value.every(accepts);
}
