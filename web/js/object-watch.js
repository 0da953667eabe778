// Follows one object while something of it is shown in a form.

/**
 * @param object as it was read, with its tag
 * @param onChange gets the object whenever its fields have changed
 * @returns a function that ends it
 */
export function watchObject({ api, state }, className, object, onChange) {
  let tag = object._sync?.tag;
  let seen = null;
  let isOver = false;

  async function look(list) {
    const listed = list.objects.find(({ objectId }) => objectId === object.objectId);
    // It may be on another page by now, or have got another id. Of one that is gone, saving tells.
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
    look(list);
  });
  return () => {
    isOver = true;
    stop();
  };
}
