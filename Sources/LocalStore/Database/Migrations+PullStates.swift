extension Migrations {
    /// `refusal`: the remote's refusal of the latest request of a pull. `recently_audited_at`: the server time of the last
    /// comparison of the pull's newest rows.
    static let pullStates = """
        ALTER TABLE pulls ADD COLUMN refusal TEXT;
        ALTER TABLE pulls ADD COLUMN recently_audited_at INTEGER;
        """
}
