extension Migrations {
    /// Indexes that find a role by its name, and an installation by the members that identify its device. The expressions are
    /// those of `SpecialIndexes`.
    static let specialIndexes = """
        CREATE INDEX roles_by_name ON objects (CASE WHEN json_valid(view) THEN json_extract(view, '$.name') END)
        WHERE class = '_Role' AND view IS NOT NULL;
        CREATE INDEX installations_by_id
        ON objects (CASE WHEN json_valid(view) THEN json_extract(view, '$.installationId') END)
        WHERE class = '_Installation' AND view IS NOT NULL;
        CREATE INDEX installations_by_token
        ON objects (CASE WHEN json_valid(view) THEN json_extract(view, '$.deviceToken') END)
        WHERE class = '_Installation' AND view IS NOT NULL;
        """
}
