extension TablesServer {
    /// A fault that replaces the normal handling of a request.
    package enum FaultEffect: Sendable {
        /// The connection breaks before the request is executed.
        case requestLost
        /// The request is executed. The connection breaks in place of the response.
        case replyLost
        /// The request is executed twice, and gets the second response.
        case duplicated
        /// The request is not executed, and gets this response. A body that begins with `{` or `[` is sent as JSON, any other
        /// body as HTML.
        case answer(status: Int, body: String)
    }
}

/// A fault and the requests that it affects.
struct Fault: Sendable {
    let effect: TablesServer.FaultEffect
    /// The number of requests that the fault still affects; nil without a limit.
    var timesLeft: Int?
    let affects: @Sendable (TablesRequest) -> Bool
}

/// The faults of a server.
struct Faults: Sendable {
    private var faults: [Fault] = []

    mutating func add(_ fault: Fault) { faults.append(fault) }

    mutating func removeAll() { faults = [] }

    /// The effect of the first fault that affects the request; nil for none. Counts as one use of the fault.
    mutating func effect(on request: TablesRequest) -> TablesServer.FaultEffect? {
        guard let place = faults.firstIndex(where: { $0.affects(request) }) else { return nil }
        let effect = faults[place].effect
        if let left = faults[place].timesLeft {
            faults[place].timesLeft = left - 1
            if left <= 1 { faults.remove(at: place) }
        }
        return effect
    }
}
