import Foundation

/// Reads that may take long have a few threads of their own, so that neither the server's threads nor those of waiting
/// tasks are kept by them.
final class SlowReads: Sendable {
    private let queue: OperationQueue
    private static let threadsMax = 4

    init() {
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = Self.threadsMax
    }

    func run<Value: Sendable>(_ read: @escaping @Sendable () throws -> Value) async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: Result(catching: read)) }
        }
    }
}
