/// The indexes on members of special classes: they find a role by its name, and an installation by the members that identify its
/// device.
enum SpecialIndexes {
    /// A member of a special class that has an index.
    enum Member: String {
        case name, installationId, deviceToken
    }

    /// The SQL for a member of a view; NULL for a damaged view. SQLite uses an index only for a query with the expression of the index.
    static func text(_ member: Member) -> String {
        "CASE WHEN json_valid(view) THEN json_extract(view, '$.\(member.rawValue)') END"
    }

    /// The step of `Migrations` that makes the indexes.
    static let migration = """
        CREATE INDEX roles_by_name ON objects (\(text(.name))) WHERE class = '_Role' AND view IS NOT NULL;
        CREATE INDEX installations_by_id ON objects (\(text(.installationId)))
        WHERE class = '_Installation' AND view IS NOT NULL;
        CREATE INDEX installations_by_token ON objects (\(text(.deviceToken)))
        WHERE class = '_Installation' AND view IS NOT NULL;
        """
}
