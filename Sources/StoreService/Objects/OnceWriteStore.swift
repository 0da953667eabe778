import ParseModel
import SyncModel

/// Stores changes that go to the remote at once or nowhere. Such a change is sent at most once.
package protocol OnceWriteStore: Sendable {
    /// Stores a change, already marked as in flight, in one transaction: after a crash, its outcome is unknown. Clients
    /// do not see the change before the remote has taken it.
    /// - Parameters:
    ///   - serverTime: the time of sending, by the server's clock.
    ///   - marked: returns the entry with the field in which the request leaves its operation id.
    /// - Throws: `StoreError.notPossible` if the object has pending changes, or if the change points to an object that is
    ///   not on the remote yet; `ParseError` 130 (file save error) for a file that is not on the remote yet; the errors
    ///   of other local writes.
    func begin(
        _ write: WriteRequest, as principal: Principal, at serverTime: ParseDate,
        marked: @escaping @Sendable (OutboxEntry) -> OutboxEntry
    ) async throws -> BegunWrite
}

/// A change that is in flight, and is sent at most once.
package struct BegunWrite: Sendable {
    package let entry: OutboxEntry
    package let receipt: WriteReceipt

    package init(entry: OutboxEntry, receipt: WriteReceipt) { (self.entry, self.receipt) = (entry, receipt) }
}
