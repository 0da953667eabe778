import Foundation
import GatewayAPI
import ParseModel
import StoreService

/// Starts and stops the registry's background tasks, which close idle spaces and send log-outs.
extension SpaceRegistry {
    /// Opens the spaces with waiting work. Then closes idle spaces and finishes log-outs every minute until the task is cancelled.
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
            await forgetUnused()
            await closeIdleSpaces()
        } while (try? await environment.sleep(.seconds(60))) != nil
    }

    /// Asks the remote about used sessions whose space was closed before its next sync has ended.
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
