import Synchronization

/// Measures long work in steps that follow each other, and reports how far the work is. The steps of a part of the work are planned
/// before it begins, with the bytes that they read or write.
package final class WorkMeter: Sendable {
    package typealias Report = @Sendable (WorkProgress) -> Void

    private struct State {
        /// The bytes of all steps.
        var planned = 0
        /// The bytes of the finished steps.
        var finished = 0
        /// The bytes of the present step.
        var bytes = 0
        var progress = WorkProgress(step: "")

        /// The progress, with the part of all steps that is done. Plans are estimates, so it is at most 1. During a step that is not
        /// measured the part is unknown.
        func report() -> WorkProgress {
            guard let done = progress.done, let total = progress.total else { return progress }
            var report = progress
            let step = min(1, Double(done) / Double(max(1, total))) * Double(bytes)
            report.part = min(1, (Double(finished) + step) / Double(max(1, planned)))
            return report
        }
    }

    private let report: Report
    private let state = Mutex(State())

    package init(_ report: @escaping Report) { self.report = report }

    /// Adds the bytes of steps to the whole work.
    package func plan(bytes: Int) { state.withLock { $0.planned += bytes } }

    /// Begins a step, and thus ends the one before.
    /// - Parameters:
    ///   - step: what runs, for people: `Copying the objects`.
    ///   - bytes: the bytes of the step.
    ///   - total: the amount of the step in `unit`; nil if it is `bytes`.
    ///   - isMeasured: whether `advance` follows.
    package func begin(
        _ step: String, bytes: Int, _ unit: WorkProgress.Unit = .bytes, total: Int? = nil, isMeasured: Bool = true
    ) {
        change { state in
            state.finished += state.bytes
            state.bytes = bytes
            state.progress = WorkProgress(
                step: step, unit: unit, done: isMeasured ? 0 : nil, total: isMeasured ? total ?? bytes : nil)
        }
    }

    /// Sets the amount of the present step that is done.
    package func advance(to done: Int) {
        change { state in state.progress.done = min(done, state.progress.total ?? done) }
    }

    /// Adds to the amount of the present step that is done.
    package func advance(by more: Int) {
        change { state in
            let done = (state.progress.done ?? 0) + more
            state.progress.done = min(done, state.progress.total ?? done)
        }
    }

    private func change(_ change: (inout sending State) -> Void) {
        report(
            state.withLock { state in
                change(&state)
                return state.report()
            })
    }
}
