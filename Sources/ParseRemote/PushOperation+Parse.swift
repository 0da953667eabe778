import HTTPTypes
import ParseModel
import RemoteService

/// The form in which an operation goes to a Parse Server.
extension PushOperation {
    var method: HTTPRequest.Method {
        switch kind {
        // A Parse Server keeps nothing of what is deleted; such an object is made anew.
        case .create, .undelete: .post
        case .update: .put
        case .delete: .delete
        }
    }

    /// The body of the request; nil for a delete.
    var body: JSONObject? {
        switch kind {
        case .create, .undelete: createBody
        // A field that goes is sent as `Delete`: a null for a field that the class does not have yet is a 500 for ever.
        case .update: operations.json
        case .delete: nil
        }
    }

    /// A new object has no fields that could go.
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
