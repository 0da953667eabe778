import Foundation
import GatewayAPI
import ParseModel
import StoreService

/// Starts and stops the registry's background tasks, which close idle spaces and send log-outs.
extension SpaceRegistry {
    /// Opens all spaces, so that they sync. Then closes idle spaces and sends log-outs every minute until the task is
    /// cancelled.
    func tend() async {
        UserRemoval.finish(in: names.directory)
        await book.begin()
        for userId in book.logged({ try people.userIds().filter(hasSpace) }) {
            do { _ = try await space(of: userId) } catch {
                logger.error("the space of the user \(userId) cannot be opened: \(error)")
            }
        }
        repeat {
            await book.tend()
            await confirmSessionsOfClosedSpaces()
            await removal.forgetUnused()
            await closeIdleSpaces()
        } while (try? await environment.sleep(.seconds(60))) != nil
    }

    /// Asks the remote about sessions that were used, if the user's space was closed before its next sync ended.
    private func confirmSessionsOfClosedSpaces() async {
        let closed = book.usersOfUsedSessions.filter { userId in state.withLock { $0.open[userId] == nil } }
        for userId in closed.sorted() { await book.confirmUsed(of: userId) }
    }

    private func closeIdleSpaces() async {
        let now = environment.uptime()
        let idle = state.withLock { state in
            state.open.filter { now - $0.value.usedAt >= settings.idleMax && !$0.value.space.api.hasStreams }
        }
        for (userId, open) in idle.sorted(by: { $0.key < $1.key }) {
            guard (try? await open.space.store.figures().hasNoWork) == true else { continue }
            await close(userId, unusedSince: open.usedAt)
        }
    }

    func noteSyncEnd() async { await book.finishLogOuts() }

    /// Closes all spaces.
    func stop() async {
        let open = state.withLock { state in
            state.isStopped = true
            defer { state.open = [:] }
            return state.open
        }
        await withTaskGroup { group in
            for (_, open) in open.sorted(by: { $0.key < $1.key }) { group.addTask { await open.space.stop {} } }
        }
        await book.stop()
    }
}

/// Applies the classes and the pauses of the gateway to the open spaces. A closed space reads them when it opens.
extension SpaceRegistry {
    /// Applies the gateway's present pause and classes to all open spaces. Calls run one after another.
    func followGateway() async {
        let task = state.withLock { state -> Task<Void, Never> in
            state.gatewayVersion += 1
            let earlier = state.following
            let task = environment.task {
                await earlier?.value
                await self.followNow()
            }
            state.following = task
            return task
        }
        await task.value
    }

    /// Called after a space was opened. It may have read the gateway's classes and pause before their last change.
    func catchUp(since gatewayVersion: Int) async {
        if state.withLock({ $0.gatewayVersion }) != gatewayVersion { await followGateway() }
    }

    private func followNow() async {
        let open = state.withLock { $0.open.mapValues(\.space) }.sorted { $0.key < $1.key }
        do {
            let isPaused = try await store.figures().isPaused
            for (_, space) in open { await space.syncing?.engine.follow(gatewayIsPaused: isPaused) }
        } catch {
            logger.error("the users cannot follow a pause of the gateway: \(error)")
        }
        for (userId, space) in open {
            do {
                for problem in try await space.store.classFollower.follow(
                    try await store.sync(as: .gateway).syncClasses())
                {
                    logger.warning("a class of the user \(userId): \(problem)")
                }
                await space.syncing?.engine.start()
            } catch {
                logger.error("the classes of the user \(userId) cannot be brought up to date: \(error)")
            }
        }
    }
}
