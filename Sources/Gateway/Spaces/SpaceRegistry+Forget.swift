import Foundation
import GatewayAPI
import ParseModel
import StoreService

/// The export and the removal of a user's data for the owner of the gateway, and the removal after a time without use.
extension SpaceRegistry {
    func export(of user: String) async throws -> UserExport {
        let user = try KnownUser(user, in: people)
        guard FileManager.default.fileExists(atPath: names.path(of: user.objectId)) else {
            return try UserExport(user: user, work: nil)
        }
        let work = try await space(of: user.objectId).store.waitingWork()
        let export = try UserExport(user: user, work: work)
        audit.note(.exported(userId: user.objectId, entries: export.entries.count))
        return export
    }

    func forget(_ user: String, exported: String?) async throws -> KnownUser {
        let user = try KnownUser(user, in: people)
        try await UserRemoval.checkSite(people, user.objectId)
        let isRemoved = try await remove(user.objectId, .forgotten) { store in
            try UserRemoval.check(user, try await store.waitingWork(), exported: exported)
            return true
        }
        guard isRemoved else {
            throw StoreError.notPossible(
                reason: "The data of the user is being opened or removed: try again.")
        }
        return user
    }

    /// Removes the data of users who have not used the gateway for `forgetAfter` and have nothing unsent.
    func forgetUnused() async {
        for userId in book.logged({ try book.uses.unused() }) {
            do {
                _ = try await remove(userId, .unused) { [uses = book.uses, people] store in
                    guard try await people.waitingWork(of: userId).isEmpty else { return false }
                    return try await store.figures().hasNoWork && uses.unused().contains(userId)
                }
            } catch {
                logger.error("the data of the user \(userId) cannot be removed: \(error)")
            }
        }
    }
}
