/// An area on the Earth's surface, including its edge.
package enum GeoArea: Sendable, Hashable {
    /// An area between two parallels and two meridians. It does not cross the 180° meridian.
    case box(southwest: GeoPoint, northeast: GeoPoint)
    /// A polygon with straight edges in latitude and longitude coordinates.
    case polygon([GeoPoint])
    case circle(GeoPoint, radiusRadians: Double)

    /// True if the point is inside the area or on its edge.
    package func contains(_ point: GeoPoint) -> Bool {
        switch self {
        case .box(let southwest, let northeast):
            return point.latitude >= southwest.latitude && point.latitude <= northeast.latitude
                && point.longitude >= southwest.longitude && point.longitude <= northeast.longitude
        case .circle(let center, let radius): return center.radians(to: point) <= radius
        case .polygon(let corners): return Self.polygon(corners, contains: point)
        }
    }

    /// Whether a point is inside a polygon or on its edge. A point is inside if a ray from the point to the east crosses an odd
    /// number of edges.
    private static func polygon(_ corners: [GeoPoint], contains point: GeoPoint) -> Bool {
        guard var from = corners.last else { return false }
        var isInside = false
        for to in corners {
            let cross =
                (to.longitude - from.longitude) * (point.latitude - from.latitude)
                - (to.latitude - from.latitude) * (point.longitude - from.longitude)
            if cross == 0,
                min(from.latitude, to.latitude) <= point.latitude, point.latitude <= max(from.latitude, to.latitude),
                min(from.longitude, to.longitude) <= point.longitude,
                point.longitude <= max(from.longitude, to.longitude)
            {
                return true
            }
            if (from.latitude > point.latitude) != (to.latitude > point.latitude),
                (cross > 0) == (to.latitude > from.latitude)
            {
                isInside.toggle()
            }
            from = to
        }
        return isInside
    }
}

extension GeoArea {
    /// Reads the area of a Polygon value, whose `coordinates` are pairs of latitude and longitude.
    /// - Returns: nil for every other value, and for malformed coordinates.
    package init?(polygon value: JSONValue) {
        guard let object = value.object, object["__type"] == "Polygon",
            let area = object["coordinates"].flatMap(GeoArea.init(coordinates:))
        else { return nil }
        self = area
    }

    /// Reads a polygon.
    /// - Parameter coordinates: an array of pairs of latitude and longitude. A value that is not an array gives a polygon without
    ///   corners.
    /// - Returns: nil if an element of the array is not a pair of numbers.
    package init?(coordinates: JSONValue) {
        var corners: [GeoPoint] = []
        for pair in coordinates.array ?? [] {
            guard let pair = pair.array, pair.count == 2, let latitude = pair[0].number, let longitude = pair[1].number
            else { return nil }
            corners.append(GeoPoint(latitude: latitude.double, longitude: longitude.double))
        }
        self = .polygon(corners)
    }

    /// The corners of a polygon as pairs of latitude and longitude; nil for boxes and circles.
    package var coordinates: JSONValue? {
        guard case .polygon(let corners) = self else { return nil }
        return .array(
            corners.map { [.number(JSONNumber($0.latitude)), .number(JSONNumber($0.longitude))] })
    }
}
