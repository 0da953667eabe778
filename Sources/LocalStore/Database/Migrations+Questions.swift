extension Migrations {
    /// `candidates`: the further candidates of a conflict about a create. The index finds the open conflicts about creates,
    /// because each page of a pull reads their candidates.
    static let questions = """
        ALTER TABLE conflicts ADD COLUMN candidates TEXT;
        CREATE INDEX conflicts_in_question ON conflicts (class, object_id)
            WHERE kind = 'ambiguousCreate' AND resolution IS NULL;
        """
}
