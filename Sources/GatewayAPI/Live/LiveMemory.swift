import HTTPServer

/// The memory of one subscription. It counts against the budgets of its connection and of all connections until the
/// subscription is released.
final class LiveMemory: Sendable {
    private let bytes: Int
    private let budgets: [ByteBudget]

    /// The maximum number of bytes of a connection's subscriptions: 1,000 with usual queries take 3 to 4 MB, and twice
    /// as much while the client replaces all of them.
    static let connectionBytesMax = 8 << 20

    /// - Parameters:
    ///   - connection: the budget of the connection.
    ///   - total: the budget of all connections.
    /// - Throws: `LiveError.subscriptionsTooLarge`, and `APIError.busy` if all connections have too many subscriptions.
    init(of query: LiveQuery, in connection: ByteBudget, _ total: ByteBudget) throws {
        bytes = query.memoryBytes
        budgets = [connection, total]
        guard connection.reserve(bytes) else {
            throw LiveError.subscriptionsTooLarge(bytesMax: Self.connectionBytesMax)
        }
        guard total.reserve(bytes) else {
            connection.release(bytes)
            throw APIError.busy
        }
    }

    deinit { for budget in budgets { budget.release(bytes) } }
}
