import Foundation
import GatewayAPI
import ParseModel
import StoreService

/// Removes users' spaces: at the request of the person who runs the gateway, after a time without use, and to make room
/// for another user.
struct SpaceRemoval: Sendable {
    let registry: SpaceRegistry

    private var people: any PeopleStore { registry.people }
    private var book: SessionBook { registry.book }

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

    /// Removes the data of users who have not used the gateway for `forgetAfter` and have no unsent changes or open
    /// decisions.
    func forgetUnused() async {
        for userId in book.logged({ try book.uses.unused() }) {
            do {
                _ = try await remove(userId, .unused) { [uses = book.uses, people] store in
                    guard try await people.waitingWork(of: userId).isEmpty else { return false }
                    return try await store.figures().hasNoWork && uses.unused().contains(userId)
                }
            } catch {
                registry.logger.error("the data of the user \(userId) cannot be removed: \(error)")
            }
        }
    }

    // MARK: Room

    func checkRoom(for name: LogInName) async throws {
        try await checkRoom { try people.user($0).map(name.isExactly) ?? false }
    }

    func checkRoom(of userId: String) async throws { try await checkRoom { $0 == userId } }

    /// - Parameter isHere: whether this user, who has a space, is the user who signs in.
    private func checkRoom(unless isHere: (_ userId: String) throws -> Bool) async throws {
        let userIds = try people.userIds().filter(registry.hasSpace)
        guard userIds.count >= registry.settings.usersMax, try !userIds.contains(where: isHere) else { return }
        for userId in userIds where try await mayBeEvicted(userId) { return }
        throw FullGateway.error(userIds.count)
    }

    private func mayBeEvicted(_ userId: String) async throws -> Bool {
        guard let open = registry.state.withLock({ $0.open[userId]?.space }) else {
            // A damaged file may contain unsent changes, so its space is kept.
            return (try? registry.readsFigures(registry.path(of: userId)).map(\.hasNoWork) ?? true) ?? false
        }
        return open.api.hasStreams ? false : try await open.store.figures().hasNoWork
    }

    /// Removes the least recently used space without unsent changes and open decisions, if the maximum number of users
    /// is reached.
    /// - Parameter userId: the user who needs the room. The remote must accept a session of this user now. Without the
    ///   remote, neither the new space nor the removed one could be filled.
    /// - Throws: `APIError.remoteUnreachable` if every space has unsent changes or open decisions, and if the remote
    ///   does not answer.
    func makeRoom(for userId: String) async throws {
        if try registry.places.reserve(for: userId, besides: people.userIds().filter(registry.hasSpace)) { return }
        let userIds = try people.userIds().filter(registry.hasSpace)
        guard try await book.isAccepted(userId) else { throw FullGateway.errorWithoutRemote(userIds.count) }
        let uses = try registry.lastUses()
        for other in userIds.sorted(by: { (uses[$0] ?? .distantPast, $0) < (uses[$1] ?? .distantPast, $1) }) {
            do { _ = try await remove(other, .evicted, ifAllowed: { try await $0.figures().hasNoWork }) } catch {
                registry.logger.error("the data of the user \(other) stays, because it cannot be read: \(error)")
            }
            if try registry.places.reserve(for: userId, besides: people.userIds().filter(registry.hasSpace)) { return }
        }
        throw FullGateway.error(userIds.count)
    }

    /// Removes the space of a user, unless it is being opened. A space with open streams is removed only for the reason
    /// `forgotten`, which ends the streams. Evicted users stay known; other users are forgotten with their sessions.
    /// - Parameter isAllowed: whether the space may be removed. Called first for an open space, and again when no
    ///   request can write to it any more.
    /// - Returns: whether the space is removed.
    func remove(
        _ userId: String, _ reason: AuditEvent.RemovalReason,
        ifAllowed isAllowed: (any GatewayStore) async throws -> Bool
    ) async throws -> Bool {
        if let open = registry.state.withLock({ $0.open[userId]?.space }), try await !isAllowed(open.store) {
            return false
        }
        let isFree = registry.state.withLock { state in
            guard state.opening[userId] == nil else { return false }
            if reason != .forgotten, state.open[userId]?.space.api.hasStreams == true { return false }
            return state.leaving.insert(userId).inserted
        }
        guard isFree else { return false }
        defer { registry.state.withLock { _ = $0.leaving.remove(userId) } }
        // The streams end, because the session of a leaving user is not usable.
        registry.state.withLock { $0.open[userId]?.space.api }?.endStreamsWithoutSession()
        if registry.hasSpace(userId) {
            await registry.close(userId)
            guard try await mayGo(userId, isAllowed) else { return false }
            try UserRemoval.remove(registry.path(of: userId))
        }
        if reason != .evicted { try await people.forget(userId: userId) }
        book.uses.forget(userId)
        book.endLook(at: userId)
        registry.state.withLock { $0.requestedAt[userId] = nil }
        registry.audit.note(.spaceRemoved(userId: userId, reason: reason))
        registry.logger.notice("removed the data of the user \(userId) from this machine (\(reason.rawValue))")
        return true
    }

    /// Checks once more, with the space opened, whether it may be removed. Opening fails until the last request of the
    /// user has ended, so no request can write afterwards. If the space is kept, it stays open.
    private func mayGo(
        _ userId: String, _ isAllowed: (any GatewayStore) async throws -> Bool
    ) async throws -> Bool {
        let gatewayVersion = registry.state.withLock { $0.gatewayVersion }
        let reopened = try await registry.openSpace(of: userId)
        let answer: Result<Bool, any Error>
        do { answer = .success(try await isAllowed(reopened.space.store)) } catch { answer = .failure(error) }
        if case .success(true) = answer {
            reopened.space.syncing?.remote.close()
            return true
        }
        reopened.space.start()
        registry.state.withLock { $0.open[userId] = reopened }
        await registry.catchUp(since: gatewayVersion)
        return try answer.get()
    }
}

extension ParseDate {
    fileprivate static let distantPast = ParseDate(milliseconds: 0)
}

extension SyncFigures {
    /// Whether no change, rejection, conflict or unconfirmed removal waits, and every file is on the remote.
    var hasNoWork: Bool { pending == 0 && rejections == 0 && conflicts == 0 && removals == 0 && !hasLocalFiles }
}

/// The errors of a gateway that already serves the maximum number of users.
enum FullGateway {
    static func error(_ count: Int) -> APIError {
        .remoteUnreachable(
            reason: maximum(count)
                + ", and each has waiting changes, decisions or files, or an open stream of changes.")
    }

    /// The error for a user without a space while the remote cannot be reached. A new space would be empty, and another
    /// user's space would have to be removed for it.
    static func errorWithoutRemote(_ count: Int) -> APIError {
        .remoteUnreachable(
            reason: maximum(count)
                + ". Without the remote, the data of another user is not removed to make room for this user.")
    }

    private static func maximum(_ count: Int) -> String {
        "This gateway serves \(count.counted("user")), the maximum (\(Setting.usersMax.option))"
    }
}
