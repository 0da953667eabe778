// The classes and fields that Parse defines. They cannot be dropped.

import { commonFields } from "../field-types.js";
import { ownValue } from "../records.js";

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
  String: "Text",
  Number: "Number",
  Boolean: "Yes or no",
  Date: "Date and time",
  Array: "List",
  Object: "Object",
  Pointer: "Pointer",
  Relation: "Relation",
  File: "File",
  GeoPoint: "Place",
  Polygon: "Polygon",
  Bytes: "Bytes",
};
