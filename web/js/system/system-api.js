// The gateway's routes about itself, for its owner: settings, log, requests, checks and metrics.

/** @param call `(method, path, body, options)`: sends a request, and resolves to its JSON answer */
export function createSystemApi(call) {
  const read = (path, options = {}) => call("GET", path, undefined, { operates: true, isQuiet: true, ...options });
  return {
    /** The settings: [{name, value, source, group, about, secret}]. The value of a secret setting is null. */
    settings: async () => (await read("system/settings")).settings,
    /** The lines of the log after a number: {lines: [{number, at, level, message}], last}. */
    log: (after) => read(`system/log?after=${after}`),
    /** The last requests: [{number, at, method, path, status, milliseconds, principal}]. */
    requests: async () => (await read("system/requests")).requests,
    /** The indexes that the gateway has made for its queries: [{className, fields, uses, lastUsedAt}]. */
    indexes: async () => (await read("system/indexes")).indexes,
    /** The findings of `tidegate doctor`. `withFile` also checks the file for damage, which reads all of it. */
    checks: (withFile) => read(`system/checks${withFile ? "?file=true" : ""}`),
    /** The metrics, in the text format of Prometheus. */
    metrics: () => read("metrics", { isText: true }),
  };
}
