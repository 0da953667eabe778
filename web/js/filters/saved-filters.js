// The named filters of each class, stored in the browser for each user of the page.

import { isObject } from "./operator-forms.js";
import { ownValue, record } from "../records.js";
import { t } from "../texts.js";

const storageName = "tidegate.filters";
/** The maximum number of filters that are stored for a class of a user. */
export const savedMax = 50;

/** @param user returns the id of the user of the page; an empty text without a user */
export function createSavedFilters(user, storage = window.localStorage) {
  function read() {
    try {
      return record(JSON.parse(storage.getItem(storageName)));
    } catch {
      return record();
    }
  }

  const keyOf = (className) => JSON.stringify([user(), className]);

  function write(className, list) {
    const all = read();
    if (list.length > 0) all[keyOf(className)] = list;
    else delete all[keyOf(className)];
    storage.setItem(storageName, JSON.stringify(all));
  }

  /** The filters of a class as [{name, where}], sorted by name. */
  function of(className) {
    const list = ownValue(read(), keyOf(className));
    const valid = Array.isArray(list) ? list.filter((one) => typeof one?.name === "string" && isObject(one.where)) : [];
    return valid.sort((one, other) => one.name.localeCompare(other.name));
  }

  const others = (className, name) => of(className).filter((one) => one.name !== name);

  return {
    of,
    /** Stores a filter. A filter of the class with the same name is replaced. */
    save(className, name, where) {
      const list = others(className, name);
      if (list.length >= savedMax) throw new Error(t("At most {savedMax} filters can be saved for a class. Delete one first.", { savedMax }));
      try {
        write(className, [...list, { name, where }]);
      } catch {
        throw new Error(t("The browser does not store the filter, because its storage is full or switched off."));
      }
    },
    remove: (className, name) => write(className, others(className, name)),
  };
}
