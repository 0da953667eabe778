import Logging
import ParseModel
import Synchronization

/// Turns the sync state of `GET /sync` into events of the change streams. After a possible change, the sync state is
/// read again, at most twice a second. Streams receive only the latest state.
final class SyncStatusFeed: Sendable {
    struct Event: Sendable {
        /// The version of the sync state. A later event has a higher version.
        let version: Int
        let bytes: [UInt8]
    }

    private struct State {
        var latest: Event?
        var versions = 0
        var isWanted = false
        var isDue = false
        var isRunning = false
    }

    private let state = Mutex(State())
    private let status: @Sendable () async throws -> JSONObject
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger
    private static let pause = Duration.milliseconds(500)
    private static let pauseAfterError = Duration.seconds(5)

    /// - Parameter status: returns the answer of `GET /sync`.
    init(
        status: @escaping @Sendable () async throws -> JSONObject,
        sleep: @escaping @Sendable (Duration) async throws -> Void, logger: Logger
    ) {
        self.status = status
        self.sleep = sleep
        self.logger = logger
    }

    /// Sets whether any stream is open. Without an open stream, no events are created.
    func setWanted(_ isWanted: Bool) {
        state.withLock { state in
            state.isWanted = isWanted
            // An outdated state must not be sent later.
            state.latest = nil
        }
    }

    /// The latest event; nil if there is no event with a version above `version`.
    func event(after version: Int) -> Event? {
        state.withLock { state in state.latest.flatMap { $0.version > version ? $0 : nil } }
    }

    /// Schedules a read of the sync state, which may have changed.
    /// - Parameter tell: called after each read that finds a changed state.
    func refresh(_ tell: @escaping @Sendable () -> Void) {
        let mustRun = state.withLock { state in
            guard state.isWanted else { return false }
            state.isDue = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustRun else { return }
        Task {
            while takeDue() {
                let isRead = await read(tell)
                do {
                    try await sleep(isRead ? Self.pause : Self.pauseAfterError)
                } catch {
                    return state.withLock { $0.isRunning = false }
                }
            }
        }
    }

    /// Reads the sync state, and calls `tell` if the state has changed.
    /// - Returns: false if the state could not be read. `refresh` then reads again after a pause.
    private func read(_ tell: @Sendable () -> Void) async -> Bool {
        do {
            if keep(ChangeText.event("sync", try await status())) { tell() }
            return true
        } catch {
            logger.warning("the sync state cannot be read for streams: \(error)")
            state.withLock { $0.isDue = true }
            return false
        }
    }

    private func takeDue() -> Bool {
        state.withLock { state in
            defer { state.isDue = false }
            state.isRunning = state.isDue && state.isWanted
            return state.isRunning
        }
    }

    /// Stores an encoded `sync` event as the latest event.
    /// - Returns: false if the latest event already shows the same state, or if no stream is open.
    private func keep(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.isWanted, state.latest?.bytes != bytes else { return false }
            state.versions += 1
            state.latest = Event(version: state.versions, bytes: bytes)
            return true
        }
    }
}
