// Sizes of files as text.

/** A size as text, such as "4.2 KB" or "1.3 MB". */
export function formatBytes(bytes) {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const [amount, unit] = bytes < 1e6 ? [bytes / 1000, "KB"] : [bytes / 1e6, "MB"];
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
}
