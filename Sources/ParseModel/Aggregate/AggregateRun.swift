/// A run of the stages of a pipeline on a sequence of documents.
package struct AggregateRun {
    /// A stage, with the state that it keeps between two documents.
    private enum Step {
        case match(Predicate, Matcher)
        case skip(rest: Int)
        case limit(rest: Int)
        case project(Projection)
        case unwind(Unwinding)
        case count(String, Int)
        case group(Grouping.Running)
        case sort([SortKey], [JSONObject], HeldDocuments)
    }

    private var steps: [Step]
    /// The number of further documents that the run may process. Starts at `documentsMax`.
    private var documentsLeft: Int
    private let check: () throws -> Void
    private let emit: (JSONObject) throws -> Void
    /// The number of documents between two calls of `check`.
    private static let checkedMax = 1024

    /// The maximum number of documents in a `$sort` stage, which keeps them all in memory.
    package static let sortedMax = 100_000
    /// The maximum number of documents in a run: the input documents, and those that `$unwind`, `$group`, `$sort` and
    /// `$count` generate.
    package static let documentsMax = 5_000_000

    /// - Parameters:
    ///   - heldBytesMax: the maximum memory of the documents that a stage keeps, in bytes.
    ///   - regex: takes a regular expression, its options and a text, and returns whether the expression matches the text.
    ///   - check: called regularly. An error of `check` aborts the run.
    ///   - emit: receives each result document.
    package init(
        _ stages: [AggregateStage], now: ParseDate, documentsMax: Int = documentsMax,
        heldBytesMax: Int = HeldDocuments.bytesMax,
        regex: @escaping (String, String, String) throws -> Bool, check: @escaping () throws -> Void = {},
        emit: @escaping (JSONObject) throws -> Void
    ) {
        let matcher = Matcher(
            documents: Matcher.Lookups(
                regex: regex, isMember: { _, _, _ in false }, objects: { _ in [] }))
        steps = stages.map { stage in
            switch stage {
            case .match(let predicate): .match(predicate.resolvingTimes(now: now), matcher)
            case .skip(let count): .skip(rest: count)
            case .limit(let count): .limit(rest: count)
            case .project(let projection): .project(projection)
            case .unwind(let unwinding): .unwind(unwinding)
            case .count(let name): .count(name, 0)
            case .group(let grouping):
                .group(Grouping.Running(grouping, HeldDocuments(stage: "$group", bytesMax: heldBytesMax)))
            case .sort(let keys): .sort(keys, [], HeldDocuments(stage: "$sort", bytesMax: heldBytesMax))
            }
        }
        self.check = check
        self.emit = emit
        documentsLeft = documentsMax
    }

    /// Whether a `$limit` was reached, so that further documents cannot change the result.
    package var hasEnough: Bool {
        for step in steps {
            switch step {
            case .limit(rest: 0): return true
            case .count, .group, .sort: return false
            default: break
            }
        }
        return false
    }

    /// Passes one document through the stages.
    /// - Throws: Parse error 116 (object too large) for too many documents or groups, 154 if they take too much memory; the errors of `regex`, `check` and `emit`.
    package mutating func take(_ document: JSONObject) throws { try pass(document, from: 0) }

    /// Tells the stages that there are no more documents. `$group`, `$sort` and `$count` now pass their results on.
    package mutating func finish() throws {
        for index in steps.indices {
            let documents: [JSONObject]
            switch steps[index] {
            case .count(let name, let count): documents = count == 0 ? [] : [[name: .int(count)]]
            case .group(let running): documents = running.documents
            case .sort(let keys, let held, _): documents = ObjectOrder(keys).sorted(held)
            default: continue
            }
            for document in documents { try pass(document, from: index + 1) }
        }
    }

    private mutating func pass(_ document: JSONObject, from first: Int) throws {
        guard documentsLeft > 0 else {
            throw ParseError(
                .objectTooLarge, "The pipeline generates too many documents: reduce them with a $match stage first.")
        }
        documentsLeft -= 1
        if documentsLeft % Self.checkedMax == 0 { try check() }
        var document = document
        for index in first..<steps.count {
            switch steps[index] {
            case .match(let predicate, let matcher): guard try matcher.matches(predicate, document) else { return }
            case .skip(let rest):
                guard rest == 0 else {
                    steps[index] = .skip(rest: rest - 1)
                    return
                }
            case .limit(let rest):
                guard rest > 0 else { return }
                steps[index] = .limit(rest: rest - 1)
            case .project(let projection): document = projection.document(of: document)
            case .unwind(let unwinding):
                for document in unwinding.documents(of: document) { try pass(document, from: index + 1) }
                return
            case .count(let name, let count):
                steps[index] = .count(name, count + 1)
                return
            case .group(var running):
                // Removes the groups from `steps` while `running` changes, because Swift would copy all groups if there
                // were two references to them.
                steps[index] = .skip(rest: 0)
                defer { steps[index] = .group(running) }
                try running.take(document)
                return
            case .sort(let keys, var held, var memory):
                guard held.count < Self.sortedMax else {
                    throw ParseError(.objectTooLarge, "$sort received more than \(Self.sortedMax) documents.")
                }
                steps[index] = .skip(rest: 0)
                try memory.keep(.object(document))
                held.append(document)
                steps[index] = .sort(keys, held, memory)
                return
            }
        }
        // An empty `objectId` becomes null, for example in a group whose key is the empty string.
        if let id = document["objectId"], id == "" || id == [:] || id == [] { document["objectId"] = .null }
        try emit(document)
    }
}

/// Collects the distinct values of a field, in the order of their first occurrence. If the value is an array, each of
/// its elements is a value. Null is left out.
package struct DistinctValues {
    private let path: FieldPath
    private var known: Set<JSONValue> = []
    private var memory: HeldDocuments
    package private(set) var values: [JSONValue] = []

    /// The maximum number of distinct values.
    package static let valuesMax = 100_000

    /// - Parameter heldBytesMax: the maximum memory of the values, in bytes.
    package init(_ path: FieldPath, heldBytesMax: Int = HeldDocuments.bytesMax) {
        self.path = path
        memory = HeldDocuments(stage: "distinct", bytesMax: heldBytesMax)
    }

    /// Adds the values of the field in an object.
    /// - Throws: Parse error 116 (object too large) if there are more than `valuesMax` values, and 154 if they take too much memory.
    package mutating func take(_ object: JSONObject) throws(ParseError) {
        let found =
            path.segments.count > 1 ? path.reached(in: object) : [AggregateExpression.field(path).value(in: object)]
        for element in found.flatMap({ $0?.array ?? [$0 ?? .null] })
        where !element.isNull && known.insert(element).inserted {
            guard values.count < Self.valuesMax else {
                throw ParseError(.objectTooLarge, "distinct has more than \(Self.valuesMax) values.")
            }
            try memory.keep(element)
            values.append(element)
        }
    }
}
