// Hides session tokens and keys in what the console shows.

const secretMembers = "sessionToken|_SessionToken|_MasterKey|_MaintenanceKey|_session_token|_hashed_password|masterKey|proof|access_token|id_token";
const inJSON = new RegExp(String.raw`("(?:${secretMembers})"\s*:\s*")(?:[^"\\]|\\.)*(")`, "g");
const token = /\br:[0-9a-f]{16,}\b/gi;
const secretHeader = /^(set-cookie|authorization|cookie|x-parse-(session-token|.*key)|x-tidegate-(access-key|owner))$/i;

export const mask = "••••";

/** A text without the session tokens and keys in it. */
export function masked(text) {
  return text.replace(inJSON, `$1${mask}$2`).replace(token, `r:${mask}`);
}

/** The value of a header, or a mask if the header holds a secret. */
export function maskedHeader(name, value) {
  return secretHeader.test(name) ? mask : masked(value);
}
