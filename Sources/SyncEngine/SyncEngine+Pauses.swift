/// Pauses on request, and suspensions: short stops of the sync while a forwarded call empties a class.
extension SyncEngine {
    /// Pauses syncing until `resume`. The pause survives restarts.
    package func pause() async throws {
        try await store.setPaused(true)
        isPausedItself = true
        notePause()
    }

    package func resume() async throws {
        try await store.setPaused(false)
        isPausedItself = false
        notePause()
    }

    /// Applies a pause of the gateway, or its end, to this engine, which syncs the data of one user. A pause of this
    /// engine itself stays.
    package func follow(gatewayIsPaused isPaused: Bool) {
        guard isPaused != isPausedByGateway else { return }
        isPausedByGateway = isPaused
        notePause()
    }

    func notePause() {
        noteHalt()
        if isPaused { timer?.cancel() }
        observe(.statusChanged)
        listening?.wake()
        if !isPaused { start() }
    }

    func noteHalt() {
        let halts = isPaused || isStopping || suspensions > 0
        halt.withLock { $0 = halts }
    }

    /// Ends the running sync after the answer to its current request, and prevents further syncs until `endSuspension`.
    /// Returns when no sync runs. Callers that wait for a sync now wait for the one after the suspension.
    package func suspend() async {
        suspensions += 1
        noteHalt()
        if isRunning { await withCheckedContinuation { suspending.append($0) } }
    }

    package var isSuspended: Bool { suspensions > 0 }

    /// Ends one of possibly several suspensions. When all have ended, a sync begins.
    package func endSuspension() {
        suspensions -= 1
        noteHalt()
        if suspensions == 0 { start() }
    }
}
