import HTTPServer
import ParseModel

/// Repeats the requests to a site replica that were refused because the permissions of a class were not known yet,
/// after the remote was asked for them. A refused request has changed nothing.
struct ClassDescriptions: Readiness {
    let control: any SyncControl
    let waits: RemoteWaits

    /// The maximum number of classes for whose permissions one request asks the remote.
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

    /// Runs work. After each refusal for a class without known permissions, asks the remote for them and runs the work
    /// again.
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
    /// The class whose unknown permissions caused a refusal; nil for any other result.
    fileprivate var undescribedClass: String? {
        guard case .failure(let error) = self else { return nil }
        return (error as? ParseError)?.undescribedClass
    }
}
