import Foundation
import GatewayAPI
import Logging
import ParseModel
import StoreService

/// Exports and removes the data of users in the directory of a replica that does not run. While this value exists, no
/// gateway can use the directory.
package struct StoppedSpaces: UserData {
    private let store: any GatewayStore
    private let data: any StoppedData
    private let audit: AuditLog

    /// Opens the store in a data directory.
    /// - Throws: `GatewayError` if the directory has no file, is in use, or belongs to a standalone gateway.
    package init(
        directory: String, stores: any StoreKind, environment: Environment = .live, logger: Logger
    ) throws(GatewayError) {
        do {
            guard let outline = try stores.remoteOutline(in: directory) else {
                throw GatewayError("\(directory) is not the data directory of a replica")
            }
            var settings = StoreSettings(directory: directory, identity: StoreIdentity(remote: outline.remote))
            switch outline.people.flatMap(PeopleSettings.Mode.init) {
            case .site:
                settings.rights = .site
                store = try stores.open(settings, environment: environment)
                data = StoppedSite(people: store.people)
            case .personal, .off, nil:
                store = try stores.open(settings, environment: environment)
                data = StoppedUserSpaces(
                    people: store.people, stores: stores, remote: outline.remote,
                    names: SpaceNames(dataDirectory: directory, remote: outline.remote), environment: environment)
            }
        } catch {
            throw GatewayError(error)
        }
        audit = AuditLog(directory: directory, now: environment.now, logger: logger)
    }

    package func export(of user: String) async throws -> UserExport {
        let user = try KnownUser(user, in: store.people)
        let export = try await data.export(of: user)
        await note(.exported(userId: user.objectId, entries: export.entries.count))
        return export
    }

    package func forget(_ user: String, exported: String?) async throws -> KnownUser {
        let user = try KnownUser(user, in: store.people)
        try await data.forget(user, exported: exported)
        await note(.spaceRemoved(userId: user.objectId, reason: .forgotten))
        return user
    }

    private func note(_ event: AuditEvent) async {
        audit.note(event)
        await audit.flush()
    }
}

/// The users' data in the directory of a stopped replica: in the store that `StoppedSpaces` has opened, and in the users' own
/// directories.
private protocol StoppedData: Sendable {
    func export(of user: KnownUser) async throws -> UserExport
    func forget(_ user: KnownUser, exported: String?) async throws
}

/// The data of the users of a stopped site replica. All users share one store.
private struct StoppedSite: StoppedData {
    let people: any PeopleStore

    func export(of user: KnownUser) async throws -> UserExport { try await people.export(of: user) }

    func forget(_ user: KnownUser, exported: String?) async throws {
        try await people.forget(user, exported: exported)
    }
}

/// The data of the users of a stopped personal replica. Each user has a store in a directory of its own.
private struct StoppedUserSpaces: StoppedData {
    let people: any PeopleStore
    let stores: any StoreKind
    let remote: StoreIdentity.Remote
    let names: SpaceNames
    let environment: Environment

    func export(of user: KnownUser) async throws -> UserExport {
        try UserExport(user: user, work: await work(of: user))
    }

    func forget(_ user: KnownUser, exported: String?) async throws {
        if let work = try await work(of: user) { try UserRemoval.check(user, work, exported: exported) }
        try await UserRemoval.checkSite(people, user.objectId)
        try UserRemoval.remove(names.path(of: user.objectId))
        try await people.forget(userId: user.objectId)
    }

    /// The unsent data in the space of a user; nil without a space.
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
