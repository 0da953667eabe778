import Synchronization

/// Bounds how many requests wait for the remote at a time. A remote that never answers would otherwise take all
/// connections, and with them everything that is answered from the file.
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
