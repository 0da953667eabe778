/// The expressions of the indexes on members of special classes.
enum SpecialIndexes {
    /// A member of a special class that has an index.
    enum Member: String {
        case name, installationId, deviceToken
    }

    /// The text of a member in the view of an object; null for a damaged view. The migration `specialIndexes` contains the same
    /// expressions, so that SQLite uses its indexes.
    static func text(_ member: Member) -> String {
        "CASE WHEN json_valid(view) THEN json_extract(view, '$.\(member.rawValue)') END"
    }
}
