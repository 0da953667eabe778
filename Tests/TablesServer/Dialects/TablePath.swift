import ParseModel

/// The table and the row that a path names.
struct TablePath {
    let table: String
    /// The id with its percent escapes; nil for the table itself.
    let id: String?

    /// Reads `/tables/name` and `/tables/name/id`. A slash at the end is ignored.
    /// - Returns: nil for any other path.
    init?(_ path: String) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.last == "" { parts.removeLast() }
        guard parts.count == 3 || parts.count == 4, parts[0].isEmpty, parts[1].lowercased() == "tables" else {
            return nil
        }
        table = parts[2]
        id = parts.count == 4 ? parts[3] : nil
    }

    /// The id without percent escapes.
    /// - Returns: nil for an invalid escape.
    var decodedId: String? { id.flatMap { PercentCoding.decodedPathSegment(Substring($0).utf8) } }
}
