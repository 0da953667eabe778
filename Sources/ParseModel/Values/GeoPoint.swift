import Foundation

/// A place on earth: `{"__type":"GeoPoint","latitude":…,"longitude":…}`.
package struct GeoPoint: Sendable, Hashable {
    /// In degrees, -90…90.
    package let latitude: Double
    /// In degrees, -180…180.
    package let longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Nil where the value is anything else.
    package init?(_ value: JSONValue) {
        guard let object = value.object, object["__type"] == "GeoPoint", let latitude = object["latitude"]?.number,
            let longitude = object["longitude"]?.number
        else { return nil }
        self.init(latitude: latitude.double, longitude: longitude.double)
    }

    package var json: JSONValue {
        [
            "__type": "GeoPoint", "latitude": .number(JSONNumber(latitude)),
            "longitude": .number(JSONNumber(longitude)),
        ]
    }

    /// How far it is along the earth's surface, in radians (the haversine formula, as `Parse.GeoPoint` has it).
    package func radians(to other: GeoPoint) -> Double {
        let degree = Double.pi / 180
        let latitudes = sin((other.latitude - latitude) * degree / 2)
        let longitudes = sin((other.longitude - longitude) * degree / 2)
        let square =
            latitudes * latitudes + cos(latitude * degree) * cos(other.latitude * degree) * longitudes * longitudes
        return 2 * asin(min(1, square.squareRoot()))
    }

    /// By which Parse Server turns distances into radians.
    package static let earthRadiusMiles = 3959.0
    package static let earthRadiusKilometers = 6371.0
}
