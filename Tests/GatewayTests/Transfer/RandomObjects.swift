import ParseModel

/// Random objects with values of all types, as bodies of creates.
struct RandomObjects {
    private var random: SeededRandom
    /// Whether some fields are null.
    private let hasNulls: Bool

    init(seed: UInt64, hasNulls: Bool = false) { (random, self.hasNulls) = (SeededRandom(seed: seed), hasNulls) }

    private static let texts = [
        "", "a", "'=1", "=1+1", "two\nlines", "\"quoted\"", "tab\t", " blank ", "ü 漢字 🏖", "comma,semi;", "\u{1}\u{1F}",
        "null",
        "true", "12", "\u{2028}", "\\u0041",
    ]
    private static let numbers = [
        "0", "1", "-1", "1.5", "9007199254740993", "1e300", "-2.5e-8", "123456789012345680000", "0.1", "100000",
    ]

    mutating func next() -> JSONObject {
        var object = JSONObject()
        let fields: [(String, (inout Self) -> JSONValue)] = [
            ("text", { $0.text() }), ("number", { $0.number() }), ("flag", { .bool($0.flag()) }),
            ("date", { ["__type": "Date", "iso": .string($0.date())] }),
            ("file", { ["__type": "File", "name": .string("\($0.below(9))_picture.png")] }),
            ("pointer", { Pointer(className: "Other", objectId: "id\($0.below(99))").json }),
            ("place", { ["__type": "GeoPoint", "latitude": .int($0.below(90)), "longitude": 12.5] }),
            ("area", { _ in ["__type": "Polygon", "coordinates": [[0, 0], [0, 1], [1, 1], [0, 0]]] }),
            ("bytes", { _ in ["__type": "Bytes", "base64": "AAEC/w=="] }),
            ("list", { $0.list() }), ("nested", { $0.nested(depth: 3) }),
            ("ACL", { _ in ["*": ["read": true], "role:editors": ["write": true]] }),
        ]
        for (name, value) in fields where flag() {
            object[name] = hasNulls && name != "ACL" && below(8) == 0 ? .null : value(&self)
        }
        return object
    }

    mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    mutating func flag() -> Bool { below(2) == 0 }
    private mutating func text() -> JSONValue { .string(Self.texts[below(Self.texts.count)]) }

    private mutating func number() -> JSONValue {
        let text = Self.numbers[below(Self.numbers.count)]
        return (try? JSONReader.read(text)) ?? 0
    }

    private mutating func date() -> String {
        ParseDate(milliseconds: Int64(random.next() % 4_000_000_000_000)).iso
    }

    private mutating func list() -> JSONValue {
        .array((0..<below(4)).map { _ in nested(depth: 1) } + [text(), number(), nil])
    }

    private mutating func nested(depth: Int) -> JSONValue {
        var object: JSONObject = ["text": text(), "number": number(), "nothing": nil]
        if depth > 0, flag() { object["inner"] = nested(depth: depth - 1) }
        return .object(object)
    }
}
