import Synchronization

/// Limits the number of requests that wait for the remote at a time. Without this limit, requests to a silent remote would occupy
/// all connections and block local requests.
final class RemoteWaits: Sendable {
    private let count = Atomic(0)
    private let countMax: Int

    /// - Parameter countMax: the largest number of waiting requests. The default is a quarter of the server's connections.
    init(countMax: Int = 256) { self.countMax = countMax }

    /// Runs `work`, which counts as a waiting request until its end.
    /// - Returns: nil if too many requests are waiting. `work` is then not run.
    func holdIfThereIsRoom<Value: Sendable>(_ work: @Sendable () async -> Value) async -> Value? {
        defer { count.subtract(1, ordering: .relaxed) }
        guard count.add(1, ordering: .relaxed).newValue <= countMax else { return nil }
        return await work()
    }

    /// Runs `work`, which counts as a waiting request until its end.
    /// - Throws: `APIError.busy` if too many requests are waiting; the errors of `work`.
    func hold<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        defer { count.subtract(1, ordering: .relaxed) }
        guard count.add(1, ordering: .relaxed).newValue <= countMax else { throw APIError.busy }
        return try await work()
    }
}
