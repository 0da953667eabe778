import Foundation
import RemoteService

/// How a replica serves the users of its remote.
package struct PeopleSettings: Sendable, Hashable {
    package enum Mode: String, Sendable, CaseIterable {
        /// Requests with a session are refused, except calls that only the remote can answer.
        case off
        /// Each user who signs in has a space: a store and a sync engine of its own.
        case personal
        /// All users share the gateway's own file, which enforces their rights and keeps the author of each change.
        case site
    }

    /// What happens to the waiting changes of a session at its log-out.
    package enum AfterLogOut: String, Sendable, CaseIterable {
        /// The changes are sent under the session. The remote is told of the log-out afterwards.
        case push
        /// The remote is told at once. The changes wait for the next log-in of the user.
        case keep
    }

    package var mode = Mode.off
    /// Why the mode is `off` although a setting-less replica of such a remote is `personal`; nil otherwise.
    package var offBecause: String?
    /// The maximum number of users with a space. An open space takes about 1.6 MB of memory, 13 file descriptors and two threads, so the
    /// default allows for about 320 MB if no space can close.
    package var usersMax = 200
    /// The time without a request after which a space without waiting work closes.
    package var idleMax: Duration = .seconds(600)
    /// The time for which a session counts offline after the remote's last confirmation.
    package var offlineSessionMax: Duration = .seconds(7 * 86_400)
    package var afterLogOut = AfterLogOut.push
    /// The time without a log-in or request after which a user's data is removed; nil to keep it.
    package var forgetAfter: Duration?
    /// Whether users can log in with their password while the remote cannot be reached.
    package var offlineLogIn = false
    /// Whether a site replica sends the changes of users without a session with the remote's master key.
    package var sendsAsMaster = false
    /// The path of the file with the key that encrypts session tokens; nil if no session is kept.
    package var sessionKeyFile: String?
    /// Whether other users of the machine can read `sessionKeyFile`.
    var exposesSessionKey = false

    package init() {}

    /// The classes that a replica syncs for its users: in a site replica those on which rights depend.
    package var classes: [String] { mode == .site ? ["_User", "_Role"] : [] }

    init(
        _ sources: ConfigurationSources, _ directories: StandardDirectories, _ remote: GatewayConfiguration.Remote?
    ) throws(ConfigurationError) {
        if let count = try sources.setting(.usersMax) { usersMax = try count.integer(in: 1...1000) }
        if let time = try sources.setting(.userIdleMax) { idleMax = try time.seconds(in: 1...604_800) }
        if let time = try sources.setting(.offlineSessionMax) {
            offlineSessionMax = try time.seconds(in: 0...31_536_000)
        }
        if let choice = try sources.setting(.afterLogOut) { afterLogOut = try choice.choice() }
        if let time = try sources.setting(.forgetAfter) {
            let length = try time.seconds(in: 0...315_360_000)
            forgetAfter = length > .zero ? length : nil
        }
        let sendAsMaster = try sources.setting(.sendAsMaster)
        if let sendAsMaster { sendsAsMaster = try sendAsMaster.bool() }
        let offlineLogIn = try sources.setting(.offlineLogIn)
        if let offlineLogIn { self.offlineLogIn = try offlineLogIn.bool() }
        let keyFile =
            try sources.setting(.sessionKeyFile).map { directories.absolute($0.text) } ?? directories.sessionKeyFile()
        if let setting = try sources.setting(.people) {
            mode = try setting.choice()
            if mode != .off { try check(setting, remote, keyFile) }
        } else {
            chooseMode(remote, keyFile)
        }
        if mode != .off, let keyFile {
            sessionKeyFile = keyFile
            exposesSessionKey = !directories.isCredential(keyFile) && FileMode.isReadableByOthers(keyFile)
        }
        if let offlineLogIn, self.offlineLogIn, mode == .off {
            let needed = "needs \(ConfigurationKey.people.option) personal or site"
            throw offlineLogIn.wrong(offBecause.map { "\(needed): \($0)" } ?? needed)
        }
        if let sendAsMaster, sendsAsMaster, mode != .site {
            throw sendAsMaster.wrong("needs \(ConfigurationKey.people.option) site")
        }
    }

    private func check(
        _ setting: ConfigurationSources.Setting, _ remote: GatewayConfiguration.Remote?, _ keyFile: String?
    ) throws(ConfigurationError) {
        guard let remote else { throw setting.wrong("is for a replica: add \(ConfigurationKey.remote.option) URL") }
        guard mode == .personal || remote.masterKey != nil else {
            throw setting.wrong(
                "site needs \(ConfigurationKey.masterKey.option), with which the gateway reads all objects and their rights"
            )
        }
        guard mode == .site || remote.masterKey == nil else {
            throw setting.wrong(
                "personal does not go with \(ConfigurationKey.masterKey.option): the remote must decide what each user may "
                    + "see")
        }
        guard keyFile != nil else {
            throw setting.wrong("\(mode.rawValue) needs a \(Self.lackingKeyFile)")
        }
    }

    /// Why a directory with users cannot be served: the key that encrypts their tokens is unusable. Nil if it is usable, or the setting is
    /// `off` by choice.
    /// - Parameter lastMode: the setting at the last start of the directory; nil if it was never noted.
    func keyFault(lastMode: String?) -> String? {
        if let offBecause, let lastMode, lastMode != Mode.off.rawValue { return offBecause }
        guard let sessionKeyFile else { return nil }
        do { try SpaceKey.check(sessionKeyFile) } catch { return error.description }
        return nil
    }

    /// The mode without the setting: `personal` for a Parse Server whose master key is not here.
    private mutating func chooseMode(_ remote: GatewayConfiguration.Remote?, _ keyFile: String?) {
        guard let remote, remote.kind == .parse, remote.masterKey == nil else { return }
        guard let keyFile else {
            offBecause = "there is no \(Self.lackingKeyFile)"
            return
        }
        do {
            try SpaceKey.check(keyFile)
            mode = .personal
        } catch {
            offBecause = "\(error). \(ConfigurationKey.sessionKeyFile.option) names another file"
        }
    }

    private static let lackingKeyFile =
        "file for the key that encrypts session tokens: add \(ConfigurationKey.sessionKeyFile.option) PATH"
}
