// The kinds of fields that a form can edit. Each kind says which values it understands, and turns values into the text
// of its input and back. `read` gives undefined for an empty input: the field is then not set, or taken away.

import { dateValue, dayOf } from "./dates.js";
import { isWebAddress } from "./values.js";

export const fieldKinds = {
  text: {
    control: "input",
    attributes: { type: "text" },
    accepts: (value) => typeof value === "string",
    write: (value) => value,
    read: (text) => text.trim() || undefined,
  },
  longText: {
    control: "textarea",
    attributes: { rows: 3 },
    accepts: (value) => typeof value === "string",
    write: (value) => value,
    read: (text) => (text.trim() === "" ? undefined : text),
  },
  day: {
    control: "input",
    attributes: { type: "date", min: "0001-01-01", max: "9999-12-31" },
    accepts: (value) => dayOf(value) !== null,
    write: (value) => dayOf(value).iso,
    read: (text) => (text === "" ? undefined : dateValue(text)),
  },
  lines: {
    control: "textarea",
    attributes: { rows: 3 },
    accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
    write: (value) => value.join("\n"),
    read: (text) => {
      const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
      return lines.length === 0 ? undefined : lines;
    },
  },
  webAddress: {
    control: "input",
    attributes: { type: "text", inputmode: "url", autocapitalize: "off", spellcheck: "false" },
    accepts: (value) => typeof value === "string",
    write: (value) => value,
    read: (text) => text.trim() || undefined,
    problem: (value) => (isWebAddress(value) ? null : "Start with https:// and give the whole address."),
  },
  json: {
    control: "textarea",
    attributes: { rows: 16, spellcheck: "false", autocapitalize: "off" },
    accepts: () => true,
    write: (value) => JSON.stringify(value, null, 2),
    read: (text) => {
      try {
        return JSON.parse(text);
      } catch (error) {
        return error;
      }
    },
    problem: (value) => {
      if (value instanceof Error) return `This is not JSON: ${value.message}`;
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      return isObject ? null : "Give an object: { … }.";
    },
  },
};
