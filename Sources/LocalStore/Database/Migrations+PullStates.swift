extension Migrations {
    /// `refusal`: the remote's refusal of the latest request of a pull. `recently_audited_at`: the server time of the last audit
    /// of all rows or of the newest rows; if there was no audit, the server time of the first complete pull.
    static let pullStates = """
        ALTER TABLE pulls ADD COLUMN refusal TEXT;
        ALTER TABLE pulls ADD COLUMN recently_audited_at INTEGER;
        """
}
