/// One document for each value of a key, with what its documents add up to.
package struct Grouping: Sendable, Hashable {
    package enum Operator: String, Sendable, Hashable, CaseIterable {
        case sum = "$sum"
        case average = "$avg"
        case least = "$min"
        case greatest = "$max"
        case count = "$count"
        case first = "$first"
        case last = "$last"
    }

    package struct Output: Sendable, Hashable {
        let name: String
        let operation: Operator
        let value: AggregateExpression
    }

    package let key: AggregateExpression
    package let outputs: [Output]

    /// How many groups one stage may make: they are kept in memory.
    package static let groupsMax = 100_000

    /// The groups of the documents seen so far.
    struct Running {
        private let grouping: Grouping
        private var places: [JSONValue: Int] = [:]
        private var groups: [(key: JSONValue, totals: [Total])] = []

        init(_ grouping: Grouping) { self.grouping = grouping }

        /// - Throws: 116 for too many groups.
        mutating func take(_ document: JSONObject) throws(ParseError) {
            let key = (grouping.key.value(in: document) ?? .null).naming
            let place: Int
            if let known = places[key] {
                place = known
            } else {
                guard groups.count < Grouping.groupsMax else {
                    throw ParseError(.objectTooLarge, "$group makes more than \(Grouping.groupsMax) groups.")
                }
                place = groups.count
                places[key] = place
                groups.append((key, grouping.outputs.map { _ in Total() }))
            }
            for (index, output) in grouping.outputs.enumerated() {
                groups[place].totals[index].add(output.value.value(in: document), to: output.operation)
            }
        }

        /// In the order in which the groups came up.
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

    /// What one output of one group has come to.
    private struct Total {
        private var sum = JSONNumber(0)
        /// Beyond what a double can hold.
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
    /// Groups are told apart by what a pointer's object is called.
    fileprivate var naming: JSONValue {
        switch self {
        case .object(let object):
            Pointer(self).map { .string($0.objectId) }
                ?? .object(JSONObject(object.map { ($0.key, $0.value.naming) }))
        default: self
        }
    }
}
