// The numbers beside each class in the sidebar.

/**
 * @returns a map from class name to {objects, waiting, decisions}: the number of objects on this device, of changes that wait to
 *   be sent, and of open decisions
 */
export function classCounts({ status, pending, rejections, conflicts, removals }) {
  const counts = new Map();
  const entry = (className) => {
    if (!counts.has(className)) counts.set(className, { waiting: 0, decisions: 0 });
    return counts.get(className);
  };
  for (const { className } of pending) entry(className).waiting += 1;
  // The number of waiting changes comes from the status where it has one, as in the status line. The lists are read later.
  for (const { name, objects, pending: waiting } of status?.classes ?? []) Object.assign(entry(name), { objects, ...(waiting !== undefined && { waiting }) });
  for (const { className } of [...rejections, ...conflicts, ...removals]) entry(className).decisions += 1;
  return counts;
}
