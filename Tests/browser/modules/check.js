// Tests of the page's modules: each file declares its tests, and test_modules.py runs them in the browser.

import { isEqual } from "../../../web/js/values.js";

const tests = [];

/** Declares a test; it fails when its body throws. */
export function test(name, body) {
  tests.push({ name, body });
}

export function equal(found, expected) {
  if (isEqual(found, expected)) return;
  throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

/** Runs the declared tests: {count, failures: [text]}. */
export async function run() {
  const failures = [];
  for (const { name, body } of tests) {
    try {
      await body();
    } catch (error) {
      failures.push(`${name}: ${error.message}`);
    }
  }
  return { count: tests.length, failures };
}
