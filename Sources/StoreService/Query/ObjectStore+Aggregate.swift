import ParseModel

extension ObjectStore {
    /// Answers a query of `/aggregate`. The store runs the first stages of the pipeline as a query. The other stages process the
    /// query's results object by object.
    /// - Parameters:
    ///   - now: the current time for `$relativeTime`.
    ///   - timeout: the time limit of the whole pipeline.
    ///   - uptime: a monotonic clock, for the time limit of the stages after the query.
    ///   - each: receives the results in order: documents, or the values of `distinct`.
    /// - Throws: `ParseError` for an invalid pipeline, `StoreError.tookTooLong`, and the errors of `each`.
    package func aggregate(
        _ className: String, _ query: AggregateQuery, as principal: Principal, now: ParseDate, timeout: ReadTimeout,
        uptime: @escaping () -> Duration = { .zero }, each: @escaping (JSONValue) throws -> Void
    ) throws {
        let deadline = timeout.duration.map { uptime() + $0 }
        let check = { if let deadline, uptime() >= deadline { throw StoreError.tookTooLong } }
        if let path = query.distinct {
            var distinct = DistinctValues(path)
            _ = try find(className, query.source, as: principal, timeout: timeout) {
                try distinct.take($0.fields(of: className))
            }
            for value in distinct.values { try each(value) }
            return
        }
        if let counted = try counted(className, query, as: principal, timeout: timeout) {
            var run = Self.run(query.stages.dropFirst(), now: now, check: check, each: each)
            if let document = counted.document { try run.take(document) }
            return try run.finish()
        }
        var run = Self.run(query.stages[...], now: now, check: check, each: each)
        do {
            _ = try find(className, query.source, as: principal, timeout: timeout) { object in
                try run.take(object.fields(of: className))
                if run.hasEnough { throw Enough() }
            }
        } catch is Enough {}
        try run.finish()
    }

    /// The document of a pipeline that begins with `$count`. The store counts without reading the objects.
    /// - Returns: nil if the pipeline does not begin with `$count`. `document` is nil if the count is 0.
    private func counted(
        _ className: String, _ query: AggregateQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> (document: JSONObject?, Void)? {
        guard case .count(let name) = query.stages.first else { return nil }
        var source = query.source
        (source.wantsCount, source.limit, source.order) = (true, 0, [])
        let all = try find(className, source, as: principal, timeout: timeout) { _ in } ?? 0
        let count = min(query.source.limit, max(0, all - query.source.skip))
        return (count == 0 ? nil : [name: .int(count)], ())
    }

    private static func run(
        _ stages: ArraySlice<AggregateStage>, now: ParseDate, check: @escaping () throws -> Void,
        each: @escaping (JSONValue) throws -> Void
    ) -> AggregateRun {
        AggregateRun(
            Array(stages), now: now,
            regex: { pattern, options, text in
                // Checks the time limit before each search, because one search can take as long as processing many documents.
                try check()
                return try RegularExpression.compiled(pattern, options: options).matches(text)
            }, check: check, emit: { try each(.object($0)) })
    }
}

/// Thrown to end the query early, once the pipeline has all results that it needs.
private struct Enough: Error {}
