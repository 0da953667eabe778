/// Finds the installation that a write concerns, and the installations that it replaces, as `handleInstallation` of Parse
/// Server's `RestWrite`: each device has one installation.
package struct InstallationMatching: Sendable {
    /// The members of a stored installation that identify its device.
    package struct Known: Sendable, Hashable {
        package let objectId: String
        package let installationId: String?
        package let deviceToken: String?

        package init(objectId: String, installationId: String?, deviceToken: String?) {
            self.objectId = objectId
            self.installationId = installationId
            self.deviceToken = deviceToken
        }
    }

    /// The result: the installation to update, and the installations to delete before.
    package struct Outcome: Sendable, Hashable {
        /// The id of the installation that the write updates; nil to create a new one.
        package var target: String?
        /// The ids of other installations with the device token. The write replaces those of its app.
        package var obsolete: [String] = []
        /// The id of the installation that the write merges into the target, and deletes.
        package var merged: String?
    }

    /// The installation id in the body; nil if the body sets none.
    package let installationId: String?
    /// The device token in the body; nil if the body sets none.
    package let deviceToken: String?
    /// The installation id in the body, or else in the headers of the client.
    package let clientId: String?
    /// Only installations of this app are replaced; nil for all.
    package let appIdentifier: String?
    private let hasDeviceType: Bool
    /// Whether the body of an update has the id of the updated installation.
    private let namesItself: Bool

    /// - Parameters:
    ///   - header: the installation id in the headers of a client without a master key.
    ///   - namesItself: whether the body of an update has the id of the updated installation.
    package init(_ body: WriteBody, header: String?, namesItself: Bool = false) {
        self.namesItself = namesItself
        let text = { (name: String) -> String? in
            guard case .set(.string(let text)) = body.operations[name], !text.isEmpty else { return nil }
            return text
        }
        installationId = text("installationId")
        deviceToken = text("deviceToken")
        appIdentifier = text("appIdentifier")
        hasDeviceType = text("deviceType") != nil
        clientId = installationId ?? header.flatMap { $0.isEmpty ? nil : $0.lowercased() }
    }

    /// Whether a write can concern another installation than the one that it names.
    package var identifiesDevice: Bool { deviceToken != nil || clientId != nil }

    /// - Parameters:
    ///   - updated: the id of the updated installation; nil for a create.
    ///   - byInstallationId: the stored installation with `clientId`.
    ///   - byDeviceToken: the stored installations with `deviceToken`.
    /// - Throws: Parse error 132 (invalid installation id) for an ambiguous device token, 135 (missing class name, which Parse
    ///   Server uses for missing fields) if a new installation has no device type.
    package func outcome(
        updated: String?, byInstallationId: Known?, byDeviceToken: [Known]
    ) throws(ParseError) -> Outcome {
        let match = byInstallationId?.objectId ?? updated
        if match == nil { try checkNew() }
        guard let match else { return try outcomeWithoutMatch(byDeviceToken) }
        if byDeviceToken.count == 1, byDeviceToken[0].installationId == nil, byDeviceToken[0].objectId != match {
            return Outcome(target: byDeviceToken[0].objectId, merged: match)
        }
        // The installation gets this device token, so the other installations with the token are obsolete.
        guard !byDeviceToken.contains(where: { $0.objectId == match }) else { return Outcome(target: match) }
        if let installationId {
            return Outcome(target: match, obsolete: obsolete(byDeviceToken, keeping: installationId))
        }
        return Outcome(target: match, obsolete: namesItself && match == updated ? byDeviceToken.map(\.objectId) : [])
    }

    /// - Throws: Parse error 135 (missing class name) if the body has no device type, which every new installation needs.
    package func checkNew() throws(ParseError) {
        guard hasDeviceType else {
            throw ParseError(.missingClassName, "deviceType must be specified in this operation")
        }
    }

    private func outcomeWithoutMatch(_ byDeviceToken: [Known]) throws(ParseError) -> Outcome {
        guard let first = byDeviceToken.first else { return Outcome() }
        if byDeviceToken.count == 1, first.installationId == nil || clientId == nil {
            return Outcome(target: first.objectId)
        }
        guard let installationId else {
            throw ParseError(
                .invalidInstallationId,
                "Must specify installationId when deviceToken matches multiple Installation objects")
        }
        return Outcome(obsolete: obsolete(byDeviceToken, keeping: installationId))
    }

    private func obsolete(_ known: [Known], keeping installationId: String) -> [String] {
        known.filter { $0.installationId != installationId }.map(\.objectId)
    }
}
