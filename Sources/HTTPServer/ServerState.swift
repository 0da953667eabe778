import HTTPTypes

/// The state that all callbacks of libmicrohttpd share.
final class ServerState: Sendable {
    let handler: any HTTPHandler
    let refusal: HTTPServer.Refusal
    let headLimit: HeadLimit
    /// The certificates for TLS; nil for plain HTTP.
    let certificates: ServerCertificates?
    let bodyBytesMax: Int
    /// The maximum number of bytes of a refused body that are read and discarded, so that the client receives the error response.
    let discardedBytesMax: Int
    let bodyMemory: BodyMemory
    /// The memory budget for unsent responses and stream pieces of at least 64 KiB. Responses from files do not count.
    let answerBudget: ByteBudget
    let uptime: @Sendable () -> Duration
    let requests: RequestsInProgress
    let pendingReplies = PendingReplies()
    let streams: OpenStreams
    let connections: OpenConnections
    let webSockets: OpenWebSockets

    init(
        configuration: HTTPServer.Configuration, handler: any HTTPHandler,
        refusal: @escaping HTTPServer.Refusal,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        onRoom: @escaping @Sendable () -> Void
    ) {
        self.handler = handler
        self.refusal = refusal
        requests = RequestsInProgress(sleep: sleep)
        answerBudget = ByteBudget(bytesMax: configuration.answerBytesInFlightMax)
        streams = OpenStreams(budget: answerBudget, sleep: sleep)
        self.uptime = uptime
        certificates = configuration.certificate.map(ServerCertificates.init)
        headLimit = HeadLimit(memoryBytes: configuration.headerBytesMax)
        bodyBytesMax = configuration.bodyBytesMax
        discardedBytesMax = max(1 << 20, configuration.bodyBytesMax)
        bodyMemory = BodyMemory(
            bytesMax: configuration.bodyBytesInFlightMax, valueBytes: configuration.valueBytes)
        let connections = OpenConnections(
            limit: configuration.connectionsMax, threads: configuration.threads,
            rules: ConnectionRules(idleTimeout: configuration.idleTimeout),
            handover: configuration.certificate == nil ? .withHead : .encrypted, uptime: uptime, onRoom: onRoom)
        self.connections = connections
        webSockets = OpenWebSockets(
            limits: WebSocketLimits(
                messageBytesMax: configuration.webSocketMessageBytesMax,
                unsentBytesMax: configuration.webSocketUnsentBytesMax, received: bodyMemory.budget,
                unsent: answerBudget),
            sleep: sleep, onClose: { connections.webSocketClosed() })
    }
}
