import Synchronization

/// Runs one piece of work at a time, in the order of arrival.
final class RequestTurns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func run<Value>(_ work: () async -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let mayBegin = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if mayBegin { continuation.resume() }
        }
        let value = await work()
        let next = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
        return value
    }
}
