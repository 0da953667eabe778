import ParseModel

/// A message of a live query client: a JSON object with the member `op`.
struct LiveRequest {
    enum Operation: String { case connect, subscribe, update, unsubscribe, query }

    let operation: Operation
    let members: JSONObject

    /// The maximum nesting of arrays and objects in a message.
    private static let depthMax = JSONReader.depthMax

    /// The maximum length of a request in bytes. A longer one is answered by an error. A query keeps several times its length
    /// in memory. The queries of SDKs have 0.1 to 10 KB.
    static let bytesMax = 128 << 10

    /// - Throws: `LiveError`.
    init(_ text: [UInt8]) throws(LiveError) {
        guard let members = try? JSONReader.read(text, depthMax: Self.depthMax).object else {
            throw .malformed("The message is not a JSON object of at most \(Self.depthMax) levels.")
        }
        guard let name = members["op"]?.string else { throw .malformed("Missing required property: op") }
        guard let operation = Operation(rawValue: name) else { throw .unknownOperation }
        (self.operation, self.members) = (operation, members)
    }

    /// A member that is a string; nil if it is missing.
    func text(_ name: String) throws(LiveError) -> String? {
        guard let value = members[name], !value.isNull else { return nil }
        guard let text = value.string else { throw .malformed("\(name) must be a string") }
        return text.isEmpty ? nil : text
    }

    /// The largest id of a subscription: above it, JavaScript does not tell neighbouring integers apart.
    private static let requestIdMax = 1 << 53

    /// The id of the subscription, an integer.
    var requestId: JSONValue {
        get throws(LiveError) {
            guard let value = members["requestId"] else { throw .malformed("Missing required property: requestId") }
            guard let id = value.int, id.magnitude <= Self.requestIdMax else {
                throw .malformed("requestId must be an integer of at most 2^53")
            }
            return .int(id)
        }
    }

    var query: JSONObject {
        get throws(LiveError) {
            guard let value = members["query"] else { throw .malformed("Missing required property: query") }
            guard let query = value.object else { throw .malformed("query must be an object") }
            return query
        }
    }
}
