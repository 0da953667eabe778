// Reads the objects of an almanac from the gateway: some before today, and those from today on, in the order of a date field.
// Objects without a date come last.

import { dateValue } from "./dates.js";
import { allOf } from "./filters/filter.js";
import { fullOrder, reversedOrder } from "./grid/keyset.js";

/** The number of objects that an almanac shows at first, and by which it grows. */
export const spanStep = 100;
/** The number of objects before today that a new almanac shows at least. */
const earlierAtFirst = 3;
/** The maximum number of objects in an answer of the gateway. */
const pageMax = 1000;
const firstSpan = { earlier: earlierAtFirst, later: spanStep - earlierAtFirst };

export function createAlmanacReader(api) {
  /** Reads the first `count` objects of a query, page by page. */
  async function readFirst(className, query, count) {
    const objects = [];
    while (objects.length < count) {
      const limit = Math.min(pageMax, count - objects.length);
      const page = await api.find(className, { ...query, skip: objects.length, limit });
      objects.push(...page);
      if (page.length < limit) break;
    }
    return objects;
  }

  /**
   * Reads the objects around a day: {objects, total, span, hidden}. `hidden` has the numbers of the objects that are not read:
   * {earlier, later}.
   *
   * @param order the date field, and the field that sorts objects of the same date
   * @param day the day from which objects count as later ones
   * @param span the numbers of earlier and later objects to read: {earlier, later}. If there are fewer than `spanStep` later
   *   objects, more earlier ones are read.
   */
  return async function readSpan(className, { where, order, day, span = firstSpan, signal }) {
    const start = dateValue(day.iso);
    const [field] = order.split(",");
    const part = (condition, by) => ({ where: allOf({ [field]: condition }, where), order: by, signal });
    const past = part({ $lt: start }, reversedOrder(order));
    const ahead = part({ $gte: start }, fullOrder(order));
    const undated = part(null, fullOrder(order));
    const counts = await Promise.all([past, ahead, undated].map((each) => api.count(className, each.where)));
    const [before, dated, withoutDate] = counts;
    const later = Math.min(span.later, dated + withoutDate);
    const earlier = Math.min(before, Math.max(span.earlier, spanStep - later));
    const [pastObjects, aheadObjects, undatedObjects] = await Promise.all([
      readFirst(className, past, earlier),
      readFirst(className, ahead, Math.min(later, dated)),
      readFirst(className, undated, Math.max(0, later - dated)),
    ]);
    return {
      objects: [...pastObjects.reverse(), ...aheadObjects, ...undatedObjects],
      total: before + dated + withoutDate,
      span: { earlier, later: Math.max(later, span.later) },
      hidden: { earlier: before - earlier, later: dated + withoutDate - later },
    };
  };
}
