import Synchronization

/// The simulated time of a `PeopleWorld`. It advances from timer to timer. After each timer, all tasks run until they
/// wait for a later timer.
final class PeopleTime: Sendable {
    let time: SimulatedTime
    let timers = SimulatedTimers()
    let executor: SerialTaskExecutor

    init(_ time: SimulatedTime, executor: SerialTaskExecutor) {
        self.time = time
        self.executor = executor
    }

    var nowMs: Int64 { time.nowMs }

    /// Suspends the task for a number of milliseconds.
    func wait(ms: Int) async throws { try await timers.wait(until: nowMs + Int64(ms), .timer) }

    /// Advances the time, and fires the timers that become due.
    func pass(ms: Int) async {
        let end = nowMs + Int64(ms)
        await executor.rest()
        while await fireNext(by: end) {}
        time.advance(ms: Int(max(0, end - nowMs)))
    }

    /// Runs work, and advances the time until the work has ended.
    /// - Returns: nil if the work has not ended after `msMax` milliseconds.
    func run<Value: Sendable>(msMax: Int, _ work: @escaping @Sendable () async -> Value) async -> Value? {
        let result = Result<Value>()
        Task(executorPreference: executor) {
            let value = await work()
            result.value.withLock { $0 = value }
        }
        let end = nowMs + Int64(msMax)
        await executor.rest()
        while result.value.withLock({ $0 == nil }), await fireNext(by: end) {}
        return result.value.withLock { $0 }
    }

    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// Fires the next timer that is due no later than `endMs`.
    /// - Returns: false if there is none.
    private func fireNext(by endMs: Int64) async -> Bool {
        guard let dueMs = timers.nextDueMs, dueMs <= endMs else { return false }
        time.advance(ms: Int(max(0, dueMs - nowMs)))
        guard timers.fireNext(at: nowMs) else { return false }
        await executor.rest()
        return true
    }
}
