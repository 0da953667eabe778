import Foundation
import ParseModel
import StoreService

/// The background work of the registry.
extension SpaceRegistry {
    /// Opens the spaces with waiting work. Then closes idle spaces and finishes log-outs every minute until the task is cancelled.
    func tend() async {
        UserRemoval.finish(in: names.directory)
        if logIns == nil { await removeVerifiers() }
        for userId in logged({ try people.userIds().filter(hasSpace) }) {
            do { _ = try await space(of: userId) } catch {
                logger.error("the space of the user \(userId) cannot be opened: \(error)")
            }
        }
        repeat {
            await finishLogOuts()
            await forgetUnused()
            await logIns?.tend()
            await closeIdleSpaces()
        } while (try? await environment.sleep(.seconds(60))) != nil
    }

    /// Removes the verifiers of an earlier start with log-ins without the remote.
    private func removeVerifiers() async {
        do { try await people.removeVerifiers(at: environment.now()) } catch {
            logger.warning("the verifiers of an earlier start cannot be removed: \(error)")
        }
    }

    func logged<Element>(_ read: () throws -> [Element]) -> [Element] {
        do { return try read() } catch {
            logger.error("the users of the remote cannot be read: \(error)")
            return []
        }
    }

    private func closeIdleSpaces() async {
        let now = environment.uptime()
        let idle = state.withLock { state in
            state.open.filter { now - $0.value.usedAt >= settings.idleMax && !$0.value.space.api.hasStreams }
        }
        for (userId, open) in idle {
            guard (try? await open.space.store.figures().hasNoWork) == true else { continue }
            await close(userId, unusedSince: open.usedAt)
        }
    }

    /// Closes all spaces.
    func stop() async {
        let open = state.withLock { state in
            state.isStopped = true
            defer { state.open = [:] }
            return state.open
        }
        await withTaskGroup { group in
            for space in open.values.map(\.space) { group.addTask { await space.stop {} } }
        }
    }
}
