// One JSON value on one line. A text is written without quotes, unless it could be read as another value.

/** A value as text. */
export function itemText(value) {
  if (typeof value === "string" && value === value.trim() && !value.includes("\n") && value !== "" && jsonOf(value) === undefined) return value;
  return JSON.stringify(value);
}

/** The value of a text. */
export function itemOf(text) {
  const value = jsonOf(text);
  return value === undefined ? text.trim() : value;
}

/** The JSON value of a text, except a list and null, which no item is; undefined for any other text. */
function jsonOf(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) || value === null ? undefined : value;
  } catch {
    return undefined;
  }
}
