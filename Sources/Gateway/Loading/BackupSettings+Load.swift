extension BackupSettings {
    /// Reads the settings of the backups.
    /// - Returns: nil if no directory is named.
    /// - Throws: `ConfigurationError`, one line with the setting.
    static func load(
        _ sources: ConfigurationSources, _ directories: StandardDirectories, dataDirectory: String
    ) throws(ConfigurationError) -> BackupSettings? {
        let (every, keep) = (try sources.given(.backupEvery), try sources.given(.backupKeep))
        guard let directory = try sources.given(.backupDir) else {
            if let stray = every ?? keep { throw stray.wrong("needs \(Setting.backupDir.option)") }
            return nil
        }
        var settings = BackupSettings(directory: directories.absolute(directory.text))
        guard settings.directory != dataDirectory else {
            throw directory.wrong("must not be the data directory: name a directory on another disk")
        }
        if let every { settings.interval = try every.period(in: 60...31_536_000) }
        if let keep { settings.keptMax = try keep.integer(in: 1...10_000) }
        return settings
    }
}
