extension Migrations {
    /// The remote's refusal of the latest request of a pull, and the server time of the last comparison of its newest rows.
    static let pullStates = """
        ALTER TABLE pulls ADD COLUMN refusal TEXT;
        ALTER TABLE pulls ADD COLUMN recently_audited_at INTEGER;
        """
}
