extension Migrations {
    /// `refusal`: the remote's refusal of the latest request of a pull. `recently_audited_at`: the server time of the last audit
    /// of all rows or of the newest rows; if there was no audit, the server time of the first complete pull.
    static let pullStates = """
        ALTER TABLE pulls ADD COLUMN refusal TEXT;
        ALTER TABLE pulls ADD COLUMN recently_audited_at INTEGER;
        """

    /// `deletions_since`: the position in the remote's change feed from which deletions are read.
    static let deletionsSince = "ALTER TABLE pulls ADD COLUMN deletions_since TEXT;"
}
