import HTTPTypes

/// What libmicrohttpd's callbacks share.
final class ServerState: Sendable {
    let handler: any HTTPHandler
    let refusal: HTTPServer.Refusal
    let headLimit: HeadLimit
    let bodyBytesMax: Int
    /// How much of a body that is refused anyway is read, so that its sender gets to see the refusal.
    let discardedBytesMax: Int
    let bodyBudget: ByteBudget
    /// Of the answers that are in memory while their clients take them.
    let answerBudget: ByteBudget
    let uptime: @Sendable () -> Duration
    let requests: RequestsInProgress
    let pendingReplies = PendingReplies()
    let streams: OpenStreams
    let connections: OpenConnections

    init(
        configuration: HTTPServer.Configuration, handler: any HTTPHandler,
        refusal: @escaping HTTPServer.Refusal,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        roomAgain: @escaping @Sendable () -> Void
    ) {
        self.handler = handler
        self.refusal = refusal
        requests = RequestsInProgress(sleep: sleep)
        answerBudget = ByteBudget(bytesMax: configuration.answerBytesInFlightMax)
        streams = OpenStreams(budget: answerBudget, sleep: sleep)
        self.uptime = uptime
        headLimit = HeadLimit(memoryBytes: configuration.headerBytesMax)
        bodyBytesMax = configuration.bodyBytesMax
        discardedBytesMax = max(1 << 20, configuration.bodyBytesMax)
        bodyBudget = ByteBudget(bytesMax: configuration.bodyBytesInFlightMax)
        connections = OpenConnections(
            limit: configuration.connectionsMax, rules: ConnectionRules(idleTimeout: configuration.idleTimeout),
            uptime: uptime, roomAgain: roomAgain)
    }
}
