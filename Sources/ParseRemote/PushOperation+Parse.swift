import HTTPTypes
import ParseModel
import RemoteService

/// The HTTP method and body of an operation for a Parse Server.
///
/// A file in a field is sent without its URL: a Parse Server stores only its name, and may refuse URLs
/// (`allowedFileUrlDomains`). A file inside an object or array is sent with its URL, because the server does not add
/// the URL there.
extension PushOperation {
    var method: HTTPRequest.Method {
        switch kind {
        // A Parse Server keeps no tombstones, so a deleted object is created again.
        case .create, .undelete: .post
        case .update: .put
        case .delete: .delete
        }
    }

    /// The body of the request; nil for a delete.
    var body: JSONObject? {
        switch kind {
        case .create, .undelete: createBody
        // A removed field is sent as a `Delete` operation. A null for a field that the class lacks fails
        // permanently with status 500.
        case .update: operations.withoutFieldFileURLs.json
        case .delete: nil
        }
    }

    /// The fields of a new object. `Delete` operations are left out, because a new object has no fields to delete.
    private var createBody: JSONObject {
        var body = JSONObject()
        let operations = operations.withoutFieldFileURLs
        for field in operations.fields {
            guard let operation = operations[field], operation != .delete else { continue }
            body[field] = operation.json
        }
        if sendsObjectId { body["objectId"] = .string(objectId) }
        return body
    }

    /// The operation without the URLs of the files inside objects and arrays; nil if it has none. It has a new request
    /// id, because a server with request deduplication has recorded the id of the refused request.
    var withoutInnerFileURLs: PushOperation? {
        let plain = operations.replacingFiles(\.withoutURL)
        guard plain != operations.withoutFieldFileURLs else { return nil }
        return PushOperation(
            kind: kind, className: className, objectId: objectId, operations: plain, sendsObjectId: sendsObjectId,
            base: base, merged: merged, wasAttempted: wasAttempted, requestId: requestId + "f")
    }
}

extension FieldOperations {
    fileprivate var withoutFieldFileURLs: FieldOperations { replacingFieldFiles(\.withoutURL) }
}
