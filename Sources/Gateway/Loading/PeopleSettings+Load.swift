extension PeopleSettings {
    /// Chooses the mode and the file of the session key, and checks the settings against each other.
    /// - Throws: `ConfigurationError`, one line with the setting.
    mutating func complete(
        _ sources: ConfigurationSources, _ directories: StandardDirectories, _ remote: GatewayConfiguration.Remote?
    ) throws(ConfigurationError) {
        let keyFile =
            try sources.given(.sessionKeyFile).map { directories.absolute($0.text) } ?? directories.sessionKeyFile()
        if let setting = try sources.given(.people) {
            mode = try setting.choice()
            if mode != .off { try check(setting, remote, keyFile) }
        } else {
            chooseMode(remote, keyFile)
        }
        if mode != .off, let keyFile {
            sessionKeyFile = keyFile
            exposesSessionKey = !directories.isCredential(keyFile) && FileMode.isReadableByOthers(keyFile)
        }
        if offlineLogIn, mode == .off, let given = try sources.given(.offlineLogIn) {
            let needed = "needs \(Setting.people.option) personal or site"
            throw given.wrong(offBecause.map { "\(needed): \($0)" } ?? needed)
        }
        if sendsAsMaster, mode != .site, let given = try sources.given(.sendAsMaster) {
            throw given.wrong("needs \(Setting.people.option) site")
        }
    }

    private func check(
        _ setting: GivenSetting, _ remote: GatewayConfiguration.Remote?, _ keyFile: String?
    ) throws(ConfigurationError) {
        guard let remote else { throw setting.wrong("is for a replica: add \(Setting.remote.option) URL") }
        guard mode == .personal || remote.masterKey != nil else {
            throw setting.wrong(
                "site needs \(Setting.masterKey.option), with which the gateway reads all objects and their rights"
            )
        }
        guard mode == .site || remote.masterKey == nil else {
            throw setting.wrong(
                "personal does not go with \(Setting.masterKey.option): the remote must decide what each user may "
                    + "see")
        }
        guard keyFile != nil else {
            throw setting.wrong("\(mode.rawValue) needs a \(Self.lackingKeyFile)")
        }
    }

    /// The reason why the session key of a directory with users is unusable; nil if it is usable, or the mode `off` was
    /// chosen.
    /// - Parameter lastMode: the mode at the last start of the directory; nil if it was never recorded.
    func keyFault(lastMode: String?) -> String? {
        if let offBecause, let lastMode, lastMode != Mode.off.rawValue { return offBecause }
        guard let sessionKeyFile else { return nil }
        do { try SpaceKey.check(sessionKeyFile) } catch { return error.description }
        return nil
    }

    /// Sets the default mode: `personal` for a Parse Server without `--master-key`, otherwise `off`.
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
            offBecause = "\(error). \(Setting.sessionKeyFile.option) names another file"
        }
    }

    private static let lackingKeyFile =
        "file for the key that encrypts session tokens: add \(Setting.sessionKeyFile.option) PATH"
}
