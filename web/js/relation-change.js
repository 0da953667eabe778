// The operation that changes the members of a relation.

/**
 * @param added the pointers to add
 * @param removed the pointers to remove
 * @returns the operation; undefined without a change
 */
export function relationChange(added, removed) {
  const operations = [
    ...(added.length > 0 ? [{ __op: "AddRelation", objects: added }] : []),
    ...(removed.length > 0 ? [{ __op: "RemoveRelation", objects: removed }] : []),
  ];
  return operations.length > 1 ? { __op: "Batch", ops: operations } : operations[0];
}
