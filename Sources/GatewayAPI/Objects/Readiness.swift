import ParseModel

/// Lets requests wait until the store can answer them. In a user's space, they wait for the first sync of a class. In a
/// site replica, they wait for the permissions of a class.
///
/// By default, requests wait for nothing.
protocol Readiness: Sendable {
    /// The reply to a request, after the necessary waits.
    /// - Parameter answer: answers the request at once. Called again after a wait.
    func reply(
        to request: RoutedRequest, _ answer: @escaping @Sendable (RoutedRequest) throws -> RouteReply
    ) throws -> RouteReply

    /// Waits until a request can be executed.
    func wait(for request: RoutedRequest) async throws

    /// Waits until an object can be written or read.
    /// - Parameter objectId: nil for a list.
    func wait(for className: String, _ objectId: String?) async throws

    /// Runs work. Each time it stops with `AwaitedClass`, waits for the class and runs it again.
    /// - Parameter work: receives the classes that were awaited.
    func repeating<Answer>(_ work: (_ awaited: Set<String>) async throws -> Answer) async throws -> Answer

    /// Repeats the failed writes of a list after the wait that they need.
    /// - Parameters:
    ///   - results: the results of the writes.
    ///   - isAtomic: whether the failure of one write fails all.
    ///   - perform: performs the writes at these indices of the list.
    func repeating<Receipt: Sendable>(
        _ results: [Result<Receipt, any Error>], isAtomic: Bool,
        perform: (_ places: [Int]) async -> [Result<Receipt, any Error>]
    ) async -> [Result<Receipt, any Error>]

    /// Stops a read that needs objects of a further class, if this class must be awaited.
    /// - Parameter awaited: the classes that the request has already awaited.
    /// - Throws: `AwaitedClass`.
    func check(_ className: String, besides awaited: Set<String>) throws
}

extension Readiness {
    func reply(
        to request: RoutedRequest, _ answer: @escaping @Sendable (RoutedRequest) throws -> RouteReply
    ) throws -> RouteReply { try answer(request) }

    func wait(for request: RoutedRequest) async throws {}

    func wait(for className: String, _ objectId: String?) async throws {}

    func repeating<Answer>(_ work: (_ awaited: Set<String>) async throws -> Answer) async throws -> Answer {
        try await work([])
    }

    func repeating<Receipt: Sendable>(
        _ results: [Result<Receipt, any Error>], isAtomic: Bool,
        perform: (_ places: [Int]) async -> [Result<Receipt, any Error>]
    ) async -> [Result<Receipt, any Error>] { results }

    func check(_ className: String, besides awaited: Set<String>) throws {}
}

extension Readiness {
    /// Runs a read of a class outside of a request, after the waits that it needs.
    /// - Parameter read: receives the classes that were awaited.
    func reading<Answer>(
        _ className: String, _ read: (_ awaited: Set<String>) async throws -> Answer
    ) async throws -> Answer {
        try await wait(for: className, nil)
        return try await repeating(read)
    }
}

/// Makes no request wait, because the store can answer each request at once.
struct AlwaysReady: Readiness {}
