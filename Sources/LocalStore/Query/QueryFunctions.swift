import CSQLite
import CTextSearch
import GRDB
import ParseModel
import StoreService

/// SQL functions for query operators of Parse that SQLite does not have.
enum QueryFunctions {
    static let regex = "parse_regex"
    /// Defined in `CTextSearch`.
    static let mentions = "parse_mentions"
    static let jsonEqual = "parse_json_equal"

    static func register(in db: Database, _ interruption: Interruption) {
        registerPlaces(in: db, interruption)
        // Fails only without memory.
        let result = tidegate_add_mentions(db.sqliteConnection)
        precondition(result == SQLITE_OK, "SQLite cannot add a function: \(result)")
        db.add(
            function: DatabaseFunction(regex, argumentCount: 3, pure: true) { values in
                if interruption.isOn { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
                guard let pattern = String.fromDatabaseValue(values[0]), let text = String.fromDatabaseValue(values[2])
                else { return false }
                let expression = try RegularExpression.compiled(
                    pattern, options: String.fromDatabaseValue(values[1]) ?? "")
                do {
                    return try expression.matches(text) { interruption.isOn }
                } catch let error as ParseError {
                    throw DatabaseError(resultCode: .SQLITE_INTERRUPT, message: error.message)
                }
            })
        db.add(
            function: DatabaseFunction(jsonEqual, argumentCount: 2, pure: true) { values in
                guard let a = String.fromDatabaseValue(values[0]), let b = String.fromDatabaseValue(values[1]) else {
                    return false
                }
                return try JSONReader.read(a, depthMax: JSONReader.storedDepthMax)
                    == JSONReader.read(b, depthMax: JSONReader.storedDepthMax)
            })
    }
}
