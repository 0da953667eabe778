// The type of a value in the description as text, with links to the schemas that it names.

import { resolved, schemaName } from "../js/console/description.js";
import { el } from "../js/dom.js";

/** The id of a schema's section. Names of calls have no such beginning. */
export function schemaId(name) {
  return `schema-${name}`;
}

/** The nodes of a type, such as "list of Object" or "text, null". */
export function typeNodes(schema) {
  if (schema === null || schema === undefined || schema === true) return ["any value"];
  const name = schemaName(schema);
  if (name !== null) return [el("a", { href: `#${schemaId(name)}` }, name)];
  const parts = schema.oneOf ?? schema.anyOf;
  if (parts) return joined(parts.map(typeNodes), " or ");
  if (schema.allOf) return joined(schema.allOf.map(typeNodes), " with ");
  if (schema.const !== undefined) return [code(schema.const)];
  if (schema.enum) return joined(schema.enum.map((value) => [code(value)]), ", ");
  return joined([schema.type ?? "any value"].flat().map((type) => namedType(type, schema)), " or ");
}

function namedType(type, schema) {
  if (type === "array") return schema.items ? ["list of ", ...typeNodes(schema.items)] : ["list"];
  if (type === "object" && isSchema(schema.additionalProperties)) return ["object of ", ...typeNodes(schema.additionalProperties)];
  return [schema.format ? `${type} (${schema.format})` : type];
}

const isSchema = (value) => typeof value === "object" && value !== null;
const code = (value) => el("code", {}, JSON.stringify(value));

function joined(lists, between) {
  return lists.flatMap((nodes, at) => (at === 0 ? nodes : [between, ...nodes]));
}

/** The members of an object: [{name, schema, isRequired, text}]. The members of an object inside have its name in front. */
export function membersOf(description, node, depthMax = 3, prefix = "") {
  const schema = resolved(description, node);
  const inside = schema.type === "array" || schema.items ? (schema.items ?? {}) : null;
  if (inside) return schemaName(inside) === null ? membersOf(description, inside, depthMax, `${prefix}[].`) : [];
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolved(description, part))];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, member]) => {
      const isNested = schemaName(member) === null && depthMax > 1;
      const row = { name: `${prefix}${name}`, schema: member, isRequired: (part.required ?? []).includes(name), text: resolved(description, member).description ?? "" };
      return [row, ...(isNested ? membersOf(description, member, depthMax - 1, `${prefix}${name}.`.replace(".[]", "[]")) : [])];
    }),
  );
}
