/// A JSON object that keeps the order of its members. A repeated key keeps the first position and the last value, as in
/// JavaScript. Equality ignores the order.
package struct JSONObject: Sendable {
    package private(set) var members: [(key: String, value: JSONValue)] = []
    /// The index of each key in `members`; nil for an object with at most `linearMax` members, which is searched from
    /// the start.
    private var places: [ExactText: Int]?
    private static let linearMax = 16

    package init() {}

    package init(_ elements: some Sequence<(String, JSONValue)>) {
        members.reserveCapacity(elements.underestimatedCount)
        for (key, value) in elements { self[key] = value }
    }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }
    /// The keys in order.
    package var keys: [String] { members.map(\.key) }

    package subscript(key: String) -> JSONValue? {
        get { place(of: key).map { members[$0].value } }
        set {
            switch (place(of: key), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil):
                members.remove(at: place)
                if places != nil { indexPlaces() }
            case (nil, let value?): append(key, value)
            case (nil, nil): break
            }
        }
    }

    package mutating func removeAll(where shouldBeRemoved: (String) -> Bool) {
        members.removeAll { shouldBeRemoved($0.key) }
        if places != nil { indexPlaces() }
    }

    mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    private mutating func append(_ key: String, _ value: JSONValue) {
        members.append((key, value))
        if places != nil {
            places?[ExactText(key)] = members.count - 1
        } else if members.count > Self.linearMax {
            indexPlaces()
        }
    }

    private func place(of key: String) -> Int? {
        if let places { return places[ExactText(key)] }
        return members.firstIndex { $0.key.isExactly(key) }
    }

    private mutating func indexPlaces() {
        guard members.count > Self.linearMax else {
            places = nil
            return
        }
        places = Dictionary(uniqueKeysWithValues: members.enumerated().map { (ExactText($1.key), $0) })
    }
}

extension JSONObject: Sequence {
    package func makeIterator() -> IndexingIterator<[(key: String, value: JSONValue)]> { members.makeIterator() }
    package var underestimatedCount: Int { members.count }
}

extension JSONObject: Hashable {
    package static func == (a: JSONObject, b: JSONObject) -> Bool {
        guard a.count == b.count else { return false }
        if a.sharesMembers(with: b) { return true }
        for (place, member) in a.members.enumerated() {
            // Compares the member at the same position in `b` first, because two equal objects usually have their keys
            // in the same order.
            let beside = b.members[place]
            let other = beside.key.isExactly(member.key) ? beside.value : b[member.key]
            guard other == member.value else { return false }
        }
        return true
    }

    /// Whether both objects use the same storage, because one is an unchanged copy of the other.
    private func sharesMembers(with other: JSONObject) -> Bool {
        members.withUnsafeBufferPointer { members in
            other.members.withUnsafeBufferPointer { $0.baseAddress == members.baseAddress }
        }
    }

    package func hash(into hasher: inout Hasher) {
        var sum = 0
        for (key, value) in members {
            var member = Hasher()
            member.combine(key)
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
