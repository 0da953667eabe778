// An example value of a schema, for a call whose description has none.

import { resolved } from "./description.js";

const depthMax = 6;

/** @returns the example of the schema, or a value made of its members; undefined for a schema that says nothing */
export function exampleOf(description, node, depth = 0) {
  const schema = resolved(description, node);
  if (schema.example !== undefined) return schema.example;
  if (schema.examples?.length > 0) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.length > 0) return schema.enum[0];
  if (depth > depthMax) return undefined;
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first) return exampleOf(description, first, depth + 1);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(description, part, depth + 1)));
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== "null") : schema.type;
  if (type === "array") return [exampleOf(description, schema.items ?? {}, depth + 1)].filter((item) => item !== undefined);
  if (type === "object" || schema.properties) {
    const members = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, exampleOf(description, part, depth + 1)]);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  return { string: "text", integer: 1, number: 1, boolean: true }[type];
}
