extension Migrations {
    /// A question about a create names every object that the create may have made. Each page of a pull asks for the objects
    /// that open questions are about.
    static let questions = """
        ALTER TABLE conflicts ADD COLUMN candidates TEXT;
        CREATE INDEX conflicts_in_question ON conflicts (class, object_id)
            WHERE kind = 'ambiguousCreate' AND resolution IS NULL;
        """
}
