extension PredicateReader {
    /// Reads a geographic operator and its operand.
    /// - Returns: nil for `$maxDistance` and its variants in other units, because they are a part of the constraint
    ///   `$nearSphere`.
    func place(
        _ key: String, _ value: JSONValue, beside object: JSONObject
    ) throws(ParseError) -> Constraint? {
        switch key {
        case "$nearSphere":
            guard let point = try geoPoint(value) else {
                throw Self.malformed("bad $nearSphere value; should be GeoPoint")
            }
            return .near(point, maxDistanceRadians: try maxDistance(object))
        case "$maxDistance", "$maxDistanceInRadians", "$maxDistanceInMiles", "$maxDistanceInKilometers":
            guard object["$nearSphere"] != nil else {
                throw Self.bad("\(key) needs a $nearSphere in the same object")
            }
            return nil
        case "$within": return .within(try box(value))
        case "$geoWithin": return .within(try area(value))
        case "$geoIntersects":
            guard let value = value.object?["$point"], let point = try geoPoint(value) else {
                throw Self.malformed("bad $geoIntersect value; $point should be GeoPoint")
            }
            return .surrounds(point)
        default: throw ParseError(terms.unknownOperator, "bad constraint: \(key)")
        }
    }

    private func maxDistance(_ object: JSONObject) throws(ParseError) -> Double? {
        var shortest: Double?
        for (key, unit) in [
            ("$maxDistance", 1), ("$maxDistanceInRadians", 1), ("$maxDistanceInMiles", GeoPoint.earthRadiusMiles),
            ("$maxDistanceInKilometers", GeoPoint.earthRadiusKilometers),
        ] {
            guard let value = object[key] else { continue }
            guard let distance = value.number?.double, distance.isFinite, distance >= 0 else {
                throw Self.bad("\(key) needs a number of at least 0")
            }
            shortest = min(distance / unit, shortest ?? .infinity)
        }
        return shortest
    }

    private func box(_ value: JSONValue) throws(ParseError) -> GeoArea {
        guard let corners = value.object?["$box"]?.array, corners.count == 2, value.object?.count == 1,
            let one = try point(corners[0]), let other = try point(corners[1])
        else { throw Self.malformed("malformatted $within arg") }
        // A client may send any two opposite corners, because MongoDB and PostgreSQL sort the coordinates. A box therefore never
        // crosses the 180° meridian.
        return .box(
            southwest: GeoPoint(
                latitude: min(one.latitude, other.latitude), longitude: min(one.longitude, other.longitude)),
            northeast: GeoPoint(
                latitude: max(one.latitude, other.latitude), longitude: max(one.longitude, other.longitude)))
    }

    private func area(_ value: JSONValue) throws(ParseError) -> GeoArea {
        guard let object = value.object, object.count == 1 else { throw Self.malformed("bad $geoWithin value") }
        if let polygon = object["$polygon"] { return .polygon(try corners(polygon)) }
        guard let circle = object["$centerSphere"] else { throw Self.malformed("bad $geoWithin value") }
        guard let circle = circle.array, circle.count >= 2 else {
            throw Self.malformed(
                "bad $geoWithin value; $centerSphere should be an array of Parse.GeoPoint and distance")
        }
        guard let center = try point(circle[0]) else {
            throw Self.malformed("bad $geoWithin value; $centerSphere geo point invalid")
        }
        guard let radius = circle[1].number?.double, radius.isFinite, radius >= 0 else {
            throw Self.malformed("bad $geoWithin value; $centerSphere distance invalid")
        }
        return .circle(center, radiusRadians: radius)
    }

    private func corners(_ value: JSONValue) throws(ParseError) -> [GeoPoint] {
        let elements: [JSONValue]
        if let object = value.object, object["__type"] == "Polygon" {
            elements = object["coordinates"]?.array ?? []
            guard elements.count >= 3 else {
                throw Self.malformed(
                    "bad $geoWithin value; Polygon.coordinates should contain at least 3 lon/lat pairs")
            }
        } else {
            guard let array = value.array else {
                throw Self.malformed(
                    "bad $geoWithin value; $polygon should be Polygon object or Array of Parse.GeoPoint's")
            }
            elements = array
            guard elements.count >= 3 else {
                throw Self.malformed("bad $geoWithin value; $polygon should contain at least 3 GeoPoints")
            }
        }
        guard elements.count <= Predicate.nodesMax else {
            throw Self.bad("$polygon has more than \(Predicate.nodesMax) corners")
        }
        var corners: [GeoPoint] = []
        for element in elements {
            guard let corner = try point(element) else { throw Self.malformed("bad $geoWithin value") }
            corners.append(corner)
        }
        return corners
    }

    /// Reads a GeoPoint. Unlike `point`, it does not accept an array of coordinates, as on Parse Server.
    private func geoPoint(_ value: JSONValue) throws(ParseError) -> GeoPoint? {
        value.array == nil ? try point(value) : nil
    }

    /// Reads a GeoPoint, or an array of longitude and latitude.
    /// - Returns: nil for every other value.
    /// - Throws: Parse error 111 (incorrect type) for coordinates out of range.
    private func point(_ value: JSONValue) throws(ParseError) -> GeoPoint? {
        var value = value
        if let pair = value.array {
            guard pair.count == 2 else { return nil }
            value = ["__type": "GeoPoint", "longitude": pair[0], "latitude": pair[1]]
        }
        guard GeoPoint(value) != nil else { return nil }
        return GeoPoint(try value.asFieldValue())
    }
}
