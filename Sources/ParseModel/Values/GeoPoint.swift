import Foundation

/// A point on Earth: `{"__type":"GeoPoint","latitude":…,"longitude":…}`.
package struct GeoPoint: Sendable, Hashable {
    /// The latitude in degrees, -90…90.
    package let latitude: Double
    /// The longitude in degrees, -180…180.
    package let longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads a GeoPoint; nil for every other value.
    package init?(_ value: JSONValue) {
        guard let object = value.object, object["__type"] == "GeoPoint", let latitude = object["latitude"]?.number,
            let longitude = object["longitude"]?.number
        else { return nil }
        self.init(latitude: latitude.double, longitude: longitude.double)
    }

    /// The point in Parse's JSON format.
    package var json: JSONValue {
        [
            "__type": "GeoPoint", "latitude": .number(JSONNumber(latitude)),
            "longitude": .number(JSONNumber(longitude)),
        ]
    }

    /// The distance along the Earth's surface in radians (haversine formula, as in `Parse.GeoPoint`).
    package func radians(to other: GeoPoint) -> Double {
        let degree = Double.pi / 180
        let latitudes = sin((other.latitude - latitude) * degree / 2)
        let longitudes = sin((other.longitude - longitude) * degree / 2)
        let square =
            latitudes * latitudes + cos(latitude * degree) * cos(other.latitude * degree) * longitudes * longitudes
        return 2 * asin(min(1, square.squareRoot()))
    }

    /// The radius of the Earth that Parse Server uses to convert miles and kilometres into radians.
    package static let earthRadiusMiles = 3959.0
    package static let earthRadiusKilometers = 6371.0
}
