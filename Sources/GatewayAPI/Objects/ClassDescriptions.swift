import HTTPServer
import ParseModel

/// Repeats requests to a site that were refused because the permissions of a class were not read from the remote yet, after it has been
/// asked for them. A refused request has changed nothing.
struct ClassDescriptions: Readiness {
    let control: any SyncControl
    let waits: RemoteWaits

    /// The maximum number of classes whose descriptions one request waits for.
    private static let classesMax = 10

    func reply(
        to request: RoutedRequest, _ answer: @escaping @Sendable (RoutedRequest) throws -> RouteReply
    ) throws -> RouteReply {
        let answerAgain = { @Sendable (refusal: ParseError) async throws -> HTTPServerResponse in
            guard let name = refusal.undescribedClass, await describes(name) else { throw refusal }
            return try await repeating { _ in try await answer(request).response() }
        }
        do {
            let reply = try answer(request)
            guard case .later(let work) = reply else { return reply }
            return .later {
                do { return try await work() } catch let refusal as ParseError { return try await answerAgain(refusal) }
            }
        } catch let refusal as ParseError where refusal.undescribedClass != nil {
            return .later { try await answerAgain(refusal) }
        }
    }

    /// Runs work, and repeats it each time it was refused for a class that the remote has described since.
    func repeating<Answer>(_ work: (_ awaited: Set<String>) async throws -> Answer) async throws -> Answer {
        var asked: Set<String> = []
        while true {
            do {
                return try await work([])
            } catch let refusal as ParseError {
                guard let name = refusal.undescribedClass, asked.count < Self.classesMax, asked.insert(name).inserted,
                    await describes(name)
                else { throw refusal }
            }
        }
    }

    func repeating<Receipt: Sendable>(
        _ results: [Result<Receipt, any Error>], isAtomic: Bool,
        perform: (_ places: [Int]) async -> [Result<Receipt, any Error>]
    ) async -> [Result<Receipt, any Error>] {
        var (results, asked) = (results, Set<String>())
        while let name = results.lazy.compactMap(\.undescribedClass).first(where: { !asked.contains($0) }),
            asked.count < Self.classesMax
        {
            asked.insert(name)
            guard await describes(name) else { continue }
            let places = results.indices.filter { isAtomic || results[$0].undescribedClass == name }
            for (place, result) in zip(places, await perform(places)) { results[place] = result }
        }
        return results
    }

    private func describes(_ className: String) async -> Bool {
        (try? await waits.hold { await control.describes(className) }) ?? false
    }
}

extension Result {
    /// The class without a description that caused a refusal; nil for another refusal.
    fileprivate var undescribedClass: String? {
        guard case .failure(let error) = self else { return nil }
        return (error as? ParseError)?.undescribedClass
    }
}
