import ParseModel
import StoreService

/// The `_sync` member of an object, for requests that ask for it: the sync state, whether the object is hidden, the tag and, if
/// only some fields are stored, their names.
struct SyncMember {
    let store: any ObjectStore
    let principal: Principal

    /// Appends `_sync` to the JSON text of an object.
    /// - Parameter bytes: a text that ends with the object's text.
    func append(of object: StoredObject, _ className: String, to bytes: inout [UInt8]) throws {
        let mark = try store.mark(className, object, as: principal)
        bytes.removeLast()
        bytes += ",\"_sync\":".utf8
        bytes += mark.json.jsonBytes
        bytes.append(UInt8(ascii: "}"))
    }
}

extension ObjectMark {
    /// The mark as JSON: `{"state":…,"hidden":true,"tag":…,"fetched":[…]}`. Only `state` is always present.
    var json: JSONObject {
        var json: JSONObject = ["state": .string(state.name)]
        if isHidden { json["hidden"] = true }
        json["tag"] = tag.map(JSONValue.string)
        json["fetched"] = fetched.map { .array($0.map(JSONValue.string)) }
        return json
    }
}
