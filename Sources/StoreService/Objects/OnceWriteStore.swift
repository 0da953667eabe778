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

extension WriteRequest {
    /// The write with the state that clients see now as the state on which it is based, unless the client has named a
    /// state. If a read of the remote then shows that another client has changed a field of the write, the write is
    /// refused as stale.
    /// - Parameter object: the object as the client sees it; nil if it sees none.
    package func based(on object: StoredObject?) -> WriteRequest {
        guard terms.base == nil, terms.match == nil, let object,
            let fields = try? object.fields(of: className),
            let shown = fields["updatedAt"]?.string.flatMap(ParseDate.init(iso:))
        else { return self }
        var terms = terms
        terms.base = shown
        return switch self {
        case .create: self
        case .update(let className, let objectId, let body, _):
            .update(className: className, objectId: objectId, body: body, terms: terms)
        case .delete(let className, let objectId, _):
            .delete(className: className, objectId: objectId, terms: terms)
        }
    }
}
