/// A JSON number with its original text.
///
/// Equality follows JavaScript: `1`, `1.0` and `1e0` are equal.
package struct JSONNumber: Sendable {
    /// The original text, for example `-12.50e3`.
    package let text: String

    /// - Parameter text: a number that the caller has checked against the grammar of RFC 8259 §6.
    init(checked text: String) { self.text = text }

    package init(_ value: some BinaryInteger) { text = String(value) }

    /// - Parameter value: a finite number.
    package init(_ value: Double) {
        precondition(value.isFinite, "JSON has no infinities")
        text = Self.javaScriptText(value)
    }

    /// The value as a JavaScript number. A number beyond the range of a double becomes infinite.
    package var double: Double { Double(text) ?? .nan }

    /// True if the number is within the range of a double.
    package var isFinite: Bool { double.isFinite }

    /// The value as an integer; nil for a fraction. Also nil for a number beyond 2^53, unless its text is in plain digits and
    /// within the range of `Int`.
    package var int: Int? {
        if let int = Int(text) { return int }
        let double = double
        guard double.magnitude <= 0x1p53 else { return nil }
        let int = Int(double)
        return Double(int) == double ? int : nil
    }

    /// The number in the notation of Parse Server: JavaScript's shortest text. An integer beyond 2^53 can lose precision. A
    /// number beyond the range of a double stays unchanged.
    package var canonical: JSONNumber {
        if isCanonicalInteger { return self }
        let double = double
        return double.isFinite ? JSONNumber(double) : self
    }

    private var isCanonicalInteger: Bool {
        guard text.utf8.count <= 15 else { return false }
        return text != "-0" && text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
    }

    /// Adds numbers as Parse Server's Increment does: exactly for integers within 2^53, otherwise as doubles.
    /// - Returns: nil if the sum exceeds the range of a double.
    package func adding(_ other: JSONNumber) -> JSONNumber? {
        if let a = Int(text), let b = Int(other.text) {
            let (sum, overflow) = a.addingReportingOverflow(b)
            if !overflow, sum.magnitude <= 1 << 53 { return JSONNumber(sum) }
        }
        let sum = double + other.double
        return sum.isFinite ? JSONNumber(sum) : nil
    }

    /// JavaScript's text of a number: ECMAScript's `Number::toString` for radix 10 (ECMA-262 §6.1.6.1.20). Takes the digits from
    /// Swift's `description`.
    private static func javaScriptText(_ value: Double) -> String {
        if value == 0 { return "0" }
        var digits: [UInt8] = []
        var pointAt: Int?
        var exponent = 0
        var rest = Array(value.magnitude.description.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ".") {
                pointAt = digits.count
            } else if byte == UInt8(ascii: "e") {
                exponent = Int(String(decoding: rest, as: UTF8.self)) ?? 0
                break
            } else {
                digits.append(byte)
            }
        }
        // The value is 0.DIGITS × 10^n.
        var n = (pointAt ?? digits.count) + exponent
        while digits.first == UInt8(ascii: "0") {
            digits.removeFirst()
            n -= 1
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        let k = digits.count
        let text = { (slice: ArraySlice<UInt8>) in String(decoding: slice, as: UTF8.self) }
        let zeros = { (count: Int) in String(repeating: "0", count: count) }
        let body: String
        if k <= n, n <= 21 {
            body = text(digits[...]) + zeros(n - k)
        } else if 0 < n, n <= 21 {
            body = text(digits[..<n]) + "." + text(digits[n...])
        } else if -6 < n, n <= 0 {
            body = "0." + zeros(-n) + text(digits[...])
        } else {
            let mantissa = k == 1 ? text(digits[...]) : text(digits[..<1]) + "." + text(digits[1...])
            body = mantissa + (n > 0 ? "e+" : "e-") + String((n - 1).magnitude)
        }
        return value < 0 ? "-" + body : body
    }
}

extension JSONNumber: Hashable {
    package static func == (a: JSONNumber, b: JSONNumber) -> Bool { a.text == b.text || a.double == b.double }
    package func hash(into hasher: inout Hasher) { hasher.combine(double) }
}
