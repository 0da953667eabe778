import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel
import StoreService
import Synchronization

/// One connection of a live query client (Parse's LiveQuery protocol over a WebSocket). It handles the client's requests
/// one at a time, in order, and sends the events of the client's subscriptions.
final class LiveConnection: WebSocketHandler {
    /// A connected client.
    struct Client: Sendable {
        let id: String
        let credentials: Credentials
        /// The principal of the client's keys.
        let principal: Principal
        /// The budget for the subscriptions of the connection.
        let memory: ByteBudget
    }

    private struct Subscribed: Sendable {
        let subscription: LiveSubscription
        let queries: LiveQueries
    }

    private struct State: Sendable {
        var socket: WebSocket?
        var client: Client?
        var subscribed: [String: Subscribed] = [:]
        var waiting: [[UInt8]] = []
        var isHandling = false
        var isClosed = false
        var receipts = LiveReceipts()
        var hasBeenPinged = false
    }

    private let door: LiveDoor
    /// The request that has opened the WebSocket.
    private let head: HTTPServerRequest
    private let base: String
    private let presence = HTTPClientPresence()
    private let memory = ByteBudget(bytesMax: LiveMemory.connectionBytesMax)
    private let state = Mutex(State())
    /// Held from the look at the unsent bytes until an event is sent. Otherwise, tasks of several subscriptions could each
    /// send an event to a connection that is free for one.
    private let sending = Mutex(())

    /// The maximum number of subscriptions of a connection.
    private static let subscriptionsMax = 1000
    /// The number of unsent bytes from which further events wait.
    private static let busyBytes = 256 << 10
    private static let policyViolation: UInt16 = 1008
    private static let tryAgainLater: UInt16 = 1013

    init(door: LiveDoor, head: HTTPServerRequest, base: String) {
        (self.door, self.head, self.base) = (door, head, base)
    }

    private var socket: WebSocket? { state.withLock { $0.socket } }
    private var client: Client? { state.withLock { $0.client } }

    // MARK: WebSocketHandler

    func opened(_ socket: WebSocket) { state.withLock { $0.socket = socket } }

    /// Trusts a client that has sent valid keys.
    var isTrusted: Bool { client != nil }

    func received(_ text: [UInt8]) {
        state.withLock { $0.waiting.append(text) }
        handleRequests()
    }

    /// Handles the waiting requests, unless a task does so already.
    private func handleRequests() {
        let mustStart = state.withLock { state in
            guard !state.isHandling, !state.waiting.isEmpty else { return false }
            state.isHandling = true
            return true
        }
        guard mustStart else { return }
        door.environment.task { [self] in
            while let next = nextRequest() {
                await handle(next)
                socket?.handled(next)
            }
        }
    }

