/// What the network between a replica and the server does to a request.
enum NetworkFault: String, Sendable, CaseIterable {
    /// The server cannot be reached; nothing goes out.
    case unreachable
    /// Lost on the way there.
    case requestLost
    /// Carried out, and its answer lost.
    case replyLost
    /// Given up by the client, and carried out later, when others may have overtaken it.
    case delayed
    /// Carried out twice by the network; only where that does no harm.
    case duplicated
    /// Carried out, and half of its answer arrives.
    case truncated
    case tooManyRequests, serverError, serverErrorAfterwards, unavailable
    /// Parse Server's own database is away, and it says so with status 200.
    case errorInside
    /// Some box on the way answers in the server's place.
    case html
    /// A proxy holds the request, and says in the end that the server was too slow. The server carries it out before
    /// that, some moments after it, or never.
    case gatewayTimeout
    /// Lists come empty, with status 200, though there is something in them: all of an answer, and of one answer at a
    /// time unless the server shows nothing for a while.
    case emptyLists
}
