// The direction of the page's texts. It decides which side of the page comes first.

/** 1 if texts run from left to right, -1 if they run from right to left. */
export function sideways() {
  return document.documentElement.dir === "rtl" ? -1 : 1;
}

/** The key of an event, with ArrowLeft for the arrow towards the start of a line, and ArrowRight for the one towards its end. */
export function inlineKey({ key }) {
  if (sideways() === 1) return key;
  return { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" }[key] ?? key;
}
