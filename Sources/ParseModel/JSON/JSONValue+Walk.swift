extension JSONValue {
    /// What `read` makes of the value or, where that is nil, of those inside it, in reading order.
    func collecting<Found>(_ read: (JSONValue) -> Found?) -> [Found] {
        if let found = read(self) { return [found] }
        return switch self {
        case .array(let elements): elements.flatMap { $0.collecting(read) }
        case .object(let object): object.flatMap { $0.value.collecting(read) }
        default: []
        }
    }

    /// The value with each one inside it, itself among them, replaced that `replacement` has something for.
    package func replacing(_ replacement: (JSONValue) throws -> JSONValue?) rethrows -> JSONValue {
        if let replaced = try replacement(self) { return replaced }
        switch self {
        case .array(let elements): return .array(try elements.map { try $0.replacing(replacement) })
        case .object(let object):
            return .object(JSONObject(try object.map { ($0.key, try $0.value.replacing(replacement)) }))
        default: return self
        }
    }

    /// Whether there are more values inside it, at any depth. Looks at no more than that many.
    func holdsMore(than max: Int) -> Bool {
        var left = max
        return !takes(&left)
    }

    private func takes(_ left: inout Int) -> Bool {
        switch self {
        case .array(let elements):
            left -= elements.count
            guard left >= 0 else { return false }
            for element in elements { guard element.takes(&left) else { return false } }
        case .object(let object):
            left -= object.count
            guard left >= 0 else { return false }
            for (_, value) in object { guard value.takes(&left) else { return false } }
        default: break
        }
        return true
    }
}
