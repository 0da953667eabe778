extension Migrations {
    /// `candidates`: the candidates of a conflict about a create, except the one in the column `remote`. The index finds the open
    /// conflicts about creates, because each page of a pull reads their candidates.
    static let questions = """
        ALTER TABLE conflicts ADD COLUMN candidates TEXT;
        CREATE INDEX conflicts_in_question ON conflicts (class, object_id)
            WHERE kind = 'ambiguousCreate' AND resolution IS NULL;
        """
}
