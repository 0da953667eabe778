import ParseModel
import StoreService

/// The query of a subscription: its class, its conditions, the fields that events show, and the fields whose changes
/// count.
struct LiveQuery: Sendable {
    let className: String
    let predicate: Predicate
    /// The fields that events show besides `FieldSelection.always`; nil for all.
    let keys: Set<String>?
    /// The watched fields: an `update` or a `create` needs a change of one of them. Nil to watch every field.
    let watch: [FieldPath]?
    /// The text that identifies the query: two subscriptions with the same text get the same events, if their users have
    /// the same rights.
    let text: String
    /// The conditions as the client sent them, for a find over the connection.
    let conditions: JSONValue
    /// An estimate of the memory of a subscription to the query, in bytes.
    let memoryBytes: Int

    /// The maximum number of names in `keys` and in `watch`.
    private static let namesMax = 1000
    /// The memory of a subscription without its query, in bytes: its objects, its entries in dictionaries, and its group.
    private static let subscriptionBytes = 2048

    /// Reads the member `query` of a request: `{"className","where","keys"?,"fields"?,"watch"?}`. Earlier SDKs send `fields`
    /// in place of `keys`.
    /// - Throws: `LiveError` for a malformed member; the errors of `ParseQuery` for the conditions; `ParseError` 102
    ///   (invalid query) for a condition on other objects.
    init(_ query: JSONObject, _ terms: QueryTerms) throws {
        guard let name = query["className"]?.string, !name.isEmpty else {
            throw LiveError.malformed("query.className must be a string")
        }
        className = name
        conditions = query["where"] ?? .object([:])
        guard conditions.object != nil else { throw LiveError.malformed("query.where must be an object") }
        predicate = try ParseQuery(parameters: ["where": conditions], terms).predicate
        // A change of another class could change the result, and would give no event.
        guard predicate.classNames.isEmpty else {
            throw ParseError(
                .invalidQuery,
                "A live query cannot have $inQuery, $notInQuery, $select, $dontSelect or $relatedTo.")
        }
        let keys = try Self.names(query["keys"] ?? query["fields"], "keys")
        self.keys = keys.map { Set($0.map { String($0.prefix { $0 != "." }) }) }
        let watch = try Self.names(query["watch"], "watch")
        self.watch = try watch.map { try $0.map { name throws(ParseError) in try FieldPath(name) } }
        let identity: JSONObject = [
            "className": .string(name), "where": conditions,
            "keys": keys.map { .array($0.sorted().map(JSONValue.string)) } ?? .null,
            "watch": watch.map { .array($0.sorted().map(JSONValue.string)) } ?? .null,
        ]
        text = identity.jsonText
        // A subscription keeps the conditions as JSON, parsed, and with the present ids of renamed objects.
        memoryBytes = Self.subscriptionBytes + text.utf8.count + 3 * JSONValue.object(identity).memoryBytes
    }

    /// The names in an array of strings, or in a text with commas; nil if the member is missing or empty.
    private static func names(_ value: JSONValue?, _ member: String) throws -> [String]? {
        guard let value, !value.isNull else { return nil }
        let names = value.array?.map(\.string) ?? value.string?.split(separator: ",").map { String($0) }
        guard let names, names.allSatisfy({ $0 != nil }), names.count <= namesMax else {
            throw LiveError.malformed("query.\(member) must be an array of at most \(namesMax) strings")
        }
        let texts = names.compactMap { $0 }
        return texts.isEmpty ? nil : texts
    }

    /// The right that the query needs.
    var reading: AccessRules.Operation { predicate.asksForOneId ? .get : .list }

    /// - Throws: Parse error 119 if one of the watched fields is hidden from the reader.
    func checkWatch(_ rules: AccessRules) throws {
        guard let watch, !rules.principal.readsEverything else { return }
        let hidden = rules.hiddenFields
        guard watch.contains(where: { hidden.contains($0.segments[0]) }) else { return }
        throw ParseError.denial(
            .operationForbidden, "This user is not allowed to watch a protected field of \(className)")
    }

    /// Whether one of the watched fields differs between two states. True if no field is watched.
    func hasWatchedChange(from before: JSONObject?, to after: JSONObject?) -> Bool {
        guard let watch else { return true }
        return watch.contains { path in
            before.flatMap(path.value(in:)) != after.flatMap(path.value(in:))
        }
    }
}

/// An error of the live query protocol, with the code that Parse Server's `ParseLiveQueryServer` gives it.
enum LiveError: Error, Hashable {
    /// The message is not JSON, lacks a member, or has a member of a wrong type.
    case malformed(String)
    /// The client has not connected.
    case unknownClient
    case unknownSubscription(String)
    case unknownOperation
    /// A key in the request is not valid.
    case wrongKey
    case tooManySubscriptions(max: Int)
    /// The subscriptions of a connection take too much memory.
    case subscriptionsTooLarge(bytesMax: Int)
    /// The class has no objects, and there are subscriptions to too many classes.
    case tooManyClasses(max: Int)
    /// The request is longer than `LiveRequest.bytesMax`.
    case tooLong(bytesMax: Int)
    /// The client has come back after the time for which the gateway keeps what it misses. Its subscription is open again.
    case missedChanges

    /// Whether the connection stays usable, so that the client need not open another.
    var isOfRequest: Bool {
        switch self {
        case .malformed, .unknownClient, .unknownSubscription, .unknownOperation, .wrongKey: false
        case .tooManySubscriptions, .subscriptionsTooLarge, .tooManyClasses, .tooLong, .missedChanges: true
        }
    }

    var code: Int {
        switch self {
        case .malformed: 1
        case .unknownClient, .unknownSubscription: 2
        case .unknownOperation: 3
        case .wrongKey: 4
        case .tooManySubscriptions, .subscriptionsTooLarge, .tooManyClasses:
            ParseError.Code.requestLimitExceeded.rawValue
        case .tooLong: ParseError.Code.objectTooLarge.rawValue
        case .missedChanges: ParseError.Code.operationForbidden.rawValue
        }
    }

    var text: String {
        switch self {
        case .malformed(let reason): reason
        case .unknownClient: "Can not find this client, make sure you connect to server before subscribing"
        case .unknownSubscription(let id):
            "Cannot find subscription with subscriptionId \(id). Make sure you subscribe to live query server before unsubscribing."
        case .unknownOperation: "Get unknown operation"
        case .wrongKey: "Key in request is not valid"
        case .tooManySubscriptions(let max): "A connection can have \(max) subscriptions."
        case .subscriptionsTooLarge(let max): "The subscriptions of a connection can take \(max) bytes of memory."
        case .tooManyClasses(let max): "There are subscriptions to \(max) classes, and this class has no objects."
        case .tooLong(let max): "A live query request can have \(max) bytes."
        case .missedChanges: "Changes since the last subscription are no longer known. Read the objects again."
        }
    }
}
