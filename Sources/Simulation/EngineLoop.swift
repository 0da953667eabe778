import RemoteService
import SyncEngine
import Synchronization

/// The loop of an engine under the time of the run. It runs only while the run waits for it, so that two runs of one seed are
/// the same: the run rings an alarm, and goes on when the loop has set the next one.
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

    /// Returns after the sync with which a loop begins.
    func begin() async {
        let engine = engine
        task.withLock { $0 = Task(executorPreference: SerialTaskExecutor()) { await engine.run() } }
        await timers.waitForNext(.timer)
    }

    func end() async {
        await engine.stop()
        await task.withLock { $0 }?.value
    }

    /// Rings each alarm that is due, in order.
    func runDueTimers() async {
        while timers.fireNext(at: clock.ticksMs) { await timers.waitForNext(.timer) }
    }

    /// A sync that a person asks for.
    func sync(_ call: SyncRequest) async -> SyncOutcome {
        let outcome = await engine.startAndWait(call)
        await timers.waitForNext(.timer)
        return outcome
    }

    /// Tells the engine of a local write. It waits for others to go with it where the remote can be reached.
    func noteWrite() async {
        let isDebouncing = timers.isDebouncing
        await engine.noteLocalWrite()
        let status = await engine.status
        let isReached = status.isOnline || status.lastErrorKind == nil
        if !isDebouncing, isReached, status.pushPausedBecause == nil { await timers.waitForNext(.debounce) }
    }
}
