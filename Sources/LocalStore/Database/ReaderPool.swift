import GRDB
import Synchronization

/// Read-only connections for the server's threads: each call has one for itself, so that reads never wait for each other.
final class ReaderPool: Sendable {
    private let idle = Mutex<[DatabaseQueue]>([])
    private let open: @Sendable () throws -> DatabaseQueue
    private static let idleMax = 16

    init(open: @escaping @Sendable () throws -> DatabaseQueue) { self.open = open }

    /// Closes the connections that nobody reads with.
    func close() { idle.withLock { $0.removeAll() } }

    /// Reads in one snapshot of the file.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try using { try $0.read(body) }
    }

    /// Reads with one statement, which needs no transaction around it.
    func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try using { try $0.unsafeRead(body) }
    }

    private func using<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
        let connection = try idle.withLock({ $0.popLast() }) ?? open()
        defer { idle.withLock { if $0.count < Self.idleMax { $0.append(connection) } } }
        do {
            return try body(connection)
        } catch {
            throw StoreError.wrapping(error, operation: "read")
        }
    }
}
