import HTTPTypes

/// What libmicrohttpd's callbacks share.
final class ServerState: Sendable {
    let handler: any HTTPHandler
    let refusal: HTTPServer.Refusal
    let bodyBytesMax: Int
    /// How much of a body that is refused anyway is read, so that its sender gets to see the refusal.
    let discardedBytesMax: Int
    let bodyBudget: BodyBudget
    let requests: RequestsInProgress
    let pendingReplies = PendingReplies()
    let streams: OpenStreams
    let connections: OpenConnections

    init(
        configuration: HTTPServer.Configuration, handler: any HTTPHandler,
        refusal: @escaping HTTPServer.Refusal,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        roomAgain: @escaping @Sendable () -> Void
    ) {
        self.handler = handler
        self.refusal = refusal
        requests = RequestsInProgress(sleep: sleep)
        streams = OpenStreams(sleep: sleep)
        bodyBytesMax = configuration.bodyBytesMax
        discardedBytesMax = max(1 << 20, configuration.bodyBytesMax)
        bodyBudget = BodyBudget(bytesMax: configuration.bodyBytesInFlightMax)
        connections = OpenConnections(limit: configuration.connectionsMax, roomAgain: roomAgain)
    }
}
