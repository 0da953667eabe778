import HTTPTypes
import ParseModel
import RemoteService

/// The HTTP method and body of an operation for a Parse Server.
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
        case .update: operations.json
        case .delete: nil
        }
    }

    /// The fields of a new object. `Delete` operations are left out, because a new object has no fields to delete.
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
