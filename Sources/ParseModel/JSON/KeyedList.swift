/// Values by key, in the order in which the keys were added. A key that is set again keeps its position. Equality
/// ignores the order.
struct KeyedList<Value> {
    private(set) var members: [(key: String, value: Value)] = []
    /// The index of each key in `members`; nil for a list of at most `linearMax` members, which is searched from the
    /// start.
    private var places: [ExactText: Int]?
    private static var linearMax: Int { 16 }

    subscript(key: String) -> Value? {
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

    /// Replaces each value by the result of `transform`.
    mutating func replaceValues(_ transform: (Value) -> Value) {
        for place in members.indices { members[place].value = transform(members[place].value) }
    }

    mutating func removeAll(where shouldBeRemoved: (String) -> Bool) {
        members.removeAll { shouldBeRemoved($0.key) }
        if places != nil { indexPlaces() }
    }

    mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    private mutating func append(_ key: String, _ value: Value) {
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

extension KeyedList: Sendable where Value: Sendable {}

extension KeyedList: Equatable where Value: Equatable {
    static func == (a: Self, b: Self) -> Bool {
        guard a.members.count == b.members.count else { return false }
        if a.sharesMembers(with: b) { return true }
        for (place, member) in a.members.enumerated() {
            // Compares the member at the same position in `b` first, because two equal lists usually have their keys in
            // the same order.
            let beside = b.members[place]
            let other = beside.key.isExactly(member.key) ? beside.value : b[member.key]
            guard other == member.value else { return false }
        }
        return true
    }

    /// Whether both lists use the same storage, because one is an unchanged copy of the other.
    private func sharesMembers(with other: Self) -> Bool {
        members.withUnsafeBufferPointer { members in
            other.members.withUnsafeBufferPointer { $0.baseAddress == members.baseAddress }
        }
    }
}

extension KeyedList: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) {
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
