import ParseModel

extension SeededRandom {
    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &self)] }

    mutating func jsonText() -> String {
        let pieces = [
            "", "a", "name", "Ünïcödé", "e\u{301}", "é", "日本", "🎄", "\"", "\\", "/", "\n", "\t", "\u{1F}", "\u{7F}",
            "\u{FFFD}", "\u{10FFFF}", "a longer text, which no string keeps inside itself",
        ]
        return (0..<Int.random(in: 0...3, using: &self)).map { _ in pick(pieces) }.joined()
    }

    mutating func jsonNumber() -> JSONNumber {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: JSONNumber(Int.random(in: -5...5, using: &self))
        case 1: JSONNumber(Int.random(in: Int.min...Int.max, using: &self))
        case 2: JSONNumber(Double.random(in: -1e6...1e6, using: &self))
        default:
            JSONNumber(
                Double(sign: .plus, exponent: Int.random(in: -1000...1000, using: &self), significand: 1.7))
        }
    }

    /// A random JSON value with nesting up to `depth`.
    mutating func jsonValue(depth: Int = 4) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &self) {
        case 0: return .null
        case 1: return .bool(chance(2))
        case 2: return .number(jsonNumber())
        case 3, 4: return .string(jsonText())
        case 5, 6: return .object(jsonObject(depth: depth - 1))
        default: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in jsonValue(depth: depth - 1) })
        }
    }

    mutating func jsonObject(depth: Int) -> JSONObject {
        let count = chance(20) ? 40 : Int.random(in: 0...5, using: &self)
        var object = JSONObject()
        for i in 0..<count { object[jsonText() + (chance(2) ? "" : String(i))] = jsonValue(depth: depth) }
        return object
    }
}
