// The object or the conflict that the page's address names while its form is open.

/**
 * Opens a form, and names its subject in the page's address until the form closes.
 *
 * @param subject {className, objectId} or {className, conflict}
 * @param open opens the form, and returns its frame
 */
export function openAt(state, { className, objectId = null, conflict = null }, open) {
  const opened = { className, objectId, conflict };
  state.update({ opened });
  // Another form may have opened in place of this form, for example the form of the same object as JSON.
  open().onClose(() => state.values.opened === opened && state.update({ opened: null }));
}
