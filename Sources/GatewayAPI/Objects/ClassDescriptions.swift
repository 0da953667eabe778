import ParseModel

/// Repeats requests to a site that were refused because the permissions of a class were not read from the remote yet, after it has been
/// asked for them. A refused request has changed nothing.
struct ClassDescriptions: Sendable {
    let control: any SyncControl
    let waits: RemoteWaits

    /// The maximum number of classes that one request asks for.
    private static let classesMax = 10

    /// Runs work, and repeats it each time that it was refused for a class that the remote describes.
    func repeating<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        var asked: Set<String> = []
        while true {
            do {
                return try await work()
            } catch let refusal as ParseError {
                guard let name = refusal.undescribedClass, asked.count < Self.classesMax, asked.insert(name).inserted,
                    await describes(name)
                else { throw refusal }
            }
        }
    }

    /// Repeats the work of a request that was refused, if the remote describes the class.
    func repeating<Answer>(after refusal: ParseError, _ work: () async throws -> Answer) async throws -> Answer {
        guard let name = refusal.undescribedClass, await describes(name) else { throw refusal }
        return try await repeating(work)
    }

    /// Repeats the failed writes of a list whose class the remote describes.
    /// - Parameters:
    ///   - results: the results of the writes.
    ///   - isAtomic: whether the failure of one write fails all.
    ///   - perform: performs the writes in the given places.
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
    /// The class of a refusal that the remote's description of the class can lift.
    fileprivate var undescribedClass: String? {
        guard case .failure(let error) = self else { return nil }
        return (error as? ParseError)?.undescribedClass
    }
}
