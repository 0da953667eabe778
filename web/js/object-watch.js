// Watches an object while its form is open.

/**
 * @param object the object in the form, with its tag
 * @param onChange called with the object after each change of its fields
 * @returns a function that stops watching
 */
export function watchObject({ api, state }, className, object, onChange) {
  let tag = object._sync?.tag;
  let seen = null;
  let isOver = false;

  async function check(list) {
    const listed = list.objects.find(({ objectId }) => objectId === object.objectId);
    // If the list lacks the object, the object is read on its own. The object may be on another page of the table, or have a new
    // id. If the object was deleted, the form reports this only when the user saves.
    const present = listed ?? (await api.read(className, object.objectId).catch(() => null));
    const now = present?._sync?.tag;
    if (isOver || now === undefined || now === tag) return;
    tag = now;
    onChange(present);
  }

  const stop = state.show(({ lists }) => {
    const list = lists.get(className);
    if (list?.phase !== "ready" || list === seen) return;
    seen = list;
    check(list);
  });
  return () => {
    isOver = true;
    stop();
  };
}
