// A time with milliseconds, for a log.

/** The time of an ISO text in UTC, such as "2031-12-05 10:00:00.000". */
export function exactTime(iso) {
  return iso.replace("T", " ").replace("Z", "");
}
