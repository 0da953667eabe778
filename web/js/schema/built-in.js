// The classes and fields that Parse defines. They cannot be dropped.

import { commonFields } from "../field-types.js";
import { ownValue } from "../records.js";
import { t } from "../texts.js";

const fields = {
  _User: ["username", "password", "email", "emailVerified", "authData"],
  _Role: ["name", "users", "roles"],
  _Session: ["user", "installationId", "sessionToken", "expiresAt", "createdWith", "restricted"],
  _Installation: [
    "installationId", "deviceToken", "channels", "deviceType", "pushType", "GCMSenderId", "timeZone", "localeIdentifier",
    "parseVersion", "appName", "appVersion", "appIdentifier", "badge",
  ],
};

export function isBuiltIn(className, field) {
  return commonFields.includes(field) || (ownValue(fields, className) ?? []).includes(field);
}

/** Whether a text can be the name of a class in Parse. */
export function isClassName(text) {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** The types of fields with their names in words. */
export const typeNames = {
  String: t("Text"),
  Number: t("Number"),
  Boolean: t("Yes or no"),
  Date: t("Date and time"),
  Array: t("List"),
  Object: t("Object"),
  Pointer: t("Pointer"),
  Relation: t("Relation"),
  File: t("File"),
  GeoPoint: t("Place"),
  Polygon: t("Polygon"),
  Bytes: t("Bytes"),
};
