// The operators on places (GeoPoint) and areas (Polygon).

import { hasOnly, keyed, operator } from "./operator-forms.js";
import { t } from "../texts.js";

/** The radius of the earth by which Parse turns distances into angles. */
const earthKm = 6371;

const isPlace = (value) => value?.__type === "GeoPoint" && typeof value.latitude === "number" && typeof value.longitude === "number";
const isDistance = (value) => typeof value === "number" && value >= 0;
/** A distance without the digits that a division has added. */
const rounded = (km) => Number(km.toPrecision(12));

const near = operator(
  "near",
  t("is near"),
  "circle",
  ({ center, km }) => ({ $nearSphere: center, $maxDistanceInKilometers: km }),
  (condition) => {
    if (!hasOnly(condition, "$nearSphere", "$maxDistanceInKilometers")) return undefined;
    const { $nearSphere: center, $maxDistanceInKilometers: km } = condition;
    return isPlace(center) && isDistance(km) ? { center, km } : undefined;
  },
);

const inCircle = operator(
  "circle",
  t("is in the circle"),
  "circle",
  ({ center, km }) => ({ $geoWithin: { $centerSphere: [center, km / earthKm] } }),
  (condition) => {
    const circle = hasOnly(condition, "$geoWithin") && hasOnly(condition.$geoWithin, "$centerSphere") ? condition.$geoWithin.$centerSphere : [];
    const [center, radius] = Array.isArray(circle) && circle.length === 2 ? circle : [];
    return isPlace(center) && isDistance(radius) ? { center, km: rounded(radius * earthKm) } : undefined;
  },
);

const inBox = operator(
  "box",
  t("is in the box"),
  "box",
  ({ one, other }) => ({ $within: { $box: [one, other] } }),
  (condition) => {
    const box = hasOnly(condition, "$within") && hasOnly(condition.$within, "$box") ? condition.$within.$box : null;
    return Array.isArray(box) && box.length === 2 && box.every(isPlace) ? { one: box[0], other: box[1] } : undefined;
  },
);

const inPolygon = operator(
  "polygon",
  t("is in the polygon"),
  "polygon",
  (corners) => ({ $geoWithin: { $polygon: corners } }),
  (condition) => {
    const corners = hasOnly(condition, "$geoWithin") && hasOnly(condition.$geoWithin, "$polygon") ? condition.$geoWithin.$polygon : null;
    return Array.isArray(corners) && corners.length >= 3 && corners.every(isPlace) ? corners : undefined;
  },
);

export const placeOperators = [near, inCircle, inBox, inPolygon, keyed("nearest", t("nearest first from"), "place", "$nearSphere", isPlace)];

export const areaOperators = [
  operator(
    "surrounds",
    t("surrounds the place"),
    "place",
    (place) => ({ $geoIntersects: { $point: place } }),
    (condition) => {
      const place = hasOnly(condition, "$geoIntersects") && hasOnly(condition.$geoIntersects, "$point") ? condition.$geoIntersects.$point : null;
      return isPlace(place) ? place : undefined;
    },
  ),
];
