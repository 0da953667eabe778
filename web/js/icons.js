// Line icons on a grid of 20 × 20. Screen readers ignore the icons, because a text or label beside each icon gives its meaning.

const shapes = {
  refresh: [
    "M16.2 8.3A6.5 6.5 0 0 0 4.6 6.2L3 7.8",
    "M3 3.8v4h4",
    "M3.8 11.7a6.5 6.5 0 0 0 11.6 2.1l1.6-1.6",
    "M17 16.2v-4h-4",
  ],
  menu: ["M3.5 5.5h13", "M3.5 10h13", "M3.5 14.5h13"],
  plus: ["M10 4v12", "M4 10h12"],
  pencil: ["M12.6 4.2l3.2 3.2L7 16.2l-4 .8.8-4z", "M11 5.8L14.2 9"],
  eye: ["M2.5 10s2.7-5 7.5-5 7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5z", "M10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z"],
  trash: ["M4 5.6h12", "M8 5.4V3.6h4v1.8", "M5.4 5.8l.7 10.6h7.8l.7-10.6", "M8.4 8.8v4.6", "M11.6 8.8v4.6"],
  close: ["M5 5l10 10", "M15 5L5 15"],
  search: ["M8.8 14.1a5.3 5.3 0 1 0 0-10.6 5.3 5.3 0 0 0 0 10.6z", "M12.7 12.7L17 17"],
  outside: ["M8 4.5H4.5v11h11V12", "M11.5 3.5h5v5", "M16 4l-6.5 6.5"],
  chevron: ["M5 7.8l5 5 5-5"],
  check: ["M4.2 10.6l3.8 3.8 7.8-8.6"],
  pending: ["M10 16.8a6.8 6.8 0 1 0 0-13.6 6.8 6.8 0 0 0 0 13.6z", "M10 6.3V10l2.6 1.8"],
  rejected: ["M10 16.8a6.8 6.8 0 1 0 0-13.6 6.8 6.8 0 0 0 0 13.6z", "M5.3 5.3l9.4 9.4"],
  conflict: ["M3.5 6.5h9", "M10 3.8l2.8 2.7L10 9.2", "M16.5 13.5h-9", "M10 10.8l-2.8 2.7 2.8 2.7"],
  alert: ["M10 3.2l7.2 13H2.8z", "M10 8.2v3.6", "M10 13.9v.2"],
  waves: [
    "M2.5 7.6c1.9-2 3.7-2 5.6 0s3.7 2 5.6 0c1.3-1.4 2.5-1.8 3.8-1.2",
    "M2.5 13c1.9-2 3.7-2 5.6 0s3.7 2 5.6 0c1.3-1.4 2.5-1.8 3.8-1.2",
  ],
  anchor: [
    "M10 7.2a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8z",
    "M10 7.2v9.4",
    "M3.8 11.2c.4 3.4 2.9 5.4 6.2 5.4s5.8-2 6.2-5.4",
    "M7.4 9.6h5.2",
  ],
  copy: ["M7.5 6.5h8.8v10.3H7.5z", "M12.5 6.3V3.2H3.7v10.3h3.6"],
  picture: ["M3.2 4.2h13.6v11.6H3.2z", "M3.6 13.6l3.8-3.8 3 3 2-2 4 4", "M12.6 8.2a1 1 0 1 0 0-2 1 1 0 0 0 0 2z"],
  sortUp: ["M10 15V5.4", "M6.4 9L10 5.4 13.6 9"],
  sortDown: ["M10 5v9.6", "M6.4 11l3.6 3.6 3.6-3.6"],
  undo: ["M4 8.2h8.2a3.9 3.9 0 1 1 0 7.8H8.4", "M7 5L3.8 8.2 7 11.4"],
  unplugged: ["M2.5 10.6c1.9-2 3.7-2 5.6 0s3.7 2 5.6 0c1.3-1.4 2.5-1.8 3.8-1.2", "M5 16L15 4"],
};

/** Builds the SVG element of an icon. */
export function icon(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  for (const shape of shapes[name]) {
    const path = document.createElementNS(namespace, "path");
    path.setAttribute("d", shape);
    svg.append(path);
  }
  return svg;
}
