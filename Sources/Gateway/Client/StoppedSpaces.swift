import Foundation
import GatewayAPI
import Logging
import ParseModel
import StoreService

/// The data of users in the directory of a replica that does not run. While it is open, no gateway can use the directory.
package struct StoppedSpaces: UserData {
    private let store: any GatewayStore
    private let stores: any StoreKind
    private let remote: StoreIdentity.Remote
    private let names: SpaceNames
    private let audit: AuditLog
    private let environment: Environment
    /// Whether the directory is that of a site replica, whose users share one store.
    private let isSite: Bool

    /// Opens the store in a data directory.
    /// - Throws: `GatewayError` if the directory has no file, is in use, or belongs to a standalone gateway.
    package init(
        directory: String, stores: any StoreKind, environment: Environment = .live, logger: Logger
    ) throws(GatewayError) {
        do {
            guard let outline = try stores.remoteOutline(in: directory) else {
                throw GatewayError("\(directory) is not the data directory of a replica")
            }
            remote = outline.remote
            isSite = outline.people == PeopleSettings.Mode.site.rawValue
            var settings = StoreSettings(directory: directory, identity: StoreIdentity(remote: remote))
            settings.isSite = isSite
            store = try stores.open(settings, environment: environment)
        } catch {
            throw GatewayError(error)
        }
        names = SpaceNames(dataDirectory: directory, remote: remote)
        audit = AuditLog(directory: directory, now: environment.now, logger: logger)
        self.stores = stores
        self.environment = environment
    }

    package func export(of user: String) async throws -> UserExport {
        let user = try KnownUser(user, in: store.people)
        let export = try await isSite ? store.people.export(of: user) : UserExport(user: user, work: work(of: user))
        await note(.exported(userId: user.objectId, entries: export.entries.count))
        return export
    }

    package func forget(_ user: String, exported: String?) async throws -> KnownUser {
        let user = try KnownUser(user, in: store.people)
        if isSite {
            try await store.people.forget(user, exported: exported)
        } else {
            if let work = try await work(of: user) { try UserRemoval.check(user, work, exported: exported) }
            try await UserRemoval.checkSite(store.people, user.objectId)
            try UserRemoval.remove(names.path(of: user.objectId))
            try await store.people.forget(userId: user.objectId)
        }
        await note(.spaceRemoved(userId: user.objectId, reason: .forgotten))
        return user
    }

    private func note(_ event: AuditEvent) async {
        audit.note(event)
        await audit.flush()
    }

    /// What waits in the space of a user; nil without a space.
    private func work(of user: KnownUser) async throws -> WaitingWork? {
        let path = names.path(of: user.objectId)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let owned = StoreIdentity.Remote(
            kind: remote.kind, url: remote.url, applicationId: remote.applicationId, subject: user.objectId)
        let space = try stores.open(
            StoreSettings(directory: path, identity: StoreIdentity(remote: owned)), environment: environment)
        return try await space.waitingWork()
    }
}
