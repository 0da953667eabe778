import GRDB
import ParseModel

extension QueryFunctions {
    static let distance = "parse_distance"
    static let polygonContains = "parse_polygon_contains"
    static let text = "parse_text"
    static let textScore = "parse_text_score"

    /// Registers the functions for geographic queries and text searches.
    static func registerPlaces(in db: Database, _ interruption: Interruption) {
        db.add(
            function: DatabaseFunction(distance, argumentCount: 4, pure: true) { values in
                guard let from = point(values[0], values[1]), let to = point(values[2], values[3]) else { return nil }
                return from.radians(to: to)
            })
        db.add(
            function: DatabaseFunction(polygonContains, argumentCount: 3, pure: true) { values in
                if interruption.isOn { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
                guard let text = String.fromDatabaseValue(values[0]), let point = point(values[1], values[2]),
                    let area = try GeoArea(coordinates: JSONReader.read(text, depthMax: JSONReader.storedDepthMax))
                else { return nil }
                return area.contains(point)
            })
        db.add(
            function: DatabaseFunction(text, argumentCount: 2, pure: true) { values in
                if interruption.isOn { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
                guard let (search, text) = searched(values) else { return nil }
                return search.matches(text)
            })
        db.add(
            function: DatabaseFunction(textScore, argumentCount: 2, pure: true) { values in
                guard let (search, text) = searched(values) else { return 0 }
                return search.score(text)
            })
    }

    private static func point(_ latitude: DatabaseValue, _ longitude: DatabaseValue) -> GeoPoint? {
        guard let latitude = Double.fromDatabaseValue(latitude), let longitude = Double.fromDatabaseValue(longitude)
        else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    private static func searched(_ values: [DatabaseValue]) -> (TextSearch, String)? {
        guard let coded = String.fromDatabaseValue(values[0]), let search = TextSearch(coded: coded),
            let text = String.fromDatabaseValue(values[1])
        else { return nil }
        return (search, text)
    }
}
