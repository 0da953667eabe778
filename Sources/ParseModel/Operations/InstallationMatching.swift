/// The rule for which installations a write changes, as in `handleInstallation` of Parse Server's `RestWrite`. Each
/// device has one installation, so a write can update another installation than the one that it names, or replace
/// others.
package struct InstallationMatching: Sendable {
    /// The id of a stored installation, with the fields that identify its device.
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

    /// The effect of a write: the installation to update, and the installations to delete before.
    package struct Outcome: Sendable, Hashable {
        /// The id of the installation that the write updates; nil to create a new one.
        package var target: String?
        /// The ids of other installations with the same device token. The write replaces those that belong to its app.
        package var obsolete: [String] = []
        /// The id of an installation that the write merges into `target` and then deletes.
        package var merged: String?
    }

    /// The installation id in the body; nil if the body sets none.
    package let installationId: String?
    /// The device token in the body; nil if the body sets none.
    package let deviceToken: String?
    /// The installation id in the body, or else in the headers of the client.
    package let clientId: String?
    /// The app of the installation: only installations of this app are replaced. Nil replaces installations of any app.
    package let appIdentifier: String?
    private let hasDeviceType: Bool
    /// Whether the body of an update contains the id of the updated installation as `objectId`.
    private let namesItself: Bool

    /// - Parameters:
    ///   - header: the installation id in the headers of a client without a master key.
    ///   - namesItself: whether the body of an update contains the id of the updated installation as `objectId`.
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

    /// Whether the write identifies a device, so that it may change another installation than the one that it names.
    package var identifiesDevice: Bool { deviceToken != nil || clientId != nil }

    /// Decides which installation the write updates, and which installations it replaces.
    /// - Parameters:
    ///   - updated: the id of the updated installation; nil for a create.
    ///   - byInstallationId: the stored installation with `clientId`; nil for none.
    ///   - byDeviceToken: the stored installations with `deviceToken`.
    /// - Throws: Parse error 132 (invalid installation id) if several installations have the device token and the body
    ///   has no installation id. Error 135 (missing class name, which Parse Server uses for missing fields) if a new
    ///   installation has no device type.
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

    /// Checks the body of a new installation.
    /// - Throws: Parse error 135 (missing class name) if it has no device type, which every new installation needs.
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
