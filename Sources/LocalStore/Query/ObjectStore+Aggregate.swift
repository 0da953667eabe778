import ParseModel

extension ObjectStore {
    /// Answers a question of `/aggregate`: the store finds what the pipeline begins with, and what comes behind is made
    /// of that, object by object.
    /// - Parameters:
    ///   - now: for times like `2 days ago`.
    ///   - patience: of the store, and of the stages behind it.
    ///   - uptime: by which it is told whether the stages behind the store take longer than that, too.
    ///   - each: gets the results in their order: documents, or the values that `distinct` asks for.
    /// - Throws: `ParseError` for what cannot be answered, `StoreError.tookTooLong`, and what `each` throws.
    package func aggregate(
        _ className: String, _ query: AggregateQuery, now: ParseDate, patience: Patience,
        uptime: @escaping () -> Duration = { .zero }, each: @escaping (JSONValue) throws -> Void
    ) throws {
        let deadline = patience.time.map { uptime() + $0 }
        let check = { if let deadline, uptime() >= deadline { throw StoreError.tookTooLong } }
        if let path = query.distinct {
            var distinct = DistinctValues(path)
            _ = try find(className, query.source, patience: patience) { try distinct.take($0.document(of: className)) }
            for value in distinct.values { try each(value) }
            return
        }
        if let counted = try counted(className, query, patience: patience) {
            var run = Self.run(query.stages.dropFirst(), now: now, check: check, each: each)
            if let document = counted.document { try run.take(document) }
            return try run.finish()
        }
        var run = Self.run(query.stages[...], now: now, check: check, each: each)
        do {
            _ = try find(className, query.source, patience: patience) { object in
                try run.take(object.document(of: className))
                if run.hasEnough { throw Enough() }
            }
        } catch is Enough {}
        try run.finish()
    }

    /// Where a pipeline counts what it finds, the store can do that without handing anything out.
    /// - Returns: nil where it does not count first; no document where there is nothing.
    private func counted(
        _ className: String, _ query: AggregateQuery, patience: Patience
    ) throws -> (document: JSONObject?, Void)? {
        guard case .count(let name) = query.stages.first else { return nil }
        var source = query.source
        (source.wantsCount, source.limit, source.order) = (true, 0, [])
        let all = try find(className, source, patience: patience) { _ in } ?? 0
        let count = min(query.source.limit, max(0, all - query.source.skip))
        return (count == 0 ? nil : [name: .int(count)], ())
    }

    private static func run(
        _ stages: ArraySlice<AggregateStage>, now: ParseDate, check: @escaping () throws -> Void,
        each: @escaping (JSONValue) throws -> Void
    ) -> AggregateRun {
        let interruption = Interruption()
        return AggregateRun(
            Array(stages), now: now,
            regex: { pattern, options, text in
                // One pattern may take as long as many documents.
                try check()
                do {
                    return try QueryFunctions.matches(
                        try QueryFunctions.expression(pattern, options: options), text, interruption)
                } catch {
                    throw StoreError.wrapping(error, operation: "match")
                }
            }, check: check, emit: { try each(.object($0)) })
    }
}

/// Ends a search whose rest would change nothing.
private struct Enough: Error {}

extension StoredObject {
    /// - Throws: `StoreError.damaged`.
    fileprivate func document(of className: String) throws -> JSONObject {
        guard let document = try? JSONReader.read(json, depthMax: JSONReader.storedDepthMax).object else {
            throw StoreError.damaged(className: className, objectId: objectId)
        }
        return document
    }
}