    /// - Returns: nil if no request waits. Also nil while the connection is busy, because answers to a client that reads
    ///   nothing would pile up.
    private func nextRequest() -> [UInt8]? {
        state.withLock { state in
            guard !state.waiting.isEmpty, !Self.isBusy(state.socket) else {
                state.isHandling = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    func ponged(_ payload: [UInt8]) { state.withLock { $0.receipts.answered(payload) } }

    func pingPayload() -> [UInt8] {
        let (payload, isStranger) = state.withLock { state in
            let payload = state.receipts.ask(state.subscribed.values.map(\.subscription))
            defer { state.hasBeenPinged = true }
            return (payload, state.client == nil && state.hasBeenPinged)
        }
        // The client has sent no valid key for a whole interval of pings.
        if isStranger { socket?.close(code: Self.policyViolation, reason: "No valid connect request has arrived.") }
        return payload
    }

    func drained() {
        handleRequests()
        for entry in state.withLock({ Array($0.subscribed.values) }) { entry.queries.resume(entry.subscription) }
    }

    func closed() {
        // Each subscription holds this connection, so neither would be released if the connection kept its subscriptions.
        let entries = state.withLock { state in
            defer { state = State(isClosed: true) }
            return Array(state.subscribed.values)
        }
        presence.leave()
        for entry in entries { entry.queries.end(entry.subscription, forgets: false) }
        door.closed(self)
    }

    // MARK: Requests

    private func handle(_ text: [UInt8]) async {
        let request: LiveRequest
        do { request = try LiveRequest(text) } catch {
            // The same message would fail again.
            return send(error: error, to: nil, reconnects: false)
        }
        do throws(LiveError) {
            guard text.count <= LiveRequest.bytesMax else { throw .tooLong(bytesMax: LiveRequest.bytesMax) }
            switch request.operation {
            case .connect: try connect(request)
            case .subscribe: try await subscribe(request)
            case .update:
                _ = try subscribed(request)
                try await subscribe(request)
            case .unsubscribe: try await unsubscribe(request)
            case .query: try await find(request)
            }
        } catch {
            send(error: error, to: try? request.requestId, reconnects: !error.isOfRequest)
        }
    }

    private func connect(_ request: LiveRequest) throws(LiveError) {
        guard request.members["applicationId"] != nil else {
            throw .malformed("Missing required property: applicationId")
        }
        let credentials = try credentials(of: request)
        let principal: Principal
        do { principal = try door.principal(of: credentials, head) } catch { throw .wrongKey }
        let client = Client(
            id: door.environment.hexadecimal32(), credentials: credentials, principal: principal, memory: memory)
        state.withLock { $0.client = client }
        send("connected", [])
    }

    /// The keys in the head of the connection, replaced by those in the request.
    private func credentials(of request: LiveRequest) throws(LiveError) -> Credentials {
        let names: [(member: String, header: HTTPField.Name)] = [
            ("applicationId", .parseApplicationId), ("javascriptKey", .parseJavaScriptKey),
            ("clientKey", .parseClientKey), ("windowsKey", .parseWindowsKey), ("restAPIKey", .parseRESTKey),
            ("masterKey", .parseMasterKey), ("sessionToken", .parseSessionToken),
            ("installationId", .parseInstallationId),
        ]
        var headers = head.headers
        for (member, header) in names {
            if let text = try request.text(member) { headers[header] = text }
        }
        do { return try Credentials(headers) } catch { throw .malformed("The context is not an object.") }
    }

    private func subscribe(_ request: LiveRequest) async throws(LiveError) {
        guard let client else { throw .unknownClient }
        let id = try request.requestId
        let (token, query) = (try request.text("sessionToken"), try request.query)
        let isFull = state.withLock {
            $0.subscribed.count >= Self.subscriptionsMax && $0.subscribed[id.jsonText] == nil
        }
        guard !isFull else { throw .tooManySubscriptions(max: Self.subscriptionsMax) }
        do {
            let start = try await door.start(
                query, id, request.members["since"], of: client, token: token, head)
            await begin(start, id)
        } catch let error as LiveError {
            throw error
        } catch {
            send(error: error, to: id, reconnects: Self.isTooLate(error) || door.isPassing(error))
            if door.isPassing(error) { closeForReconnection() }
        }
    }

    /// Replaces the subscription with the same id.
    private func begin(_ start: LiveDoor.Start, _ id: JSONValue) async {
        let subscription = LiveSubscription(
            id, start.query, from: start.place, reader: start.reader, memory: start.memory,
            queries: start.queries, client: self, session: start.session, mayContinue: start.mayContinue)
        let isClosed = state.withLock { state in
            if state.isClosed { return true }
            let replaced = state.subscribed.updateValue(
                Subscribed(subscription: subscription, queries: start.queries), forKey: id.jsonText)
            if let replaced {
                // The same query starts at a position of its own that is not later.
                let isSame = replaced.subscription.kept?.key == subscription.kept?.key
                door.environment.task { replaced.queries.end(replaced.subscription, forgets: isSame) }
            }
            return false
        }
        guard !isClosed else { return await start.queries.abandon(start.place) }
        send("subscribed", [("requestId", id), ("number", start.queries.positions.json(start.place.number))])
        // The subscription is open, so the client must not reconnect.
        if start.place.missing != nil { send(error: LiveError.missedChanges, to: id, reconnects: false) }
        start.queries.begin(subscription)
        // The connection may have closed in the meantime, and then has not ended the subscription.
        if state.withLock({ $0.isClosed }) { start.queries.end(subscription, forgets: false) }
    }

    private func subscribed(_ request: LiveRequest) throws(LiveError) -> Subscribed {
        guard client != nil else { throw .unknownClient }
        let id = try request.requestId
        guard let entry = state.withLock({ $0.subscribed[id.jsonText] }) else {
            throw .unknownSubscription(id.jsonText)
        }
        return entry
    }

    private func unsubscribe(_ request: LiveRequest) async throws(LiveError) {
        let entry = try subscribed(request)
        let id = try request.requestId
        state.withLock { $0.subscribed[id.jsonText] = nil }
        // The next subscription with this id must not get events from before.
        await entry.queries.end(entry.subscription, forgets: true)?.value
        send("unsubscribed", [("requestId", id)])
    }

    private func find(_ request: LiveRequest) async throws(LiveError) {
        let entry = try subscribed(request)
        let id = try request.requestId
        do {
            let results = try await entry.queries.find(entry.subscription, presence)
            // The member `results` replaces the closing brace.
            var text = message("result", [("requestId", id)])
            text.removeLast()
            text.append(UInt8(ascii: ","))
            send(try entry.queries.addressed(text + results.dropFirst(), base: base, for: entry.subscription.reader))
        } catch {
            send(error: error, to: id, reconnects: false)
        }
    }

    // MARK: Answers

    private func message(_ operation: String, _ members: [(String, JSONValue)]) -> [UInt8] {
        var message: JSONObject = ["op": .string(operation)]
        if let client {
            message["clientId"] = .string(client.id)
            if let id = client.credentials.installationId { message["installationId"] = .string(id) }
        }
        for (name, value) in members { message[name] = value }
        return message.jsonBytes
    }

    private func send(_ operation: String, _ members: [(String, JSONValue)]) { send(message(operation, members)) }

    private func send(_ text: [UInt8]) { socket?.send(text) }

    private func send(error: any Error, to id: JSONValue?, reconnects: Bool) {
        let (code, text) = door.answer(to: Self.isTooLate(error) ? LiveError.missedChanges : error, head)
        var message: JSONObject = [
            "op": "error", "error": .string(text), "code": .int(code), "reconnect": .bool(reconnects),
        ]
        if let id { message["requestId"] = id }
        send(message.jsonBytes)
    }
}

extension LiveConnection {
    /// Whether the changes after a client's position are no longer known.
    private static func isTooLate(_ error: any Error) -> Bool {
        if case StoreError.feedTrimmed? = error as? StoreError { true } else { false }
    }
}

extension LiveConnection: LiveClient {
    var isBusy: Bool { Self.isBusy(socket) }

    private static func isBusy(_ socket: WebSocket?) -> Bool { (socket?.unsentBytes ?? 0) > busyBytes }

    func send(_ operation: LiveEvent.Operation, _ body: [UInt8], to subscription: LiveSubscription) -> Bool {
        guard let entry = state.withLock({ $0.subscribed[subscription.requestId.jsonText] }),
            entry.subscription === subscription
        else { return true }
        var text = message(operation.rawValue, [("requestId", subscription.requestId)])
        text.removeLast()
        text.append(UInt8(ascii: ","))
        text += body
        text.append(UInt8(ascii: "}"))
        do { text = try entry.queries.addressed(text, base: base, for: subscription.reader) } catch {
            // The event cannot be completed. The client subscribes again, and gets it then.
            drop()
            return true
        }
        return sending.withLock { _ in
            guard !isBusy else { return false }
            send(text)
            return true
        }
    }

    func end(_ subscription: LiveSubscription, for error: any Error, reconnects: Bool) {
        let isPresent = state.withLock { state in
            let id = subscription.requestId.jsonText
            guard state.subscribed[id]?.subscription === subscription else { return false }
            state.subscribed[id] = nil
            return true
        }
        guard isPresent else { return }
        send(error: error, to: subscription.requestId, reconnects: reconnects)
        if reconnects { closeForReconnection() }
    }

    /// Closes the connection after an error that asks the client to reconnect. The Parse SDK for JavaScript opens a new connection
    /// then and leaves the present one open, so that each event would arrive once for each connection.
    private func closeForReconnection() {
        socket?.close(code: Self.tryAgainLater, reason: "Reconnect and subscribe again.")
    }

    func askForConfirmation() {
        let payload = state.withLock { state -> [UInt8]? in
            state.receipts.isAsking ? nil : state.receipts.ask(state.subscribed.values.map(\.subscription))
        }
        if let payload { socket?.ping(payload) }
    }

    func drop() { socket?.drop() }
}
