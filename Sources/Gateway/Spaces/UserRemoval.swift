import Foundation
import GatewayAPI
import StoreService

/// Checks and performs the removal of a user's space, in a running gateway and in a stopped one.
enum UserRemoval {
    /// The end of the name of a directory that is being removed.
    private static let mark = ".removed"

    /// Checks that the removal of a space loses no unsent data.
    /// - Parameter exported: the digest of an export; nil for none.
    /// - Throws: `StoreError.notPossible`.
    static func check(_ user: KnownUser, _ work: WaitingWork, exported: String?) throws {
        guard !work.isEmpty else { return }
        guard let exported else {
            throw StoreError.notPossible(
                reason:
                    "Changes, decisions or files of this user wait: export them first (tidegate user forget --export FILE)."
            )
        }
        guard try UserExport(user: user, work: work).digest == exported else {
            throw StoreError.notPossible(reason: "The user's data has changed since the export: export it again.")
        }
    }

    /// Checks that the gateway's own file has no unsent changes of a user. It has some only if the gateway was a site
    /// replica before.
    /// - Throws: `StoreError.notPossible`.
    static func checkSite(_ people: any PeopleStore, _ userId: String) async throws {
        guard try await people.waitingWork(of: userId).isEmpty else {
            throw StoreError.notPossible(
                reason: "Changes of this user wait in the file of a site: start with --people site to send them.")
        }
    }

    /// Removes the directory of a closed space. After a crash, `finish` removes the rest.
    static func remove(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let leaving = path + mark
        try? FileManager.default.removeItem(atPath: leaving)
        try FileManager.default.moveItem(atPath: path, toPath: leaving)
        try FileManager.default.removeItem(atPath: leaving)
    }

    /// Removes the rest of each space whose removal a crash has interrupted.
    /// - Parameter directory: the directory in which each space has a directory.
    static func finish(in directory: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] where name.hasSuffix(mark) {
            try? FileManager.default.removeItem(atPath: directory + "/" + name)
        }
    }
}

/// The export and the removal of a user of a site replica, whose users share one store.
extension PeopleStore {
    func export(of user: KnownUser) async throws -> UserExport {
        try UserExport(user: user, work: try await waitingWork(of: user.objectId))
    }

    /// - Throws: `StoreError.notPossible` if there is unsent data that the export does not contain.
    func forget(_ user: KnownUser, exported: String?) async throws {
        try await forget(userId: user.objectId) { try UserRemoval.check(user, $0, exported: exported) }
    }
}
