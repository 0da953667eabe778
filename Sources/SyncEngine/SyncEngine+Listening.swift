import ParseModel
import SyncModel

/// Syncs that start because the remote has reported a change. Syncs at the interval go on, because reports can be missing.
extension SyncEngine {
    /// Begins to listen to the remote's reports.
    /// - Returns: the task that listens until it is cancelled; nil if the remote reports no changes.
    func startListening() -> Task<Void, Never>? {
        guard let listening else { return nil }
        // The closures hold the engine weakly, so that an open connection does not keep the engine and its store alive.
        let wanted = { @Sendable [weak self] in await self?.queriesToListenTo() ?? [] }
        let onChange = { @Sendable [weak self] in if let self { await noteRemoteChange() } }
        return environment.task { await listening.run(wanted: wanted, onChange: onChange) }
    }

    /// Called after the session under which the engine sends its requests may have ended.
    package nonisolated func noteSessionChange() { listening?.wake() }

    /// The queries whose changes the remote reports; empty while the engine may send nothing.
    private func queriesToListenTo() async -> [PullQuery] {
        guard !isPaused, !isStopping, await hasSession() else { return [] }
        do {
            return ListenedQueries.of(try await store.syncClasses())
        } catch {
            logger.warning("the classes cannot be read, so no changes of the remote are reported: \(error)")
            return []
        }
    }

    /// Starts a sync soon, because an object may have changed on the remote. After a failed sync, a report only counts as a sign that
    /// the remote can be reached.
    private func noteRemoteChange() {
        guard failures == 0 || isRunning else { return noteAnswerToOther() }
        if let delay = signalPace.noteReport(at: environment.uptime()) { startAfterReport(delay) }
    }

    /// Starts the sync that follows a report. While the remote refuses the keys, a report starts no sync. After a failed sync, the next
    /// one follows at its own time.
    func startAfterReport(_ delay: Duration) {
        guard !isPaused, !isStopping, !isUnauthorized, failures == 0 else { return }
        start(.full, after: delay)
    }
}
