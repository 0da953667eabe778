import ParseModel
import StoreService

/// Adds `_sync` to objects, for requests that ask for it. `_sync` has the object's sync state and tag, whether the object is
/// hidden, the names of the stored fields if only some are stored, and the writes that the reader may not make.
struct SyncMember {
    let store: any ObjectStore
    let principal: Principal

    /// Appends `_sync` to the JSON text of an object.
    /// - Parameter bytes: the JSON built so far, which ends with the object's text.
    func append(of object: StoredObject, _ className: String, to bytes: inout [UInt8]) throws {
        let mark = try store.mark(className, object, as: principal)
        bytes.removeLast()
        bytes += ",\"_sync\":".utf8
        bytes += mark.json.jsonBytes
        bytes.append(UInt8(ascii: "}"))
    }
}

extension ObjectMark {
    /// The mark as JSON: `{"state":…,"hidden":true,"tag":…,"fetched":[…],"denied":[…]}`. Only `state` is always present.
    var json: JSONObject {
        var json: JSONObject = ["state": .string(state.name)]
        if isHidden { json["hidden"] = true }
        json["tag"] = tag.map(JSONValue.string)
        json["fetched"] = fetched.map { .array($0.map(JSONValue.string)) }
        if !denied.isEmpty { json["denied"] = .array(denied.map { .string($0.rawValue) }) }
        return json
    }
}
