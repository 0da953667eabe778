import GRDB
import ParseModel
import StoreService
import SyncModel

/// Finds the installations of a standalone store by the fields that identify a device.
struct Installations {
    let transaction: StoreTransaction

    private var db: Database { transaction.db }
    private static let className = "_Installation"

    /// Finds the installation that a write concerns, and deletes the installations that it replaces, or removes their tokens.
    /// - Parameters:
    ///   - objectId: the id of the updated installation; nil for a create.
    ///   - named: the `objectId` in the body of an update; nil for none.
    ///   - header: the installation id in the client's headers.
    /// - Returns: the id of the installation to update; nil to create a new one.
    func target(
        of body: WriteBody, updating objectId: String?, named: String?, header: String?
    ) throws -> String? {
        let header = objectId == nil && !transaction.principal.writesEverything ? header : nil
        let matching = InstallationMatching(body, header: header, namesItself: named != nil && named == objectId)
        guard matching.identifiesDevice else {
            if objectId == nil { try matching.checkNew() }
            return objectId
        }
        let byToken = try matching.deviceToken.map { try known(.deviceToken, $0) } ?? []
        let outcome = try matching.outcome(
            updated: objectId,
            byInstallationId: try matching.clientId.flatMap { try known(.installationId, $0).first },
            byDeviceToken: byToken)
        if let merged = outcome.merged { try delete(merged, ofApp: nil) }
        for id in outcome.obsolete {
            switch transaction.store.duplicateDeviceToken {
            case .delete: try delete(id, ofApp: matching.appIdentifier)
            case .update: try removeToken(of: id, ofApp: matching.appIdentifier)
            }
        }
        return outcome.target
    }

    /// The installations with this value in a field, the oldest first.
    private func known(_ member: SpecialIndexes.Member, _ text: String) throws -> [InstallationMatching.Known] {
        try db.rows(
            """
            SELECT id, \(SpecialIndexes.text(.installationId)), \(SpecialIndexes.text(.deviceToken)) FROM objects
            WHERE class = '_Installation' AND view IS NOT NULL AND \(SpecialIndexes.text(member)) = ? ORDER BY pk
            """, [text]
        ) {
            InstallationMatching.Known(
                objectId: $0.text(0), installationId: $0.textIfAny(1), deviceToken: $0.textIfAny(2))
        }
    }

    /// Deletes an installation, unless it belongs to another app.
    /// - Parameter app: the identifier of the app; nil for every app.
    private func delete(_ objectId: String, ofApp app: String?) throws {
        try change(objectId, ofApp: app) { _ in nil }
    }

    /// Removes the device token of an installation, unless it belongs to another app.
    /// - Parameter app: the identifier of the app; nil for every app.
    private func removeToken(of objectId: String, ofApp app: String?) throws {
        try change(objectId, ofApp: app) { view in
            var fields = view.fields
            fields["deviceToken"] = nil
            return ObjectState(createdAt: view.createdAt, updatedAt: transaction.now, fields: fields)
        }
    }

    private func change(
        _ objectId: String, ofApp app: String?, _ changed: (ObjectState) -> ObjectState?
    ) throws {
        guard var object = try LocalObject(Self.className, objectId, in: db), let view = object.life.view else {
            return
        }
        if let app, view.fields["appIdentifier"] != .string(app) { return }
        object.life.view = changed(view)
        try object.save(in: transaction)
    }
}
