// Watches an object while its form is open: compares the object's tag (`_sync.tag`) and id each time the list of its class is
// read.

/**
 * @param object the object in the form, with its tag
 * @param onChange called with each newer version of the object, and when the remote has given a new object its id
 * @param onGone called once when the object was deleted, or may no longer be read
 * @returns a function that stops watching
 */
export function watchObject({ api, state }, className, object, onChange, onGone) {
  let tag = object._sync?.tag;
  let id = object.objectId;
  let seen = null;
  let isOver = false;
  let isGone = false;

  async function check(list) {
    // The row of a deleted object may still be shown.
    const isListed = ({ objectId }) => objectId === object.objectId && !list.gone?.has(objectId);
    const listed = list.objects.find(isListed);
    // The list lacks an object that is on another page of the table, has a new id, or was deleted.
    const present = listed ?? (await api.read(className, object.objectId).catch(missing));
    const now = present?._sync?.tag;
    if (isOver || now === undefined || (now === tag && present.objectId === id)) return;
    tag = now;
    id = present.objectId;
    onChange(present);
  }

  /** The object after a failed read: null, as after a read without an answer. */
  function missing(error) {
    if (error.isGone && !isOver && !isGone) {
      isGone = true;
      onGone();
    }
    return null;
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
