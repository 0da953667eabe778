import ParseModel
import RemoteService
import SyncModel

/// Converts answers of a Parse Server to outcomes. An answer that does not show whether the operation was executed
/// gives `unknown`.
extension PushOutcome {
    /// The outcome of one operation.
    /// - Parameter answer: the answer to a single operation, or to an item of a batch.
    init(_ answer: ParseAnswer, of operation: PushOperation) {
        switch answer {
        case .success(let value):
            guard let acknowledgement = Acknowledgement(value, of: operation) else {
                self = .unknown(reason: "the answer to the \(operation.kind.rawValue) lacks what it must have")
                return
            }
            self = .applied(acknowledgement)
        case .failure(.refused(let code, let message)):
            self.init(code: code, message: message, of: operation.kind)
        case .failure(.tooLarge(let reason)):
            self = .refused(code: ParseError.Code.objectTooLarge.rawValue, message: reason)
        case .failure(let failure):
            self.init(ofWholeBatch: failure)
        }
    }

    /// The outcome of each operation of a batch that failed as a whole. Also the outcome of a single operation that
    /// failed with another failure than `refused` or `tooLarge`.
    ///
    /// The operations of a refused batch get `unknown`, because the server may have executed some of them. A batch that
    /// is refused for its size is sent again in parts instead.
    init(ofWholeBatch failure: ParseFailure) {
        switch failure {
        case .unauthorized(let message): self = .unauthorized(message: message)
        case .throttled(let retryAfter, let reason): self = .retry(after: retryAfter, reason: reason)
        // A proxy may have replaced the answer although the server has executed the request.
        case .misaddressed(200..<300, let reason): self = .unknown(reason: reason)
        // The URL in the settings may be wrong, so the change stays pending instead of being rejected.
        case .misaddressed(_, let reason): self = .retry(after: nil, reason: reason)
        case .refused(let code, let message): self = .unknown(reason: "code \(code): \(message)")
        case .tooLarge(let reason), .tooMuch(let reason), .unavailable(_, let reason), .faulty(_, let reason):
            self = .unknown(reason: reason)
        case .failed(_, let code, let reason): self = .unknown(reason: reason, code: code)
        case .replica(200..<300): self = .unknown(reason: ParseFailure.replicaMessage)
        case .replica: self = .unauthorized(message: ParseFailure.replicaMessage)
        }
    }

    private init(code: Int, message: String, of kind: PushOperation.Kind) {
        switch (ParseError.Code(rawValue: code), kind) {
        case (.objectNotFound, .update), (.objectNotFound, .delete): self = .gone(message: message)
        case (.duplicateValue, .create): self = .duplicate(message: message)
        // The server records a request id before it executes the request, so a duplicate request id does not prove that the
        // object was saved.
        case (.duplicateRequest, _): self = .unknown(reason: message)
        // The server did not execute an item that exceeds a rate limit.
        case (ParseError.Code(rawValue: ParseFailure.requestLimitExceeded), _), (ParseError.Code(rawValue: 429), _):
            self = .retry(after: nil, reason: message)
        // For some seconds after a class was created or removed, a Parse Server with an outdated schema cache answers
        // "Could not add field …" or "schema class name does not revalidate", and stores nothing. The same code also
        // means that a value can never be stored.
        case (.invalidJSON, _): self = .refusedForNow(code: code, message: message)
        default: self = .refused(code: code, message: message)
        }
    }
}

extension Acknowledgement {
    /// Reads the acknowledgement from the answer to a successful operation; nil if the answer is incomplete. The answer to an
    /// update needs `updatedAt`. The answer to a create needs `createdAt`, and an id if the server chose the id.
    init?(_ answer: JSONValue, of operation: PushOperation) {
        guard let object = answer.object else { return nil }
        let date = { (key: String) in object[key]?.string.flatMap { ParseDate(iso: $0) } }
        var echoed = object
        echoed.removeAll { ["objectId", "createdAt", "updatedAt"].contains($0) }
        switch operation.kind {
        case .create, .undelete:
            let chosen = operation.sendsObjectId ? operation.objectId : nil
            guard let createdAt = date("createdAt"), let objectId = object["objectId"]?.string ?? chosen,
                1...ObjectStamp.idBytesMax ~= objectId.utf8.count
            else { return nil }
            // If the answer to a create lacks `updatedAt`, the `updatedAt` of the object equals its `createdAt`.
            self.init(
                objectId: objectId, createdAt: createdAt, updatedAt: date("updatedAt") ?? createdAt, echoed: echoed)
        case .update:
            guard let updatedAt = date("updatedAt") else { return nil }
            self.init(objectId: operation.objectId, createdAt: nil, updatedAt: updatedAt, echoed: echoed)
        case .delete:
            guard object["error"] == nil else { return nil }
            self.init(objectId: operation.objectId, createdAt: nil, updatedAt: nil, echoed: [:])
        }
    }
}
