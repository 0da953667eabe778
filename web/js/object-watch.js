// Watches an object while its form is open: compares the object's tag (`_sync.tag`) and id each time the list of its class is
// read.

/**
 * @param object the object in the form, with its tag
 * @param onChange called with each newer version of the object, and when the remote has given a new object its id
 * @returns a function that stops watching
 */
export function watchObject({ api, state }, className, object, onChange) {
  let tag = object._sync?.tag;
  let id = object.objectId;
  let seen = null;
  let isOver = false;

  async function check(list) {
    const listed = list.objects.find(({ objectId }) => objectId === object.objectId);
    // The list lacks an object that is on another page of the table, has a new id, or was deleted. If the object was deleted,
    // the form shows this only when the user saves.
    const present = listed ?? (await api.read(className, object.objectId).catch(() => null));
    const now = present?._sync?.tag;
    if (isOver || now === undefined || (now === tag && present.objectId === id)) return;
    tag = now;
    id = present.objectId;
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
