// Values with a text of their own form: places, areas, bytes and JSON. A text that is no such value gives an Error.

import { jsonProblem } from "./json-check.js";
import { t } from "../texts.js";

export const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
export const placeText = ({ latitude, longitude }) => `${latitude}, ${longitude}`;

/** The place that a text such as "52.0907, 5.1214" names; an Error for any other text. */
export function placeOf(text) {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
  const [latitude, longitude] = numbers;
  if (numbers.length !== 2 || numbers.some(Number.isNaN)) return new Error(t("Enter two numbers, like 52.0907, 5.1214."));
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  if (!isOnEarth) return new Error(t("Latitude is between -90 and 90, longitude between -180 and 180."));
  return { __type: "GeoPoint", latitude, longitude };
}

/**
 * Parses JSON. Returns undefined for an empty text, an Error for invalid JSON, and `Error(words)` for an unwanted value. The Error for
 * invalid JSON has the place of the mistake in `at`.
 */
export function json(text, isWanted, words) {
  if (text.trim() === "") return undefined;
  const problem = jsonProblem(text);
  if (problem !== null) return Object.assign(new Error(t("Line {line}, column {column}: {words}.", { line: problem.line, column: problem.column, words: problem.words })), { at: problem.at });
  const value = JSON.parse(text);
  return isWanted(value) ? value : new Error(words);
}

/** The corners of an area, one per line. Parse closes an area by its first corner, which the text leaves out. */
export function cornersText({ coordinates }) {
  const isClosed = coordinates.length > 3 && coordinates[0].every((number, at) => number === coordinates.at(-1)[at]);
  return (isClosed ? coordinates.slice(0, -1) : coordinates).map((corner) => corner.join(", ")).join("\n");
}

export function areaOf(text) {
  if (text.trim() === "") return undefined;
  const places = lines(text).map(placeOf);
  const wrong = places.findIndex((place) => place instanceof Error);
  if (wrong >= 0) return new Error(t("Corner {number}: {problem}", { number: wrong + 1, problem: places[wrong].message }));
  const coordinates = places.map(({ latitude, longitude }) => [latitude, longitude]);
  if (new Set(coordinates.map(String)).size < 3) return new Error(t("An area has at least three different corners."));
  return { __type: "Polygon", coordinates };
}

export function bytesOf(text) {
  const base64 = text.replace(/\s+/g, "");
  if (base64 === "") return undefined;
  const isValid = /^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0;
  return isValid ? { __type: "Bytes", base64 } : new Error(t("Enter base64: groups of four of A to Z, a to z, 0 to 9, + and /, with = at the end."));
}
