// The light markup of descriptions as nodes: paragraphs, lists, `code`, **strong** and links. Anything else stays text.

import { el } from "../dom.js";

/** The nodes of a text with several paragraphs. */
export function blocks(text) {
  return text.split(/\n\s*\n/).filter((block) => block.trim() !== "").map(blockNode);
}

function blockNode(block) {
  const lines = block.split("\n").map((line) => line.trimEnd());
  if (!/^\s*- /.test(lines[0])) return el("p", { dir: "auto" }, inline(lines.join("\n")));
  const items = [];
  for (const line of lines) {
    if (/^\s*- /.test(line)) items.push(line.replace(/^\s*- /, ""));
    else items[items.length - 1] += `\n${line.trim()}`;
  }
  return el("ul", {}, items.map((item) => el("li", { dir: "auto" }, inline(item))));
}

/** The nodes of one paragraph. A link leads to the gateway itself, or is shown as text. */
export function inline(text) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)\s]+\))/g);
  return parts.filter((part) => part !== "").map(partNode);
}

function partNode(part) {
  if (/^`.+`$/s.test(part)) return el("code", { dir: "auto" }, part.slice(1, -1));
  if (/^\*\*.+\*\*$/s.test(part)) return el("strong", {}, part.slice(2, -2));
  if (/^\*[^*\s].*\*$/s.test(part)) return el("em", {}, part.slice(1, -1));
  const [, words, address] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part) ?? [];
  if (words === undefined) return part;
  return address.startsWith("#") ? el("a", { href: address }, words) : words;
}
