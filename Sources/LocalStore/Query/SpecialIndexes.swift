/// Indexes on fields of roles and installations, by which the gateway finds a role by its name and an installation by
/// its device.
enum SpecialIndexes {
    /// A field of a role or installation that has an index.
    enum Member: String {
        case name, installationId, deviceToken
    }

    /// The SQL for a field in the JSON of a view; NULL for a damaged view. SQLite uses an index only for a query with
    /// the same expression as in the index.
    static func text(_ member: Member) -> String {
        "CASE WHEN json_valid(view) THEN json_extract(view, '$.\(member.rawValue)') END"
    }

    /// The migration that creates the indexes.
    static let migration = """
        CREATE INDEX roles_by_name ON objects (\(text(.name))) WHERE class = '_Role' AND view IS NOT NULL;
        CREATE INDEX installations_by_id ON objects (\(text(.installationId)))
        WHERE class = '_Installation' AND view IS NOT NULL;
        CREATE INDEX installations_by_token ON objects (\(text(.deviceToken)))
        WHERE class = '_Installation' AND view IS NOT NULL;
        """
}
