extension Migrations {
    /// Why the remote refused a pull when it was last asked for, and the server time at which its newest rows were last
    /// compared with the remote.
    static let pullStates = """
        ALTER TABLE pulls ADD COLUMN refusal TEXT;
        ALTER TABLE pulls ADD COLUMN recently_audited_at INTEGER;
        """
}
