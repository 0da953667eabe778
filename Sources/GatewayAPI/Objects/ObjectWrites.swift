import ParseModel
import StoreService

/// Writes of one object: read from requests, carried out, and answered.
struct ObjectWrites: Sendable {
    let store: any ObjectStore

    /// The write that a request asks for.
    /// - Throws: `ParseError` where the body is no object, or the client may not do it.
    func write(_ request: RoutedRequest) throws(ParseError) -> WriteRequest {
        let target = try request.target
        let body = request.parse.body
        guard let objectId = target.objectId else {
            var fields = try body.fields
            // A new object is made on no earlier state.
            if let base = fields["_base"] { _ = try Preconditions.base(base) }
            fields["_base"] = nil
            let terms = WriteTerms(wantsMark: request.wantsMark)
            try SpecialClasses.checkCreate(
                target.className, fields, installationId: request.parse.credentials.installationId)
            return .create(className: target.className, body: fields, terms: terms)
        }
        let terms = try request.terms
        guard target.kind == .update else {
            return .delete(className: target.className, objectId: objectId, terms: terms)
        }
        var fields = try body.fields
        fields["_base"] = nil
        return .update(className: target.className, objectId: objectId, body: fields, terms: terms)
    }

    /// - Throws: `APIError.stale` where the object is in another state than the write was made for.
    func perform(_ write: WriteRequest, as principal: Principal) async throws -> WriteReceipt {
        guard let result = await store.perform([write], as: principal, atomically: false).first else {
            preconditionFailure("A store gives a result for each request")
        }
        return try result.mapError { refusal($0, of: write.className, to: principal) }.get()
    }

    /// A stale write's error with the object as its sender would read it.
    func refusal(_ error: any Error, of className: String, to principal: Principal) -> any Error {
        guard case StoreError.stale(let object) = error else { return error }
        do {
            var shown = try object.fields(of: className)
            let mark = try store.mark(className, object, as: principal)
            shown["_sync"] = .object(mark.json)
            return APIError.stale(object: shown, tag: mark.tag ?? "")
        } catch {
            return error
        }
    }

    /// The body of the answer: of a create id and time before the results of operations, of an update the time after them.
    static func answer(to write: WriteRequest, _ receipt: WriteReceipt) -> JSONObject {
        var answer = JSONObject()
        switch write {
        case .create:
            answer["objectId"] = .string(receipt.objectId)
            answer["createdAt"] = .string(receipt.createdAt.iso)
            for (field, value) in receipt.echoed { answer[field] = value }
        case .update:
            answer = receipt.echoed
            answer["updatedAt"] = .string(receipt.updatedAt.iso)
        case .delete: break
        }
        if let mark = receipt.mark { answer["_sync"] = .object(mark.json) }
        return answer
    }
}
