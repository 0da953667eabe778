import LocalStore
import ParseModel

/// Puts answers together from the texts of stored objects, which are taken as they are wherever nothing is left out.
enum ObjectText {
    /// Always part of an answer, whatever `keys` says (`AlwaysSelectedKeys` of Parse Server).
    private static let alwaysSelected = ["objectId", "createdAt", "updatedAt", "ACL"]

    /// - Parameters:
    ///   - keys: the fields to show; nil for all.
    ///   - showsState: whether `_sync` goes last into the object.
    static func object(_ object: StoredObject, keys: [String]?, showsState: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        append(object, keys: keys, showsState: showsState, to: &bytes)
        return bytes
    }

    /// `{"results":[…],"count":n}`, object by object.
    struct List {
        private let keys: [String]?
        private let showsState: Bool
        private(set) var bytes = Array("{\"results\":[".utf8)
        private var isEmpty = true

        init(keys: [String]?, showsState: Bool) {
            self.keys = keys
            self.showsState = showsState
            bytes.reserveCapacity(4096)
        }

        mutating func append(_ object: StoredObject) {
            if !isEmpty { bytes.append(UInt8(ascii: ",")) }
            isEmpty = false
            ObjectText.append(object, keys: keys, showsState: showsState, to: &bytes)
        }

        /// The text to its end.
        /// - Parameter count: of all objects that match; nil where nobody asked.
        consuming func whole(count: Int?) -> [UInt8] {
            bytes.append(UInt8(ascii: "]"))
            if let count { bytes += ",\"count\":\(count)".utf8 }
            bytes.append(UInt8(ascii: "}"))
            return bytes
        }
    }

    private static func append(_ object: StoredObject, keys: [String]?, showsState: Bool, to bytes: inout [UInt8]) {
        if let keys { bytes += selected(keys, of: object.json) } else { bytes += object.json.utf8 }
        if showsState {
            bytes.removeLast()
            bytes += ",\"_sync\":{\"state\":\"\(object.state.name)\"}}".utf8
        }
    }

    /// The fields named, in the order of the names, then those that are always there.
    private static func selected(_ keys: [String], of json: String) -> [UInt8] {
        // A stored text is JSON; where it should not be, the whole of it says more than nothing.
        guard let object = (try? JSONReader.read(json, depthMax: .max))?.object else { return Array(json.utf8) }
        var selected = JSONObject()
        for key in keys + alwaysSelected where !key.isEmpty {
            select(key.split(separator: ".")[...], of: object, into: &selected)
        }
        return selected.jsonBytes
    }

    /// - Parameter path: a field, or with dots one inside a field that is an object. Typed values such as pointers
    ///   are shown whole.
    private static func select(_ path: ArraySlice<Substring>, of object: JSONObject, into selected: inout JSONObject) {
        guard let name = path.first.map(String.init), let value = object[name] else { return }
        guard path.count > 1, let inner = value.object, inner["__type"] == nil else {
            selected[name] = value
            return
        }
        var part = selected[name]?.object ?? JSONObject()
        select(path.dropFirst(), of: inner, into: &part)
        selected[name] = .object(part)
    }
}
