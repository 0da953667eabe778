import HTTPTypes
import ParseModel
import RemoteService

/// The form of an operation in a request to Parse Server.
extension PushOperation {
    var method: HTTPRequest.Method {
        switch kind {
        // Parse Server keeps nothing of a deleted object, so a restored object is a new one.
        case .create, .undelete: .post
        case .update: .put
        case .delete: .delete
        }
    }

    /// The body of the request; nil for a delete.
    var body: JSONObject? {
        switch kind {
        case .create, .undelete: createBody
        // A removed field is sent as `Delete`: a null for a field that the class lacks causes a permanent 500.
        case .update: operations.json
        case .delete: nil
        }
    }

    /// A new object has no fields to remove.
    private var createBody: JSONObject {
        var body = JSONObject()
        for field in operations.fields {
            guard let operation = operations[field], operation != .delete else { continue }
            body[field] = operation.json
        }
        if sendsObjectId { body["objectId"] = .string(objectId) }
        return body
    }
}
