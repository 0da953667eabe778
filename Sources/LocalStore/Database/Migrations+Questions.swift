extension Migrations {
    /// A conflict about a create lists all its candidates. Each page of a pull reads the candidates of open conflicts.
    static let questions = """
        ALTER TABLE conflicts ADD COLUMN candidates TEXT;
        CREATE INDEX conflicts_in_question ON conflicts (class, object_id)
            WHERE kind = 'ambiguousCreate' AND resolution IS NULL;
        """
}
