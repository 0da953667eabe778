import Foundation

/// How a replica serves the users of its remote.
package struct PeopleSettings: Sendable, Hashable {
    package enum Mode: String, Sendable, CaseIterable {
        /// Requests with a session are refused, except calls that only the remote can answer.
        case off
        /// Each user who signs in has a space: a store and a sync engine of its own.
        case personal
    }

    package var mode = Mode.off
    /// The maximum number of users with a space.
    package var usersMax = 20
    /// The time without a request after which a space without waiting work closes.
    package var idleMax: Duration = .seconds(600)
    /// The time for which a session counts offline after the remote's last confirmation.
    package var offlineSessionMax: Duration = .seconds(7 * 86_400)
    /// The path of the file with the key that encrypts session tokens; nil if no session is kept.
    package var sessionKeyFile: String?

    package init() {}

    init(
        _ sources: ConfigurationSources, _ directories: StandardDirectories, _ remote: GatewayConfiguration.Remote?
    ) throws(ConfigurationError) {
        if let count = try sources.setting(.usersMax) { usersMax = try count.integer(in: 1...1000) }
        if let time = try sources.setting(.userIdleMax) { idleMax = try time.seconds(in: 1...604_800) }
        if let time = try sources.setting(.offlineSessionMax) {
            offlineSessionMax = try time.seconds(in: 0...31_536_000)
        }
        guard let setting = try sources.setting(.people) else { return }
        mode = try setting.choice()
        guard mode == .personal else { return }
        guard let remote else { throw setting.wrong("is for a replica: add \(ConfigurationKey.remote.option) URL") }
        guard remote.masterKey == nil else {
            throw setting.wrong(
                "personal does not go with \(ConfigurationKey.masterKey.option): the remote must decide what each user may "
                    + "see")
        }
        sessionKeyFile =
            try sources.setting(.sessionKeyFile).map { directories.absolute($0.text) } ?? directories.sessionKeyFile()
        guard sessionKeyFile != nil else {
            throw setting.wrong(
                "personal needs a file for the key that encrypts session tokens: add "
                    + "\(ConfigurationKey.sessionKeyFile.option) PATH")
        }
    }
}
