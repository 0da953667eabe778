import RemoteService
import SyncModel
import Synchronization

/// Connections on which a remote reports changes, as a test decides.
final class FakeSignals: RemoteChangeSignals {
    private let error = Mutex<RemoteSignalsError?>(nil)
    private let opened = Mutex<[FakeListener]>([])
    private let attempts = Mutex(0)

    /// - Parameter error: the error of each attempt to connect; nil to accept them.
    init(refusing error: RemoteSignalsError? = nil) { refuse(error) }

    func refuse(_ error: RemoteSignalsError?) { self.error.withLock { $0 = error } }

    var connections: [FakeListener] { opened.withLock { $0 } }
    var attemptCount: Int { attempts.withLock { $0 } }

    func connect() async throws(RemoteSignalsError) -> any RemoteChangeListener {
        attempts.withLock { $0 += 1 }
        if let error = error.withLock({ $0 }) { throw error }
        let listener = FakeListener()
        opened.withLock { $0.append(listener) }
        return listener
    }
}

/// A connection of `FakeSignals`.
final class FakeListener: RemoteChangeListener {
    private struct State {
        var asked: [[PullQuery]] = []
        var isCurrent = true
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signals: AsyncStream<RemoteSignal>
    private let signal: AsyncStream<RemoteSignal>.Continuation

    init() { (signals, signal) = AsyncStream.makeStream() }

    // MARK: The part of the remote

    /// The classes of the latest queries.
    var classes: [String] { state.withLock { $0.asked.last?.map(\.className) ?? [] } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func send(_ signal: RemoteSignal) { self.signal.yield(signal) }
    func end() { signal.finish() }
    func changeSession() { state.withLock { $0.isCurrent = false } }

    // MARK: RemoteChangeListener

    let endReason = "the test has ended the connection"

    let way = SyncStatus.Listening.Way.liveQuery

    func listen(to queries: [PullQuery]) { state.withLock { $0.asked.append(queries) } }
    func isCurrent() async -> Bool { state.withLock { $0.isCurrent } }

    func next() async -> RemoteSignal? {
        for await signal in signals { return signal }
        return nil
    }

    func close() {
        state.withLock { $0.isClosed = true }
        end()
    }
}
