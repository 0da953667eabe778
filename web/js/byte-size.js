// Sizes of files as text.

import { counted, numberText } from "./texts.js";

/** A size as text, such as "4.2 KB" or "1.3 MB". */
export function formatBytes(bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  const [amount, unit] = bytes < 1e6 ? [bytes / 1000, "KB"] : [bytes / 1e6, "MB"];
  return `${numberText(amount, amount < 10 ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : { maximumFractionDigits: 0 })} ${unit}`;
}
