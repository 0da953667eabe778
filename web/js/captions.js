// The caption field of each class: the field whose value names an object. It is guessed, and the user can set it.

import { inOrder } from "./field-types.js";
import { ownValue, record } from "./records.js";
import { valueText } from "./values.js";

const storageName = "tidegate.captions";
/** The fields that name an object by convention, in the order of the guess. */
export const usualCaptions = ["name", "title", "label", "subject"];
/** The maximum number of characters of a caption. A longer one is cut off. */
const captionMax = 120;
/** The types of fields that can be a caption. */
const captionTypes = ["String", "Number", "Date", "File"];

/** The guessed caption field of a class; null if no field is suitable. */
export function guessedCaption(className, types) {
  if (className === "_User") return "username";
  const isText = (name) => ownValue(types, name)?.type === "String";
  return usualCaptions.find(isText) ?? inOrder(Object.keys(types)).find((name) => isText(name) && name !== "objectId") ?? null;
}

/** The names of the fields that can be the caption of an object. */
export function possibleCaptions(types) {
  return Object.keys(types).filter((name) => name !== "objectId" && captionTypes.includes(types[name].type));
}

export function createCaptionFields(state, storage = window.localStorage) {
  function read() {
    try {
      return record(JSON.parse(storage.getItem(storageName)));
    } catch {
      return record();
    }
  }

  const typesOf = (className) => state.values.types.get(className) ?? {};
  const guess = (className) => guessedCaption(className, typesOf(className));

  function chosen(className) {
    const field = ownValue(read(), className);
    return typeof field === "string" && field !== "" ? field : null;
  }

  function of(className) {
    return chosen(className) ?? guess(className);
  }

  return {
    of,
    guess,
    chosen,
    /** Sets the caption field of a class; null returns to the guess. */
    choose(className, field) {
      const all = read();
      if (field === null) delete all[className];
      else all[className] = field;
      storage.setItem(storageName, JSON.stringify(all));
    },
    /** The fields to read for the caption of an object. */
    keysOf: (className) => [...new Set([of(className), ...usualCaptions].filter(Boolean))],
    /** The caption of an object; null if it has none. */
    textOf(className, object) {
      const field = of(className);
      const value = [field, ...usualCaptions].map((name) => ownValue(object, name)).find(isCaption);
      return value === undefined ? null : short(valueText(value));
    },
  };
}

function isCaption(value) {
  if (typeof value === "string") return value.trim() !== "";
  return typeof value === "number" || ["Date", "File"].includes(value?.__type);
}

function short(text) {
  const line = text.trim().replace(/\s+/g, " ");
  const letters = [...line];
  return letters.length > captionMax ? `${letters.slice(0, captionMax).join("")} …` : line;
}
