import ParseModel

/// The SQL of geographic queries and text searches. It calls the functions of `QueryFunctions`.
extension QueryCompiler {
    mutating func isNear(_ column: FieldColumn, _ point: GeoPoint, maxDistanceRadians: Double?) -> String {
        guard let max = maxDistanceRadians else { return isPoint(column) }
        return isPoint(column, and: isInReach(column, of: point, max))
    }

    /// The SQL condition for points within a distance. A test of the latitude excludes most distant points without a
    /// call of the SQL function `distance`.
    private mutating func isInReach(_ column: FieldColumn, of point: GeoPoint, _ radians: Double) -> String {
        let reach = radians * 180 / .pi + 1e-6
        let latitude = column.own.member("latitude")
        return "\(latitude) >= \(bind(point.latitude - reach)) AND \(latitude) <= \(bind(point.latitude + reach)) "
            + "AND \(distance(column, point)) <= \(bind(radians))"
    }

    mutating func isWithin(_ column: FieldColumn, _ area: GeoArea) -> String {
        let (latitude, longitude) = (column.own.member("latitude"), column.own.member("longitude"))
        switch area {
        case .circle(let center, let radius): return isPoint(column, and: isInReach(column, of: center, radius))
        case .box(let southwest, let northeast):
            return isPoint(
                column,
                and: "\(latitude) >= \(bind(southwest.latitude)) AND \(latitude) <= \(bind(northeast.latitude)) AND "
                    + "\(longitude) >= \(bind(southwest.longitude)) AND \(longitude) <= \(bind(northeast.longitude))")
        case .polygon(let corners):
            let latitudes = corners.map(\.latitude)
            return isPoint(
                column,
                and: "\(latitude) >= \(bind(latitudes.min() ?? 0)) AND \(latitude) <= \(bind(latitudes.max() ?? 0)) "
                    + "AND \(QueryFunctions.polygonContains)(\(bind(area.coordinates?.jsonText ?? "[]")), "
                    + "\(latitude), \(longitude))")
        }
    }

    mutating func isAround(_ column: FieldColumn, _ point: GeoPoint) -> String {
        let own = column.own
        return "coalesce(\(own.type) = 'object' AND \(own.member("__type")) = 'Polygon' AND "
            + "\(QueryFunctions.polygonContains)(\(own.member("coordinates")), \(bind(point.latitude)), "
            + "\(bind(point.longitude))), 0)"
    }

    /// The SQL for the distance of the field's point from `point`, in radians; NULL if the field does not contain a point.
    mutating func distance(_ column: FieldColumn, _ point: GeoPoint) -> String {
        "\(QueryFunctions.distance)(\(bind(point.latitude)), \(bind(point.longitude)), "
            + "\(column.own.member("latitude")), \(column.own.member("longitude")))"
    }

    private func isPoint(_ column: FieldColumn, and test: String? = nil) -> String {
        let own = column.own
        let isPoint = "\(own.type) = 'object' AND \(own.member("__type")) = 'GeoPoint'"
        return "coalesce(\(isPoint)\(test.map { " AND \($0)" } ?? ""), 0)"
    }

    // MARK: Texts

    mutating func isFound(_ column: FieldColumn, _ search: TextSearch) -> String {
        "coalesce(\(column.type) = 'text' AND \(QueryFunctions.text)(\(bind(search.coded)), \(column.value)), 0)"
    }

    mutating func score(_ column: FieldColumn, _ search: TextSearch) -> String {
        "\(QueryFunctions.textScore)(\(bind(search.coded)), \(column.value))"
    }
}

extension TextSearch {
    /// The text search as a JSON array, the first argument of the SQL functions `parse_text` and `parse_text_score`.
    fileprivate var coded: String {
        let value: JSONValue = [.string(term), .bool(isCaseSensitive), .bool(isDiacriticSensitive)]
        return value.jsonText
    }

    init?(coded: String) {
        guard let parts = try? JSONReader.read(coded).array, parts.count == 3, let term = parts[0].string,
            let isCaseSensitive = parts[1].bool, let isDiacriticSensitive = parts[2].bool
        else { return nil }
        self.init(term: term, isCaseSensitive: isCaseSensitive, isDiacriticSensitive: isDiacriticSensitive)
    }
}
