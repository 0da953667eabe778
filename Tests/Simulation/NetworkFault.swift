/// A fault of the network between a replica and the server, applied to one request.
enum NetworkFault: String, Sendable, CaseIterable {
    /// The server is unreachable. The request is not sent.
    case unreachable
    /// The request is lost on its way to the server.
    case requestLost
    /// The server executes the request. The answer is lost.
    case replyLost
    /// The client no longer waits for the answer. The server executes the request later, possibly after newer requests
    /// of the client.
    case delayed
    /// The network delivers a request twice. This fault applies only to idempotent requests.
    case duplicated
    /// The server executes the request. Only half of the answer's body arrives.
    case truncated
    case tooManyRequests, serverError, serverErrorAfterwards, unavailable
    /// The server answers with status 200 and reports in the body that it cannot reach its database, as Parse Server
    /// does.
    case errorInside
    /// The log-in page of a public network (a captive portal) answers instead of the server.
    case html
    /// A proxy holds the request and reports a gateway timeout. The server executes the request before the timeout,
    /// shortly after it, or never.
    case gatewayTimeout
    /// The server returns empty lists with status 200 although there are objects: in a single answer, or in all answers
    /// for a while.
    case emptyLists
}
