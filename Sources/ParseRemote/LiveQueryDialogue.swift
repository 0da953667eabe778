import ParseModel
import RemoteService
import SyncModel

/// The messages of one LiveQuery connection, without I/O. Their forms are those of Parse Server's `ParseLiveQueryServer.js`.
struct LiveQueryDialogue {
    /// The effect of a message of the server.
    enum Effect: Equatable {
        case nothing
        /// The server has accepted the connection.
        case connected
        case signal(RemoteSignal)
        /// The server has refused or given up the connection, with an error code; nil if it has sent none.
        case refused(code: Int?)
    }

    private enum Phase { case asked, accepted, refused }

    private struct Subscription {
        let query: PullQuery
        var phase = Phase.asked
    }

    private let sessionToken: String?
    private var subscriptions: [Int: Subscription] = [:]
    private var lastNumber = 0

    init(sessionToken: String?) { self.sessionToken = sessionToken }

    /// The first message of the client.
    func connect(_ configuration: ParseRemoteConfiguration) -> JSONObject {
        var message: JSONObject = ["op": "connect", "applicationId": .string(configuration.applicationId)]
        message["restAPIKey"] = configuration.restKey.map(JSONValue.string)
        message["masterKey"] = configuration.masterKey.map(JSONValue.string)
        message["sessionToken"] = sessionToken.map(JSONValue.string)
        return message
    }

    /// Replaces the queries.
    /// - Returns: the messages to send.
    mutating func listen(to queries: [PullQuery]) -> [JSONObject] {
        var messages: [JSONObject] = []
        for (number, known) in subscriptions.sorted(by: { $0.key < $1.key }) where !queries.contains(known.query) {
            subscriptions[number] = nil
            messages.append(["op": "unsubscribe", "requestId": .int(number)])
        }
        for query in queries where !subscriptions.values.contains(where: { $0.query == query }) {
            lastNumber += 1
            subscriptions[lastNumber] = Subscription(query: query)
            messages.append(subscribe(query, lastNumber))
        }
        return messages
    }

    private func subscribe(_ query: PullQuery, _ number: Int) -> JSONObject {
        var asked: JSONObject = ["className": .string(query.className), "where": .object(query.conditions)]
        asked["keys"] = query.keys.map { .array($0.map(JSONValue.string)) }
        var message: JSONObject = ["op": "subscribe", "requestId": .int(number), "query": .object(asked)]
        // A Parse Server checks the permissions of a class with the token of the subscription, not with that of the connection.
        message["sessionToken"] = sessionToken.map(JSONValue.string)
        return message
    }

    /// Whether the server has not answered one of the first `count` subscriptions.
    func waits(forFirst count: Int) -> Bool {
        subscriptions.contains { $0.key <= count && $0.value.phase == .asked }
    }

    /// The number of subscriptions that were sent.
    var sentCount: Int { lastNumber }

    /// Reads a message of the server. A message of an unknown form has no effect.
    mutating func take(_ text: [UInt8]) -> Effect {
        guard let message = try? JSONReader.read(text).object, let op = message["op"]?.string else { return .nothing }
        let number = message["requestId"]?.int
        switch op {
        case "connected": return .connected
        case "create", "update", "enter", "leave", "delete":
            return number.flatMap { subscriptions[$0] } == nil ? .nothing : .signal(.changed)
        case "subscribed": return number.map { answer($0, .accepted) } ?? .nothing
        case "error":
            guard let number else { return .refused(code: message["code"]?.int) }
            return answer(number, .refused)
        default: return .nothing
        }
    }

    private mutating func answer(_ number: Int, _ phase: Phase) -> Effect {
        guard subscriptions[number] != nil else { return .nothing }
        subscriptions[number]?.phase = phase
        guard !waits(forFirst: lastNumber) else { return .nothing }
        let refused = subscriptions.values.filter { $0.phase == .refused }.map(\.query.className)
        return .signal(.listening(refused: Set(refused)))
    }
}
