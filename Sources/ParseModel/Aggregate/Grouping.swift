/// The stage `$group`: one document for each distinct key, with values accumulated over the documents of the group.
package struct Grouping: Sendable, Hashable {
    /// The accumulators of `$group`.
    package enum Operator: String, Sendable, Hashable, CaseIterable {
        case sum = "$sum"
        case average = "$avg"
        case least = "$min"
        case greatest = "$max"
        case count = "$count"
        case first = "$first"
        case last = "$last"
    }

    /// A field of the group's document, computed by an accumulator.
    package struct Output: Sendable, Hashable {
        let name: String
        let operation: Operator
        let value: AggregateExpression
    }

    /// The expression that groups documents: documents with equal values form a group.
    package let key: AggregateExpression
    package let outputs: [Output]

    /// The maximum number of groups of a stage, which keeps them in memory.
    package static let groupsMax = 100_000

    /// The state of a running `$group`: the groups of the documents that it has received so far.
    struct Running {
        private let grouping: Grouping
        private var places: [JSONValue: Int] = [:]
        private var groups: [(key: JSONValue, totals: [Total])] = []

        private var memory: HeldDocuments

        init(_ grouping: Grouping, _ memory: HeldDocuments) { (self.grouping, self.memory) = (grouping, memory) }

        /// Adds a document to its group.
        /// - Throws: Parse error 116 (object too large) if there are more than `groupsMax` groups, 154 if they take too much memory.
        mutating func take(_ document: JSONObject) throws(ParseError) {
            let key = Self.key(of: grouping.key.value(in: document) ?? .null)
            let place: Int
            if let known = places[key] {
                place = known
            } else {
                guard groups.count < Grouping.groupsMax else {
                    throw ParseError(.objectTooLarge, "$group has more than \(Grouping.groupsMax) groups.")
                }
                try memory.keep(key)
                place = groups.count
                places[key] = place
                groups.append((key, grouping.outputs.map { _ in Total() }))
            }
            for (index, output) in grouping.outputs.enumerated() {
                let before = groups[place].totals[index].chosen
                groups[place].totals[index].add(output.value.value(in: document), to: output.operation)
                try memory.keep(groups[place].totals[index].chosen, insteadOf: before)
            }
        }

        /// The group key for a value. A pointer, also one inside an object, is replaced by the id of its object.
        private static func key(of value: JSONValue) -> JSONValue {
            guard case .object(let object) = value else { return value }
            return Pointer(value).map { .string($0.objectId) }
                ?? .object(JSONObject(object.map { ($0.key, key(of: $0.value)) }))
        }

        /// One document for each group, in the order of the groups' first documents.
        var documents: [JSONObject] {
            groups.map { group in
                var document: JSONObject = ["objectId": group.key]
                for (output, total) in zip(grouping.outputs, group.totals) {
                    document[output.name] = total.value(of: output.operation)
                }
                return document
            }
        }
    }

    /// The state of one accumulator in one group.
    private struct Total {
        private var sum = JSONNumber(0)
        /// True if the sum exceeds the range of a double.
        private var isInfinite = false
        private var count = 0
        private(set) var chosen: JSONValue?

        mutating func add(_ value: JSONValue?, to operation: Operator) {
            switch operation {
            case .sum, .average:
                guard let number = value?.number else { return }
                count += 1
                if let next = sum.adding(number) { sum = next } else { isInfinite = true }
            case .count: count += 1
            case .least, .greatest:
                guard let value, !value.isNull else { return }
                let (mine, other) = (ObjectOrder.rank(chosen), ObjectOrder.rank(value))
                if chosen == nil || (operation == .least ? other < mine : mine < other) { chosen = value }
            case .first: if count == 0 { (chosen, count) = (value, 1) }
            case .last: chosen = value
            }
        }

        func value(of operation: Operator) -> JSONValue {
            switch operation {
            case .sum: return isInfinite ? .null : .number(sum.canonical)
            case .average:
                let average = sum.double / Double(count)
                return isInfinite || !average.isFinite ? .null : .number(JSONNumber(average))
            case .count: return .int(count)
            case .least, .greatest, .first, .last: return chosen ?? .null
            }
        }
    }
}
