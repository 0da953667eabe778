import HTTPClient
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel
import Synchronization

/// Opens LiveQuery connections to a Parse Server.
struct ParseLiveQuery: Sendable {
    let configuration: ParseRemoteConfiguration
    let access: LiveQueryAccess

    /// Whether the LiveQuery has the address of the remote.
    var isAtRemote: Bool { access.url == configuration.serverURL }

    /// The session token under which requests are sent now; nil for requests without a session.
    /// - Throws: `.noSession` if there should be a session.
    func token() async throws(RemoteSignalsError) -> String? {
        guard let sessions = configuration.sessions else { return nil }
        guard let token = await sessions.token() else { throw .noSession }
        return token
    }

    func connect() async throws(RemoteSignalsError) -> any RemoteChangeListener {
        let token = try await token()
        let listener = LiveQueryListener(
            try await socket(), access.environment, sessions: configuration.sessions, token: token)
        try await listener.open(configuration)
        return listener
    }

    private func socket() async throws(RemoteSignalsError) -> WebSocketClient {
        do {
            return try await WebSocketClient.connect(
                HTTPClientRequest(method: .get, url: access.url, isRepeatable: true),
                configuration: .init(connectTimeout: access.connectTimeout, caBundle: access.caBundle),
                messageBytesMax: LiveQueryAccess.messageBytesMax,
                sources: access.sources)
        } catch {
            switch error {
            case .refused(let status) where status >= 500 || status == 429:
                throw .failed(reason: "the handshake was answered with status \(status)")
            case .refused(let status): throw .notOffered(reason: "the handshake was answered with status \(status)")
            case .wrongHandshake: throw .notOffered(reason: "the answer to the handshake is wrong")
            case .notConnected(let reason): throw .failed(reason: reason)
            case .forbidden: throw .failed(reason: "the address may not be connected")
            }
        }
    }
}

/// A LiveQuery connection.
final class LiveQueryListener: RemoteChangeListener {
    private struct State {
        var dialogue: LiveQueryDialogue
        var isClosed = false
        /// Why this side has ended the connection; nil if it has not.
        var failure: String?
    }

    private let socket: WebSocketClient
    private let environment: Environment
    private let sessions: (any TokenSource)?
    private let token: String?
    private let state: Mutex<State>

    init(_ socket: WebSocketClient, _ environment: Environment, sessions: (any TokenSource)?, token: String?) {
        self.socket = socket
        self.environment = environment
        self.sessions = sessions
        self.token = token
        state = Mutex(State(dialogue: LiveQueryDialogue(sessionToken: token)))
    }

    let way = SyncStatus.Listening.Way.liveQuery

    /// Waits until the server accepts the keys.
    func open(_ configuration: ParseRemoteConfiguration) async throws(RemoteSignalsError) {
        socket.send(state.withLock { $0.dialogue.connect(configuration) }.jsonBytes)
        let answer = await withTaskGroup(of: LiveQueryDialogue.Effect?.self) { group in
            group.addTask { await self.nextEffect() }
            group.addTask { [environment] in
                try? await environment.sleep(LiveQueryAccess.answerTime)
                return .nothing
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        switch answer {
        case .connected?: return
        case .refused(let code)?:
            close()
            throw .notOffered(reason: "the server refuses the connection with code \(code.map(String.init) ?? "none")")
        case .signal?, .nothing?:
            close()
            throw .notOffered(reason: "the server does not answer as a LiveQuery server")
        case nil: throw .failed(reason: endReason)
        }
    }

    func listen(to queries: [PullQuery]) {
        let (messages, count) = state.withLock { state in
            let messages = state.dialogue.listen(to: queries)
            return (messages, state.dialogue.sentCount)
        }
        for message in messages { socket.send(message.jsonBytes) }
        guard !messages.isEmpty else { return }
        environment.task { [weak self, environment] in
            guard (try? await environment.sleep(LiveQueryAccess.answerTime)) != nil else { return }
            self?.endIfUnanswered(first: count)
        }
    }

    /// Ends the connection if the server has not answered one of the first `count` subscriptions.
    func endIfUnanswered(first count: Int) {
        guard state.withLock({ $0.dialogue.waits(forFirst: count) }) else { return }
        end("the server does not answer a subscription")
    }

    func isCurrent() async -> Bool {
        guard let sessions else { return true }
        return await sessions.token() == token
    }

    func next() async -> RemoteSignal? {
        while let effect = await nextEffect() {
            switch effect {
            case .signal(let signal): return signal
            case .refused(let code):
                end("the server has sent the error \(code.map(String.init) ?? "without a code")")
                return nil
            case .nothing, .connected: break
            }
        }
        return nil
    }

    /// The next effect of a message.
    /// - Returns: nil at the end of the connection.
    private func nextEffect() async -> LiveQueryDialogue.Effect? {
        let messages = socket.messages.makeAsyncIterator()
        while let message = await messages.next() {
            let effect = state.withLock { state in
                state.isClosed ? .nothing : state.dialogue.take(message)
            }
            if effect != .nothing { return effect }
        }
        return nil
    }

    var endReason: String {
        if let failure = state.withLock({ $0.failure }) { return failure }
        return switch socket.end {
        case .closed(let code):
            "the server has closed the connection" + (code.map { " with code \($0)" } ?? "")
        case .failed(let code): "the server has sent a wrong or too long message (\(code))"
        case .broken(let reason): reason
        case .silent: "the server is silent"
        case .dropped, nil: "the gateway has ended the connection"
        }
    }

    private func end(_ failure: String) {
        state.withLock { $0.failure = failure }
        close()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        socket.close(code: 1000, reason: "")
    }
}
