// The storage of the access key. The browser deletes the key when the tab is closed.

export function createAccessKey(storage = window.sessionStorage) {
  const name = "tidegate.accessKey";
  return {
    get: () => storage.getItem(name),
    set: (key) => storage.setItem(name, key),
    forget: () => storage.removeItem(name),
  };
}
