/// `$group`: one document for each distinct key, with accumulated values.
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

    /// One computed field of a group.
    package struct Output: Sendable, Hashable {
        let name: String
        let operation: Operator
        let value: AggregateExpression
    }

    /// The expression whose value identifies a group.
    package let key: AggregateExpression
    package let outputs: [Output]

    /// The maximum number of groups in a stage, which keeps them in memory.
    package static let groupsMax = 100_000

    /// The groups of the documents processed so far.
    struct Running {
        private let grouping: Grouping
        private var places: [JSONValue: Int] = [:]
        private var groups: [(key: JSONValue, totals: [Total])] = []

        init(_ grouping: Grouping) { self.grouping = grouping }

        /// Adds a document to its group.
        /// - Throws: 116 above `groupsMax`.
        mutating func take(_ document: JSONObject) throws(ParseError) {
            let key = (grouping.key.value(in: document) ?? .null).groupKey
            let place: Int
            if let known = places[key] {
                place = known
            } else {
                guard groups.count < Grouping.groupsMax else {
                    throw ParseError(.objectTooLarge, "$group has more than \(Grouping.groupsMax) groups.")
                }
                place = groups.count
                places[key] = place
                groups.append((key, grouping.outputs.map { _ in Total() }))
            }
            for (index, output) in grouping.outputs.enumerated() {
                groups[place].totals[index].add(output.value.value(in: document), to: output.operation)
            }
        }

        /// One document for each group, in order of first occurrence.
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

    /// The accumulated value of one output in one group.
    private struct Total {
        private var sum = JSONNumber(0)
        /// True if the sum exceeds the range of a double.
        private var isInfinite = false
        private var count = 0
        private var chosen: JSONValue?

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

extension JSONValue {
    /// The value as a group key. Pointers are compared by class and id.
    fileprivate var groupKey: JSONValue {
        switch self {
        case .object(let object):
            Pointer(self).map { .string($0.objectId) }
                ?? .object(JSONObject(object.map { ($0.key, $0.value.groupKey) }))
        default: self
        }
    }
}
