/// When and where a running gateway writes its backups.
package struct BackupSettings: Sendable, Hashable {
    /// The absolute path of the directory for the backups.
    package var directory: String
    package var interval = Duration.seconds(86_400)
    /// The number of backups that stay.
    package var keptMax = 7

    package init(directory: String) { self.directory = directory }
}
