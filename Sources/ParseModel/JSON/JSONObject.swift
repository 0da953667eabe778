/// A JSON object that keeps the order of its members. A repeated key keeps the first position and the last value, as in
/// JavaScript. Equality ignores the order.
package struct JSONObject: Sendable {
    private var list = KeyedList<JSONValue>()

    package init() {}

    package init(_ elements: some Sequence<(String, JSONValue)>) {
        reserveCapacity(elements.underestimatedCount)
        for (key, value) in elements { self[key] = value }
    }

    package var members: [(key: String, value: JSONValue)] { list.members }
    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }
    /// The keys in order.
    package var keys: [String] { members.map(\.key) }

    package subscript(key: String) -> JSONValue? {
        get { list[key] }
        set { list[key] = newValue }
    }

    package mutating func removeAll(where shouldBeRemoved: (String) -> Bool) { list.removeAll(where: shouldBeRemoved) }

    mutating func reserveCapacity(_ count: Int) { list.reserveCapacity(count) }
}

extension JSONObject: Sequence {
    package func makeIterator() -> IndexingIterator<[(key: String, value: JSONValue)]> { members.makeIterator() }
    package var underestimatedCount: Int { members.count }
}

extension JSONObject: Hashable {
    package static func == (a: JSONObject, b: JSONObject) -> Bool { a.list == b.list }
    package func hash(into hasher: inout Hasher) { hasher.combine(list) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
