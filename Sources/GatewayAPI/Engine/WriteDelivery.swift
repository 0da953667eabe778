import ParseModel
import StoreService

/// Writes whose clients ask for the remote: those that wait until the remote has taken them, and those that go to the
/// remote or nowhere.
package protocol WriteDelivery: Sendable {
    /// Performs writes, and waits until the remote has taken them.
    /// - Parameters:
    ///   - time: the maximum time of the wait. After it, the other writes are waiting.
    ///   - perform: performs the writes, with one result for each.
    func confirm(
        _ writes: [WriteRequest], by principal: Principal, within time: Duration,
        _ perform: @Sendable () async -> [Result<WriteReceipt, any Error>]
    ) async -> [Result<ConfirmedWrite, any Error>]

    /// Sends a write to the remote at once. It is stored only if the remote takes it, or if the remote's answer is lost.
    /// - Parameters:
    ///   - things: the objects and files that the write names. The earlier writes of the principal are sent first.
    ///   - ignoresQueue: whether to send the write without waiting for the earlier ones.
    ///   - time: the maximum time until the answer.
    /// - Throws: `ParseError` if the remote or this gateway refuses the write; `APIError.remoteUnreachable` if it was not
    ///   sent; `APIError.notTaken` if its outcome is unknown; `APIError.queuedWrites`, `APIError.remoteUnauthorized`,
    ///   `StoreError`.
    func sendOnly(
        _ write: WriteRequest, naming things: NamedThings, by principal: Principal, ignoresQueue: Bool,
        within time: Duration
    ) async throws -> (receipt: WriteReceipt, taken: TakenWrite)
}

/// A write that is stored here, and what the remote has made of it.
package struct ConfirmedWrite: Sendable {
    package enum Fate: Sendable, Hashable {
        case taken(TakenWrite)
        /// The write waits to be sent, or for the outcome of its request.
        case waiting
        case notTaken(NotTaken)
    }

    package let receipt: WriteReceipt
    package let fate: Fate

    package init(receipt: WriteReceipt, fate: Fate) { (self.receipt, self.fate) = (receipt, fate) }
}

/// A write as the remote has executed it.
package struct TakenWrite: Sendable, Hashable {
    /// The remote's id of the object.
    package let objectId: String
    package let createdAt: ParseDate?
    package let updatedAt: ParseDate?
    /// The field values that the remote returned.
    package let returned: JSONObject
    /// The fields of the remote's row, if the row has proved the execution and not an answer; nil otherwise.
    package let row: JSONObject?

    package init(
        objectId: String, createdAt: ParseDate? = nil, updatedAt: ParseDate? = nil, returned: JSONObject = [:],
        row: JSONObject? = nil
    ) {
        self.objectId = objectId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.returned = returned
        self.row = row
    }

    /// The receipt with the id, the times and the values of the remote.
    func applied(to receipt: WriteReceipt, mark: ObjectMark?) -> WriteReceipt {
        var echoed = receipt.echoed
        if let row { for field in echoed.keys { echoed[field] = row[field] } }
        for (field, value) in returned { echoed[field] = value }
        var applied = WriteReceipt(
            objectId: objectId, createdAt: createdAt ?? receipt.createdAt, updatedAt: updatedAt ?? receipt.updatedAt,
            echoed: echoed, mark: mark)
        applied.hasUpdatedExisting = receipt.hasUpdatedExisting
        return applied
    }
}

/// The delivery of a replica whose engine sends nothing.
package struct NoDelivery: WriteDelivery {
    package init() {}

    package func confirm(
        _ writes: [WriteRequest], by principal: Principal, within time: Duration,
        _ perform: @Sendable () async -> [Result<WriteReceipt, any Error>]
    ) async -> [Result<ConfirmedWrite, any Error>] {
        await perform().map { $0.map { ConfirmedWrite(receipt: $0, fate: .waiting) } }
    }

    package func sendOnly(
        _ write: WriteRequest, naming things: NamedThings, by principal: Principal, ignoresQueue: Bool,
        within time: Duration
    ) async throws -> (receipt: WriteReceipt, taken: TakenWrite) {
        throw APIError.remoteUnreachable(reason: "This gateway sends nothing to its remote.")
    }
}
