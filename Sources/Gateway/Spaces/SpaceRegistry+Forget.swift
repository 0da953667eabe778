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
        let isRemoved = try await remove(user.objectId, .forgotten) { store in
            try UserRemoval.check(user, try await store.waitingWork(), exported: exported)
            return true
        }
        guard isRemoved else {
            throw StoreError.notPossible(
                reason: "A client of the user reads the change feed, or the data is being opened: try again.")
        }
        return user
    }

    /// Removes the data of users who have not used the gateway for `forgetAfter`, where nothing waits.
    func forgetUnused() async {
        guard let forgetAfter = settings.forgetAfter else { return }
        let start = environment.now() - forgetAfter - useInterval
        for (userId, usedAt) in logged({ try people.lastUses().sorted { $0.key < $1.key } }) where usedAt <= start {
            do {
                _ = try await remove(userId, .unused) { store in
                    try await store.figures().hasNoWork && people.lastUses()[userId].map { $0 <= start } ?? false
                }
            } catch {
                logger.error("the data of the user \(userId) cannot be removed: \(error)")
            }
        }
    }

    /// The time for which a noted use of a user stands for later ones.
    private var useInterval: Duration { min(.seconds(3600), (settings.forgetAfter ?? .seconds(14_400)) / 4) }

    /// Notes that a user has sent a request, unless a use was noted shortly before.
    func noteUse(by userId: String) async throws {
        let now = environment.now()
        let isDue = state.withLock { state in
            if let noted = state.noted[userId], noted <= now, now < noted + useInterval { return false }
            state.noted[userId] = now
            return true
        }
        if isDue { try await people.noteUse(by: userId, at: now) }
    }
}
