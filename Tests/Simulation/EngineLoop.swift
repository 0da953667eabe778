import RemoteService
import SyncEngine
import Synchronization

/// Runs the engine's own sync loop under simulated time. The simulation fires a timer, and waits until the loop has set
/// the next timer. The loop and the simulation therefore never run at the same time, and runs of one seed are
/// identical.
final class EngineLoop: Sendable {
    private let engine: SyncEngine
    private let clock: PartyClock
    private let timers: SimulatedTimers
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(of engine: SyncEngine, clock: PartyClock, timers: SimulatedTimers) {
        self.engine = engine
        self.clock = clock
        self.timers = timers
    }

    /// Starts the loop, and waits until its first sync has ended.
    func begin() async {
        let engine = engine
        task.withLock { $0 = Task(executorPreference: SerialTaskExecutor()) { await engine.run() } }
        await timers.waitForNext()
    }

    func end() async {
        await engine.stop()
        await task.withLock { $0 }?.value
    }

    /// Fires the due timers one after the other, by due time. Waits after each timer until the loop has set the next timer.
    func runDueTimers() async {
        while timers.fireNext(at: clock.ticksMs) { await timers.waitForNext() }
    }

    /// Runs a sync that a user requests, and waits until the loop has set the next timer.
    func sync(_ call: SyncRequest) async -> SyncOutcome {
        let outcome = await engine.startAndWait(call)
        await timers.waitForNext()
        return outcome
    }

    /// Notifies the engine of a local write. Waits until the engine has set the debounce timer, unless the timer is already set,
    /// the remote is unreachable, or pushes are paused.
    func noteWrite() async {
        let isDebouncing = timers.isDebouncing
        await engine.noteLocalWrite()
        let status = await engine.status
        let isReached = status.isOnline || status.lastErrorKind == nil
        if !isDebouncing, isReached, status.pushPausedBecause == nil { await timers.waitForDebounce() }
    }
}
