import Synchronization

/// Bounds the requests that wait for the remote at a time. Otherwise a remote that never answers would take up all connections,
/// and requests that the file answers would fail.
final class RemoteWaits: Sendable {
    private let count = Atomic(0)
    private let countMax: Int

    /// - Parameter countMax: a quarter of the connections that the server takes.
    init(countMax: Int = 256) { self.countMax = countMax }

    /// - Throws: `APIError.busy` where too many requests wait already, and the errors of `work`.
    func hold<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        defer { count.subtract(1, ordering: .relaxed) }
        guard count.add(1, ordering: .relaxed).newValue <= countMax else { throw APIError.busy }
        return try await work()
    }
}
