import Foundation
import GatewayAPI
import StoreService

/// The removal of spaces.
extension SpaceRegistry {
    /// Removes the least recently used space without waiting work if the maximum number of users is reached.
    /// - Throws: `APIError.remoteUnreachable` if every space has waiting work.
    func makeRoom() async throws {
        let userIds = try people.userIds().filter { id in
            FileManager.default.fileExists(atPath: names.path(of: id))
        }
        guard userIds.count >= settings.usersMax else { return }
        let usedAt = state.withLock { $0.open.mapValues(\.usedAt) }
        for userId in userIds.sorted(by: { (usedAt[$0] ?? .zero, $0) < (usedAt[$1] ?? .zero, $1) }) {
            if try await remove(userId) { return }
        }
        throw APIError.remoteUnreachable(
            reason: "This gateway has \(userIds.count) users, the maximum, and each has changes or decisions waiting.")
    }

    /// Removes the space of a user, unless it has waiting work or open streams.
    /// - Returns: whether the space is removed.
    private func remove(_ userId: String) async throws -> Bool {
        let isFree = state.withLock { state in
            guard state.opening[userId] == nil, state.open[userId]?.space.api.hasStreams != true else { return false }
            return state.leaving.insert(userId).inserted
        }
        guard isFree else { return false }
        defer { state.withLock { _ = $0.leaving.remove(userId) } }
        if let open = state.withLock({ $0.open[userId]?.space }), try await !open.store.figures().hasNoWork {
            return false
        }
        await close(userId)
        // The open fails until the last request of the user has ended, so no request can write afterwards.
        var reopened: OpenSpace? = try await openSpace(of: userId)
        if let reopened, try await !reopened.space.store.figures().hasNoWork {
            // The last request has written. The space goes on.
            reopened.space.start()
            state.withLock { $0.open[userId] = reopened }
            return false
        }
        reopened?.space.syncing?.remote.close()
        reopened = nil
        try FileManager.default.removeItem(atPath: names.path(of: userId))
        logger.notice("removed the space of the user whose last request is the longest ago: \(userId)")
        return true
    }
}

extension SyncFigures {
    /// Whether no change, rejection, conflict or held removal waits.
    var hasNoWork: Bool { pending == 0 && rejections == 0 && conflicts == 0 && removals == 0 }
}
