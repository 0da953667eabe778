// The rights of the page's user on a class, as the gateway tells them in the sync status.

/**
 * Whether the gateway says that the user may make a write on no object of a class. It says nothing about classes that the user may not
 * list.
 *
 * @param write "create", "update", "delete" or "addField"
 */
export function isDeniedInClass({ status }, className, write) {
  return status?.classes?.find(({ name }) => name === className)?.denied?.includes(write) === true;
}
