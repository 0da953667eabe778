// The operators on pointers and relations, and the condition that an object is a member of another object's relation.

import { equality, isObject, keyed, listOf, operator } from "./operator-forms.js";
import { t } from "../texts.js";

const isPointer = (value) => value?.__type === "Pointer" && typeof value.objectId === "string" && typeof value.className === "string";

/** Whether a value is the query inside of `$inQuery`, without further parameters such as a limit. */
function isQuery(value) {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length === 2 && typeof value.className === "string" && isObject(value.where);
}

export const pointerOperators = [
  equality(t("is"), "object", isPointer),
  keyed("notEqual", t("is not"), "object", "$ne", isPointer),
  keyed("in", t("is one of"), "objects", "$in", listOf(isPointer)),
  keyed("notIn", t("is none of"), "objects", "$nin", listOf(isPointer)),
  keyed("inQuery", t("points to an object with"), "query", "$inQuery", isQuery),
  keyed("notInQuery", t("does not point to an object with"), "query", "$notInQuery", isQuery),
];

export const relationOperators = [
  equality(t("has the member"), "object", isPointer),
  keyed("inQuery", t("has a member with"), "query", "$inQuery", isQuery),
];

/** The name that stands in a condition for the relations of other objects. It is also the key of the condition in a `where`. */
export const relatedTo = "$relatedTo";

export const relatedOperators = [
  operator(
    "member",
    t("member of"),
    "related",
    ({ object, key }) => ({ object, key }),
    (condition) => {
      const isRelated = isObject(condition) && Object.keys(condition).length === 2 && isPointer(condition.object);
      return isRelated && typeof condition.key === "string" ? { object: condition.object, key: condition.key } : undefined;
    },
  ),
];
