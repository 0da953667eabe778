/// Searches a value, and the values inside it, at any depth.
extension JSONValue {
    /// Searches the value depth-first and returns the non-nil results of `read`. Does not search inside a value with a result.
    func collecting<Found>(_ read: (JSONValue) -> Found?) -> [Found] {
        if let found = read(self) { return [found] }
        return switch self {
        case .array(let elements): elements.flatMap { $0.collecting(read) }
        case .object(let object): object.flatMap { $0.value.collecting(read) }
        default: []
        }
    }

    /// Returns the value with replacements of the whole value or of values at any depth.
    /// - Parameter replacement: takes an old value, and returns the new value, or nil to search inside the old value.
    package func replacing(_ replacement: (JSONValue) throws -> JSONValue?) rethrows -> JSONValue {
        if let replaced = try replacement(self) { return replaced }
        switch self {
        case .array(let elements): return .array(try elements.map { try $0.replacing(replacement) })
        case .object(let object):
            return .object(JSONObject(try object.map { ($0.key, try $0.value.replacing(replacement)) }))
        default: return self
        }
    }

    /// Whether the value equals one of the strings, or contains such a string at any depth. Keys of objects do not
    /// count.
    package func hasText(among texts: Set<String>) -> Bool {
        switch self {
        case .string(let text): texts.contains(text)
        case .array(let elements): elements.contains { $0.hasText(among: texts) }
        case .object(let object): object.contains { $0.value.hasText(among: texts) }
        default: false
        }
    }

    /// Whether the value contains more than `max` nested values, counted at all depths.
    func holdsMore(than max: Int) -> Bool {
        var valuesLeft = max
        return !isWithin(&valuesLeft)
    }

    private func isWithin(_ remaining: inout Int) -> Bool {
        switch self {
        case .array(let elements):
            remaining -= elements.count
            guard remaining >= 0 else { return false }
            for element in elements { guard element.isWithin(&remaining) else { return false } }
        case .object(let object):
            remaining -= object.count
            guard remaining >= 0 else { return false }
            for (_, value) in object { guard value.isWithin(&remaining) else { return false } }
        default: break
        }
        return true
    }

    /// An estimate of the memory that the value takes, in bytes.
    package var memoryBytes: Int {
        switch self {
        case .null, .bool: Self.valueBytes
        case .number(let number): Self.valueBytes + number.text.utf8.count
        case .string(let text): Self.valueBytes + text.utf8.count
        case .array(let elements): elements.reduce(Self.valueBytes) { $0 + $1.memoryBytes }
        case .object(let object):
            object.reduce(Self.valueBytes) { $0 + Self.valueBytes + $1.key.utf8.count + $1.value.memoryBytes }
        }
    }

    /// The estimated memory of a value without its text, and of a key, in bytes.
    private static let valueBytes = 32
}

/// Finds and replaces pointers and files in a value.
extension JSONValue {
    /// All pointers inside the value, also in arrays and nested objects, in depth-first order.
    package var pointers: [Pointer] { collecting(Pointer.init) }

    /// The value with each pointer replaced by the result of `replacement`.
    package func replacingPointers(_ replacement: (Pointer) throws -> Pointer) rethrows -> JSONValue {
        try replacing { value in
            guard let pointer = Pointer(value) else { return nil }
            let replaced = try replacement(pointer)
            return replaced == pointer ? value : replaced.json
        }
    }

    /// All file values inside the value, also in arrays and nested objects, in depth-first order.
    package var files: [FileReference] { collecting(FileReference.init) }

    /// The value with each file value replaced by the result of `replacement`.
    package func replacingFiles(_ replacement: (FileReference) throws -> FileReference) rethrows -> JSONValue {
        try replacing { value in
            guard let file = FileReference(value) else { return nil }
            let replaced = try replacement(file)
            return replaced == file ? value : replaced.json
        }
    }
}
