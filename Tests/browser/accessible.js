// Returns a list of the page's accessibility problems that axe does not find: names, structure, sizes and contrast.
() => {
  const problems = [];
  const say = (node, words) => problems.push(`${words}: ${where(node)}`);
  const where = (node) => node.outerHTML.replace(/\s+/g, " ").slice(0, 140);
  const scope = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const all = (selector) => [...scope.querySelectorAll(selector)].filter(isSeen);

  function isSeen(node) {
    return node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && node.getClientRects().length > 0;
  }

  // Names.

  function textOf(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") return "";
    if (node.hasAttribute("aria-label")) return node.getAttribute("aria-label");
    if (node.localName === "img") return node.alt;
    return [...node.childNodes].map(textOf).join(" ");
  }

  function nameOf(node) {
    const labelledBy = node.getAttribute("aria-labelledby");
    if (labelledBy) return labelledBy.split(" ").map((id) => textOf(document.getElementById(id) ?? new Text())).join(" ").trim();
    if (node.getAttribute("aria-label")) return node.getAttribute("aria-label").trim();
    return textOf(node).trim();
  }

  for (const node of all("[role=region], [role=group], dialog, nav, [tabindex='0']")) if (nameOf(node) === "") say(node, "has no name");
  const names = new Map();
  for (const node of all("button")) {
    const name = nameOf(node);
    if (names.has(name)) say(node, `a second button is called “${name}”`);
    names.set(name, node);
  }
  for (const node of all("svg")) {
    if (node.getAttribute("aria-hidden") !== "true" && node.getAttribute("role") !== "img") say(node, "is neither decoration nor an image");
  }
  for (const node of all("table")) if (!node.getAttribute("aria-label") && !node.caption) say(node, "has no name");
  for (const node of all("th")) if (!node.hasAttribute("scope")) say(node, "has no scope");
  for (const node of all("fieldset")) if (!node.querySelector("legend")) say(node, "has no legend");

  // Structure.

  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) problems.push(`two elements have the id ${id}`);
  for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "for", "list"]) {
    for (const node of document.querySelectorAll(`[${attribute}]`)) {
      const missing = node.getAttribute(attribute).split(" ").filter((id) => !document.getElementById(id));
      if (missing.length > 0) say(node, `${attribute} names ${missing}, which is not there`);
    }
  }
  if (!document.querySelector("[role=status][aria-live]")) problems.push("there is no live region");

  // Sizes.

  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) problems.push(`the page is ${document.documentElement.scrollWidth - width} px wider than its window`);
  for (const node of all("button, select, input:not([type=radio]), summary")) {
    const { width, height } = node.getBoundingClientRect();
    const isInText = node.matches(".text-button");
    if (!isInText && (width < 24 || height < 24)) say(node, `is only ${Math.round(width)} × ${Math.round(height)} px`);
  }
  for (const node of all("button, select, input:not(.visually-hidden *, .visually-hidden), summary")) if (isCut(node)) say(node, "is cut");

  /** Whether the window, or a box without a scroll bar, hides a part of a control's width. */
  function isCut(node) {
    const { left, right } = node.getBoundingClientRect();
    for (let at = node.parentElement; at; at = at.parentElement) {
      const { overflowX } = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      if (overflowX === "auto" || overflowX === "scroll") return false;
      if (overflowX !== "visible" && (left < box.left - 1 || right > box.right + 1)) return true;
    }
    return left < -1 || right > width + 1;
  }

  // Contrast.

  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  function rgba(color) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  }
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];

  function behind(node) {
    const layers = [];
    for (let at = node; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reverse().reduce((below, above) => over(above, below), [255, 255, 255, 1]);
  }

  function brightness([r, g, b]) {
    const [R, G, B] = [r, g, b].map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * R + 0.7152 * G + 0.0722 * B;
  }

  function contrast(one, other) {
    const [low, high] = [brightness(one), brightness(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  const judged = new Set();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const node = text.parentElement;
    if (text.data.trim() === "" || judged.has(node) || !isSeen(node) || node.closest(".visually-hidden, :disabled, script, style, option")) continue;
    judged.add(node);
    const { color, fontSize, fontWeight } = getComputedStyle(node);
    const size = parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    const ground = behind(node);
    const found = contrast(over(rgba(color), ground), ground);
    if (found < least) say(node, `contrast ${found.toFixed(2)} instead of ${least}`);
  }
  for (const node of all(".input:not(:disabled), .switch-track, .choice")) {
    const ground = behind(node.parentElement);
    const found = contrast(over(rgba(getComputedStyle(node).borderTopColor), ground), ground);
    if (found < 2.5) say(node, `border's contrast ${found.toFixed(2)}`);
  }
  return problems;
}
