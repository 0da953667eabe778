/// Carries out the stages of a pipeline over documents that come one by one.
package struct AggregateRun {
    /// What a stage keeps between two documents.
    private enum Step {
        case match(Predicate, Matcher)
        case skip(rest: Int)
        case limit(rest: Int)
        case project(Projection)
        case unwind(Unwinding)
        case count(String, Int)
        case group(Grouping.Running)
        case sort([SortKey], [JSONObject])
    }

    private var steps: [Step]
    /// How many documents may still go through.
    private var documentsLeft: Int
    private let check: () throws -> Void
    private let emit: (JSONObject) throws -> Void
    /// How many documents are looked at between two calls of `check`.
    private static let checkedMax = 1024

    /// How many documents `$sort` may hold.
    package static let sortedMax = 100_000
    /// How many documents may be looked at, those included that stages make: arrays inside of arrays multiply.
    package static let documentsMax = 5_000_000

    /// - Parameters:
    ///   - regex: whether a regular expression of these options finds something in a text.
    ///   - check: throws where the run shall end; called now and then.
    ///   - emit: takes each document of the result.
    package init(
        _ stages: [AggregateStage], now: ParseDate, documentsMax: Int = documentsMax,
        regex: @escaping (String, String, String) throws -> Bool, check: @escaping () throws -> Void = {},
        emit: @escaping (JSONObject) throws -> Void
    ) {
        let matcher = Matcher(
            documents: Matcher.Surroundings(
                regex: regex, isMember: { _, _, _ in false }, objects: { _ in [] }))
        steps = stages.map { stage in
            switch stage {
            case .match(let predicate): .match(predicate.resolvingTimes(now: now), matcher)
            case .skip(let count): .skip(rest: count)
            case .limit(let count): .limit(rest: count)
            case .project(let projection): .project(projection)
            case .unwind(let unwinding): .unwind(unwinding)
            case .count(let name): .count(name, 0)
            case .group(let grouping): .group(Grouping.Running(grouping))
            case .sort(let keys): .sort(keys, [])
            }
        }
        self.check = check
        self.emit = emit
        documentsLeft = documentsMax
    }

    /// Whether no further document can change the result.
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

    /// - Throws: `ParseError`, and what `emit` throws.
    package mutating func take(_ document: JSONObject) throws { try pass(document, from: 0) }

    /// No more documents come.
    package mutating func finish() throws {
        for index in steps.indices {
            let documents: [JSONObject]
            switch steps[index] {
            case .count(let name, let count): documents = count == 0 ? [] : [[name: .int(count)]]
            case .group(let running): documents = running.documents
            case .sort(let keys, let held): documents = ObjectOrder(keys).sorted(held)
            default: continue
            }
            for document in documents { try pass(document, from: index + 1) }
        }
    }

    private mutating func pass(_ document: JSONObject, from first: Int) throws {
        guard documentsLeft > 0 else {
            throw ParseError(.objectTooLarge, "The pipeline makes too many documents: match fewer of them first.")
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
                // Held twice, its groups would be copied for every document.
                steps[index] = .skip(rest: 0)
                defer { steps[index] = .group(running) }
                try running.take(document)
                return
            case .sort(let keys, var held):
                guard held.count < Self.sortedMax else {
                    throw ParseError(.objectTooLarge, "$sort is given more than \(Self.sortedMax) documents.")
                }
                steps[index] = .skip(rest: 0)
                held.append(document)
                steps[index] = .sort(keys, held)
                return
            }
        }
        // A group without a key has none, as an empty one.
        if let id = document["objectId"], id == "" || id == [:] || id == [] { document["objectId"] = .null }
        try emit(document)
    }
}

/// The different values at one place, in the order in which they come up; of arrays those of their elements.
package struct DistinctValues {
    private let path: FieldPath
    private var known: Set<JSONValue> = []
    package private(set) var values: [JSONValue] = []

    /// How many there may be.
    package static let valuesMax = 100_000

    package init(_ path: FieldPath) { self.path = path }

    /// - Throws: 116 for too many values.
    package mutating func take(_ object: JSONObject) throws(ParseError) {
        let found =
            path.segments.count > 1 ? path.reached(in: object) : [AggregateExpression.field(path).value(in: object)]
        for element in found.flatMap({ $0?.array ?? [$0 ?? .null] })
        where !element.isNull && known.insert(element).inserted {
            guard values.count < Self.valuesMax else {
                throw ParseError(.objectTooLarge, "distinct finds more than \(Self.valuesMax) values.")
            }
            values.append(element)
        }
    }
}
