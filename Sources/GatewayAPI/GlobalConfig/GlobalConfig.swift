import ParseModel
import StoreService

/// The config of an application (Parse Config): its parameters, and which of them require the master key.
struct GlobalConfig: Hashable {
    private(set) var params = JSONObject()
    private(set) var masterKeyOnly = JSONObject()
    /// Whether the config was never changed.
    private var isNew = true

    private static let className = InternalClasses.globalConfig
    /// The id of the object that shows the config as an object of `_GlobalConfig`.
    private static let objectId = "1"
    /// The stored text of a config that was deleted.
    private static let deletedText = "null"

    /// Whether a write deletes the object of `_GlobalConfig`, and therefore the config.
    static func isDeleted(by write: WriteRequest) -> Bool {
        if case .delete(className, _, _) = write { true } else { false }
    }

    /// Deletes the config, as the deletion of the object that shows it does on a Parse Server.
    /// - Throws: `ParseError.objectNotFound` if there is no object with the id.
    static func delete(_ objectId: String, in store: any ObjectStore) async throws {
        try await store.changeConfig { stored in
            guard objectId == Self.objectId, try GlobalConfig(stored: stored).object != nil else {
                throw ParseError.objectNotFound
            }
            return deletedText
        }
    }

    init() {}

    /// - Parameter stored: a former result of `text`; nil before the first change.
    init(stored: String?) throws {
        guard let stored, let object = try JSONReader.read(stored).object else { return }
        params = object["params"]?.object ?? [:]
        masterKeyOnly = object["masterKeyOnly"]?.object ?? [:]
        isNew = false
    }

    var text: String { (["params": .object(params), "masterKeyOnly": .object(masterKeyOnly)] as JSONObject).jsonText }

    /// The config as an object of the class `_GlobalConfig`; nil if the config was never changed.
    var object: StoredObject? {
        guard !isNew else { return nil }
        let fields: JSONObject = [
            "objectId": .string(Self.objectId), "params": .object(params), "masterKeyOnly": .object(masterKeyOnly),
        ]
        return StoredObject(objectId: Self.objectId, json: fields.jsonBytes, state: .synced)
    }

    /// The answer of `GET /config`. Parameters that require the master key are hidden from the public.
    func shown(to principal: Principal) -> JSONObject {
        guard !isNew else { return ["params": [:]] }
        guard !principal.isMaster else { return ["params": .object(params), "masterKeyOnly": .object(masterKeyOnly)] }
        let hidden = Set(masterKeyOnly.filter { $0.value == true }.map(\.key))
        var (params, marks) = (params, masterKeyOnly)
        params.removeAll(where: hidden.contains)
        marks.removeAll(where: hidden.contains)
        return ["params": .object(params), "masterKeyOnly": .object(marks)]
    }

    /// The changes of a `PUT /config`. Parameters that the request does not name stay. `{"__op": "Delete"}` removes a parameter.
    /// `masterKeyOnly` selects the changed parameters that require the master key. The other changed parameters become visible to
    /// all clients.
    struct Change: Sendable {
        private let params: [(name: String, value: JSONValue)]
        private let masterKeyOnly: JSONObject

        /// - Throws: `ParseError` for an invalid body.
        init(_ body: JSONObject) throws(ParseError) {
            try ProhibitedKeys.check(body)
            params = try Self.object("params", in: body).map { ($0.key, $0.value) }
            masterKeyOnly = try Self.object("masterKeyOnly", in: body)
            for (name, value) in params {
                guard !name.isEmpty, !name.contains(where: { $0 == "." || $0 == "$" }) else {
                    throw ParseError(.invalidNestedKey, "Nested keys should not contain the '$' or '.' characters")
                }
                if let operation = try Self.operation(name, value), case .relation = operation {
                    throw ParseError(.incorrectType, "The parameter \(name) cannot be a relation.")
                }
            }
        }

        /// - Throws: `ParseError` if an operation does not fit the current value.
        func apply(to config: inout GlobalConfig) throws(ParseError) {
            config.isNew = false
            for (name, value) in params {
                let after =
                    if let operation = try Self.operation(name, value) {
                        try operation.apply(to: config.params[name], field: name, className: className)
                    } else {
                        JSONValue?.some(.null)
                    }
                config.params[name] = after
                config.masterKeyOnly[name] = after == nil ? nil : .bool(masterKeyOnly[name] == true)
            }
        }

        /// The operation on a parameter; nil for null, which is a plain value in a config.
        private static func operation(_ name: String, _ value: JSONValue) throws(ParseError) -> FieldOperation? {
            value == .null ? nil : try FieldOperation(json: value, field: name, className: className)
        }

        private static func object(_ name: String, in body: JSONObject) throws(ParseError) -> JSONObject {
            switch body[name] {
            case nil, .null: return [:]
            case .object(let object): return object
            default: throw ParseError(.invalidJSON, "\(name) must be an object.")
            }
        }
    }
}
